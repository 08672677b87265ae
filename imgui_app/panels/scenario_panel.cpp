#include "panels/scenario_panel.hpp"

#include "widgets/controls.hpp"
#include "widgets/field_row.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

std::string_view title_of(Topic topic) {
  switch (topic) {
    case Topic::task: return "Task";
    case Topic::model: return "Model";
    case Topic::hardware: return "Hardware";
    case Topic::workload: return "Workload";
    case Topic::strategy: return "Strategy";
    case Topic::profile: return "Profile";
  }
  return "";
}

std::vector<Option> catalogue_options(const io::Catalog& catalog, Topic topic, Task task) {
  std::vector<Option> options;
  if (topic == Topic::model) {
    for (const io::ModelRow& row : catalog.models()) options.push_back({row.spec.id, row.spec.name, row.family, row.aliases});
    const bool listed = std::any_of(options.begin(), options.end(), [](const Option& o) { return o.id == io::kCustomModel; });
    if (!listed) options.push_back({io::kCustomModel, "Custom", "every number is yours", {}});
  } else if (topic == Topic::hardware) {
    for (const io::DeviceRow& row : catalog.devices()) options.push_back({row.hardware.id, row.hardware.name, row.vendor, row.aliases});
  } else if (topic == Topic::profile) {
    for (const io::Catalog::ProfileRow& row : catalog.profiles())
      if (trains(task) ? row.for_training : row.for_inference) options.push_back({row.id, row.name, "", {}});
  }
  return options;
}

std::vector<Option> options_of(const App& app, const Field& field) {
  if (field.kind == FieldKind::id) return catalogue_options(app.catalog, field.topic, app.answer.inputs.workload.task);
  std::vector<Option> options;
  if (field.kind == FieldKind::choice)
    for (const Choice& choice : field.choices) options.push_back({choice.name, choice.label, "", {}});
  return options;
}

bool same_id(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y)); });
}

/// The value as people read it; what was typed, where it cannot be read.
std::string shown_text(const io::FieldState& state, const io::Answer& answer, std::span<const Option> options, bool bad) {
  for (const Option& option : options) {
    if (same_id(option.id, state.text)) return std::string(option.label);
    for (const std::string& alias : option.aliases)
      if (same_id(alias, state.text)) return std::string(option.label);
  }
  const Field& field = *state.field;
  if (bad || !field.get) return state.text;
  if (field.kind == FieldKind::integer) return format_count(Count{field.get(answer.inputs)});
  if (field.kind == FieldKind::flag) return field.get(answer.inputs) ? "true" : "false";
  return state.text;
}

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
  field_row(ui, {state, options, shown, std::move(issues)}, width);
}

/// "8,030,261,248 parameters · 32 layers · GQA 32/8 · paste a config.json"
void model_facts(Ui& ui, const App& app, float width) {
  std::string facts;
  const ModelSpec& model = app.answer.inputs.model;
  if (app.shown && app.shown->answer.inputs.model.id == model.id) {
    const std::string heads = format_count(Count{model.query_heads}), kv_heads = format_count(Count{model.kv_heads});
    const char* const kind = model.kv_heads == model.query_heads ? "MHA " : model.kv_heads == 1 ? "MQA " : "GQA ";
    facts = format_count(app.shown->answer.estimate.parameters) + " parameters \u00b7 " + format_count(Count{model.layers}) +
            " layers \u00b7 " + kind + heads + "/" + kv_heads + " \u00b7 ";
  }
  const std::array<Run, 2> runs{{{facts, ui.fonts.label, ui.theme.dim},
                                 {"paste a config.json", ui.fonts.label, ui.theme.accent, true}}};
  if (paragraph(ui, "paste_config", runs, width) >= 0) {
    ui.view.config = {};
    ui.view.config.open = true;
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
  return state.field->advanced && !state.changed && !wanted && !has_issue(app, *state.field);
}

void more_link(Ui& ui, Topic topic) {
  const std::string name(name_of(topic));
  const bool open = ui.view.open_topics.contains(name);
  ImGui::Indent(2);
  if (link(ui, "button.more." + name, open ? "Less" : "More", ui.fonts.label)) {
    if (open)
      ui.view.open_topics.erase(name);
    else
      ui.view.open_topics.insert(name);
  }
  ImGui::Unindent(2);
}

void topic_section(Ui& ui, const App& app, Topic topic, float width) {
  std::vector<const io::FieldState*> rows;
  for (const io::FieldState& state : app.answer.fields)
    if (state.field->topic == topic && (state.applies || has_issue(app, *state.field))) rows.push_back(&state);
  if (rows.empty()) return;
  heading(ui, title_of(topic));
  const bool open = ui.view.open_topics.contains(std::string(name_of(topic)));
  bool any_folded = false;
  const auto facts = [&] {
    ImGui::Indent(2);
    if (topic == Topic::model) model_facts(ui, app, width - 4);
    if (topic == Topic::profile) profile_facts(ui, app, width - 4);
    ImGui::Unindent(2);
    if (topic == Topic::model || topic == Topic::profile) gap(4);
  };
  bool facts_due = true;
  for (const io::FieldState* state : rows) {
    const bool folded = is_folded(ui, app, *state);
    any_folded = any_folded || folded;
    if (state->field->advanced && facts_due) facts(), facts_due = false; // the facts stand under the preset they belong to
    if (open || !folded) row(ui, app, *state, width);
  }
  if (facts_due) facts();
  if (any_folded || open) more_link(ui, topic);
  gap(space::section);
}

/// Issues that belong to no row: unknown keys, the request as a whole.
void stray_issues(Ui& ui, const App& app, float width) {
  bool any = false;
  for (const Issue& issue : app.answer.issues) {
    if (app.answer.find_field(issue.field)) continue;
    issue_text(ui, issue, width);
    gap(6);
    any = true;
  }
  if (any) gap(6);
}

} // namespace

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

void scenario_panel(Ui& ui, const App& app, float width) {
  stray_issues(ui, app, width);
  for (const Topic topic : {Topic::model, Topic::hardware, Topic::workload, Topic::strategy, Topic::profile})
    topic_section(ui, app, topic, width);
}

} // namespace plimsoll::app
