#include "plimsoll/validate.hpp"

#include "plimsoll/fields.hpp"
#include "plimsoll/format.hpp"

#include <string>

namespace plimsoll {

namespace {

std::string number(std::int64_t n) { return format_count(Count{n}); }

void check_ranges(const Inputs& inputs, Issues& issues) {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer) continue;
    const std::int64_t value = field.get(inputs);
    if (value >= field.min && value <= field.max) continue;
    issues.push_back(out_of_range(field, value));
  }
}

void check_model(const ModelSpec& model, Issues& issues) {
  if (model.kv_heads > model.query_heads || model.query_heads % model.kv_heads != 0)
    issues.push_back({Severity::error, "kv_heads",
                      number(model.kv_heads) + " KV heads cannot be shared evenly by " + number(model.query_heads) + " query heads.",
                      "Choose a number of KV heads that divides the query heads."});
  if (model.sliding_layers > model.layers)
    issues.push_back({Severity::error, "sliding_layers",
                      number(model.sliding_layers) + " sliding-window layers are more than the model's " + number(model.layers) +
                          " layers.",
                      "Write at most " + number(model.layers) + "."});
  if (model.sliding_layers > 0 && model.sliding_window < 1)
    issues.push_back({Severity::error, "sliding_window", "Sliding-window layers need a window of at least one token.",
                      "Write the window in tokens, or set sliding_layers to 0."});
}

void check_context(const Inputs& inputs, Issues& issues) {
  const std::int64_t context = inputs.workload.context_tokens;
  const ModelSpec& model = inputs.model;
  if (model.learned_positions > 0 && context > model.learned_positions)
    issues.push_back({Severity::error, "context_tokens",
                      number(context) + " tokens do not fit the model's table of " + number(model.learned_positions) + " positions.",
                      "Write at most " + number(model.learned_positions) + ", or choose a model with rotary positions."});
  else if (model.max_context > 0 && context > model.max_context)
    issues.push_back({Severity::warning, "context_tokens",
                      number(context) + " tokens are more than the " + number(model.max_context) + " the model was made for.",
                      "The memory is still right; write at most " + number(model.max_context) + " for useful answers."});
}

void check_split(std::int64_t whole, std::int64_t degree, const char* what, Issues& issues) {
  if (whole % degree == 0) return;
  issues.push_back({Severity::error, "tensor_parallel",
                    number(degree) + " GPUs cannot split " + number(whole) + " " + what + " evenly.",
                    std::string{"Choose a number of GPUs that divides the "} + what + "."});
}

void check_strategy(const Inputs& inputs, Issues& issues) {
  const std::int64_t degree = inputs.strategy.tensor_parallel;
  const ModelSpec& model = inputs.model;
  check_split(model.query_heads, degree, "query heads", issues);
  check_split(model.intermediate_size, degree, "MLP channels", issues);
  if (model.kv_heads % degree != 0 && degree % model.kv_heads != 0)
    issues.push_back({Severity::error, "tensor_parallel",
                      number(degree) + " GPUs can neither split nor evenly copy " + number(model.kv_heads) + " KV heads.",
                      "Choose a number of GPUs that divides the KV heads, or is a multiple of them."});
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
  check_model(inputs.model, issues);
  check_context(inputs, issues);
  check_strategy(inputs, issues);
  return issues;
}

} // namespace plimsoll
