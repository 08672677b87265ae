#pragma once
// The terms of fine-tuning with frozen weights: the weights as they are stored, what trains beside them, and what adapters keep.

#include "method/memory/activations.hpp"
#include "method/memory/buffers/buffers.hpp"
#include "method/memory/states.hpp"
#include "method/memory/trained.hpp"
#include "method/moments/heaviest_group.hpp"
#include "method/moments/lifetimes.hpp"
#include "method/moments/tuned_bytes.hpp"
#include "method/moments/visit_copied.hpp"
#include "method/moments/visit_optimizer.hpp"
#include "method/parameters/visit.hpp"
#include "method/term.hpp"
#include "method/tuning/memory.hpp"
#include "method/tuning/tensors.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <algorithm>

namespace plimsoll::moments {

/// Stored weights in the order of the model's tensors: of kinds for which `wanted` holds. Where all numbers have one size, what counts
/// is how many of a kind there are, or of all where the stage shares their counts; otherwise each tensor counts for itself.
template <class Wanted, class Sink> void visit_stored(const Scenario& scenario, const Stage& stage, Wanted&& wanted, Sink&& sink) {
  const Model& model = scenario.model;
  const StoredWeights& weights = scenario.weights;
  const bool divided = trains(scenario.workload.task) && scenario.strategy.sharding == Sharding::parameters;
  if (weights.formats.size() == 1 && is_plain(weights.formats.front())) {
    const Bytes each = weights.formats.front().parts.front().bytes;
    const bool together = stage.shared().kinds != nullptr;
    Bytes all;
    parameters::each_held(model, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
      if (!wanted(of.kind)) return;
      const Count held = divided ? memory::state_share(scenario, of.kind, numbers).weights : numbers;
      if (together) all += held * each;
      else sink(memory::weights(parameters::kind_term(of.kind, of.group, numbers), held, each));
    });
    if (together) sink(put_sum(*stage.shared().sum, all));
    return;
  }
  Count left, before; // layers of the matrix that the stage holds, and those that the host leaves to the GPU: a mix gives them several formats
  for (StoredTensor stored : weights.tensors) {
    const ModelTensor& part = model.tensors[stored.tensor];
    const TensorKind kind = part.tensor.kind;
    const LayerGroup* const group = model.group_of(part);
    if (!wanted(kind) || (group == nullptr && !holds(stage, kind, model.tied_embeddings))) continue;
    if (group != nullptr) {
      if (stored.is_first) left = stage.held(*group, kind), before = stage.is_host() ? group->layers - left : Count{0};
      if (stored.copies > Count{0}) {
        const Count passed = min(stored.layers, before);
        before = before - passed;
        stored.layers = min(stored.layers - passed, left);
      }
      left = left - stored.layers;
    }
    const Term whole = memory::stored_weights(model, weights, stored, scenario.strategy);
    sink(divided ? memory::stored_shard(whole, kind, scenario.strategy) : whole);
  }
}

/// What one adapted map of the group keeps, in `layers` layers: sink(const Term&), the terms of one formula one after the other.
template <class Sink> void visit_sites_saved(const Scenario& scenario, const LayerGroup* group, Count layers, Sink&& sink) {
  const Tuning& tuning = scenario.tuning;
  if (tuning::row_of(tuning.method).beside == nullptr && tuning.method != TuningMethod::tinylora && tuning.method != TuningMethod::unilora) return;
  const tuning::Numbers numbers = numbers_of(scenario);
  const Bytes compute = memory::precision_bytes(scenario.strategy.precision).compute;
  const Count tokens = memory::tokens_inside(scenario);
  const auto each = [&](auto&& terms) {
    tuning::visit_sites_of(scenario.model, group, layers, tuning, scenario.strategy, [&](const tuning::Site& site) {
      terms(site, [&](Term term) {
        term.tensor = &site.part->tensor;
        term.group = group;
        if (group == nullptr) term.of = &parameters::formula_of(site.part->tensor.kind);
        if (term.amount != 0) sink(term);
      });
    });
  };
  each([&](const tuning::Site& site, auto&& give) {
    give(tuning::kept_by_adapters(tuning, site, tokens, numbers));
    give(tuning::kept_beside_adapters(tuning, site, tokens, compute));
  });
  each([&](const tuning::Site& site, auto&& give) { give(tuning::squares_kept(tuning, site, numbers, compute)); });
  each([&](const tuning::Site& site, auto&& give) { give(tuning::adapter_dropout(tuning, site, tokens, numbers)); });
}

/// What adapters of one layer group keep for the backward pass of `layers` layers.
template <class Sink> void visit_adapters_saved(const Scenario& scenario, const LayerGroup& group, Count layers, Sink&& sink) {
  const Tuning& tuning = scenario.tuning;
  visit_sites_saved(scenario, &group, layers, sink);
  const auto give = [&](Term term) {
    term.group = &group;
    if (term.amount != 0) sink(term);
  };
  const Count tokens = memory::tokens_inside(scenario);
  const LayerShare share = layer_share(group, scenario.strategy);
  const Bytes compute = memory::precision_bytes(scenario.strategy.precision).compute;
  give(tuning::prompt_attention(tuning, layers, share.query_heads, share.query_width, tokens, compute));
  give(tuning::prefixes_kept(tuning, layers, Count{scenario.workload.batch}, share.key_width + share.value_width, share.query_width + share.output_width,
                             compute));
  give(tuning::bottleneck_kept(tuning, layers, scenario.model.hidden_size, tokens, numbers_of(scenario)));
}

/// The same of adapters at the embedding and the head, and what methods keep once.
template <class Sink> void visit_adapters_outside_layers(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const auto into = [&sink](Lifetime block) {
    return [&sink, block](const Term& term) {
      if (term.amount != 0) sink(block, Part::activations, term);
    };
  };
  visit_sites_saved(scenario, nullptr, Count{1}, [&](const Term& term) {
    const bool is_head = term.tensor->kind == TensorKind::head;
    if (is_head ? stage.has_head() : stage.embeds()) into(is_head ? Lifetime::head_input : Lifetime::layers)(term);
  });
  const Bytes compute = memory::precision_bytes(scenario.strategy.precision).compute;
  if (stage.embeds()) into(Lifetime::layers)(tuning::token_table(scenario.tuning, scenario.model, compute));
  into(Lifetime::layers)(tuning::indices_kept(scenario.tuning, memory::trained_numbers(scenario, stage, nullptr).layers));
}

/// A quantised head is dequantised in both passes.
template <class Sink> void visit_quantised_head(const Scenario& scenario, const Constant& converted, Sink&& sink) {
  if (!is_quantised(scenario.weights)) return;
  const Bytes compute = memory::precision_bytes(scenario.strategy.precision).compute;
  const Term head = tuning::dequantised_head(scenario.model, scenario.weights, scenario.strategy, scenario.profile.training.tuning.dequantised_copies, compute);
  if (head.amount == 0) return;
  sink(Lifetime::loss_head, Part::loss, head);
  sink(Lifetime::loss_forward, Part::loss,
       tuning::dequantised_head_forward(head, scenario.model.vocab_size, memory::tokens_inside(scenario), converted));
}

/// While one layer of the group goes backward: the largest of what its adapted and its quantised maps make.
template <class Sink> void visit_adapter_workspaces(const Scenario& scenario, const LayerGroup& group, Sink&& sink) {
  const Tuning& tuning = scenario.tuning;
  const tuning::Numbers numbers = numbers_of(scenario);
  const Bytes compute = memory::precision_bytes(scenario.strategy.precision).compute;
  const Count tokens = memory::tokens_inside(scenario);
  Term sum, norm;
  const auto keep_larger = [&](Term& largest, Term term) {
    term.group = &group;
    if (term.amount > largest.amount) largest = term;
  };
  tuning::visit_sites_of(scenario.model, &group, Count{1}, tuning, scenario.strategy, [&](const tuning::Site& site) {
    keep_larger(sum, tuning::adapter_sum_workspace(site, tokens, numbers));
    if (tuning.method == TuningMethod::dora) keep_larger(norm, tuning::dora_norm_workspace(site, numbers, compute));
  });
  for (const Term* const term : {&sum, &norm})
    if (term->amount != 0) sink(*term);
  const Constant& copies = scenario.profile.training.tuning.dequantised_copies;
  if (is_quantised(scenario.weights)) sink(tuning::dequantised_workspace(scenario.model, scenario.weights, scenario.strategy, copies, compute));
}

/// Whether the method trains tensors of that kind themselves.
bool trains_itself(const Scenario& scenario, const Stage& stage, TensorKind kind) noexcept;

/// What this GPU steps: tensors of what the method trains, and tensors and numbers of modules that train whole besides.
struct SteppedCounts {
  Count tensors, copied_tensors, copied;
};
SteppedCounts stepped_counts(const Scenario& scenario, const Stage& stage);

/// sink(const SteppedTensor&, named) for what trains beside frozen weights, as this GPU steps it.
template <class Sink> void visit_stepped_beside(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Model& model = scenario.model;
  const memory::RegimeBytes bytes = trained_bytes(scenario);
  tuning::visit_sites(model, scenario.tuning, scenario.strategy, [&](tuning::Site site) {
    const LayerGroup* const group = model.group_of(*site.part);
    if (group != nullptr) site.modules = stage.held(*group) * site.part->tensor.copies;
    else if (!holds(stage, site.part->tensor.kind, model.tied_embeddings)) return;
    tuning::visit_trained_tensors(scenario.tuning, site, [&](const tuning::TrainedTensors& alike) {
      const memory::SteppedTensor tensor = stepped_share(scenario, {.kind = TensorKind::attention, // never an nn.Embedding itself
                                                                    .matrix = alike.columns > Count{1},
                                                                    .tensors = alike.tensors,
                                                                    .rows = alike.rows,
                                                                    .columns = alike.columns,
                                                                    .elements = alike.tensors * (alike.rows * alike.columns),
                                                                    .element = bytes.state,
                                                                    .may_be_several = !alike.known});
      if (tensor.elements == Count{0}) return;
      const Formula* const of = group == nullptr ? &parameters::formula_of(site.part->tensor.kind) : nullptr;
      sink(tensor, NamedTerm{.of = of, .group = group, .tensor = &site.part->tensor, .variant = alike.name});
    });
  });
  const Count once = memory::trained_once_on(scenario, stage);
  if (once == Count{0}) return;
  const memory::SteppedTensor tensor = stepped_share(scenario, {.kind = TensorKind::attention,
                                                                .rows = once,
                                                                .elements = once,
                                                                .element = bytes.state,
                                                                .may_be_several = true});
  sink(tensor, NamedTerm{});
}

/// sink(const SteppedTensor&, const NamedTerm&) for what trains as this GPU steps it: what the method trains, modules that train whole besides.
template <class Sink> void visit_tuned_tensors(const Scenario& scenario, const Stage& stage, bool by_method, bool copies, Sink&& sink) {
  if (by_method && memory::trains_own_weights(scenario.tuning.method))
    visit_own_stepped(scenario, stage, [&](TensorKind kind) { return trains_itself(scenario, stage, kind); }, sink);
  else if (by_method) visit_stepped_beside(scenario, stage, sink);
  if (copies) visit_stepped_copies(scenario, stage, sink);
}

/// The optimizer of what trains, `stepped` numbers of it on this GPU but for modules that train whole beside adapters.
template <class Sink> void visit_tuned_optimizer(const Scenario& scenario, const Stage& stage, Count stepped, Sink&& sink) {
  const SteppedCounts counts = stepped_counts(scenario, stage);
  const Bytes element = trained_bytes(scenario).state, of_copies = copied_bytes(scenario).state;
  const bool apart = counts.copied > Count{0} && element != of_copies && memory::steps_numbers(optimizer_settings(scenario)); // a sum of numbers in one format each
  for (int sum = 0; sum < (apart ? 2 : 1); ++sum) {
    const bool by_method = sum == 0, copies = sum == 1 || !apart;
    const Count elements = (by_method ? stepped : Count{0}) + (copies ? counts.copied : Count{0});
    const Count tensors = (by_method ? counts.tensors : Count{0}) + (copies ? counts.copied_tensors : Count{0});
    visit_optimizer_of(scenario, {}, {.elements = elements, .element = by_method ? element : of_copies}, tensors,
                       [&](auto&& each) { visit_tuned_tensors(scenario, stage, by_method, copies, each); }, sink);
  }
}

/// Bytes of frozen weights on the stage, whole: of the largest group's average layer, and outside layers.
struct StoredSizes {
  Bytes layer, outside;
};
StoredSizes stored_sizes(const Scenario& scenario, const Stage& stage) noexcept;

/// Whether the layers' frozen weights have gradients all the same: FSDP joins what a layer has to one parameter, which needs a gradient
/// where a part of it does. torch/distributed/fsdp/_init_utils.py, the warning on mixed requires_grad with use_orig_params.
inline bool has_flat_gradients(const Scenario& scenario) noexcept {
  return scenario.profile.training.states.flat_gradients && memory::goes_by_unit(scenario) && !is_quantised(scenario.weights);
}

/// Bytes by which one weight of the model that trains is larger than the frozen ones: LLaMA-Factory casts those of the last layers to fp32
/// unless it is told to train in bf16 alone.
inline Bytes trained_upcast(const Scenario& scenario, Bytes weight) noexcept {
  const bool plain = scenario.weights.formats.size() == 1 && is_plain(scenario.weights.formats.front());
  if (scenario.tuning.method != TuningMethod::last_layers || !plain) return Bytes{0};
  return max(weight - scenario.weights.formats.front().parts.front().bytes, Bytes{0});
}

/// Numbers of the stage's layers that nobody trains.
inline Count frozen_in_layers(const Scenario& scenario, const Stage& stage) noexcept {
  Count numbers;
  for (const LayerGroup& group : scenario.model.groups)
    parameters::each_in_layers(scenario.model, group, stage.held(group), scenario.strategy, stage, [&](const KindCount&, Count of_kind) { numbers += of_kind; });
  return numbers;
}

Count largest_layer(const Scenario& scenario, const Stage& stage) noexcept;

/// Frozen weights as they are stored; weights, gradients and optimizer states of what trains.
template <class Sink> void visit_tuned(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const memory::StatePlan plan = memory::state_plan(scenario);
  const bool flat = has_flat_gradients(scenario);
  visit_stored(scenario, stage, [](TensorKind kind) { return in_language_model(kind); },
               [&](const Term& term) { sink(plan.host_weights ? Lifetime::host : Lifetime::resident, Part::weights, term); });
  if (plan.by_unit) {
    const StoredSizes sizes = stored_sizes(scenario, stage);
    sink(Lifetime::gathered_forward, Part::buffers, memory::gathered_frozen(scenario, sizes.layer));
    sink(Lifetime::gathered_backward, Part::buffers, memory::backward_frozen(scenario, sizes.layer));
    sink(Lifetime::gathered_waiting, Part::buffers, memory::waiting_frozen(scenario, sizes.layer));
    if (flat) sink(Lifetime::gathered_backward, Part::buffers, memory::flat_gradient(sizes.layer));
    sink(Lifetime::gathered_root, Part::buffers, memory::gathered_frozen_root(sizes.outside));
  }
  if (upcasts(scenario))
    sink(Lifetime::resident, Part::weights,
         tuning::kbit_upcast(tuning::parameters_not_quantised(scenario.model, scenario.weights, scenario.strategy, stage)));

  const memory::Trained trained = memory::trained_numbers(scenario, stage, nullptr);
  const memory::RegimeBytes bytes = trained_bytes(scenario);
  const memory::StateShare share = memory::state_share(scenario, TensorKind::attention, trained.total());
  if (!memory::trains_own_weights(scenario.tuning.method))
    sink(Lifetime::resident, Part::weights, tuning::adapter_weights(share.weights, scenario.tuning.adapters, bytes.weight));
  if (const Bytes more = trained_upcast(scenario, bytes.weight); more > Bytes{0}) sink(Lifetime::resident, Part::weights, tuning::trained_upcast(share.weights, more));
  if (const Count frozen = memory::frozen_numbers(scenario, stage); frozen > Count{0})
    sink(Lifetime::resident, Part::weights, tuning::adapter_frozen(frozen, scenario.tuning.adapters, bytes.weight));
  if (bytes.master > Bytes{0}) sink(Lifetime::resident, Part::optimizer, tuning::adapter_master(share.states, bytes.master));
  const auto gradients = [&](Lifetime block, Count numbers) {
    const Count held = memory::state_share(scenario, TensorKind::attention, numbers).gradients;
    const bool preallocated = scenario.profile.training.states.preallocated_gradients;
    if (held > Count{0}) sink(preallocated ? Lifetime::resident : block, Part::gradients, tuning::adapter_gradients(held, bytes.gradient));
  };
  gradients(Lifetime::gradients_head, trained.head);
  gradients(Lifetime::gradients_final_norm, trained.final_norm);
  gradients(Lifetime::gradients_layers, flat ? trained.layers + frozen_in_layers(scenario, stage) : trained.layers);
  gradients(Lifetime::gradients_ends, trained.ends);
  visit_copies(scenario, stage, plan, sink);
  visit_tuned_optimizer(scenario, stage, share.states, sink);
  if (has_replicas(scenario.strategy))
    sink(Lifetime::resident, Part::buffers, tuning::adapter_buckets(trained.total(), scenario.profile.training.states.gradient_copies, bytes.gradient));
}

/// Gradients of adapters while layers go backward.
template <class Sink> void visit_tuned_gradients_on_the_way(const Scenario& scenario, const Stage& stage, const LayerGroup& last, Sink&& sink) {
  if (scenario.profile.training.states.preallocated_gradients) return;
  const Count trained = memory::trained_numbers(scenario, stage, &last).but_one;
  const Count others = has_flat_gradients(scenario) ? trained + frozen_in_layers(scenario, stage) - largest_layer(scenario, stage) : trained;
  const Count held = memory::state_share(scenario, TensorKind::attention, others).gradients;
  sink(Lifetime::gradients_but_one, Part::gradients, tuning::adapter_gradients(held, trained_bytes(scenario).gradient));
}

} // namespace plimsoll::moments
