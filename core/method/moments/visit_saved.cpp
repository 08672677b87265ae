#include "method/moments/visit_saved.hpp"

#include "method/memory/activations/offloaded.hpp"
#include "method/memory/activations/visit_layer.hpp"
#include "method/moments/layer_sums.hpp"
#include "method/moments/visit_tuning.hpp"
#include "method/term.hpp"

namespace plimsoll::moments {

namespace {

/// Of one layer of the group, where the stage shares it.
const LayerSums::Sum* sum_of(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const LayerSums* const layers = stage.shared().layers;
  return layers == nullptr ? nullptr : layers->of(scenario, group);
}

} // namespace

Term backward_temporaries(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const LayerSums::Sum* const sum = sum_of(scenario, stage, group);
  if (sum == nullptr) return memory::backward_temporaries(scenario, group);
  return put_sum(*stage.shared().sum, Bytes{sum->temporaries});
}

void visit_saved(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, memory::LayerTensors counted, Lifetime block, SavedSink sink, void* into) noexcept {
  if (const LayerSums::Sum* const sum = counted == memory::kAllTensors ? sum_of(scenario, stage, group) : nullptr)
    return sink(into, block, put_sum(*stage.shared().sum, layers * Bytes{sum->amount}, layers * Bytes{sum->low}, layers * Bytes{sum->high}));
  const auto put = [&](const Term& term) { sink(into, block, term); };
  memory::visit_layer(scenario, group, layers, counted, put);
  if (is_frozen(scenario) && (counted & memory::kOtherTensors) != 0) visit_adapters_saved(scenario, group, layers, put);
}

namespace {

/// Layers that leave all they keep to the host, as the framework moves it.
void visit_kept_away(const Scenario& scenario, const Stage& stage, const LayerGroup& group, bool at_work, Count layers, SavedSink sink, void* into) noexcept {
  const OffloadProfile& offload = scenario.profile.training.offload;
  const Count away = min(layers, memory::layers_away(scenario, group));
  if (layers > away) visit_saved(scenario, stage, group, layers - away, memory::kAllTensors, Lifetime::layers, sink, into);
  if (away > Count{0}) visit_saved(scenario, stage, group, away, memory::kAllTensors, Lifetime::host, sink, into);
  if (offload.kept != KeptOffload::tensors || away == Count{0}) return;
  sink(into, offload.repeats_stay ? Lifetime::layers : Lifetime::host, memory::kept_again(scenario, group, away));
  if (at_work) sink(into, Lifetime::layers, memory::tensors_on_their_way(scenario, group));
}

} // namespace

void visit_remaining(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, SavedSink sink, void* into) noexcept {
  const OffloadProfile& offload = scenario.profile.training.offload;
  if (!moves_kept(scenario.strategy) || offload.kept != KeptOffload::tensors) return visit_saved(scenario, stage, group, layers, memory::kAllTensors, Lifetime::remaining_layer, sink, into);
  if (offload.repeats_stay) sink(into, Lifetime::remaining_layer, memory::kept_again(scenario, group, layers));
  sink(into, Lifetime::remaining_layer, memory::tensors_on_their_way(scenario, group));
}

void visit_whole(const Scenario& scenario, const Stage& stage, const LayerGroup& group, bool at_work, Count layers, SavedSink sink, void* into) noexcept {
  const auto put = [&](Count of, memory::LayerTensors counted, Lifetime block) {
    if (of > Count{0} && counted != 0) visit_saved(scenario, stage, group, of, counted, block, sink, into);
  };
  if (moves_kept(scenario.strategy)) return visit_kept_away(scenario, stage, group, at_work, layers, sink, into);
  if (!treats_modules_apart(scenario.strategy)) return put(layers, memory::kAllTensors, Lifetime::layers);
  const memory::LayerTensors away = memory::on_host(scenario, group);
  const Count passing = min(layers, Count{at_work ? 2 : 0}), stays = max(passing, layers - memory::part_offloaded(scenario, layers));
  put(layers, memory::on_device(scenario, group), Lifetime::layers);
  put(stays, away, Lifetime::layers);
  put(layers - stays, away, Lifetime::host);
}

} // namespace plimsoll::moments
