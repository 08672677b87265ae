// Which rows are compared, and by what.
#include "evidence/training_runs/row.hpp"

#include "evidence/training_runs/parts.hpp"

namespace plimsoll::io::accuracy {

namespace training_runs {

namespace {

bool matches(const Json& row) { return row.contains("kind") && row.contains("params_active") && row.contains("gpu_hours"); }

/// Why the row's own authors would not have it compared.
std::string excluded(const Json& row) {
  const std::string flag = text_of(row, "flag");
  if (!flag.empty()) return "The row's inputs do not go together: " + flag;
  const auto use = row.find("use_in_test");
  if (use != row.end() && use->is_boolean() && !use->get<bool>()) return "The row lacks what a comparison needs, or stands for several runs.";
  return "";
}

std::string source_of(const Json& row) {
  const std::string source = text_of(row, "source");
  const std::size_t end = source.find(' ');
  return end == std::string::npos ? source : source.substr(0, end);
}

void compare_row(const Json& row, std::vector<Comparison>& into) {
  Comparison comparison;
  comparison.id = text_of(row, "id");
  const std::string kind = text_of(row, "kind");
  comparison.group = kind == "pretrain" ? "whole jobs" : source_of(row);
  comparison.features = {kind, text_of(row, "gpu"), text_of(row, "precision")};
  const auto hours = decimal_of(row, "gpu_hours", 3), rate = decimal_of(row, "tokens_per_s_per_gpu", 3);
  const bool positive_rate = rate && *rate > 0, positive_hours = hours && *hours > 0;
  const bool job = kind == "pretrain" && positive_hours && number_of(row, "tokens").value_or(0) > 0;
  comparison.reason = excluded(row);
  if (!job && !positive_rate && comparison.reason.empty()) comparison.reason = "The row has no GPU-hours with tokens, and no tokens per second.";
  if (text_of(row, "method").find("lora") != std::string::npos && comparison.reason.empty()) comparison.reason = "The row does not tell the adapters.";
  comparison.metric = job ? "gpu_hours" : "tokens_per_s_per_gpu";
  comparison.unit = job ? "GPU-hours" : "tokens/s";
  comparison.decimals = 3;
  comparison.measured = job ? hours : rate;
  if (comparison.reason.empty()) predict(row, job, comparison);
  into.push_back(std::move(comparison));
}

} // namespace

} // namespace training_runs

Schema training_runs_rows() { return {"training runs", training_runs::matches, training_runs::compare_row}; }

} // namespace plimsoll::io::accuracy
