#include "answer/weights_read.hpp"

#include "answer/stored_as.hpp"
#include "catalog/compatibility.hpp"
#include "catalog/defaults.hpp"
#include "plimsoll/catalog/quantization.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <optional>
#include <utility>

namespace plimsoll::io {

namespace {

/// Frozen weights that nobody quantised have the format of the training precision.
std::string_view format_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::mixed_bf16:
    case Precision::mixed_fp16: return "fp32";
    case Precision::master_fp16: return "fp16";
    case Precision::bf16:
    case Precision::master_bf16:
    case Precision::sharded_bf16: break;
  }
  return "bf16";
}

/// What cannot be read of a model's own quantisation must not keep people from an estimate in another format.
Issue as_warning(Issue issue) {
  if (issue.severity != Severity::error) return issue;
  issue.severity = Severity::warning;
  issue.message += " The weights are taken to be in bf16.";
  return issue;
}

/// A tensor that is stated and that the model does not have is a mistake of somebody: the file is another model's, or a name is mistyped.
void report_unused(const Model& model, const WeightScheme& scheme, Issues& issues) {
  for (std::size_t i = 0; i < scheme.stated; ++i) {
    const WeightRule& rule = scheme.rules[i];
    if (takes_some(model, scheme, rule)) continue;
    issues.push_back({Severity::error, "weight_dtype", "The model has no tensor " + quoted(std::string_view{rule.names.front()}) + (rule.layers == LayerSet::listed ? " in the layers that are listed for it." : "."),
                      "Import the file whose tensors these are, or leave this one out."});
    return;
  }
}

Issue no_such_format(const WeightCatalog& weights, std::string_view typed) {
  if (weights.engine_of("ik_" + lower_case(typed)) == "ik_llama.cpp")
    return {Severity::error, "weight_dtype", quoted(typed) + " is what most of a file of ik_llama.cpp is in; its other tensors are not told.",
            "Import the file, or its address: its header states the format of each tensor."};
  return {Severity::error, "weight_dtype", "There is no weight format " + quoted(typed) + ".", "Did you mean " + joined_with_or(weights.similar(typed)) + "? `plimsoll catalog weights` lists them."};
}

} // namespace

std::optional<Issue> of_trained_weights(std::string_view typed, Precision precision) {
  const std::string text = lower_case(typed);
  const bool is_half = text == "bf16" || text == "fp16";
  if (!is_half && text != "fp32")
    return Issue{Severity::error, "weight_dtype", "Weights in " + quoted(typed) + " do not train: here every weight trains, in the numbers of its precision.", "Choose method=lora, which freezes them, or leave weight_dtype out."};
  if ((is_half && precision != Precision::fp32) || (!is_half && format_of(precision) == "fp32")) return std::nullopt;
  return Issue{Severity::warning, "weight_dtype", "Weights that train are in the numbers of the precision, not in " + quoted(typed) + ".", "State precision instead."};
}

WeightsRead weights_read(const Catalog& catalog, const Answer& answer, const DeviceRow& device) {
  const WeightCatalog& weights = catalog.weights();
  const std::string* const typed = answer.request.find("weight_dtype");
  const bool frozen = freezes(answer.inputs.workload.task, answer.inputs.tuning);
  const std::optional<ProfileDefault> usual = default_of(defaults_of(answer.profile_id), "weight_dtype", answer.inputs.model.id, answer.inputs.hardware.usable_bytes);
  WeightsRead read;
  read.standard = usual ? usual->value : frozen ? std::string{format_of(answer.inputs.strategy.precision)} : std::string{"bf16"};
  std::optional<WeightScheme> scheme;
  std::string own_id;
  if (!answer.quantization_config.empty()) {
    ImportedScheme own = own_scheme(weights, answer);
    if (own.scheme) own_id = own.id;
    if (typed == nullptr)
      for (Issue& issue : own.issues) read.issues.push_back(as_warning(std::move(issue)));
    // Where the program has a format of its own, that of the checkpoint counts as far as it loads it.
    if (own.scheme && !(usual && incompatible(catalog, answer.profile_id, device, own.id))) {
      read.standard = own.id;
      scheme = std::move(own.scheme);
    }
  }
  if (typed != nullptr && lower_case(*typed) != read.standard) {
    std::optional<WeightScheme> chosen = stored_as(weights, *typed, own_id);
    if (chosen) {
      scheme = std::move(chosen);
      report_unused(answer.inputs.model, *scheme, read.issues);
    } else {
      read.issues.push_back(no_such_format(weights, *typed));
    }
  }
  if (usual && read.standard == usual->value) read.default_citation = usual->citation;
  if (!scheme) scheme = stored_as(weights, read.standard, own_id);
  if (frozen && answer.inputs.tuning.quantised_head) scheme = with_quantised_head(*std::move(scheme));
  read.scheme = std::move(*scheme);
  return read;
}

} // namespace plimsoll::io
