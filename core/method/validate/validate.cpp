#include "plimsoll/method/validate.hpp"

#include "method/validate/checks.hpp"
#include "plimsoll/method/fields.hpp"

#include <algorithm>
#include <string>

namespace plimsoll {

namespace {

void check_ranges(const Inputs& inputs, checks::Findings& findings) {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer || field.topic == Topic::model) continue; // model facts: the importer checks them
    const std::int64_t value = field.get(inputs);
    if (value >= field.min && value <= field.max) continue;
    findings.refuse(field.name);
    if (findings.wants_messages()) findings.issues()->push_back(out_of_range(field, value));
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

namespace {

/// As people write it, with thousands apart where it is a whole number.
std::string shown(const Field& field, std::int64_t value) { return field.decimals > 0 ? text_of(field, value) : checks::number(value); }

} // namespace

std::string range_text(const Field& field) { return shown(field, field.min) + " to " + shown(field, field.max); }

Issue out_of_range(const Field& field, std::int64_t value) {
  return {Severity::error, std::string{field.name}, std::string{field.label} + " is " + shown(field, value) + ", outside its range.",
          std::string{field.decimals > 0 ? "Write a number from " : "Write a whole number from "} + range_text(field) + "."};
}

namespace {

/// The same name, of the field tables, which stays.
std::string_view name_of_field(std::string_view name) noexcept {
  const Field* const field = find_field(name);
  return field != nullptr ? field->name : "task";
}

/// False where a value is out of its range: the checks beyond that would divide by it.
bool check(const Inputs& inputs, AttentionKernel kernel, const Profile* profile, checks::Findings& findings) {
  check_ranges(inputs, findings);
  if (findings.refused()) return false;
  checks::context(inputs, findings);
  checks::media(inputs, findings);
  checks::tensor_parallel(inputs, findings);
  if (trains(inputs.workload.task)) {
    checks::training(inputs, findings);
    checks::batching(inputs, kernel, findings);
    checks::context_parallel(inputs, findings);
    checks::pipeline(inputs, findings);
    checks::experts(inputs, findings);
    checks::sharding(inputs, findings);
    if (profile != nullptr) {
      checks::sharding_sizes(inputs, profile->training.states.sharding, findings);
      checks::modules(inputs, profile->training.modules, findings);
      checks::activation_offload(inputs, profile->training.offload, findings);
    }
  } else if (profile != nullptr) {
    Issues unread;
    Issues& issues = findings.wants_messages() ? *findings.issues() : unread;
    checks::serving(inputs, *profile, issues);
    for (const Issue& issue : issues)
      if (issue.severity == Severity::error) findings.refuse(name_of_field(issue.field));
  }
  if (inputs.workload.task == Task::finetune) {
    checks::tuning(inputs, profile == nullptr ? nullptr : &profile->training, findings);
    checks::preference(inputs, findings);
  }
  return true;
}

Issues validate_with(const Inputs& inputs, AttentionKernel kernel, const Profile* profile) {
  Issues issues;
  checks::Findings findings{&issues};
  if (check(inputs, kernel, profile, findings)) check_idle(inputs, issues);
  return issues;
}

} // namespace

Issues validate(const Inputs& inputs) { return validate_with(inputs, inputs.implementation.attention, nullptr); }

Issues validate(const Inputs& inputs, const Profile& profile) { return validate_with(inputs, profile.training.attention.kernel, &profile); }

std::string_view first_refused(const Inputs& inputs, const Profile& profile) {
  checks::Findings findings{nullptr};
  check(inputs, profile.training.attention.kernel, &profile, findings);
  return findings.first();
}

} // namespace plimsoll
