#include "plimsoll/method/validate.hpp"

#include "method/validate/checks.hpp"
#include "plimsoll/method/fields.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

namespace {

/// What a search for plans asks ten thousand times, side by side: the fields themselves are large.
struct Range {
  decltype(Field::get) get;
  std::int64_t min, max;
  const Field* of;
};

/// Of all whole numbers but model facts, which the importer checks.
std::span<const Range> ranges() {
  static const std::vector<Range> kAll = [] {
    std::vector<Range> all;
    for (const Field& field : fields())
      if (field.kind == FieldKind::integer && field.topic != Topic::model) all.push_back({field.get, field.min, field.max, &field});
    return all;
  }();
  return kAll;
}

void check_ranges(const Inputs& inputs, checks::Findings& findings) {
  for (const Range& range : ranges()) {
    const std::int64_t value = range.get(inputs);
    if (value >= range.min && value <= range.max) continue;
    findings.refuse(range.of->name);
    if (findings.wants_messages()) findings.issues()->push_back(out_of_range(*range.of, value));
  }
}

/// Values that the other inputs leave without effect. What is worse has been said by then.
void check_idle(const Inputs& inputs, Issues& issues) {
  const Task task = inputs.workload.task;
  for (const Field& field : fields()) {
    if (field.get == nullptr || !applies(field, task) || !is_idle(field, inputs)) continue;
    if (field.get(inputs) == field.defaults[static_cast<std::size_t>(task)]) continue;
    if (std::ranges::any_of(issues, [&](const Issue& issue) { return issue.field == field.name; })) continue;
    checks::warn(issues, field.name, std::string{label_of(field)} + " has no effect as things are.", std::string{remedy_of(field)} + ", or leave it out.");
  }
}

} // namespace

namespace {

/// As people write it, with thousands apart where it is a whole number.
std::string shown(const Field& field, std::int64_t value) { return field.decimals > 0 ? text_of(field, value) : checks::number(value); }

} // namespace

std::string range_text(const Field& field) { return shown(field, field.min) + " to " + shown(field, field.max); }

Issue out_of_range(const Field& field, std::int64_t value) {
  return {Severity::error, std::string{field.name}, std::string{label_of(field)} + " is " + shown(field, value) + ", outside its range.",
          std::string{field.decimals > 0 ? "Write a number from " : "Write a whole number from "} + range_text(field) + "."};
}

namespace {

/// The same name, of the field tables, which stays.
std::string_view name_of_field(std::string_view name) noexcept {
  const Field* const field = find_field(name);
  return field != nullptr ? field->name : "task";
}

/// What is checked, as whom it runs on tells: null where no profile is known.
struct Asked {
  const Inputs& inputs;
  AttentionKernel kernel;
  const Profile* profile;

  bool trains() const noexcept { return plimsoll::trains(inputs.workload.task); }
  bool finetunes() const noexcept { return inputs.workload.task == Task::finetune; }
};

void check_serving(const Asked& asked, checks::Findings& findings) {
  Issues unread;
  Issues& issues = findings.wants_messages() ? *findings.issues() : unread;
  checks::serving(asked.inputs, *asked.profile, issues);
  for (const Issue& issue : issues)
    if (issue.severity == Severity::error) findings.refuse(name_of_field(issue.field));
}

/// One check per topic, each of inputs to which it applies.
struct Check {
  void (*run)(const Asked& asked, checks::Findings& findings);
  bool looks_at_sharding = false;
};

constexpr Check kChecks[] = {
    {[](const Asked& asked, checks::Findings& findings) { checks::context(asked.inputs, findings); }},
    {[](const Asked& asked, checks::Findings& findings) { checks::media(asked.inputs, findings); }},
    {[](const Asked& asked, checks::Findings& findings) { checks::tensor_parallel(asked.inputs, findings); }},
    {[](const Asked& asked, checks::Findings& findings) { if (asked.trains()) checks::training(asked.inputs, findings); }, true},
    {[](const Asked& asked, checks::Findings& findings) {
      if (!asked.trains()) return;
      checks::batching(asked.inputs, asked.kernel, findings);
      checks::context_parallel(asked.inputs, findings);
      checks::pipeline(asked.inputs, findings);
      checks::experts(asked.inputs, findings);
    }},
    {[](const Asked& asked, checks::Findings& findings) { if (asked.trains()) checks::sharding(asked.inputs, findings); }, true},
    {[](const Asked& asked, checks::Findings& findings) {
      if (!asked.trains() || asked.profile == nullptr) return;
      const TrainingProfile& profile = asked.profile->training;
      checks::sharding_sizes(asked.inputs, profile.states.sharding, findings);
      checks::modules(asked.inputs, profile.modules, findings);
      checks::activation_offload(asked.inputs, profile.offload, findings);
    }},
    {[](const Asked& asked, checks::Findings& findings) { if (!asked.trains() && asked.profile != nullptr) check_serving(asked, findings); }},
    {[](const Asked& asked, checks::Findings& findings) {
      if (!asked.finetunes()) return;
      checks::tuning(asked.inputs, asked.profile == nullptr ? nullptr : &asked.profile->training, findings);
      checks::preference(asked.inputs, findings);
    }},
};

/// False where a value is out of its range: the checks beyond that would divide by it.
bool check(const Asked& asked, checks::Findings& findings) {
  check_ranges(asked.inputs, findings);
  if (findings.refused()) return false;
  for (const Check& one : kChecks) one.run(asked, findings);
  return true;
}

Issues validate_with(const Asked& asked) {
  Issues issues;
  checks::Findings findings{&issues};
  if (check(asked, findings)) check_idle(asked.inputs, issues);
  return issues;
}

} // namespace

Issues validate(const Inputs& inputs) { return validate_with({inputs, inputs.implementation.attention, nullptr}); }

Issues validate(const Inputs& inputs, const Profile& profile) { return validate_with({inputs, profile.training.attention.kernel, &profile}); }

Issues errors_of(const Inputs& inputs, const Profile& profile) {
  Issues issues;
  checks::Findings findings{&issues};
  check({inputs, profile.training.attention.kernel, &profile}, findings);
  std::erase_if(issues, [](const Issue& issue) { return issue.severity != Severity::error; });
  return issues;
}

std::string_view first_refused(const Inputs& inputs, const Profile& profile) {
  checks::Findings findings{nullptr};
  check({inputs, profile.training.attention.kernel, &profile}, findings);
  return findings.first();
}

Refusals::Refusals(const Inputs& inputs, const Profile& profile) {
  static_assert(std::size(kChecks) < kMostChecks);
  const Asked asked{inputs, profile.training.attention.kernel, &profile};
  const auto first_of = [](auto&& run) {
    checks::Findings findings{nullptr};
    run(findings);
    return findings.first();
  };
  std::string_view* found = found_.data();
  *found = first_of([&](checks::Findings& findings) { check_ranges(inputs, findings); });
  if (!found->empty()) return;
  for (const Check& one : kChecks) {
    ++found;
    if (!one.looks_at_sharding) *found = first_of([&](checks::Findings& findings) { one.run(asked, findings); });
  }
}

std::string_view Refusals::first(const Inputs& inputs, const Profile& profile) const {
  const Asked asked{inputs, profile.training.attention.kernel, &profile};
  const std::string_view* found = found_.data();
  if (!found->empty()) return *found;
  for (const Check& one : kChecks) {
    ++found;
    checks::Findings findings{nullptr};
    if (one.looks_at_sharding) one.run(asked, findings);
    const std::string_view field = one.looks_at_sharding ? findings.first() : *found;
    if (!field.empty()) return field;
  }
  return {};
}

} // namespace plimsoll
