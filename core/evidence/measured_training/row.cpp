// {"id", "category", "framework", "model", "hf_id_guess", "params_b", "gpu", "n_gpus", "parallelism", "dtype_amp", "optimizer",
// "micro_batch", "seq_len", "grad_accum", "checkpointing", "attention", "lora", "quant", "other_knobs", "metric", "value_bytes"}: a run
// that somebody measured, its configuration in the words of the source.
#include "evidence/measured_training/row.hpp"

#include "evidence/litgpt.hpp"
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::io::accuracy {

namespace measured_training {

namespace {

bool matches(const Json& row) { return row.contains("category") && row.contains("value_bytes") && row.contains("dtype_amp"); }

std::string group_of(const Json& row) {
  const Framework* framework = framework_of(row);
  const std::string name = framework != nullptr ? std::string{framework->label} : text_of(row, "framework");
  return name + " " + text_of(row, "category");
}

/// A benchmark of one operator as the reader of such benchmarks takes it; null for all other rows.
Json kernel_row(const Json& row) {
  const Json* knobs = member_of(row, "other_knobs");
  if (knobs == nullptr || member_of(*knobs, "kernel") == nullptr || member_of(*knobs, "provider") == nullptr) return {};
  const std::vector<std::string> words = words_of(text_of(row, "framework"));
  const Json* config = member_of(*knobs, "config");
  Json kernel{{"id", text_of(row, "id")}, {"kind", "kernel"}, {"kernel", text_of(*knobs, "kernel")}, {"provider", text_of(*knobs, "provider")}};
  kernel["mode"] = contains_word(text_of(row, "optimizer"), "forward backward of one op") ? "full" : text_of(row, "optimizer");
  kernel["framework"]["version"] = words.empty() ? "" : words.back();
  kernel["gpu"]["name"] = text_of(row, "gpu");
  kernel["x"] = {{"name", text_of(*knobs, "sweep")}};
  if (const Json* value = member_of(*knobs, "sweep_value")) kernel["x"]["value"] = *value;
  kernel["config"] = config == nullptr ? Json::object() : *config;
  if (const Json* bytes = member_of(row, "value_bytes")) kernel["measured"]["bytes_median"] = *bytes;
  return kernel;
}

void compare_row(const Json& row, std::vector<Comparison>& into) {
  const Json kernel = kernel_row(row);
  if (kernel.is_null()) return compare_measured(inputs_of(row), text_of(row, "id"), into);
  kernels().compare(kernel, into);
  into.back().group = "liger " + into.back().group;
  into.back().metric = text_of(row, "metric");
}

/// A row whose flags are those of torchtune's own configs has their loss: CEWithChunkedOutputLoss (recipes/configs/llama3_1).
void read_torchtune(const Json& row, MeasuredRow& into) {
  Implementation& code = into.inputs.implementation;
  if (code.loss != LossKernel::profile || !contains_word(text_of(row, "notes"), "yaml at that commit")) return;
  code.loss = code.norms == Fusion::compiled ? LossKernel::chunked_compiled : LossKernel::chunked;
  into.assumed.push_back("The loss is in chunks, as in the framework's configs.");
}

/// What LitGPT's scripts do whatever a row says of it.
void read_litgpt(const Json& row, MeasuredRow& into) {
  if (into.reading != Reading::peak) return;
  if (member_of(row, "lora") == nullptr) return litgpt::train_whole(into);
  if (is_quantised(into.inputs.weights)) into.inputs.strategy.optimizer = Optimizer::paged_adamw; // litgpt/finetune/lora.py, main
  if (contains_word(into.metric, "longest sample")) litgpt::take_longest_first(into);
}

} // namespace

const Json* member_of(const Json& row, const char* key) {
  if (!row.is_object()) return nullptr;
  const auto at = row.find(key);
  return at == row.end() || at->is_null() ? nullptr : &*at;
}

std::string not_covered_text(const char* field, std::string_view text) {
  return "The row's \"" + std::string{field} + "\" says " + quoted(text) + ", which is not covered.";
}

std::string not_understood(const char* field, std::string_view text, std::string_view rest) {
  if (rest.empty()) return {};
  return "The row's \"" + std::string{field} + "\" says " + quoted(text) + ", of which " + quoted(rest) + " is not understood.";
}

MeasuredRow inputs_of(const Json& row) {
  MeasuredRow into;
  if (!row.is_object()) {
    into.decline("A row is an object, not " + quoted(row) + ".");
    return into;
  }
  into.group = group_of(row);
  into.metric = text_of(row, "metric");
  if (const Json* bytes = member_of(row, "value_bytes"); bytes != nullptr && bytes->is_number_integer()) into.bytes = number_of(row, "value_bytes");
  const std::string unit = text_of(row, "unit");
  into.rounded = unit != "B"; // others are printed with few digits
  if (!into.bytes || *into.bytes <= 0) into.decline("Out of memory, or nothing published: the row has no figure.");
  read_metric(row, into);
  read_framework(row, into);
  read_device(text_of(row, "gpu"), into);
  if (into.reading == Reading::context) return into;
  into.inputs.workload.task = Task::finetune;
  read_model(row, into);
  if (into.reading == Reading::loaded) return read_precision(row, into), into;
  read_knobs(row, into);
  read_workload(row, into);
  read_parallelism(row, into);
  read_tuning(row, into);
  read_precision(row, into);
  read_base(row, into);
  read_recompute(row, into);
  read_attention(row, into);
  if (into.reading == Reading::peak) read_optimizer(row, into);
  if (into.profile == "litgpt") read_litgpt(row, into);
  if (into.profile == "torchtune") read_torchtune(row, into);
  return into;
}

} // namespace measured_training

Schema measured_training_runs() { return {"measured training", measured_training::matches, measured_training::compare_row, measured_training::inputs_of}; }

} // namespace plimsoll::io::accuracy
