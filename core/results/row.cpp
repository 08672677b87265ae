#include "plimsoll/results/row.hpp"

#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"
#include "text/json.hpp"

#include <array>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::array<RowColumn, 23> kColumns{{
    {"query", "The question, as in a link"},
    {"ok", "Whether it has an answer"},
    {"issue", "The first error, where it has none"},
    {"fits", "Whether it runs and holds all that is asked"},
    {"verdict", "What is in the way: fits, start, cache_pool, max_sequences, device, host"},
    {"gpus", "GPUs in all"},
    {"parameters", "Of the whole model"},
    {"active_parameters", "Of them, those that one token meets"},
    {"peak_moment", "The fullest moment"},
    {"peak_bytes", "Of the fullest GPU then, by the estimate"},
    {"process_bytes", "The whole process of one GPU, as nvidia-smi shows it"},
    {"process_low_bytes", "The same at the low end of what is uncertain"},
    {"process_high_bytes", "At the high end"},
    {"usable_bytes", "What a process can take on the device"},
    {"headroom_bytes", "Usable less the process, or less the peak where the estimate judges"},
    {"kv_cache_bytes_per_token", "Serving: on one GPU, over all layers"},
    {"sequences_held", "Serving: sequences of the whole context that there is room for"},
    {"decode_step_ns", "Serving: one token for each sequence"},
    {"first_token_ns", "Serving: a prompt of the whole context, alone"},
    {"tokens_per_s_thousandths", "Serving: of all sequences of all replicas"},
    {"step_ns", "Training: one step"},
    {"tokens_per_s_per_gpu_thousandths", "Training: tokens of a step over its time and GPUs"},
    {"mfu_thousandths", "Training: arithmetic of the model over what the GPUs could do"},
}};

void add_memory(Json& row, const Answer& answer) {
  const Estimate& estimate = answer.estimate;
  const Footprint* const whole = answer.footprint ? &*answer.footprint : nullptr;
  row["peak_moment"] = text_of(estimate.at_peak().moment).id;
  row["peak_bytes"] = estimate.at_peak().total.value;
  if (whole != nullptr) {
    row["process_bytes"] = whole->process.expected.value;
    row["process_low_bytes"] = whole->process.low.value;
    row["process_high_bytes"] = whole->process.high.value;
  }
  row["usable_bytes"] = estimate.usable.value;
  row["headroom_bytes"] = (whole != nullptr ? whole->headroom : estimate.headroom).value;
}

void add_serving(Json& row, const Answer& answer) {
  row["kv_cache_bytes_per_token"] = answer.facts.kv_cache_per_token.value;
  row["sequences_held"] = answer.judgement.held.value;
  const Speed fast = speed(answer.scenario);
  if (!fast.exists) return;
  row["decode_step_ns"] = fast.step.expected.value;
  row["tokens_per_s_thousandths"] = fast.total.expected.value;
  if (fast.has_prefill) row["first_token_ns"] = fast.first_token.expected.value;
}

void add_training(Json& row, const Answer& answer) {
  const StepTime step = step_time(answer.scenario);
  if (!step.known) return;
  row["step_ns"] = step.total.expected.value;
  row["tokens_per_s_per_gpu_thousandths"] = step.tokens_per_gpu.value;
  row["mfu_thousandths"] = step.mfu;
}

Json row_of(Answer& answer, Judge judge, std::span<const Entry> inputs) {
  Json row = Json::object();
  for (const Entry& input : inputs) row["input." + input.name] = input.text;
  for (const RowColumn& column : kColumns) row[std::string{column.name}] = nullptr;
  if (judge == Judge::process) add_footprint(answer);
  row["query"] = to_query(answer.request);
  row["ok"] = answer.ok;
  if (!answer.ok) {
    for (const Issue& issue : answer.issues)
      if (issue.severity == Severity::error && row["issue"].is_null()) row["issue"] = issue.message + " " + issue.remedy;
    return row;
  }
  row["fits"] = answer.judgement.holds();
  row["verdict"] = name_of(answer.judgement.verdict);
  row["gpus"] = answer.estimate.gpus.value;
  row["parameters"] = answer.facts.parameters.value;
  row["active_parameters"] = answer.facts.active_parameters.value;
  add_memory(row, answer);
  if (trains(answer.scenario.workload.task)) add_training(row, answer);
  else add_serving(row, answer);
  return row;
}

std::string in_csv(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

} // namespace

std::span<const RowColumn> row_columns() noexcept { return kColumns; }

std::string row_json(Answer& answer, Judge judge, std::span<const Entry> inputs) { return dump(row_of(answer, judge, inputs)); }

std::string row_csv(Answer& answer, Judge judge, std::span<const Entry> inputs) {
  std::string line;
  const Json row = row_of(answer, judge, inputs);
  bool first = true;
  for (const auto& [name, value] : row.items()) {
    line += std::exchange(first, false) ? "" : ",";
    if (!value.is_null()) line += in_csv(value.is_string() ? value.get<std::string>() : dump(value));
  }
  return line;
}

std::string row_csv_head(std::span<const std::string> inputs) {
  std::string line;
  for (const std::string& input : inputs) line += in_csv("input." + input) + ",";
  for (const RowColumn& column : kColumns) line += (&column == kColumns.data() ? "" : ",") + std::string{column.name};
  return line;
}

} // namespace plimsoll::io
