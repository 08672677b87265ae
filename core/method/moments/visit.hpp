#pragma once
// Every term of a scenario, once, with the block it belongs to: sink(Lifetime, Part, const Term&).

#include "method/memory/activations.hpp"
#include "method/memory/buffers/buffers.hpp"
#include "method/memory/buffers/exchange.hpp"
#include "method/memory/buffers/placeholders.hpp"
#include "method/memory/communicators.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/loss.hpp"
#include "method/memory/recompute.hpp"
#include "method/memory/runtime.hpp"
#include "method/memory/serving.hpp"
#include "method/memory/states.hpp"
#include "method/memory/trained.hpp"
#include "method/moments/heaviest_group.hpp"
#include "method/moments/kind_terms.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_companions.hpp"
#include "method/moments/visit_draft.hpp"
#include "method/moments/visit_host.hpp"
#include "method/moments/visit_saved.hpp"
#include "method/moments/visit_served.hpp"
#include "method/moments/visit_trained.hpp"
#include "method/moments/visit_tuning.hpp"
#include "method/parameters/visit.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// Micro-batches whose head's weight gradient may be put off at once.
inline Count deferred_heads(const Scenario& scenario) noexcept {
  const Count all{scenario.workload.micro_batches}, most{scenario.implementation.deferred_micro_batches};
  return most > Count{0} ? min(all, most) : all;
}

/// What training keeps from one step to the next beside weights and their states: copies for fp8, what pipeline and dispatchers
/// hold on to.
template <class Sink> void visit_resident(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Model& model = scenario.model;
  const Strategy& strategy = scenario.strategy;
  const Fp8Profile& fp8 = scenario.profile.training.fp8;
  if (multiplies_in_fp8(strategy.fp8) && fp8.copies.value > 0)
    parameters::visit(model, strategy, stage, [&](TensorKind kind, const Term& term) {
      if (is_trained(model, kind) && autocast_copies(kind) && kind != TensorKind::head) sink(Lifetime::resident, Part::weights, memory::fp8_copies(term, fp8, strategy.fp8_recipe));
    });
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::delayed && !fp8.casts) sink(Lifetime::resident, Part::weights, memory::fp8_scales(scenario, stage));
  if (strategy.pipeline_parallel > 1 && scenario.profile.training.pipeline_buffers.value > 0) sink(Lifetime::resident, Part::buffers, memory::pipeline_buffers(scenario));
  if (memory::stages_of_torch(scenario)) {
    sink(Lifetime::resident, Part::buffers, memory::stage_buffers(scenario, stage));
    if (stage.has_head()) sink(Lifetime::resident, Part::buffers, memory::stage_outputs(scenario));
  }
  if (scenario.implementation.dispatch == ExpertDispatch::all_gather)
    for (const LayerGroup& group : model.groups)
      if (memory::has_experts(group)) sink(Lifetime::resident, Part::buffers, memory::dispatcher_leftovers(scenario, group, stage.held(group)));
  if (stage.has_head() && scenario.implementation.defer_head_gradient)
    parameters::visit(model, strategy, stage, [&](TensorKind kind, const Term& term) {
      const bool is_head = kind == TensorKind::head || (kind == TensorKind::embedding && model.tied_embeddings);
      if (is_head) sink(Lifetime::resident, Part::gradients, memory::gradients(term, term.count(), memory::precision_bytes(strategy.precision).compute));
    });
}

inline Lifetime block_that_leaves(Part part) noexcept {
  return part == Part::weights ? Lifetime::trainer_weights : part == Part::gradients ? Lifetime::trainer_gradients : Lifetime::trainer_states;
}

/// A sink for what trains: what is there from the start and waits in the host's memory while answers are generated comes under a block of its own.
template <class Sink> auto leaving(TrainerOffload offload, Sink& sink) {
  return [offload, &sink](Lifetime block, Part part, const Term& term) {
    const bool stored = part == Part::optimizer || part == Part::gradients || (part == Part::weights && offload == TrainerOffload::all);
    const bool leaves = offload != TrainerOffload::none && stored && (block == Lifetime::resident || block == Lifetime::states);
    if (!leaves) return sink(block, part, term);
    sink(block == Lifetime::states ? block : block_that_leaves(part), part, term);
    sink(Lifetime::host, part, term);
  };
}

/// What of the states a walk gives.
enum class OfStates : unsigned char {
  all,
  model,  ///< weights, gradients and optimizer states: what sharding and offload divide and move
  beside, ///< what is there beside them at every moment, whatever sharding and offload
};

template <class Sink> void visit_states(const Scenario& scenario, const Stage& stage, Sink&& sink, OfStates of = OfStates::all) {
  if (of != OfStates::beside) {
    const auto trainer = leaving(scenario.composition.trainer_offload, sink);
    if (is_frozen(scenario)) visit_tuned(scenario, stage, trainer);
    else if (trains(scenario.workload.task)) visit_trained(scenario, stage, trainer);
    else visit_served(scenario, stage, [&](const Term& term) { sink(Lifetime::resident, Part::weights, term); });
  }
  if (of == OfStates::model) return;
  if (trains(scenario.workload.task)) visit_resident(scenario, stage, sink);
  sink(Lifetime::process, Part::runtime, memory::device_context(scenario.profile.runtime));
  // ggml copies between GPUs without a communicator's buffers: ggml-org/llama.cpp, ggml/src/ggml-cuda/ggml-cuda.cu, ggml_backend_cuda_cpy_tensor_async.
  const bool copies = !trains(scenario.workload.task) && scenario.profile.inference.pass_buffers != PassBuffers::live_set;
  if (!copies) memory::visit_groups(scenario.strategy, [&](const memory::ProcessGroup& group) {
    sink(Lifetime::process, Part::runtime, memory::group_buffers(group));
  });
  sink(Lifetime::resident, Part::runtime, memory::library_workspaces(scenario));
  if (scenario.profile.runtime.engine_workspace_bytes.value > 0) sink(Lifetime::resident, Part::runtime, memory::engine_workspaces(scenario));
  if (trains(scenario.workload.task)) return;
  if (const std::optional<Term> graphs = memory::cuda_graphs(scenario); graphs && graphs->amount > 0) sink(Lifetime::process, Part::runtime, *graphs);
}

/// Autocast keeps each matrix's copy for its backward; where layers run again its cache drops them when the forward pass ends,
/// and the layer that runs again makes its own.
template <class Sink> void visit_autocast(const Scenario& scenario, const Stage& stage, const LayerGroup* heaviest, Sink&& sink) {
  const Model& model = scenario.model;
  const bool reruns = memory::reruns_layers(scenario.strategy.recompute);
  const auto copies = [](Lifetime block) { return OfKinds{block, Part::weights, memory::autocast_copies, memory::kAutocastCopy}; };
  OfKinds in_layers = copies(reruns ? Lifetime::copies_cached : Lifetime::copies_layers), of_head = copies(Lifetime::copies_head);
  OfKinds remaining = copies(Lifetime::copies_remaining), recomputed = copies(Lifetime::copies_recomputed);
  KindTerms terms{stage, sink};
  parameters::each_held(model, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
    const bool is_head = of.kind == TensorKind::head || (of.kind == TensorKind::embedding && model.tied_embeddings && stage.has_head());
    if (!in_language_model(of.kind) || (!is_head && !autocast_copies(of.kind))) return;
    if (reruns && is_frozen(scenario) && !is_head) return; // the cache holds copies of weights that train; the head does not run again
    terms.add(is_head ? of_head : in_layers, of, numbers, numbers);
  });
  if (heaviest != nullptr)
    parameters::each_in_layers(model, *heaviest, Count{1}, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
      if (!autocast_copies(of.kind)) return;
      terms.add(remaining, of, numbers, numbers);
      if (reruns) terms.add(recomputed, of, numbers, numbers);
    });
  for (const OfKinds* sum : {&in_layers, &of_head, &remaining, &recomputed}) terms.close(*sum);
}

template <class Sink> void visit_serving(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Count sequences = Count{scenario.workload.batch} * Count{scenario.serving.beams}; // each beam is sampled and cached as a sequence
  visit_cache(scenario, stage, sequences, [&](const Term& term) { sink(Lifetime::cache, Part::kv_cache, term); });
  if (scenario.profile.inference.pass_buffers != PassBuffers::live_set) { // one buffer, from the first pass on
    sink(Lifetime::host, Part::workspace, memory::graph_inputs(scenario));
    sink(Lifetime::host, Part::workspace, memory::graph_outputs(scenario));
    visit_host_share(scenario, sequences, [&](Lifetime block, Part part, const Term& term) {
      if (term.amount > 0) sink(block, part, term);
    });
    if (const std::optional<Term> copies = memory::input_copies(scenario); copies && copies->amount != 0) sink(Lifetime::resident, Part::workspace, *copies);
    return sink(Lifetime::resident, Part::workspace, memory::graph_buffer(scenario, stage));
  }
  visit_engine_buffers(scenario, stage, [&](const Term& term) { sink(Lifetime::resident, Part::buffers, term); });
  if (const Bytes away = weights_away(scenario, stage).bytes; away > Bytes{0}) sink(Lifetime::host, Part::weights, memory::weights_on_host(scenario, away));
  if (const std::optional<Term> cache = memory::cache_on_host(scenario)) sink(Lifetime::host, Part::kv_cache, *cache);
  if (const std::optional<Term> cache = memory::cache_on_drives(scenario)) sink(Lifetime::nvme, Part::kv_cache, *cache);
  const LayerGroup* const heaviest = heaviest_group(scenario, stage);
  if (heaviest == nullptr) return;
  const memory::PassWidths widths = memory::pass_widths(scenario, *heaviest);
  sink(Lifetime::prefill_pass, Part::workspace, memory::prompt_pass(scenario, widths, memory::prefill_pass_tokens(scenario, *heaviest)));
  // A pass checks the tokens that were proposed, and gives one more: vllm-project/vllm, vllm/v1/sample/rejection_sampler.py.
  const Count positions = sequences * Count{scenario.serving.draft_tokens + 1};
  sink(Lifetime::decode_pass, Part::workspace, memory::engine_pass(widths, positions));
  if (!scenario.model.has_head || !stage.has_head()) return;
  sink(Lifetime::sampling, Part::workspace, memory::logits(scenario, positions));
  sink(Lifetime::sampling, Part::workspace, memory::sampler(scenario, positions));
}

/// What recomputation by operation keeps beside the layers' inputs. A layer that runs again takes its outputs out of what was kept.
template <class Sink> void visit_operations(const Scenario& scenario, const Stage& stage, const LayerGroup& heaviest, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups) {
    const Count last{&group == &heaviest ? 1 : 0}, others = max(memory::backward_layers(scenario, stage, group).alive - last, Count{0});
    if (others > Count{0}) sink(Lifetime::layers, Part::activations, memory::kept_operations(scenario, group, others));
    if (last > Count{0}) sink(Lifetime::last_operations, Part::activations, memory::kept_operations(scenario, group, last));
  }
}

/// Layers that no gradient passes make what they need and drop it: the largest of that.
template <class Sink> void visit_forward_only(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  Term largest;
  for (const LayerGroup& group : scenario.model.groups) {
    if (stage.held(group) == Count{0}) continue;
    if (const Term pass = memory::forward_workspace(scenario, group, memory::tokens_inside(scenario, group)); pass.amount > largest.amount) largest = pass;
  }
  if (largest.amount != 0) sink(largest);
}

/// What the layers keep, and what one of them makes when it goes backward.
template <class Sink> void visit_layer_activations(const Scenario& scenario, const Stage& stage, const LayerGroup* heaviest, Sink&& sink) {
  const Model& model = scenario.model;
  const auto into = [&](Lifetime block) { return [&sink, block](const Term& term) { sink(block, Part::activations, term); }; };
  const auto put = [&](Lifetime block, const Term& term) { sink(block, Part::activations, term); };
  for (const LayerGroup& group : model.groups) {
    const memory::KeptLayers kept = memory::kept_layers(scenario, stage, group);
    if (kept.inputs > Count{0}) into(Lifetime::layers)(memory::checkpoints(scenario, group, kept.inputs));
    if (kept.away > Count{0}) into(Lifetime::host)(memory::checkpoints(scenario, group, kept.away));
    if (kept.whole > Count{0}) visit_whole(scenario, stage, group, &group == heaviest, kept.whole, put);
  }
  if (heaviest == nullptr) return visit_forward_only(scenario, stage, into(Lifetime::temporaries));
  if (scenario.strategy.recompute == Recompute::per_op) visit_operations(scenario, stage, *heaviest, sink);
  const memory::KeptLayers kept = memory::kept_layers(scenario, stage, *heaviest);
  const Count last = max(kept.segment, Count{1}); // layers that are left when the first layer goes backward
  if (kept.segment > Count{0}) {
    visit_saved(scenario, stage, *heaviest, kept.segment, memory::kAllTensors, Lifetime::recomputed_layer, put);
    if (!memory::norm_keeps_its_input(scenario)) into(Lifetime::remaining_layer)(memory::checkpoints(scenario, *heaviest, Count{1}));
  }
  if (const memory::LayerTensors again = memory::run_again(scenario, *heaviest); again != 0) visit_saved(scenario, stage, *heaviest, Count{1}, again, Lifetime::recomputed_layer, put);
  visit_remaining(scenario, stage, *heaviest, last, put);
  if (memory::keeps_former_inputs(scenario)) {
    for (const LayerGroup& group : model.groups) into(Lifetime::former_inputs)(memory::former_inputs(scenario, group, memory::backward_layers(scenario, stage, group).held));
    if (stage.has_head()) into(Lifetime::former_inputs)(memory::former_head_input(scenario));
  }
  into(Lifetime::temporaries)(backward_temporaries(scenario, stage, *heaviest));
  if (multiplies_in_fp8(scenario.strategy.fp8) && scenario.profile.training.fp8.casts)
    into(Lifetime::temporaries)(memory::fp8_casts(scenario, *heaviest));
  if (is_frozen(scenario)) visit_adapter_workspaces(scenario, *heaviest, into(Lifetime::temporaries));
}

/// What the layer that needs most exchanges with the other GPUs of its groups.
template <class Sink> void visit_exchange(const Scenario& scenario, const LayerGroup* group, Sink&& sink) {
  const Strategy& strategy = scenario.strategy;
  if (group == nullptr) return;
  const auto into = [&](const Term& term) { sink(Lifetime::exchange, Part::buffers, term); };
  if (strategy.sequence_parallel && strategy.tensor_parallel > 1) into(memory::gathered_sequence(scenario));
  if (strategy.context_parallel > 1 && memory::attends(*group)) into(memory::exchanged_context(scenario, *group));
  if (strategy.expert_parallel > 1 && memory::has_experts(*group)) into(memory::dispatched_tokens(scenario, *group));
}

/// Gradients while layers go backward, where each is made when its layer does.
template <class Sink> void visit_gradients_on_the_way(const Scenario& scenario, const Stage& stage, const LayerGroup* heaviest, Sink&& sink) {
  if (is_frozen(scenario)) {
    if (heaviest != nullptr) visit_tuned_gradients_on_the_way(scenario, stage, *heaviest, sink);
    return;
  }
  if (scenario.implementation.fused_gradient_accumulation) {
    if (scenario.profile.training.states.placeholder_bytes.value == 0) return;
    sink(Lifetime::resident, Part::buffers, memory::gradient_placeholders(scenario, stage));
    if (heaviest != nullptr && memory::has_experts(*heaviest)) sink(Lifetime::working_gradient, Part::buffers, memory::expert_placeholders(scenario, *heaviest));
    return;
  }
  if (heaviest == nullptr) return;
  const memory::StatePlan plan = plan_of(scenario, stage);
  if (!plan.by_unit) sink(Lifetime::working_gradient, Part::gradients, memory::working_gradient(scenario, *heaviest));
  if (plan.preallocated || plan.host_gradients || Lifetimes{scenario}.accumulates) return; // what is there already is all of them
  const Bytes gradient = memory::gradient_bytes(scenario);
  const memory::StateShares shares{scenario, plan};
  OfKinds but_one{Lifetime::gradients_but_one, Part::gradients, memory::gradients, gradient};
  KindTerms terms{stage, sink};
  for (const LayerGroup& group : scenario.model.groups) {
    const Count others = stage.held(group) - Count{&group == heaviest ? 1 : 0};
    parameters::each_in_layers(scenario.model, group, others, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
      terms.add(but_one, of, numbers, shares.of(of.kind, numbers).gradients);
    });
  }
  terms.close(but_one);
}

/// Prediction depths: their layers, what joins them to the stack, their losses.
template <class Sink> void visit_prediction(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Count depths = stage.heads_alive() * scenario.model.prediction_depths;
  for (const LayerGroup& group : scenario.model.prediction)
    visit_whole(scenario, stage, group, false, depths * group.layers, [&](Lifetime block, const Term& term) { sink(block == Lifetime::layers ? Lifetime::head_input : block, Part::activations, term); });
  sink(Lifetime::head_input, Part::activations, memory::saved_prediction(scenario, stage.heads_alive()));
  sink(Lifetime::loss_waiting, Part::loss, memory::prediction_losses(scenario, stage.heads_alive()));
}

template <class Sink> void visit_head(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const LossProfile& loss = memory::loss_profile(scenario);
  sink(Lifetime::head_input, Part::activations, memory::saved_head(scenario, stage.heads_alive()));
  if (memory::keeps_gathered_inputs(scenario)) sink(Lifetime::head_input, Part::activations, memory::gathered_head_inputs(scenario, stage.heads_alive()));
  sink(Lifetime::head_gradient, Part::activations, memory::head_gradient(scenario));
  if (scenario.model.scalar_head) return; // one score, no logits
  const memory::Logits logits = memory::logits_of(scenario);
  sink(Lifetime::loss_forward, Part::loss, memory::loss(logits, memory::forward_logits(scenario), loss.chunk_forward));
  sink(Lifetime::loss_backward, Part::loss, memory::loss(logits, memory::backward_logits(scenario), loss.chunk_backward));
  sink(Lifetime::loss_head, Part::loss, memory::loss(logits, loss.head_backward));
  sink(Lifetime::loss_after, Part::loss, memory::loss(logits, loss.after));
  if (const Term piece = memory::piece_gradient(scenario); piece.amount != 0) sink(Lifetime::loss_head, Part::loss, piece);
  if (scenario.profile.training.keeps_last_loss) sink(Lifetime::former_loss, Part::loss, memory::loss(logits, loss.after));
  if (is_frozen(scenario)) visit_quantised_head(scenario, loss.converted, sink);
  if (scenario.implementation.defer_head_gradient) sink(Lifetime::loss_waiting, Part::loss, memory::deferred_head(scenario, deferred_heads(scenario)));
  const auto keep = [&](Lifetime block, Count micro_batches, Term (*what)(const Scenario&, Count) noexcept) {
    if (micro_batches > Count{0}) sink(block, Part::loss, what(scenario, micro_batches));
  };
  const Count waiting = stage.heads_alive() - Count{1}, scored{scores_in_step(scenario.composition.method) ? 1 : 0};
  keep(Lifetime::loss_waiting, waiting, memory::waiting_losses);
  keep(Lifetime::loss_kept, scored, memory::waiting_losses);
  if (!memory::keeps_capped_logits(scenario)) return;
  keep(Lifetime::loss_forward, Count{1}, memory::capped_logits);
  keep(Lifetime::loss_backward, Count{1}, memory::capped_logits);
  keep(Lifetime::loss_waiting, waiting, memory::capped_logits);
  keep(Lifetime::loss_kept, scored, memory::capped_logits);
}

// Unless weights are frozen, neither of these depends on how states are divided: a search visits them once for many (plan/memory.cpp).
template <class Sink> void visit_inside_layers(const Scenario& scenario, const Stage& stage, const LayerGroup* heaviest, Sink&& sink) {
  visit_layer_activations(scenario, stage, heaviest, sink), visit_exchange(scenario, heaviest, sink);
}
template <class Sink> void visit_outside_layers(const Scenario& scenario, const Stage& stage, const LayerGroup* heaviest, Sink&& sink) {
  if (autocasts(scenario.strategy.precision) && (!is_frozen(scenario) || is_stored_in_fp32(scenario.weights))) visit_autocast(scenario, stage, heaviest, sink);
  if (is_frozen(scenario)) {
    if (autocasts(scenario.strategy.precision) && !is_stored_in_fp32(scenario.weights)) visit_copied_head_cast(scenario, stage, sink);
    visit_adapters_outside_layers(scenario, stage, sink);
  }
  const bool from_the_first = memory::layers_with_gradients(scenario) == std::ssize(scenario.model.pattern);
  if (stage.embeds() && scenario.implementation.hidden_dropout && from_the_first)
    sink(Lifetime::layers, Part::activations, memory::saved_embedding_dropout(scenario, stage.embeddings_alive()));
  if (stage.has_head()) visit_head(scenario, stage, sink);
  if (stage.predicts()) visit_prediction(scenario, stage, sink);
  if ((scenario.implementation.attention_mask && (stage.embeds() || stage.has_head())) || memory::masks_documents(scenario))
    sink(Lifetime::layers, Part::activations, memory::attention_mask(scenario));
}

template <class Sink> void visit_training(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const LayerGroup* const heaviest = heaviest_group(scenario, stage); // which takes as long to find as all else, where there are several
  visit_inside_layers(scenario, stage, heaviest, sink), visit_gradients_on_the_way(scenario, stage, heaviest, sink);
  visit_outside_layers(scenario, stage, heaviest, sink);
}

/// A model that trains along, wholly under its role's name.
template <class Sink> void visit_trained_companion(const Scenario& policy, const AuxiliaryModel& auxiliary, const Stage& stage, Sink&& sink) {
  const Scenario& scenario = auxiliary.scenario;
  const Stage own = stage_of(scenario, stage);
  const auto under_role = [&](Lifetime block, Part, Term term) {
    term.role = &text_of(auxiliary.role);
    sink(block, Part::other_models, term);
  };
  visit_trained(scenario, own, leaving(policy.composition.trainer_offload, under_role));
  visit_training(scenario, own, under_role);
}

template <class Sink> void visit_companions(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  for (const AuxiliaryModel& auxiliary : scenario.auxiliary_models) {
    if (auxiliary.elsewhere) continue;
    if (auxiliary.trains) visit_trained_companion(scenario, auxiliary, stage, sink);
    else if (auxiliary.role == Role::engine) visit_rollout(scenario, auxiliary, stage, sink);
    else if (auxiliary.role == Role::draft) visit_draft(auxiliary, stage, sink);
    else if (auxiliary.holds_weights && !comes_and_goes(scenario, auxiliary))
      visit_role_weights(auxiliary, stage, [&](const Term& term) { sink(Lifetime::resident, Part::other_models, term); });
    if (auxiliary.role == Role::teacher && stage.has_head())
      sink(Lifetime::teacher_logits, Part::loss, memory::teacher_logits(auxiliary.scenario, Count{scenario.composition.teacher_top_k}));
  }
  visit_scoring(scenario, stage, sink);
}

template <class Sink> void visit(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  visit_states(scenario, stage, sink);
  if (trains(scenario.workload.task)) visit_training(scenario, stage, sink);
  else visit_serving(scenario, stage, sink);
  if (!scenario.auxiliary_models.empty()) visit_companions(scenario, stage, sink);
}

} // namespace plimsoll::moments
