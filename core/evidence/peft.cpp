// {"kind": "training", "framework": {"name": "peft"}, "model", "method": {"peft_type", "config"}, "num_trainable_params", "workload",
// "strategy", "precision", "measured": {"reserved_max"}}: what trains against the library's own count, and the scenario of the run.
#include "evidence/measured.hpp"
#include "evidence/peft.hpp"
#include "evidence/rows.hpp"
#include "method/memory/states.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <utility>

namespace plimsoll::io::accuracy {

namespace {

bool matches(const Json& row) { return text_of(row, "kind") == "training" && text_of(member(row, "framework"), "name") == "peft"; }

std::optional<std::int64_t> number_in(const Json& value, const char* key) {
  return value.is_object() ? number_of(value, key) : std::nullopt;
}

std::string optimizer_of(const Json& row) {
  const std::string type = text_of(member(member(row, "raw_args"), "train_config"), "optimizer_type");
  return type.empty() ? text_of(member(row, "strategy"), "optimizer") : type;
}

bool take_workload(const Json& row, Inputs& inputs, std::vector<std::string>& assumed, std::string& reason) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const Json& workload = member(row, "workload");
  const std::optional<std::int64_t> batch = number_in(workload, "micro_batch"), tokens = number_in(workload, "seq_len");
  if (!batch || !tokens || *batch < 1 || *tokens < 1 || *batch > kMost || *tokens > kMost) {
    reason = "The row gives no micro_batch and seq_len.";
    return false;
  }
  inputs.workload.task = Task::finetune;
  inputs.workload.batch = *batch;
  inputs.workload.context_tokens = *tokens;
  if (const auto accumulated = number_in(workload, "grad_accum"); accumulated && *accumulated >= 1) inputs.workload.micro_batches = *accumulated;
  // seq_len is where samples are cut; batches are padded to their longest sample only.
  if (!text_of(workload, "seq_len_is").empty())
    assumed.push_back("the longest batch has micro_batch × seq_len = " + std::to_string((Count{*batch} * Count{*tokens}).value) + " tokens");
  return true;
}

bool take_strategy(const Json& row, Inputs& inputs, std::vector<std::string>& assumed, std::string& reason) {
  const Json& precision = member(row, "precision");
  const std::string params = text_of(precision, "params");
  const bool autocast = flag(precision, "autocast");
  if (params == "bfloat16") inputs.strategy.regime = Regime::bf16;
  else if (params == "float32") inputs.strategy.regime = autocast ? Regime::mixed_bf16 : Regime::fp32;
  else {
    reason = "Weights in " + quoted(std::string_view{params}) + " are not covered.";
    return false;
  }
  if (params == "bfloat16" && autocast) assumed.push_back("autocast over bf16 weights computes as bf16 weights alone");
  inputs.tuning.adapter_dtype = text_of(precision, "adapter_params") == "float32" ? AdapterDtype::fp32 : AdapterDtype::half;
  if (params == "float32") inputs.tuning.adapter_dtype = AdapterDtype::fp32;

  const std::string optimizer = optimizer_of(row);
  if (optimizer == "AdamW" || inputs.tuning.frozen_half == FrozenHalf::down) inputs.strategy.optimizer = Optimizer::adamw_foreach; // torch's choice on GPUs
  else if (optimizer == "SGD") inputs.strategy.optimizer = Optimizer::sgd;
  else {
    inputs.strategy.optimizer = Optimizer::adamw_foreach;
    assumed.push_back("optimizer " + quoted(std::string_view{optimizer}) + ": states as AdamW's");
  }
  if (flag(member(member(row, "raw_args"), "train_config"), "use_gc") || !member(member(row, "strategy"), "recompute").is_null())
    inputs.strategy.recompute = Recompute::full;
  return true;
}

Comparison comparison_of(const Json& row, const char* metric, const char* unit) {
  Comparison comparison;
  comparison.id = text_of(row, "id");
  comparison.group = "peft";
  comparison.metric = metric;
  comparison.unit = unit;
  return comparison;
}

void compare_run(const Json& row, std::vector<Comparison>& into) {
  Comparison memory = comparison_of(row, "reserved_max", "bytes");
  Comparison trains = comparison_of(row, "num_trainable_params", "parameters");
  memory.measured = number_in(member(row, "measured"), "reserved_max");
  trains.measured = number_of(row, "num_trainable_params");
  std::string reason;
  std::vector<std::string> assumed;
  if (const std::optional<Inputs> inputs = inputs_of(row, assumed, reason)) {
    MeasuredRow run;
    run.inputs = *inputs;
    run.profile = "peft";
    run.counter = Counter::reserved;
    run.assumed = std::move(assumed);
    read_device(text_of(member(row, "gpu"), "name"), run);
    store_base(memory::regime_bytes(inputs->strategy.regime).weight == Bytes{4} ? "fp32" : "bf16", run);
    predict(run, memory);
    memory.assumed = std::move(run.assumed);
    trains.modelled = true;
    trains.predicted = trains.low = trains.high = trainable_parameters(inputs->model, inputs->tuning).value;
  } else {
    memory.reason = trains.reason = reason;
  }
  into.push_back(std::move(memory));
  into.push_back(std::move(trains));
}

} // namespace

std::optional<Inputs> inputs_of(const Json& row, std::vector<std::string>& assumed, std::string& reason) {
  if (const std::string task = text_of(row, "task"); task != "causal-lm") {
    reason = "Only causal language models are covered, not " + quoted(std::string_view{task}) + ".";
    return std::nullopt;
  }
  const std::optional<Architecture> architecture = architecture_of_row(member(row, "model"), assumed, reason);
  if (!architecture) return std::nullopt;
  const std::optional<Tuning> tuning = tuning_of(member(row, "method"), optimizer_of(row), assumed, reason);
  if (!tuning) return std::nullopt;
  Inputs inputs;
  inputs.model = make_model(*architecture);
  inputs.tuning = *tuning;
  if (!take_workload(row, inputs, assumed, reason) || !take_strategy(row, inputs, assumed, reason)) return std::nullopt;
  return inputs;
}

Schema peft() { return {"peft", matches, compare_run}; }

} // namespace plimsoll::io::accuracy
