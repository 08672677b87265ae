#include "plimsoll/io/answer.hpp"

#include "io/json.hpp"
#include "io/value.hpp"
#include "plimsoll/validate.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

/// Resolving one request: reads the entries in the order in which they depend on each other.
class Resolver {
public:
  Resolver(const Catalog& catalog, Answer& answer) : catalog_(catalog), answer_(answer) {}

  void run() {
    read_task();
    read_model();
    read_device();
    read_profile();
    defaults_ = answer_.inputs;
    for (const Field& field : fields())
      if (field.get != nullptr && field.name != "task") read_value(field);
    limit_context();
    report_unknown();
    list_fields();
    name_changed_model();
    for (Issue& issue : validate(answer_.inputs))
      if (!already_reported(issue.field)) answer_.issues.push_back(std::move(issue));
  }

  std::optional<Profile> profile;

private:
  const std::string* typed(std::string_view name) const { return answer_.request.find(name); }

  bool already_reported(std::string_view field) const {
    return std::ranges::any_of(answer_.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
  }

  void report(Severity severity, std::string_view field, std::string message, std::string remedy) {
    answer_.issues.push_back({severity, std::string{field}, std::move(message), std::move(remedy)});
  }

  Task task() const { return answer_.inputs.workload.task; }

  void read_task() {
    const Field& field = *find_field("task");
    if (const std::string* text = typed("task"))
      if (const auto value = parse_value(field, *text, answer_.issues)) field.set(answer_.inputs, *value);
    for (const Field& other : fields())
      if (other.set != nullptr && other.topic != Topic::task && other.topic != Topic::model && other.topic != Topic::hardware)
        other.set(answer_.inputs, other.defaults[static_cast<std::size_t>(task())]);
  }

  void read_model() {
    const std::string* text = typed("model");
    if (text != nullptr && lower_case(*text) == kCustomModel) {
      answer_.inputs.model = ModelSpec{};
      answer_.inputs.model.id = kCustomModel;
      answer_.inputs.model.name = "Custom model";
      return;
    }
    const ModelRow* row = catalog_.find_model(text != nullptr ? *text : kDefaultModel);
    if (row == nullptr) {
      report(Severity::error, "model", "There is no model " + quoted(std::string_view{*text}) + " in the catalogue.",
             "Did you mean " + joined_with_or(catalog_.similar_models(*text)) + "? Or import the model's config.json.");
      row = catalog_.find_model(kDefaultModel);
    }
    answer_.inputs.model = row->spec;
  }

  void read_device() {
    const std::string* text = typed("device");
    const DeviceRow* row = catalog_.find_device(text != nullptr ? *text : kDefaultDevice);
    if (row == nullptr) {
      report(Severity::error, "device", "There is no device " + quoted(std::string_view{*text}) + " in the catalogue.",
             "Did you mean " + joined_with_or(catalog_.similar_devices(*text)) + "?");
      row = catalog_.find_device(kDefaultDevice);
    }
    answer_.inputs.hardware = row->hardware;
  }

  void read_profile() {
    const bool training = trains(task());
    const std::string& arch = answer_.inputs.hardware.arch;
    const std::string_view standard = catalog_.default_profile(training);
    const std::string* text = typed("profile");
    answer_.profile_id = text != nullptr ? lower_case(*text) : std::string{standard};
    profile = catalog_.profile(answer_.profile_id, arch);
    const bool wrong_task = profile && !(training ? profile->for_training : profile->for_inference);
    if (profile && !wrong_task) return;
    std::vector<std::string> fitting;
    for (const Catalog::ProfileRow& row : catalog_.profiles())
      if (training ? row.for_training : row.for_inference) fitting.push_back(row.id);
    report(Severity::error, "profile",
           wrong_task ? quoted(std::string_view{*text}) + " does not describe this task." : "There is no profile " + quoted(std::string_view{*text}) + ".",
           "Write " + joined_with_or(fitting) + ".");
    answer_.profile_id = standard;
    profile = catalog_.profile(standard, arch);
  }

  void read_value(const Field& field) {
    const std::string* text = typed(field.name);
    if (text == nullptr) return;
    const auto value = parse_value(field, *text, answer_.issues);
    if (!value) return;
    // Members are narrower than the text may be: what the range excludes must not be cut down to something valid.
    if (field.kind == FieldKind::integer && (*value < field.min || *value > field.max)) {
      answer_.issues.push_back(out_of_range(field, *value));
      return;
    }
    field.set(answer_.inputs, *value);
    if (!applies(field, task()))
      report(Severity::note, field.name, std::string{field.label} + " has no effect on this task.", "Leave it out, or choose another task.");
  }

  /// A default must never be an error: without a stated context, a short model gets the longest it can take.
  void limit_context() {
    const std::int64_t longest = answer_.inputs.model.max_context;
    std::int64_t& standard = defaults_.workload.context_tokens;
    if (longest > 0 && longest < standard) standard = longest;
    if (typed("context_tokens") == nullptr) answer_.inputs.workload.context_tokens = standard;
  }

  void report_unknown() {
    std::vector<std::string> names;
    for (const Field& field : fields()) names.emplace_back(field.name);
    for (const Entry& entry : answer_.request.entries()) {
      if (find_field(entry.name) != nullptr) continue;
      report(Severity::warning, entry.name, quoted(std::string_view{entry.name}) + " is not an input; it is ignored.",
             "Did you mean " + joined_with_or(most_similar(entry.name, names, 2)) + "? Otherwise leave it out.");
    }
  }

  std::string default_id(const Field& field) const {
    if (field.name == "model") return std::string{kDefaultModel};
    if (field.name == "device") return std::string{kDefaultDevice};
    return std::string{catalog_.default_profile(trains(task()))};
  }

  void list_fields() {
    for (const Field& field : fields()) {
      FieldState state;
      state.field = &field;
      const bool is_id = field.get == nullptr;
      const std::string now = value_text(answer_, field);
      const bool is_task = field.name == "task";
      state.default_text = is_id ? default_id(field) : is_task ? "inference" : text_of(field, field.get(defaults_));
      const std::string* text = typed(field.name);
      state.stated = text != nullptr;
      state.text = text != nullptr ? *text : now;
      state.changed = state.stated && (now != state.default_text || already_reported(field.name));
      state.applies = applies(field, task());
      answer_.fields.push_back(std::move(state));
    }
  }

  void name_changed_model() {
    if (answer_.inputs.model.id == kCustomModel) return;
    for (const FieldState& state : answer_.fields)
      if (state.field->topic == Topic::model && state.field->get != nullptr && state.changed) {
        answer_.inputs.model.name += ", changed";
        return;
      }
  }

  const Catalog& catalog_;
  Answer& answer_;
  Inputs defaults_;
};

} // namespace

const FieldState* Answer::find_field(std::string_view name) const noexcept {
  const auto at = std::ranges::find(fields, name, [](const FieldState& state) { return state.field->name; });
  return at == fields.end() ? nullptr : &*at;
}

std::string value_text(const Answer& answer, const Field& field) {
  if (field.get != nullptr) return text_of(field, field.get(answer.inputs));
  if (field.name == "model") return answer.inputs.model.id;
  if (field.name == "device") return answer.inputs.hardware.id;
  return answer.profile_id;
}

Answer answer(const Catalog& catalog, const Request& request, Issues carried) {
  Answer result;
  result.request = request;
  result.issues = std::move(carried);
  Resolver resolver{catalog, result};
  resolver.run();
  if (has_errors(result.issues)) return result;

  result.scenario = scenario_of(result.inputs, *resolver.profile);
  result.estimate = estimate(result.scenario);
  if (result.estimate.saturated) {
    result.issues.push_back({Severity::error, "", "Together these inputs need more than 8 EiB, beyond what can be counted.",
                             "Make the model, the batch or the context smaller."});
    return result;
  }
  result.headline = headline(result.estimate);
  result.ok = true;
  return result;
}

std::string canonical_query(const Answer& answer) {
  const auto is_bad = [&](const FieldState& state) {
    return state.stated && std::ranges::any_of(answer.issues, [&](const Issue& issue) {
      return issue.severity == Severity::error && issue.field == state.field->name;
    });
  };
  const auto canonical_text = [&](const FieldState& state) {
    return is_bad(state) ? state.text : value_text(answer, *state.field);
  };
  Request shortest;
  for (std::string_view name : {"model", "device", "task"})
    if (const FieldState* state = answer.find_field(name)) shortest.set(name, canonical_text(*state));
  for (const FieldState& state : answer.fields)
    if (state.changed && (state.applies || is_bad(state)) && shortest.find(state.field->name) == nullptr)
      shortest.set(state.field->name, canonical_text(state));
  for (const Entry& entry : answer.request.entries())
    if (plimsoll::find_field(entry.name) == nullptr) shortest.set(entry.name, entry.text);
  return to_query(shortest);
}

} // namespace plimsoll::io
