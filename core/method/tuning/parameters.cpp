#include "plimsoll/method/tuning_parameters.hpp"

#include "method/tuning/copied.hpp"
#include "method/tuning/last_layers.hpp"
#include "method/tuning/shapes.hpp"
#include "plimsoll/method/parameters.hpp"

namespace plimsoll {

namespace tuning {

namespace shapes {

Count full(const Tuning&, const Whole& w) noexcept { return count_parameters(w.model); }

Count norms(const Tuning& t, const Whole& w) noexcept {
  Count total;
  if ((norm_targets(t) & kTargetNorms) != 0) total += count_parameters(w.model, TensorKind::norms);
  if ((norm_targets(t) & kTargetFinalNorm) != 0) total += count_parameters(w.model, TensorKind::final_norm);
  return total;
}

Count head(const Tuning&, const Whole& w) noexcept {
  return w.model.tied_embeddings ? count_parameters(w.model, TensorKind::embedding) : count_parameters(w.model, TensorKind::head);
}

Count last_layers(const Tuning& t, const Whole& w) noexcept {
  Count total;
  for (const ModelTensor& part : w.model.tensors)
    if (const LayerGroup* const group = w.model.group_of(part)) total += last_of(w.model, *group, t.trained_layers) * elements(part.tensor);
  return total;
}

} // namespace shapes

namespace {

Whole whole_of(const Model& model) noexcept {
  Whole whole{.model = model, .sites = {}, .layers = {}, .cached = {}, .key_width = {}};
  for (const LayerGroup& group : model.groups) {
    whole.layers += group.layers;
    const LayerShare share = layer_share(group, kUnsharded);
    whole.cached += group.layers * share.cached_width;
    if (whole.key_width == Count{0}) whole.key_width = share.key_width;
  }
  return whole;
}

} // namespace

Count trained_once(const Model& model, const Tuning& tuning) noexcept {
  const Method& row = row_of(tuning.method);
  if (row.once == nullptr) return Count{0};
  Whole whole = whole_of(model);
  visit_sites(model, tuning, kUnsharded, [&](const Site& site) { whole.sites += site.modules; });
  return row.once(tuning, whole);
}

} // namespace tuning

Count copied_parameters(const Model& model, const Tuning& tuning) noexcept {
  Count total;
  tuning::visit_copied(model, tuning, [&](const ModelTensor& part, TensorKind) { total += part.layers * elements(part.tensor); });
  return total;
}

Count trainable_parameters(const Model& model, const Tuning& tuning) noexcept {
  const tuning::Method& row = tuning::row_of(tuning.method);
  Count total = tuning::trained_once(model, tuning);
  if (row.beside != nullptr)
    tuning::visit_sites(model, tuning, kUnsharded, [&](const tuning::Site& site) { total += row.beside(tuning, site); });
  return total + copied_parameters(model, tuning);
}

bool is_covered(TuningMethod method) noexcept { return tuning::row_of(method).kept.known; }

std::int64_t added_tokens(const Tuning& tuning) noexcept {
  const bool prompts = tuning.method == TuningMethod::prompt || tuning.method == TuningMethod::ptuning || tuning.method == TuningMethod::multitask_prompt;
  return prompts ? tuning::shapes::tokens(tuning).value : 0;
}

TuningMethodText text_of(TuningMethod method) noexcept {
  const tuning::Method& row = tuning::row_of(method);
  return {row.id, row.name, row.peft_type, row.source, row.beside != nullptr};
}

std::optional<TuningMethod> method_of_peft_type(std::string_view peft_type) noexcept {
  if (peft_type == "BONE") return TuningMethod::miss; // the former name of MiSS
  if (peft_type == "CPT") return TuningMethod::prompt; // trains an offset of every prompt vector
  if (peft_type == "CARTRIDGE") return TuningMethod::prefix;
  for (const tuning::Method& row : tuning::methods())
    if (!row.peft_type.empty() && row.peft_type == peft_type) return row.method;
  return std::nullopt;
}

} // namespace plimsoll
