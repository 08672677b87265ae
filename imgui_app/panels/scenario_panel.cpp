#include "panels/scenario_panel.hpp"

#include "panels/money_panel.hpp"
#include "plimsoll/answer/gpus.hpp"
#include "plimsoll/answer/model_change.hpp"
#include "plimsoll/catalog/field_groups.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/field_row.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::app {
namespace {

std::vector<Option> profile_options(const io::Catalog& catalog, Task task) {
  std::vector<Option> options;
  const std::vector<Option> all = io::rows_of(catalog, "profile");
  for (std::size_t i = 0; i < all.size(); ++i)
    if (trains(task) ? catalog.profiles()[i].for_training : catalog.profiles()[i].for_inference) options.push_back(all[i]);
  return options;
}

std::vector<Option> options_of(const App& app, const Field& field) {
  if (field.name == "profile") return profile_options(app.catalog, app.answer.inputs.workload.task);
  if (field.kind == FieldKind::id) return io::rows_of(app.catalog, field.name);
  std::vector<Option> options;
  if (field.kind == FieldKind::choice)
    for (const Choice& choice : field.choices) options.push_back({choice.name, label_of(choice), "", {}});
  return options;
}

/// The value as people read it; what was typed, where it cannot be read.
std::string shown_text(const io::FieldState& state, const io::Answer& answer, std::span<const Option> options, bool bad) {
  if (state.field->name == "model" && !bad) return answer.inputs.model.name; // which also says that facts of it are changed
  if (state.field->kind == FieldKind::id && state.text.empty()) return "the model itself"; // another model that nobody named
  if (const Option* const option = io::find_row(options, state.text)) return std::string(option->name);
  const Field& field = *state.field;
  if (!bad && &field == &io::gpus_field()) return format_count(gpu_count(answer.inputs.strategy));
  if (bad || !field.get) return state.text;
  const std::int64_t value = field.get(answer.inputs);
  if (field.unit == "bytes" && value > 0) return format_bytes(Bytes{value}); // twelve digits are no size that people read
  if (field.kind == FieldKind::integer) return format_count(Count{value});
  if (field.kind == FieldKind::flag) return value != 0 ? "true" : "false";
  return state.text;
}

/// A row as it stands, with what is wrong with it.
void row(Ui& ui, const App& app, const io::FieldState& state, float width) {
  std::vector<const Issue*> issues;
  bool bad = false;
  for (const Issue& issue : app.answer.issues) {
    if (issue.field != state.field->name) continue;
    issues.push_back(&issue);
    bad = bad || issue.severity == Severity::error;
  }
  const std::vector<Option> options = options_of(app, *state.field);
  const std::string shown = shown_text(state, app.answer, options, bad);
  std::vector<const io::InputChange*> remedies;
  for (const FieldRemedy& remedy : app.remedies)
    if (remedy.field == state.field->name) remedies.push_back(&remedy.change);
  field_row(ui, {state, options, shown, std::move(issues), std::move(remedies)}, width);
}

/// "32 layers", or "20 sliding-window layers, 4 full-attention layers".
std::string layers_of(const Model& model) {
  std::string text;
  for (const LayerGroup& group : model.groups)
    text += (text.empty() ? "" : ", ") + format_count(group.layers) + " " + (group.label.empty() ? "layers" : group.label);
  return text;
}

/// "8,030,261,248 parameters · 32 layers · read a model file"
void model_facts(Ui& ui, const App& app, float width) {
  std::string facts;
  if (app.shown && app.shown->answer.inputs.model.id == app.answer.inputs.model.id) {
    const Model& model = app.shown->answer.inputs.model;
    const Count parameters = count_parameters(model), active = count_active_parameters(model);
    facts = format_count(parameters) + " parameters \u00b7 ";
    if (active != parameters) facts += format_count(active) + " active \u00b7 ";
    facts += layers_of(model) + " \u00b7 ";
    if (const std::string change = io::model_change(app.catalog, app.shown->answer); !change.empty()) facts += change + " \u00b7 ";
  }
  const std::array<Run, 2> runs{{{facts, ui.fonts.label, ui.theme.dim},
                                 {"read a model file", ui.fonts.label, ui.theme.accent, true}}};
  if (paragraph(ui, "read_file", runs, width) >= 0) {
    ui.view.file_dialog = {};
    ui.view.file_dialog.open = true;
  }
  for (const Issue& note : ui.view.import_notes) {
    gap(4);
    issue_text(ui, note, width);
  }
}

void profile_facts(Ui& ui, const App& app, float width) {
  for (const io::Catalog::ProfileRow& profile : app.catalog.profiles())
    if (profile.id == app.answer.profile_id) paragraph(ui, ui.fonts.label, ui.theme.dim, profile.about, width);
}

bool has_issue(const App& app, const Field& field) {
  return std::any_of(app.answer.issues.begin(), app.answer.issues.end(), [&](const Issue& i) { return i.field == field.name; });
}

/// Folded rows come out when they differ from the preset, when something is wrong with them, or when a formula needs them.
bool is_folded(const Ui& ui, const App& app, const io::FieldState& state) {
  const bool wanted = ui.view.highlighted_field == state.field->name || ui.view.focus_field == state.field->name ||
                      ui.view.editing == state.field->name;
  return !state.changed && !wanted && !has_issue(app, *state.field);
}

void more_link(Ui& ui, Topic topic) {
  const std::string name(name_of(topic));
  const bool open = ui.view.open_topics.contains(name);
  ImGui::Indent(2);
  if (link(ui, "button.more." + name, open ? "Less" : topic == Topic::model ? "Change this model" : "More", ui.fonts.label)) {
    if (open)
      ui.view.open_topics.erase(name);
    else
      ui.view.open_topics.insert(name);
  }
  if (is_described() && topic != Topic::model) describe({.name = (open ? "Less: " : "More: ") + std::string(title_of(topic)), .expanded = state_of(open)});
  ImGui::Unindent(2);
}

using Rows = std::vector<const io::FieldState*>;

/// Rows under the same heading stand together, in the order in which the headings first appear.
Rows by_heading(Rows rows) {
  Rows sorted;
  for (const io::FieldState* first : rows)
    for (const io::FieldState*& state : rows)
      if (first && state && io::group_of(*state->field) == io::group_of(*first->field)) sorted.push_back(std::exchange(state, nullptr));
  return sorted;
}

/// What is folded away, or all of it; the facts of a model have headings. True when something stays folded.
bool folded_rows(Ui& ui, const App& app, const Rows& rows, bool open, float width) {
  bool any_folded = false;
  std::string_view last;
  for (const io::FieldState* state : by_heading(rows)) {
    const bool folded = is_folded(ui, app, *state);
    any_folded = any_folded || folded;
    if (folded && !open) continue;
    const std::string_view group = io::group_of(*state->field);
    if (open && group != last && !group.empty()) gap(6), heading(ui, group);
    last = group;
    row(ui, app, *state, width);
  }
  return any_folded;
}

void facts_of(Ui& ui, const App& app, Topic topic, float width) {
  if (topic == Topic::hardware) given_note(ui, app, io::GivenKind::devices, width);
  if (topic == Topic::cost) given_note(ui, app, io::GivenKind::prices, width);
  if (topic != Topic::model && topic != Topic::profile) return;
  ImGui::Indent(2);
  if (topic == Topic::model) model_facts(ui, app, width - 4);
  else profile_facts(ui, app, width - 4);
  ImGui::Unindent(2);
  gap(4);
}

/// Rows that could change nothing are not asked for, unless somebody changed them or something is wrong with them.
bool is_asked(const App& app, const io::FieldState& state) {
  return (state.applies && (!state.idle || state.changed)) || has_issue(app, *state.field);
}

void topic_section(Ui& ui, const App& app, Topic topic, float width) {
  const bool is_parallel = topic == Topic::parallel;
  const io::FieldState gpus = io::gpus_state(app.request, app.answer);
  const bool is_one = is_parallel && gpus.text == gpus.default_text; // which nothing divides
  Rows plain, advanced;
  for (const io::FieldState& state : app.answer.fields)
    if (state.field->topic == topic && is_asked(app, state)) (state.field->advanced || is_one ? advanced : plain).push_back(&state);
  if (plain.empty() && advanced.empty()) return;
  heading(ui, title_of(topic));
  if (is_parallel) row(ui, app, gpus, width);
  for (const io::FieldState* state : plain) row(ui, app, *state, width);
  facts_of(ui, app, topic, width); // under the preset that they belong to
  const bool open = ui.view.open_topics.contains(std::string(name_of(topic)));
  if (folded_rows(ui, app, advanced, open, width) || open) more_link(ui, topic);
  gap(space::section);
}

/// Nothing of the topic differs from the preset, is wrong, or is looked for.
bool is_quiet(const Ui& ui, const App& app, Topic topic) {
  if (topic == Topic::cost && app.find_given(io::GivenKind::prices)) return false;
  return std::ranges::none_of(app.answer.fields, [&](const io::FieldState& state) {
    const bool looked_for = ui.view.focus_field == state.field->name || ui.view.editing == state.field->name; // not a highlight: what it highlights from would move away
    return state.field->topic == topic && is_asked(app, state) && (state.changed || looked_for || has_issue(app, *state.field));
  });
}

/// Issues that belong to no row: unknown keys, the request as a whole.
void stray_issues(Ui& ui, const App& app, float width) {
  bool any = false;
  for (const Issues* issues : {&app.answer.issues, &app.view.view_notes}) {
    for (const Issue& issue : *issues) {
      if (issues == &app.answer.issues && (app.answer.find_field(issue.field) || issue.field == io::gpus_field().name)) continue;
      issue_text(ui, issue, width);
      gap(6);
      any = true;
    }
  }
  if (any) gap(6);
}

} // namespace

std::string_view title_of(Topic topic) {
  switch (topic) {
    case Topic::task: return "Task";
    case Topic::model: return "Model";
    case Topic::hardware: return "Hardware";
    case Topic::workload: return "Workload";
    case Topic::tuning: return "Tuning";
    case Topic::strategy: return "Strategy";
    case Topic::parallel: return "Parallelism";
    case Topic::profile: return "Framework";
    case Topic::cost: return "Money and energy";
  }
  return "";
}

void task_switch(Ui& ui, const App& app, float width) {
  constexpr std::array<std::string_view, kTasks> kLabels{"Serve", "Fine-tune", "Pre-train"};
  const Field* const field = find_field("task");
  if (!field) return;
  const auto task = static_cast<std::size_t>(app.answer.inputs.workload.task);
  std::array<Alternative, kTasks> tasks;
  for (std::size_t i = 0; i < kTasks; ++i)
    tasks[i] = {choice_name(*field, static_cast<std::int64_t>(i)), kLabels[i], i == task};
  const int pressed = segmented(ui, "task", tasks, width);
  if (pressed >= 0) ui.actions.set.emplace_back("task", std::string(tasks[static_cast<std::size_t>(pressed)].id));
}

void scenario_panel(Ui& ui, const App& app, float width, bool folds) {
  constexpr std::string_view kRest = "rest";
  stray_issues(ui, app, width);
  for (const Topic topic : {Topic::model, Topic::hardware, Topic::workload}) topic_section(ui, app, topic, width);
  const bool open = ui.view.open_topics.contains(std::string(kRest));
  bool any_folded = false;
  for (const Topic topic : {Topic::tuning, Topic::strategy, Topic::parallel, Topic::profile, Topic::cost}) {
    const bool folded = folds && !open && is_quiet(ui, app, topic);
    any_folded = any_folded || folded;
    if (!folded) topic_section(ui, app, topic, width);
  }
  if (!folds || (!any_folded && !open)) return;
  if (link(ui, "button.more.rest", open ? "Fewer inputs" : "More inputs: strategy, parallelism, framework, money", ui.fonts.body)) {
    if (open) ui.view.open_topics.erase(std::string(kRest));
    else ui.view.open_topics.emplace(kRest);
  }
  gap(6);
}

} // namespace plimsoll::app
