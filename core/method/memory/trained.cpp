#include "method/memory/trained.hpp"

#include "method/parameters/visit.hpp"
#include "method/tuning/last_layers.hpp"
#include "method/tuning/methods.hpp"

namespace plimsoll::memory {

namespace {

using tuning::Method;
using tuning::row_of;
using tuning::Site;
using tuning::trained_once;

Count of_one_layer(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Method& row = row_of(scenario.tuning.method);
  Count numbers;
  tuning::visit_sites_of(scenario.model, &group, Count{1}, scenario.tuning, scenario.strategy, [&](const Site& site) { numbers += row.beside(scenario.tuning, site); });
  return numbers;
}

void add_sites(const Scenario& scenario, const Stage& stage, const LayerGroup* last, Trained& trained) noexcept {
  const Method& row = row_of(scenario.tuning.method);
  tuning::visit_sites(scenario.model, scenario.tuning, scenario.strategy, [&](Site site) {
    const LayerGroup* const group = scenario.model.group_of(*site.part);
    if (group == nullptr) {
      const bool is_head = (site.targets & kTargetHead) != 0;
      if (holds(stage, site.part->tensor.kind, scenario.model.tied_embeddings)) (is_head ? trained.head : trained.ends) += row.beside(scenario.tuning, site);
      return;
    }
    site.layers = stage.held(*group);
    site.modules = site.layers * site.part->tensor.copies;
    if (site.modules > Count{0}) trained.layers += row.beside(scenario.tuning, site);
  });
  trained.but_one = last == nullptr ? trained.layers : max(trained.layers - of_one_layer(scenario, *last), Count{0});
}

void add_norms(const Scenario& scenario, const Stage& stage, const LayerGroup* last, Trained& trained) noexcept {
  const Trains trains = plimsoll::trains(scenario.workload.task, scenario.tuning);
  parameters::each_held(scenario.model, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
    if (trains.norms && of.kind == TensorKind::norms) trained.layers += numbers;
    if (trains.final_norm && of.kind == TensorKind::final_norm) trained.final_norm += numbers;
  });
  trained.but_one = trained.layers;
  if (last == nullptr || !trains.norms) return;
  parameters::each_in_layers(scenario.model, *last, Count{1}, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
    if (of.kind == TensorKind::norms) trained.but_one = trained.but_one - numbers;
  });
}

void add_last_layers(const Scenario& scenario, const Stage& stage, const LayerGroup* last, Trained& trained) noexcept {
  Count one;
  for (const LayerGroup& group : scenario.model.groups) {
    parameters::each_in_layers(scenario.model, group, backward_layers(scenario, stage, group).held, scenario.strategy, stage, [&](const KindCount&, Count numbers) { trained.layers += numbers; });
    if (&group == last) parameters::each_in_layers(scenario.model, group, Count{1}, scenario.strategy, stage, [&](const KindCount&, Count numbers) { one += numbers; });
  }
  trained.but_one = max(trained.layers - one, Count{0});
}

void add_head(const Scenario& scenario, const Stage& stage, Trained& trained) noexcept {
  const TensorKind table = scenario.model.tied_embeddings ? TensorKind::embedding : TensorKind::head;
  if (!stage.has_head()) return;
  parameters::each_held(scenario.model, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
    if (of.kind == table) trained.head += numbers;
  });
}

/// Prompts and rows of the embedding table stand in front of the first layer; everything else belongs to layers.
bool stands_in_front(TuningMethod method) noexcept {
  return method == TuningMethod::prompt || method == TuningMethod::ptuning || method == TuningMethod::multitask_prompt || method == TuningMethod::tokens;
}

} // namespace

std::int64_t layers_with_gradients(const Scenario& scenario) noexcept {
  return is_frozen(scenario) ? tuning::last_with_gradients(scenario.model, scenario.tuning) : std::ssize(scenario.model.pattern);
}

Stage::Layers backward_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const std::int64_t last = layers_with_gradients(scenario);
  if (last == std::ssize(scenario.model.pattern)) return {stage.held(group), stage.alive(group)};
  return stage.last(group, last);
}

Count frozen_numbers(const Scenario& scenario, const Stage& stage) noexcept {
  const Method& row = row_of(scenario.tuning.method);
  Count numbers;
  if (row.frozen == nullptr) return numbers;
  tuning::visit_sites(scenario.model, scenario.tuning, scenario.strategy, [&](Site site) {
    const LayerGroup* const group = scenario.model.group_of(*site.part);
    if (group != nullptr) site.modules = stage.held(*group) * site.part->tensor.copies;
    else if (!holds(stage, site.part->tensor.kind, scenario.model.tied_embeddings)) return;
    numbers += row.frozen(scenario.tuning, site);
  });
  return numbers;
}

bool trains_own_weights(TuningMethod method) noexcept { return method == TuningMethod::norms || method == TuningMethod::head || method == TuningMethod::last_layers; }

Count trained_once_on(const Scenario& scenario, const Stage& stage) noexcept {
  const TuningMethod method = scenario.tuning.method;
  if (trains_own_weights(method) || (stands_in_front(method) && !stage.embeds())) return Count{0};
  return trained_once(scenario.model, scenario.tuning);
}

Trained trained_numbers(const Scenario& scenario, const Stage& stage, const LayerGroup* last) noexcept {
  Trained trained;
  const TuningMethod method = scenario.tuning.method;
  if (method == TuningMethod::norms) return add_norms(scenario, stage, last, trained), trained;
  if (method == TuningMethod::last_layers) return add_last_layers(scenario, stage, last, trained), trained;
  if (method == TuningMethod::head) return add_head(scenario, stage, trained), trained;
  if (row_of(method).beside != nullptr) add_sites(scenario, stage, last, trained);
  const Count once = trained_once_on(scenario, stage);
  if (stands_in_front(method)) trained.ends += once;
  else trained.layers += once, trained.but_one += once;
  return trained;
}

} // namespace plimsoll::memory
