#include "plimsoll/validate.hpp"

#include "plimsoll/fields.hpp"
#include "plimsoll/format.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

namespace {

std::string number(std::int64_t n) { return format_count(Count{n}); }

void check_ranges(const Inputs& inputs, Issues& issues) {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer || field.topic == Topic::model) continue; // model facts: the importer checks them
    const std::int64_t value = field.get(inputs);
    if (value >= field.min && value <= field.max) continue;
    issues.push_back(out_of_range(field, value));
  }
}

void check_context(const Inputs& inputs, Issues& issues) {
  const std::int64_t context = inputs.workload.context_tokens;
  const std::int64_t positions = inputs.model.learned_positions.value, longest = inputs.model.max_context.value;
  if (positions > 0 && context > positions)
    issues.push_back({Severity::error, "context_tokens",
                      number(context) + " tokens do not fit the model's table of " + number(positions) + " positions.",
                      "Write at most " + number(positions) + ", or choose a model with rotary positions."});
  else if (longest > 0 && context > longest)
    issues.push_back({Severity::warning, "context_tokens",
                      number(context) + " tokens are more than the " + number(longest) + " the model was made for.",
                      "The memory is still right; write at most " + number(longest) + " for useful answers."});
}

/// One sentence for each thing that the GPUs cannot share evenly, however many layer groups have it.
class SplitCheck {
public:
  SplitCheck(std::int64_t degree, Issues& issues) : degree_(degree), issues_(issues) {}

  void divides(Count whole, const char* what) {
    if (whole.value % degree_ == 0 || !first(what)) return;
    report(number(degree_) + " GPUs cannot split " + number(whole.value) + " " + what + " evenly.",
           std::string{"Choose a number of GPUs that divides the "} + what + ".");
  }
  void divides_or_copies(Count heads) {
    if (heads == Count{0} || heads.value % degree_ == 0 || degree_ % heads.value == 0 || !first("KV heads")) return;
    report(number(degree_) + " GPUs can neither split nor evenly copy " + number(heads.value) + " KV heads.",
           "Choose a number of GPUs that divides the KV heads, or is a multiple of them.");
  }

private:
  bool first(std::string_view what) { return std::exchange(last_, what) != what; }
  void report(std::string message, std::string remedy) {
    issues_.push_back({Severity::error, "tensor_parallel", std::move(message), std::move(remedy)});
  }

  std::int64_t degree_;
  Issues& issues_;
  std::string_view last_;
};

void check_strategy(const Inputs& inputs, Issues& issues) {
  const std::int64_t degree = inputs.strategy.tensor_parallel;
  if (degree == 1) return;
  const std::vector<LayerGroup>& groups = inputs.model.groups;
  SplitCheck check{degree, issues};
  for (const LayerGroup& group : groups) check.divides(group.attention.query_heads, "query heads");
  for (const LayerGroup& group : groups) check.divides(group.latent.heads, "query heads");
  for (const LayerGroup& group : groups) check.divides(group.mlp.intermediate_size, "MLP channels");
  for (const LayerGroup& group : groups) check.divides(group.moe.expert_size, "channels of an expert");
  for (const LayerGroup& group : groups) check.divides_or_copies(group.attention.kv_heads);
}

} // namespace

std::string range_text(const Field& field) { return number(field.min) + " to " + number(field.max); }

Issue out_of_range(const Field& field, std::int64_t value) {
  return {Severity::error, std::string{field.name}, std::string{field.label} + " is " + number(value) + ", outside its range.",
          "Write a whole number from " + range_text(field) + "."};
}

Issues validate(const Inputs& inputs) {
  Issues issues;
  check_ranges(inputs, issues);
  if (!issues.empty()) return issues; // the checks below divide by these values
  check_context(inputs, issues);
  check_strategy(inputs, issues);
  return issues;
}

} // namespace plimsoll
