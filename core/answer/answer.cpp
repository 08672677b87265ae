#include "plimsoll/answer/answer.hpp"

#include "answer/asked_back.hpp"
#include "answer/engine_remedies.hpp"
#include "answer/traffic.hpp"
#include "answer/weights_read.hpp"
#include "catalog/compatibility.hpp"
#include "catalog/defaults.hpp"
#include "plimsoll/answer/gpus.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "plimsoll/method/validate.hpp"
#include "plimsoll/text/other_names.hpp"
#include "request/custom_model.hpp"
#include "request/meaning.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <functional>
#include <map>
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
    read_role_models();
    read_profile_defaults();
    defaults_ = answer_.inputs;
    defaults_.facts = standard_facts_;
    for (const Field& field : fields())
      if (field.list != nullptr) read_list(field);
      else if (field.get != nullptr && field.name != "task" && !is_fact(field)) read_typed(field);
    read_weights();
    check_compatibility();
    resolve_implementation();
    limit_context();
    report_unknown();
    list_fields();
    name_changed_model();
    if (!is_known_) return; // what follows would speak of what stands in its place
    for (Issue& issue : profile ? validate(answer_.inputs, *profile) : validate(answer_.inputs))
      if (!already_reported(issue.field) && !is_idle_default(issue.field)) answer_.issues.push_back(std::move(issue));
  }

  std::shared_ptr<const Profile> profile;

private:
  const std::string* typed(std::string_view name) const { return answer_.request.find(name); }

  bool already_reported(std::string_view field) const {
    return std::ranges::any_of(answer_.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
  }

  /// What the program does by itself has no effect here: nobody asked for it.
  bool is_idle_default(const std::string& name) const {
    const Field* const field = find_field(name);
    return field != nullptr && typed(name) == nullptr && default_citations_.contains(name) && is_idle(*field, answer_.inputs);
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

  bool custom() const { return describes_model(answer_.request); }

  /// The facts that somebody typed, as far as they are values of their fields.
  Overrides read_overrides() {
    Overrides overrides;
    for (const Field& field : model_facts()) {
      const std::string* text = typed(field.name);
      if (text == nullptr) continue;
      if (const auto value = read_value(field, *text)) overrides.facts.emplace(field.name, *value);
    }
    if (const std::string* text = typed("architecture")) overrides.architecture = *text;
    return overrides;
  }

  ImportedModel import(const ModelRow* row, const Overrides& overrides) const {
    if (row != nullptr) return overrides.empty() ? catalog_.model(*row) : import_model(*row, overrides);
    const std::string* config = typed("config");
    return config != nullptr ? import_huggingface_config(*config, overrides) : import_custom_model(overrides);
  }

  /// The preset or the config twice: as it is, for the defaults of its facts, and as people changed it.
  void read_model() {
    const std::string* text = typed("model");
    const ModelRow* row = text == nullptr || custom() ? nullptr : catalog_.find_model(*text);
    if (!custom()) {
      if (row == nullptr) {
        ask_for_model(text);
        row = &catalog_.models().front();
      } else if (typed("config") != nullptr)
        report(Severity::warning, "config", "The config has no effect: the model is " + row->name + " of the catalogue.", "Write model=custom to use it.");
    }
    const Overrides overrides = read_overrides();
    Overrides unchanged;
    unchanged.architecture = overrides.architecture;
    ImportedModel imported = import(row, overrides);
    const ImportedModel standard = overrides.facts.empty() ? ImportedModel{} : import(row, unchanged);
    for (Issue& issue : imported.issues) answer_.issues.push_back(std::move(issue));
    answer_.architecture = imported.architecture;
    answer_.quantization_config = std::move(imported.quantization_config);
    answer_.compiled_quantization = imported.compiled_quantization;
    answer_.dtype = imported.dtype;
    answer_.inputs.facts = imported.facts;
    standard_facts_ = standard.model ? standard.facts : imported.facts;
    if (row == nullptr && typed("config") == nullptr) ask_for_sizes();
    if (imported.model) answer_.inputs.model = std::move(*imported.model);
    else answer_.inputs.model = standard.model ? *standard.model : *import_custom_model().model; // there is an error: it only stands in
    answer_.inputs.model.id = row != nullptr ? row->id : kCustomModel;
    if (row != nullptr) answer_.inputs.model.name = row->name;
  }

  /// There is no model: another stands in its place, so that forms have fields to show, and nothing is answered.
  void ask_for_model(const std::string* text) {
    is_known_ = false;
    const std::string others = "Or import its config.json, or write model=custom and its sizes.";
    const bool is_asked = std::ranges::any_of(answer_.issues, [](const Issue& issue) { return issue.severity == Severity::error && issue.field == "model"; });
    if (is_asked || (answer_.request.entries().empty() && has_errors(answer_.issues))) return; // what was read, and refused, may have named one
    if (text == nullptr || trimmed(*text).empty())
      report(Severity::error, "model", "Which model? None is named.", "Name one, such as model=llama-3-8b; `plimsoll catalog models` lists them. " + others);
    else
      answer_.issues.push_back(which_model(catalog_, "model", *text, others));
  }

  /// A custom model without a config has no sizes but those that are stated: no class stands behind it.
  void ask_for_sizes() {
    const auto fact_of = [](std::string_view name) { return fact_index(*find_field(name)); };
    std::vector<std::string_view> missing = unstated_sizes(answer_.request);
    std::erase_if(missing, [&](std::string_view name) { return !answer_.inputs.facts.known[fact_of(name)]; }); // of another architecture
    for (const std::string_view name : custom_model_sizes()) standard_facts_.known.reset(fact_of(name));
    if (missing.empty()) return;
    is_known_ = false;
    std::string sizes;
    for (const std::string_view name : missing) sizes += (sizes.empty() ? "" : ", ") + std::string{name};
    report(Severity::error, missing.front(), "The custom model has no " + sizes + ".",
           "State " + std::string{missing.size() > 1 ? "them" : "it"} + ", or give the model's config.json.");
  }

  /// How served or frozen weights are stored; the precision says how others are.
  void read_weights() {
    if (trains(task()) && !freezes(task(), answer_.inputs.tuning)) {
      const std::string* const text = typed("weight_dtype");
      if (auto issue = text == nullptr ? std::nullopt : of_trained_weights(*text, answer_.inputs.strategy.precision)) answer_.issues.push_back(*std::move(issue));
      return;
    }
    WeightsRead read = weights_read(catalog_, answer_, *device_);
    answer_.weights_default = std::move(read.standard);
    if (!read.default_citation.empty()) default_citations_["weight_dtype"] = std::move(read.default_citation);
    for (Issue& issue : read.issues) answer_.issues.push_back(std::move(issue));
    answer_.inputs.weights = store(answer_.inputs.model, read.scheme);
  }

  /// What cannot run at all: the program on that device, or weights that it does not load there.
  void check_compatibility() {
    if (!is_known_) return;
    const std::optional<Incompatible> found = incompatible(catalog_, answer_.profile_id, *device_, answer_.inputs.weights.scheme, answer_.architecture);
    if (found && !already_reported(found->field)) report(Severity::error, found->field, found->message, found->remedy);
  }

  void read_role_models() {
    for (const Field& field : fields()) {
      const std::optional<Role> role = role_of(field.name);
      const std::string* text = typed(field.name);
      if (!role || !applies(field, task()) || field.kind != FieldKind::id || text == nullptr || text->empty()) continue;
      const ModelRow* row = catalog_.find_model(*text);
      std::optional<Model> model = row != nullptr ? catalog_.model(*row).model : std::nullopt;
      if (!model) {
        answer_.issues.push_back(which_model(catalog_, field.name, *text, "Or leave it out to use the model that trains."));
        continue;
      }
      answer_.inputs.role_models.push_back({*role, std::move(*model)});
    }
  }

  void read_device() {
    const std::string* text = typed("device");
    const DeviceRow* row = catalog_.find_device(text != nullptr ? *text : kDefaultDevice);
    if (row == nullptr) {
      answer_.issues.push_back(which_device(catalog_, *text));
      row = catalog_.find_device(kDefaultDevice);
      is_known_ = false;
    }
    device_ = row;
    answer_.inputs.hardware = row->hardware;
  }

  /// What the program that is named does where nobody says otherwise.
  void read_profile_defaults() {
    const Json* const defaults = defaults_of(answer_.profile_id);
    for (const Field& field : fields()) {
      if (field.set == nullptr || !applies(field, task())) continue;
      const std::optional<ProfileDefault> own = default_of(defaults, field.name, answer_.inputs.model.id, answer_.inputs.hardware.usable_bytes);
      if (!own) continue;
      if (const auto value = parse_value(field, own->value, answer_.issues)) field.set(answer_.inputs, *value);
      default_citations_[std::string{field.name}] = own->citation;
    }
  }

  /// Which profile; it is read when all fields are known.
  void read_profile() {
    const bool training = trains(task());
    const auto suits = [&](const Catalog::ProfileRow& row) { return training ? row.for_training : row.for_inference; };
    const std::string_view standard = catalog_.default_profile(training);
    const std::string* text = typed("profile");
    answer_.profile_id = text != nullptr ? lower_case(*text) : std::string{standard};
    const std::optional<Catalog::ProfileRow> row = catalog_.find_profile(answer_.profile_id);
    if (row && suits(*row)) return;
    std::vector<std::string> fitting;
    for (const Catalog::ProfileRow& other : catalog_.profiles())
      if (suits(other)) fitting.push_back(other.id);
    report(Severity::error, "profile",
           row ? quoted(std::string_view{*text}) + " does not describe this task." : "There is no profile " + quoted(std::string_view{*text}) + ".",
           "Write " + joined_with_or(fitting) + ".");
    answer_.profile_id = standard;
  }

  /// What the profile's framework leaves open is known once all fields are read.
  void resolve_implementation() {
    const Inputs& inputs = answer_.inputs;
    profile = catalog_.profile(answer_.profile_id, inputs.hardware.arch, trains(task()) ? inputs.implementation : Implementation{});
  }

  std::optional<std::int64_t> read_value(const Field& field, const std::string& text) {
    const auto value = parse_value(field, text, answer_.issues);
    if (!value) return std::nullopt;
    // Members are narrower than the text may be: what the range excludes must not be cut down to something valid.
    if (field.kind == FieldKind::integer && (*value < field.min || *value > field.max)) {
      answer_.issues.push_back(out_of_range(field, *value));
      return std::nullopt;
    }
    if (!applies(field, task()))
      report(Severity::note, field.name, std::string{label_of(field)} + " has no effect on this task.", "Leave it out, or choose another task.");
    return value;
  }

  void read_typed(const Field& field) {
    const std::string* text = typed(field.name);
    if (text == nullptr) return;
    // What is said to have no effect has none: a rollout's engine reads inputs of serving, too.
    if (const auto value = read_value(field, *text); value && applies(field, task())) field.set(answer_.inputs, *value);
  }

  void read_list(const Field& field) {
    const std::string* text = typed(field.name);
    if (text == nullptr || trimmed(*text).empty()) return;
    if (!applies(field, task()))
      return report(Severity::note, field.name, std::string{label_of(field)} + " has no effect on this task.", "Leave it out, or choose another task.");
    if (auto list = parse_list(field, *text, answer_.issues)) field.set_list(answer_.inputs, *std::move(list));
  }

  /// What the model was made for, less the learned tokens in front of each sequence where positions are a table; 0 = unknown.
  std::int64_t longest_context() const {
    const Inputs& inputs = answer_.inputs;
    const bool is_longer = task() == Task::finetune && (added_tokens(inputs.tuning) > 0 || inputs.tuning.method == TuningMethod::prefix);
    const std::int64_t longest = inputs.model.max_context.value;
    const std::int64_t virtual_tokens = is_longer && inputs.model.learned_positions > Count{0} ? inputs.tuning.virtual_tokens : 0;
    return longest > virtual_tokens ? longest - virtual_tokens : longest;
  }

  /// A default must never be an error: without a stated context, a short model gets the longest it can take.
  void limit_context() {
    const std::int64_t longest = longest_context();
    std::int64_t& standard = defaults_.workload.context_tokens;
    if (longest > 0 && longest < standard) standard = longest;
    follow_traffic(answer_.inputs, typed("batch") != nullptr, defaults_);
    if (typed("context_tokens") == nullptr) answer_.inputs.workload.context_tokens = standard;
  }

  void report_unknown() {
    for (const Entry& entry : answer_.request.entries()) {
      if (find_field(entry.name) != nullptr) continue;
      std::vector<std::string> names;
      for (const Field& field : fields()) names.emplace_back(field.name);
      const std::string_view meant = meant_by(entry.name);
      const std::string names_meant = meant.empty() ? joined_with_or(slips_of(entry.name, names, 2)) : std::string{meant};
      report(Severity::error, entry.name, quoted(std::string_view{entry.name}) + " is not an input.",
             names_meant.empty() ? "Leave it out; `plimsoll fields` lists all inputs." : "Did you mean " + names_meant + "? Otherwise leave it out.");
    }
  }

  std::string default_id(const Field& field) const {
    if (field.name == "model") return {}; // nobody's but the asker's
    if (field.name == "device") return std::string{kDefaultDevice};
    if (field.name == "weight_dtype") return answer_.weights_default;
    if (role_of(field.name)) return {}; // the model that trains
    return std::string{catalog_.default_profile(trains(task()))};
  }

  void list_fields() {
    const bool is_custom = custom();
    answer_.fields.reserve(fields().size());
    for (const Field& field : fields()) {
      FieldState& state = answer_.fields.emplace_back();
      state.field = &field;
      const bool known = !is_fact(field) || answer_.inputs.facts.known[fact_index(field)];
      const bool has_default = !is_fact(field) || standard_facts_.known[fact_index(field)];
      const std::string now = value_text(answer_, field);
      const bool is_task = field.name == "task";
      if (field.kind == FieldKind::id) state.default_text = default_id(field);
      else if (field.kind != FieldKind::text && known && has_default) state.default_text = is_task ? "inference" : text_of(field, field.get(defaults_));
      const std::string* text = typed(field.name);
      state.stated = text != nullptr;
      state.text = text != nullptr ? *text : has_default && field.name != "model" ? now : std::string{};
      const bool completes = is_fact(field) && is_custom && typed("config") != nullptr; // the config alone need not be a model
      state.changed = state.stated && (now != state.default_text || completes || already_reported(field.name));
      state.idle = is_idle(field, answer_.inputs);
      if (const auto citation = default_citations_.find(field.name); citation != default_citations_.end()) state.default_citation = citation->second;
      state.applies = known && applies(field, task()) && (field.name != "config" || is_custom);
    }
  }

  void name_changed_model() {
    if (answer_.inputs.model.id == kCustomModel) return;
    for (const FieldState& state : answer_.fields)
      if (is_fact(*state.field) && state.changed && state.applies) {
        answer_.inputs.model.name += ", changed";
        return;
      }
  }

  static bool is_fact(const Field& field) { return field.topic == Topic::model && field.get != nullptr; }

  const Catalog& catalog_;
  Answer& answer_;
  Inputs defaults_;
  ModelFacts standard_facts_; ///< of the model without changes
  const DeviceRow* device_ = nullptr;
  std::map<std::string, std::string, std::less<>> default_citations_; ///< of defaults that are the program's, by field
  bool is_known_ = true;      ///< the model and the device are those that were asked for
};

} // namespace

Answer answer(const Catalog& catalog, const Request& request, Issues carried) {
  Answer result;
  result.issues = std::move(carried);
  result.request = as_meant(catalog, request, result.issues);
  divide_gpus(catalog, result.request, result.issues);
  Resolver resolver{catalog, result};
  resolver.run();
  if (has_errors(result.issues)) return result;

  std::optional<Profile> engine; // of who generates answers: nobody else has one beside the profile that was asked for
  if (generates(result.inputs.composition.method)) engine = *catalog.profile(catalog.default_profile(false), result.inputs.hardware.arch);
  if (engine && result.inputs.composition.engine == RolloutEngine::shared) { // the trainer's own model code generates
    engine->inference.efficiencies = catalog.profile("transformers", result.inputs.hardware.arch)->inference.efficiencies;
    engine->inference.times = nullptr;
  }
  result.scenario = scenario_of(result.inputs, *resolver.profile, engine ? *engine : *resolver.profile);
  result.estimate = estimate(result.scenario);
  if (result.estimate.saturated) {
    result.issues.push_back({Severity::error, "", "Together these inputs need more than 8 EiB, beyond what can be counted.",
                             "Make the model, the batch or the context smaller."});
    return result;
  }
  result.facts = facts_of(result.scenario, result.estimate.rank);
  result.judgement = judge(result.scenario, result.estimate);
  result.headline = headline(result.scenario, result.judgement, result.estimate);
  result.ok = true;
  return result;
}

void add_footprint(Answer& answer) {
  if (answer.ok && !answer.footprint) add_footprint(answer, footprint(answer.scenario, answer.estimate.rank));
}

void add_footprint(Answer& answer, Footprint whole) {
  answer.footprint = std::move(whole);
  answer.judgement = judge(answer.scenario, answer.estimate, &*answer.footprint);
  answer.headline = headline(answer.scenario, answer.judgement, answer.estimate, &*answer.footprint);
  answer.remedies = engine_remedies(answer);
  answer.headline.rest += remedies_text(answer);
}

} // namespace plimsoll::io
