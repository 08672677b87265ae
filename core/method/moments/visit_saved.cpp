#include "method/moments/visit_saved.hpp"

#include "method/memory/activations/visit_layer.hpp"
#include "method/moments/visit_tuning.hpp"

namespace plimsoll::moments {

void visit_saved(const Scenario& scenario, const LayerGroup& group, Count layers, memory::LayerTensors counted, Lifetime block, SavedSink sink, void* into) noexcept {
  const auto put = [&](const Term& term) { sink(into, block, term); };
  memory::visit_layer(scenario, group, layers, counted, put);
  if (is_frozen(scenario) && (counted & memory::kOtherTensors) != 0) visit_adapters_saved(scenario, group, layers, put);
}

void visit_whole(const Scenario& scenario, const LayerGroup& group, bool at_work, Count layers, SavedSink sink, void* into) noexcept {
  const auto put = [&](Count of, memory::LayerTensors counted, Lifetime block) {
    if (of > Count{0} && counted != 0) visit_saved(scenario, group, of, counted, block, sink, into);
  };
  if (!treats_modules_apart(scenario.strategy)) return put(layers, memory::kAllTensors, Lifetime::layers);
  const memory::LayerTensors away = memory::on_host(scenario, group);
  const Count stays = min(layers, Count{at_work ? 2 : 0});
  put(layers, memory::on_device(scenario, group), Lifetime::layers);
  put(stays, away, Lifetime::layers);
  put(layers - stays, away, Lifetime::host);
}

} // namespace plimsoll::moments
