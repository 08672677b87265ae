#include "method/time/training/visit.hpp"

#include "method/compute/visit.hpp"
#include "method/memory/activations/layer_tensors.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/states.hpp"
#include "method/sharding/fleet.hpp"
#include "method/time/training/parts.hpp"
#include "method/time/training/rates.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

/// Of a token's multiplications that would run again, those at the end of their layers where the framework stops before them.
Count skipped_again(const Scenario& scenario) noexcept {
  const Model& model = scenario.model;
  const Count layers = compute::stack_of(model), again = compute::layers_again(scenario.strategy, layers);
  if (!scenario.profile.efficiency.stops_early || again == Count{0}) return Count{0};
  Count last;
  for (const LayerGroup& group : model.groups)
    last += group.layers * (group.mlp.copies * group.mlp.intermediate_size + group.moe.per_token * group.moe.expert_size);
  return Count{(Count{2} * (model.hidden_size * last) * again).value / layers.value};
}

/// Of the experts' multiplications of a token, a forward pass in the layers that run again; no policy by operation keeps their results.
Count experts_again(const Scenario& scenario, Count experts) noexcept {
  const Count layers = compute::stack_of(scenario.model), forward{experts.value / compute::passes_over_weights(scenario).value};
  const bool in_modules = scenario.strategy.recompute == Recompute::selective && (scenario.strategy.recompute_modules & kRecomputeExperts) != 0;
  if (scenario.strategy.recompute == Recompute::per_op || in_modules) return forward;
  return layers > Count{0} ? Count{(forward * compute::layers_again(scenario.strategy, layers)).value / layers.value} : Count{0};
}

/// Operations between the matrix products of all layers, in channels of their inputs: of layers that run again, all; of modules that do, as much
/// as what they compute again is of what a layer keeps.
Count channels_again(const Scenario& scenario, Count layers_again) noexcept {
  const Count h = scenario.model.hidden_size;
  if (scenario.strategy.recompute != Recompute::selective || !treats_modules_apart(scenario.strategy)) return layers_again * h;
  Count channels;
  for (const LayerGroup& group : scenario.model.groups) {
    const Bytes all = memory::layer_bytes(scenario, group, memory::kAllTensors), again = memory::layer_bytes(scenario, group, memory::run_again(scenario, group));
    const Count share{all > Bytes{0} ? again.value * 1000 / all.value : 0}; // thousandths
    channels += ceil_div(group.layers * (h * share), Count{1000});
  }
  return channels;
}

/// Layers whose sums over the tensor-parallel group, and whose exchange of rows with experts, run again.
struct ExchangedAgain {
  Count reduced; ///< layers; a module's sum is half of a layer's
  Count experts; ///< of the layers with experts
};
ExchangedAgain exchanged_again(const Scenario& scenario, Count layers, Count layers_again) noexcept {
  Count dense, routed, summed; // of the routed, those whose experts leave sums
  const Strategy& strategy = scenario.strategy;
  for (const LayerGroup& group : scenario.model.groups) {
    (memory::has_experts(group) ? routed : dense) += group.layers;
    if (memory::has_experts(group) && sums_experts(group, strategy)) summed += group.layers;
  }
  if (strategy.recompute != Recompute::selective) {
    const auto share = [&](Count of) { return layers > Count{0} ? ceil_div(of * layers_again, layers) : Count{0}; };
    return {share(layers_summed(scenario)), share(routed)};
  }
  const auto again = [&](std::uint32_t module, Count of) { return (strategy.recompute_modules & module) != 0 ? of : Count{0}; };
  return {ceil_div(again(kRecomputeMlp, dense) + again(kRecomputeExperts, summed), Count{2}), again(kRecomputeExperts, routed)};
}

/// Operations of towers on the images and sounds of a micro-batch; where they are frozen, forward only.
Count seen_by_towers(const Scenario& scenario) noexcept {
  const Media& media = scenario.workload.media;
  Count forward;
  if (!media.any() || scenario.workload.task != Task::finetune) return forward;
  for (const Tower& tower : scenario.model.towers) forward += compute::tower_work(tower, media).operations();
  return Count{scenario.workload.batch} * (media.trains_towers ? compute::kPasses * forward : forward);
}

/// Pairs of queries and keys that the scores' work is of: two FLOP for each channel of both and of values, in three passes.
Count pairs_of(const Term& scores) noexcept {
  const LayerGroup& group = *scores.group;
  const Count channels = group.attends() ? group.attention_shape.query_dim + group.attention_shape.value_dim : Count{2} * group.cross.head_dim;
  return Count{scores.amount / std::max<std::int64_t>((Count{2} * (compute::kPasses * channels)).value, 1)};
}

} // namespace

GpuWork gpu_work(const Scenario& scenario) noexcept {
  GpuWork whole; // of a token
  compute::visit(scenario, [&](compute::Part part, const Term& term) {
    switch (part) {
      case compute::Part::matrices: (term.group == nullptr ? whole.head : whole.layers) += term.count(); break;
      case compute::Part::experts: whole.layers += term.count(), whole.experts += term.count(); break;
      case compute::Part::scores: whole.scores += term.count(), whole.pairs += pairs_of(term); break;
      case compute::Part::prediction_experts: whole.prediction += term.count(), whole.prediction_experts += term.count(); break;
      case compute::Part::prediction_scores: whole.prediction += term.count(), whole.prediction_scores += term.count(), whole.prediction_pairs += pairs_of(term); break;
      case compute::Part::prediction: whole.prediction += term.count(); break;
      case compute::Part::matrices_again: whole.layers_again += term.count(); break;
      case compute::Part::scores_again: whole.scores_again += term.count(); break;
      case compute::Part::recurrences: whole.recurrences += term.count(); break;
      case compute::Part::recurrences_again: whole.recurrences_again += term.count(); break;
    }
  });
  whole.layers_again = whole.layers_again - skipped_again(scenario);
  const auto share = [&](Count of_token) { return micro_batch_share(of_token, scenario.workload, scenario.strategy); };
  whole.experts_again = experts_again(scenario, whole.experts);
  GpuWork work = whole;
  for (Count GpuWork::*const of : {&GpuWork::layers, &GpuWork::head, &GpuWork::experts, &GpuWork::scores, &GpuWork::pairs, &GpuWork::recurrences, &GpuWork::prediction, &GpuWork::prediction_experts,
                                   &GpuWork::prediction_scores, &GpuWork::prediction_pairs, &GpuWork::layers_again, &GpuWork::scores_again, &GpuWork::recurrences_again, &GpuWork::experts_again})
    work.*of = share(whole.*of);
  work.layers += seen_by_towers(scenario);
  const Count forward{work.scores.value / compute::kPasses.value};
  if (forward > Count{0}) work.pairs_again = Count{narrowed(Wide{work.pairs.value} * work.scores_again.value / forward.value)};
  return work;
}

namespace {

/// Parameters of the first stage.
Count expert_parameters(const Scenario& scenario) noexcept {
  return expert_parameters_per_gpu(scenario.model, scenario.strategy, Stage{scenario.model, scenario.strategy, scenario.workload, 0});
}

/// Parts of a step as its passes are visited: later ones depend on how long earlier ones take.
class PassParts {
public:
  PassParts(const Scenario& scenario, TimeSink sink, void* into) noexcept
      : scenario_(scenario), parameters_(parameters_per_gpu(scenario.model, scenario.strategy, Stage{scenario.model, scenario.strategy, scenario.workload, 0})), sink_(sink), into_(into) {}

  Passes run() noexcept {
    arithmetic();
    exchanges();
    host();
    pipeline();
    return {passes_, parameters_};
  }

private:
  static void add_to(Term& sum, const Term& term) noexcept {
    sum.amount = (Nanoseconds{sum.amount} + Nanoseconds{term.amount}).value;
    sum.low = (Nanoseconds{sum.low} + Nanoseconds{term.low}).value;
    sum.high = (Nanoseconds{sum.high} + Nanoseconds{term.high}).value;
  }

  void add(TimePart part, const Term& term) noexcept {
    add_to(busy_, term);
    sink_(into_, part, term);
  }

  /// Of output head or loss.
  void add_end(TimePart part, const Term& term) noexcept {
    add_to(ends_, term);
    add(part, term);
  }

  /// All GPUs wait for the one whose experts get the most.
  void wait_for_busiest(GpuWork& work) const noexcept {
    if (scenario_.strategy.expert_parallel <= 1) return;
    const Count above{scenario_.strategy.expert_load_permille - 1000};
    const Count more = ceil_div(above * work.experts, Count{1000}), again = ceil_div(above * work.experts_again, Count{1000});
    work.layers += more, work.experts += more, work.layers_again += again, work.experts_again += again;
  }

  /// Of so many layers, or channels of them, as many as have both what mixes tokens and what follows it.
  Count in_whole_layers(Count of) const noexcept {
    const Count halves = half_layers(scenario_.model);
    return halves == Count{2} * layers_ || layers_ == Count{0} ? of : Count{narrowed((Wide{of.value} * halves.value + 2 * layers_.value - 1) / (2 * layers_.value))};
  }

  /// What runs again begins and ends its tiles as often, for its work, as the rest.
  void begin_tiles(GpuWork& work) const noexcept {
    const Starts starts = starts_of(scenario_);
    const Count dense = work.layers - work.experts, dense_again = work.layers_again - min(work.experts_again, work.layers_again);
    const auto more = [](Count of, Count start, Count whole) { return whole > Count{0} ? Count{narrowed(Wide{of.value} * start.value / whole.value)} : Count{0}; };
    const Count again = more(dense_again, starts.dense, dense), experts_again = more(work.experts_again, starts.experts, work.experts);
    work.layers += starts.dense + starts.experts, work.experts += starts.experts;
    work.layers_again += again + experts_again, work.experts_again += experts_again;
  }

  Nanoseconds in_micro_batch(std::int64_t step) const noexcept {
    return Nanoseconds{step / std::max<std::int64_t>(scenario_.workload.micro_batches, 1)};
  }

  /// Of a parameter in a micro-batch: its weight in both passes, in 16 bits, and its gradient, which later micro-batches read and add to.
  Bytes moved_in_passes() const noexcept {
    const Bytes gradient = is_frozen(scenario_) ? Bytes{0} : memory::gradient_bytes(scenario_);
    return Bytes{4} + (scenario_.workload.micro_batches > 1 ? Count{2} * gradient : gradient);
  }

  void arithmetic() noexcept {
    GpuWork work = gpu_work(scenario_);
    begin_tiles(work);
    wait_for_busiest(work);
    const Count routed = work.experts > Count{0} ? expert_parameters(scenario_) : Count{0};
    add(TimePart::matrices, layer_matrices(scenario_, work.layers, work.experts, (parameters_ - routed) * moved_in_passes(), routed * moved_in_passes()));
    if (work.head > Count{0}) add_end(TimePart::matrices, head_matrices(scenario_, work.head));
    if (work.scores > Count{0}) {
      const Term scores = attention_core(scenario_, work.scores, work.pairs);
      attention_ = in_micro_batch(scores.amount);
      add(TimePart::attention, scores);
    }
    if (work.recurrences > Count{0}) add(TimePart::attention, recurrences(scenario_, work.recurrences));
    const Model& model = scenario_.model;
    layers_ = compute::stack_of(model);
    by_operation_ = scenario_.strategy.recompute == Recompute::per_op;
    layers_again_ = by_operation_ ? layers_ : compute::layers_again(scenario_.strategy, layers_);
    channels_again_ = channels_again(scenario_, layers_again_);
    exchanged_again_ = exchanged_again(scenario_, layers_, layers_again_);
    add(TimePart::elementwise, elementwise(scenario_, Traffic::layers, in_whole_layers(layers_) * model.hidden_size));
    if (model.has_head) add_end(TimePart::elementwise, elementwise(scenario_, Traffic::logits, (Count{1} + model.prediction_depths) * model.vocab_size));
    if (work.prediction > Count{0}) predict(work);
    if (const Count beside = channels_beside(scenario_); beside > Count{0}) add(TimePart::elementwise, elementwise(scenario_, Traffic::adapters, beside));
    each_group(model, [&](const LayerGroup& group, Count layers) {
      const Count rows = layers * group.moe.per_token;
      rows_ += rows;
      if (rows > Count{0}) sent_ += ceil_div(layers * copies_sent(scenario_, group.moe.per_token) * width_at_experts(model, group), Count{1000});
    });
    if (rows_ > Count{0}) add(TimePart::elementwise, elementwise(scenario_, Traffic::routed, channels_routed(scenario_)));
    if (work.layers_again > Count{0}) add(TimePart::recompute, matrices_again(scenario_, work.layers_again, work.experts_again));
    if (work.scores_again > Count{0}) add(TimePart::recompute, attention_again(scenario_, work.scores_again, work.pairs_again));
    if (work.recurrences_again > Count{0}) add(TimePart::recompute, recurrences_again(scenario_, work.recurrences_again));
    if (channels_again_ > Count{0}) add(TimePart::recompute, elementwise(scenario_, Traffic::layers_again, in_whole_layers(channels_again_)));
  }

  /// Layers that predict further tokens stand before the loss. Their rows at experts count as the stack's.
  void predict(const GpuWork& work) noexcept {
    const Model& model = scenario_.model;
    Count layers;
    for (const LayerGroup& group : model.prediction) layers += model.prediction_depths * group.layers;
    add_end(TimePart::matrices, layer_matrices(scenario_, work.prediction - work.prediction_scores, work.prediction_experts, Bytes{0}, Bytes{0}));
    if (work.prediction_scores > Count{0}) add_end(TimePart::attention, attention_core(scenario_, work.prediction_scores, work.prediction_pairs));
    add_end(TimePart::elementwise, elementwise(scenario_, Traffic::layers, layers * model.hidden_size));
  }

  void exchanges() noexcept {
    const Strategy& strategy = scenario_.strategy;
    if (strategy.tensor_parallel > 1) add(TimePart::tensor_parallel, tensor_parallel(scenario_, layers_summed(scenario_), exchanged_again_.reduced, by_operation_));
    if (strategy.context_parallel > 1) {
      const ContextWork work = context_work();
      if (strategy.context_method == ContextMethod::ring) {
        add(TimePart::context_parallel, context_merge(scenario_, work));
        const Term starts = context_starts(scenario_, work);
        attention_ += in_micro_batch(starts.amount);
        add(TimePart::context_parallel, starts);
      }
      add(TimePart::context_parallel, context_parallel(scenario_, work, attention_));
    }
    if (rows_ > Count{0} && strategy.expert_parallel > 1) add(TimePart::experts, expert_exchange(scenario_, sent_, sent_again(), in_micro_batch(busy_.amount)));
  }

  ContextWork context_work() const noexcept {
    ContextWork work;
    for (const LayerGroup& group : scenario_.model.groups) {
      if (!group.attends()) continue;
      const LayerShare share = layer_share(group, scenario_.strategy);
      work.layers += group.layers;
      work.heads += group.layers * share.query_heads;
      work.queries += group.layers * share.query_width;
      work.keys_values += group.layers * (share.key_width + share.value_width);
      work.outputs += group.layers * share.output_width;
    }
    for (Count* const of : {&work.layers, &work.heads, &work.queries, &work.keys_values, &work.outputs}) *of = stage_layers(*of, scenario_.strategy);
    return work;
  }

  /// Layers with experts send alike, or nearly so.
  Count sent_again() const noexcept {
    Count routed;
    for (const LayerGroup& group : scenario_.model.groups)
      if (memory::has_experts(group)) routed += group.layers;
    return ceil_div(sent_ * exchanged_again_.experts, max(routed, Count{1}));
  }

  /// Layers that run again are another forward pass.
  void host() noexcept {
    Count routed, attending;
    for (const LayerGroup& group : scenario_.model.groups) {
      if (memory::has_experts(group)) routed += group.layers;
      if (group.attends()) attending += group.layers;
    }
    const Strategy& strategy = scenario_.strategy;
    const Count again = stage_layers(ceil_div(channels_again_, max(scenario_.model.hidden_size, Count{1})), strategy), all = Count{3} * stage_layers(layers_, strategy) + again;
    const Count part = layers_ > Count{0} ? ceil_div(all * routed, layers_) : Count{0};
    const TrainingGraphs graphs = scenario_.implementation.training_graphs;
    const Count launched = graphs == TrainingGraphs::none ? all : Count{0}, routed_launched = graphs == TrainingGraphs::iteration ? Count{0} : part;
    const Count steps{strategy.context_method == ContextMethod::ring ? strategy.context_parallel - 1 : 0};
    waiting_ = launches(scenario_, {launched, routed_launched, layers_ > Count{0} ? steps * ceil_div(launched * attending, layers_) : Count{0}}, busy_);
    if (is_any(waiting_)) add(TimePart::launches, waiting_);
  }

  void pipeline() noexcept {
    passes_ = in_micro_batch(busy_.amount);
    if (const Bytes away = activations_away(scenario_, layers_); away > Bytes{0}) add(TimePart::offload, activation_offload(scenario_, away, passes_));
    if (scenario_.strategy.pipeline_parallel <= 1) return;
    const Term busy = busy_; // before the pipeline's own parts
    add(TimePart::pipeline, pipeline_bubble(scenario_, busy));
    if (const Term slowest = slowest_stage(scenario_, busy, waiting_, ends_); is_any(slowest)) add(TimePart::pipeline, slowest);
    add(TimePart::pipeline, pipeline_messages(scenario_, busy));
  }

  const Scenario& scenario_;
  Count parameters_;
  TimeSink sink_;
  void* into_;
  Term busy_, waiting_; ///< waiting for the host
  Term ends_;           ///< of an average stage, for output head and loss
  Nanoseconds attention_, passes_; ///< of one micro-batch
  Count rows_, sent_; ///< of a token at experts, in all layers, and the channels of them that go from GPU to GPU
  Count layers_, layers_again_;  ///< of which run again whole
  Count channels_again_;         ///< of the inputs of what runs again between matrix products
  ExchangedAgain exchanged_again_;
  bool by_operation_ = false;          ///< and of the others only some
};

/// What replicas exchange, and what the optimizer steps.
class StateParts {
public:
  StateParts(const Scenario& scenario, const Passes& passes, TimeSink sink, void* into) noexcept
      : scenario_(scenario), passes_(passes.of_micro_batch), parameters_(passes.parameters), sink_(sink), into_(into) {}

  void run() noexcept {
    replicas();
    states();
  }

private:
  void add(TimePart part, const Term& term) noexcept { sink_(into_, part, term); }

  void replicas() noexcept {
    if (!has_replicas(scenario_.strategy)) return;
    const Strategy& strategy = scenario_.strategy;
    const bool apart = strategy.expert_parallel > 1 && !is_frozen(scenario_); // adapters are spread evenly, and small
    const Count experts = apart ? expert_parameters(scenario_) : Count{0};
    const Term others = data_parallel(scenario_, parameters_ - experts, trained() - experts, passes_);
    add(TimePart::data_parallel, others);
    if (experts > Count{0} && expert_shards_ring(strategy).members > Count{1})
      add(TimePart::data_parallel, expert_data_parallel(scenario_, experts, passes_, others));
    if (strategy.sharding == Sharding::parameters && strategy.reshard_after_forward && strategy.secondary_group > 0)
      add(TimePart::data_parallel, second_gather(scenario_, parameters_, passes_));
    if (has_shard_copies(scenario_.strategy)) add(TimePart::data_parallel, replica_copies(scenario_, trained()));
  }

  void states() noexcept {
    const Strategy& strategy = scenario_.strategy;
    const Count stepped = strategy.sharding == Sharding::none ? trained() : shard_of(trained(), TensorKind::embedding, strategy);
    if (strategy.offload == Offload::none) {
      const Term optimizer = optimizer_pass(scenario_, stepped);
      add(TimePart::optimizer, optimizer);
      if (const Term waiting = launches_of_step(scenario_, optimizer); is_any(waiting)) add(TimePart::launches, waiting);
      return;
    }
    const Count fetched = strategy.sharding == Sharding::parameters ? shard_of(parameters_, TensorKind::embedding, strategy) : parameters_;
    add(TimePart::optimizer, host_step(scenario_, stepped));
    add(TimePart::offload, offload(scenario_, fetched, stepped));
    if (strategy.nvme != Nvme::none) add(TimePart::offload, nvme(scenario_, fetched, stepped));
  }

  /// Adapters are spread over the model as evenly as its layers.
  Count trained() const noexcept {
    if (!is_frozen(scenario_)) return parameters_;
    return ceil_div(trainable_parameters(scenario_.model, scenario_.tuning), gpus_of_a_replica(scenario_.strategy));
  }

  const Scenario& scenario_;
  Nanoseconds passes_; ///< of one micro-batch
  Count parameters_;
  TimeSink sink_;
  void* into_;
};

} // namespace

Passes visit_passes(const Scenario& scenario, TimeSink sink, void* into) noexcept { return PassParts{scenario, sink, into}.run(); }

void visit_states(const Scenario& scenario, const Passes& passes, TimeSink sink, void* into) noexcept { StateParts{scenario, passes, sink, into}.run(); }

void visit(const Scenario& scenario, TimeSink sink, void* into) noexcept { visit_states(scenario, visit_passes(scenario, sink, into), sink, into); }

} // namespace plimsoll::timing
