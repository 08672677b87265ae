#include "plimsoll/validate.hpp"

#include "plimsoll/fields.hpp"
#include "validate/checks.hpp"

#include <algorithm>
#include <string>

namespace plimsoll {

namespace {

void check_ranges(const Inputs& inputs, Issues& issues) {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer || field.topic == Topic::model) continue; // model facts: the importer checks them
    const std::int64_t value = field.get(inputs);
    if (value >= field.min && value <= field.max) continue;
    issues.push_back(out_of_range(field, value));
  }
}

/// Values that the other inputs leave without effect. What is worse has been said by then.
void check_idle(const Inputs& inputs, Issues& issues) {
  const Task task = inputs.workload.task;
  for (const Field& field : fields()) {
    if (field.get == nullptr || !applies(field, task) || !is_idle(field, inputs)) continue;
    if (field.get(inputs) == field.defaults[static_cast<std::size_t>(task)]) continue;
    if (std::ranges::any_of(issues, [&](const Issue& issue) { return issue.field == field.name; })) continue;
    checks::warn(issues, field.name, std::string{field.label} + " has no effect as things are.", std::string{field.needs.remedy} + ", or leave it out.");
  }
}

} // namespace

std::string range_text(const Field& field) { return checks::number(field.min) + " to " + checks::number(field.max); }

Issue out_of_range(const Field& field, std::int64_t value) {
  return {Severity::error, std::string{field.name}, std::string{field.label} + " is " + checks::number(value) + ", outside its range.",
          "Write a whole number from " + range_text(field) + "."};
}

namespace {

Issues validate_with(const Inputs& inputs, AttentionKernel kernel, const Profile* profile) {
  Issues issues;
  check_ranges(inputs, issues);
  if (!issues.empty()) return issues; // the checks below divide by these values
  checks::context(inputs, issues);
  checks::tensor_parallel(inputs, issues);
  if (!trains(inputs.workload.task) && profile != nullptr) checks::serving(inputs, *profile, issues);
  if (trains(inputs.workload.task)) {
    checks::training(inputs, issues);
    checks::batching(inputs, kernel, issues);
    checks::context_parallel(inputs, issues);
    checks::pipeline(inputs, issues);
    checks::experts(inputs, issues);
    checks::sharding(inputs, issues);
  }
  if (inputs.workload.task == Task::finetune) {
    checks::tuning(inputs, issues);
    checks::preference(inputs, issues);
  }
  check_idle(inputs, issues);
  return issues;
}

} // namespace

Issues validate(const Inputs& inputs) { return validate_with(inputs, inputs.implementation.attention, nullptr); }

Issues validate(const Inputs& inputs, const Profile& profile) { return validate_with(inputs, profile.training.attention.kernel, &profile); }

} // namespace plimsoll
