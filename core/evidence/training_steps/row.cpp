// {"kind": "saved_tensors", "model", "workload", "scenario", "measured": {"layer_bytes"}}: what autograd keeps of one layer, and
// {"kind": "training", "model", "workload", "strategy", "precision", "scenario", "measured": {"peak_first", "peak_steady",
// "reserved_max_in_process", "parameters", "trainable"}}: steps that tests/measure cut into moments.
#include "evidence/training_steps/row.hpp"

#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"
#include "method/memory/states.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <array>

namespace plimsoll::io::accuracy {

namespace training_steps {

namespace {

bool is_layer(const Json& row) { return text_of(row, "kind") == "saved_tensors"; }

/// The number that rows of this kind are about.
const char* main_metric(const Json& row) { return is_layer(row) ? "layer_bytes" : "peak_steady"; }

bool matches(const Json& row) {
  const Json& measured = member(row, "measured");
  const bool kind = text_of(row, "kind") == "training" || is_layer(row);
  return kind && member(row, "scenario").is_object() && measured.is_object() && measured.contains(main_metric(row));
}

// Those of tests/measure/scenario.py and of the shapes in families.py. Shapes are the model's, which has them too; clipping scales
// gradients in place; the others say how the harness runs.
constexpr auto kKnown = std::to_array<std::string_view>({
    "run",    "batch", "seq",  "regime", "optimizer", "recompute", "loop",     "attention", "use_cache", "norm", "compile",
    "steps",  "model", "id",   "layers", "vocab",     "tied",      "hidden",   "ffn",       "heads",     "kv_heads", "head_dim",
    "dropout", "accumulate", "clip", "time", "fresh", "optim", "peft", "ranks", "backend", "padding"});

struct Metric {
  const char* name; ///< a key of "measured"
  const char* memory;
  Counter counter;
  Reading reading;
};
constexpr Metric kMetrics[] = {{"peak_steady", "allocated", Counter::allocated, Reading::peak},
                               {"peak_first", "allocated", Counter::allocated, Reading::first_peak},
                               {"reserved_max_in_process", "reserved", Counter::reserved, Reading::peak}};

std::optional<std::int64_t> measured(const Json& row, const char* key) {
  const Json& numbers = member(row, "measured");
  return numbers.is_object() ? number_of(numbers, key) : std::nullopt;
}

Comparison comparison_of(const MeasuredRow& row, const char* metric, const char* unit) {
  Comparison comparison;
  comparison.group = row.group;
  comparison.metric = metric;
  comparison.unit = unit;
  comparison.reason = row.reason;
  comparison.assumed = row.assumed;
  if (row.reason.empty()) comparison.scenario = query_of(row);
  return comparison;
}

/// Under autocast, the lists have the 16-bit copies of the layer's matrices too, which the estimate counts with the weights.
Bytes copies_of_matrices(const Inputs& inputs) {
  if (!autocasts(inputs.strategy.regime) || freezes(inputs.workload.task, inputs.tuning)) return Bytes{0};
  Count matrices;
  for (const ModelTensor& part : inputs.model.tensors)
    if (part.group != ModelTensor::kNoGroup && part.tensor.matrix) matrices += part.layers * elements(part.tensor);
  return matrices * memory::regime_bytes(inputs.strategy.regime).compute;
}

/// Numbers of the model and of its adapters, which torch counts together.
void compare_count(const MeasuredRow& run, const char* key, Count count, const Json& row, std::vector<Comparison>& into) {
  Comparison comparison = comparison_of(run, key, "parameters");
  comparison.measured = measured(row, key);
  comparison.modelled = run.reason.empty();
  if (comparison.modelled) comparison.predicted = comparison.low = comparison.high = count.value;
  into.push_back(std::move(comparison));
}

void compare_counts(const MeasuredRow& run, const Json& row, std::vector<Comparison>& into) {
  if (!run.reason.empty()) return compare_count(run, "parameters", Count{0}, row, into);
  const bool frozen = freezes(run.inputs.workload.task, run.inputs.tuning);
  const Count model = count_parameters(run.inputs.model);
  const Count adapters = frozen ? trainable_parameters(run.inputs.model, run.inputs.tuning) : Count{0};
  compare_count(run, "parameters", model + adapters, row, into);
  if (frozen) compare_count(run, "trainable", adapters, row, into);
}

void compare_layer(const MeasuredRow& layer, std::vector<Comparison>& into) {
  Comparison comparison = comparison_of(layer, "layer_bytes", "bytes");
  comparison.memory = "requested";
  comparison.measured = layer.bytes;
  comparison.explained = copies_of_matrices(layer.inputs).value;
  predict(layer, comparison);
  into.push_back(std::move(comparison));
}

void compare_row(const Json& row, std::vector<Comparison>& into) {
  MeasuredRow run = inputs_of(row);
  if (is_layer(row)) return compare_layer(run, into);
  for (const Metric& metric : kMetrics) {
    run.counter = metric.counter;
    run.reading = metric.reading;
    Comparison comparison = comparison_of(run, metric.name, "bytes");
    comparison.memory = metric.memory;
    comparison.measured = measured(row, metric.name);
    predict(run, comparison);
    into.push_back(std::move(comparison));
  }
  compare_counts(run, row, into);
}

} // namespace

MeasuredRow inputs_of(const Json& row) {
  MeasuredRow into;
  const Json& settings = member(row, "scenario");
  if (!settings.is_object()) {
    into.decline("The row has no scenario.");
    return into;
  }
  const Place scenario{settings, "scenario", into};
  into.group = group_of(row);
  into.metric = main_metric(row);
  into.bytes = measured(row, main_metric(row));
  into.rounded = false;
  if (is_layer(row)) into.reading = Reading::saved_per_layer;
  if (!into.bytes || *into.bytes < 1) into.decline("The row's measured." + into.metric + ": no number of bytes.");
  scenario.refuse_others(kKnown);
  read_device(text_of(member(row, "gpu"), "name"), into);
  read_model(row, scenario);
  read_work(row, scenario);
  read_precision(row, scenario);
  read_optimizer(scenario);
  read_recompute(scenario);
  read_code(row, scenario);
  read_ranks(row, scenario);
  read_adapters(scenario);
  return into;
}

} // namespace training_steps

Schema training_steps_rows() { return {"training steps", training_steps::matches, training_steps::compare_row, training_steps::inputs_of}; }

} // namespace plimsoll::io::accuracy
