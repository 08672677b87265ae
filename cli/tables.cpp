#include "tables.hpp"

#include "plimsoll/catalog/search.hpp"
#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "text.hpp"

#include <optional>
#include <vector>

namespace plimsoll::cli {

namespace {

std::string amount_text(const Component& component) {
  return format_amount(component.amount, component.unit);
}

/// "4.77 GiB = 5,122,031,616 bytes"; of times and rates what people read; amounts that nothing rounds are exact as they are.
std::string fact_text(const Component& fact) {
  const std::string exact = format_exact(fact.amount, fact.unit), rounded = amount_text(fact);
  if (rounded.ends_with(" B") || rounded == format_count(Count{fact.amount})) return exact;
  return fact.unit == "bytes" ? rounded + " = " + exact : rounded;
}

/// A fact in a line, and the phases of a step that is made of some.
void add_fact(std::string& table, const Component& fact, std::size_t depth) {
  table += std::string(2 * depth, ' ') + fact.label + ": " + fact_text(fact) + "\n";
  for (const Component& part : fact.parts)
    if (part.id.starts_with("phase.")) add_fact(table, part, depth + 1);
}

std::string likely_text(const Component& component) {
  return format_amounts(component.low, component.high, component.unit);
}

void add_rows(std::string& table, const Component& component, std::size_t depth) {
  table += left(std::string(2 * depth, ' ') + component.label, 38) + right(amount_text(component), 16) +
           right(format_count(Count{component.amount}), 26) + "  " + name_of(component.basis) + "\n";
  for (const Component& part : component.parts) add_rows(table, part, depth + 1);
}

void add_explanation(std::string& text, const io::Catalog& catalog, const Component& component) {
  text += "\n" + component.label + "  [" + component.id + "]\n  " + amount_text(component) + " = " +
          format_exact(component.amount, component.unit) + ", " + name_of(component.basis) + "\n";
  if (component.low != component.high)
    text += "  likely " + likely_text(component) + "\n";
  if (component.formula.empty()) text += "  the sum of its parts\n";
  else text += "  = " + std::string{component.formula} + "\n";
  for (const Symbol& symbol : component.symbols)
    text += "    " + left(std::string{symbol.name}, 20) + right(format_count(Count{symbol.value}), 16) + "  " +
            left(std::string{symbol.unit}, 11) + (symbol.unit.size() < 11 ? "" : " ") + std::string{symbol.meaning} + "\n";
  if (const io::CitationRow* row = catalog.find_citation(component.citation))
    text += "  source: " + row->text + (row->url.empty() ? "" : "\n          " + row->url) + "\n";
  for (const Component& part : component.parts) add_explanation(text, catalog, part);
}

/// The four numbers, and why they may come out otherwise.
std::string footprint_table(const Footprint& footprint) {
  std::string table = left("memory of one process", 30) + right("expected", 14) + right("low", 14) + right("high", 14) + "\n";
  for (const MemoryNumber& number : memory_numbers()) {
    const MemoryRange& range = footprint.*number.range;
    table += left(std::string{number.label}, 30) + right(format_bytes(range.expected), 14) + right(format_bytes(range.low), 14) +
             right(format_bytes(range.high), 14) + "\n";
  }
  table += left("Usable on the device", 30) + right(format_bytes(footprint.usable), 14) + (footprint.tight ? "  tight" : "") + "\n";
  for (const Uncertainty& one : footprint.uncertainties)
    table += "  " + left(format_change(Bytes{0} - one.less), 14) + left(format_change(one.more), 14) + one.label + ", " + name_of(one.basis) + "\n";
  return table;
}

/// Whose default it is, where nobody stated the field.
std::string default_text(const io::Answer& answer, std::string_view field) {
  const io::FieldState* const state = answer.find_field(field);
  if (state == nullptr || state->stated) return "";
  if (field == "weight_dtype" && !answer.quantization_config.empty() && state->default_citation.empty()) return " (the checkpoint's own)";
  return state->default_citation.empty() ? " (not stated)" : " (the program's own default)";
}

/// Number formats of weights, of what trains, and of the cache.
std::string precision_text(const io::Answer& answer) {
  const Inputs& inputs = answer.inputs;
  const Task task = inputs.workload.task;
  const auto named = [&](std::string_view name) { return io::value_text(answer, *find_field(name)); };
  const std::string weights = io::shown_weights(named("weight_dtype")) + default_text(answer, "weight_dtype");
  const auto labelled = [&](std::string_view name) {
    const Field& field = *find_field(name);
    const Choice* const choice = find_choice(field, named(name));
    return (choice != nullptr ? std::string{label_of(*choice)} : named(name)) + default_text(answer, name);
  };
  if (!trains(task)) return "weights " + weights + ", KV cache " + named("kv_dtype") + default_text(answer, "kv_dtype");
  const std::string stored = freezes(task, inputs.tuning) ? "frozen weights " + weights + ", " : "";
  return stored + labelled("precision") + ", optimizer " + named("optimizer");
}

/// How many, and what a replica is: memory is told of one GPU, a server's sequences and tokens per second of one replica.
std::string gpus_text(const io::Answer& answer) {
  Strategy one = answer.scenario.strategy;
  one.data_parallel = 1;
  const Count replicas{answer.scenario.strategy.data_parallel};
  std::string text = format_count(answer.estimate.gpus) + "; memory below is of one of them";
  if (replicas > Count{1}) text += "; " + format_count(replicas) + " replicas of the model with " + format_count(gpu_count(one)) + " each";
  if (replicas > Count{1} && !trains(answer.inputs.workload.task)) text += ", and sequences, cache and tokens per second are of one replica";
  return text;
}

/// One line for each pipeline rank, where there are several.
std::string ranks_table(const Estimate& estimate) {
  std::string table;
  for (std::size_t i = 0; estimate.ranks.size() > 1 && i < estimate.ranks.size(); ++i)
    table += left("rank " + std::to_string(i), 12) + right(format_bytes(estimate.ranks[i].total), 14) + "  " +
             std::string{text_of(estimate.ranks[i].moment).label} + (static_cast<std::int64_t>(i) == estimate.rank ? "  (fullest)" : "") + "\n";
  return table;
}

/// The rows of a field's catalogue that `text` finds, best first.
template <class Row>
std::vector<const Row*> found(const std::vector<Row>& rows, const io::Catalog& catalog, std::string_view field, const std::string& text) {
  std::vector<const Row*> hits;
  for (const std::size_t i : io::search(io::rows_of(catalog, field), text))
    if (i < rows.size()) hits.push_back(&rows[i]); // behind them stands what is no row, such as the custom model
  return hits;
}

} // namespace

std::string issues_table(const Issues& issues) {
  std::string table;
  for (const Issue& issue : issues) {
    table += std::string{name_of(issue.severity)} + (issue.field.empty() ? "" : " in " + issue.field) + ": " + issue.message + "\n";
    table += "  " + issue.remedy + "\n";
  }
  return table;
}

std::string estimate_table(const io::Answer& answer) {
  const Inputs& inputs = answer.inputs;
  const Estimate& estimate = answer.estimate;
  std::string table = answer.headline.verdict + " " + answer.headline.rest + "\n" + answer.headline.detail + "\n\n";
  table += left("model", 12) + inputs.model.name + ", " + format_count(answer.facts.parameters) + " parameters" +
           (answer.facts.active_parameters < answer.facts.parameters ? ", " + format_count(answer.facts.active_parameters) + " of them active for a token" : "") + "\n";
  table += left("device", 12) + inputs.hardware.name + default_text(answer, "device") + ", " + format_bytes(estimate.usable) + " usable (" + inputs.hardware.usable_basis + ")\n";
  table += left("task", 12) + std::string{choice_name(*find_field("task"), static_cast<std::int64_t>(inputs.workload.task))} + ", " +
           format_count(Count{inputs.workload.batch}) + (answer.scenario.workload.batching == Batching::padding_free ? " × up to " : " × ") +
           format_count(Count{inputs.workload.context_tokens}) + " tokens\n";
  table += left("profile", 12) + answer.scenario.profile.name + "\n";
  table += left("precision", 12) + precision_text(answer) + "\n";
  if (estimate.gpus > Count{1}) table += left("GPUs", 12) + gpus_text(answer) + "\n";
  table += "\n";
  table += footprint_table(*answer.footprint) + "\n";
  if (estimate.ranks.size() > 1) table += ranks_table(estimate) + "\n";
  const Explanation explanation = explain(answer.scenario, estimate);
  add_rows(table, explanation.memory, 0);
  table += "\n";
  for (const Component& fact : explanation.facts) add_fact(table, fact, 0);
  return table;
}

std::string explanation_table(const io::Catalog& catalog, const io::Answer& answer) {
  const Explanation explanation = explain(answer.scenario, answer.estimate);
  std::string text = answer.headline.verdict + " " + answer.headline.rest + "\n" + answer.headline.detail + "\n";
  add_explanation(text, catalog, explanation.memory);
  add_explanation(text, catalog, explanation.parameters);
  for (const Component& fact : explanation.facts) add_explanation(text, catalog, fact);
  return text;
}

std::string models_table(const io::Catalog& catalog, const std::string& search) {
  std::string table;
  for (const io::ModelRow* row : found(catalog.models(), catalog, "model", search)) {
    const std::optional<Model> model = io::import_model(*row).model;
    table += left(row->id, 28) + right(model ? format_count(count_parameters(*model)) : "", 20) + "  " + left(row->name, 28) +
             (row->aliases().empty() ? "" : row->aliases().front()) + "\n";
  }
  return table;
}

std::string devices_table(const io::Catalog& catalog, const std::string& search) {
  std::string table;
  for (const io::DeviceRow* row : found(catalog.devices(), catalog, "device", search))
    table += left(row->hardware.id, 18) + right(format_bytes(Bytes{row->hardware.usable_bytes}), 10) + "  " + left(row->hardware.name, 46) +
             row->hardware.usable_basis + "\n";
  return table;
}

std::string weights_table(const io::Catalog& catalog, const std::string& search) {
  std::string table;
  for (const io::WeightSchemeRow* row : found(catalog.weights().schemes(), catalog, "weight_dtype", search))
    table += left(row->id, 24) + row->name + "\n" + (row->about.empty() ? "" : std::string(24, ' ') + row->about + "\n");
  return table;
}

std::string profiles_table(const io::Catalog& catalog, const std::string& search) {
  std::string table;
  for (const io::Catalog::ProfileRow* row : found(catalog.profiles(), catalog, "profile", search))
    table += left(row->id, 18) + row->name + "\n" + std::string(18, ' ') + row->about + "\n";
  return table;
}

std::string fields_table() {
  constexpr std::size_t kNameColumn = 30; // wider than the longest name
  std::string table;
  for (const Field& field : fields()) {
    table += left(std::string{field.name}, kNameColumn) + left(std::string{name_of(field.topic)}, 10);
    if (field.kind == FieldKind::integer)
      table += format_count(Count{field.min}) + " to " + format_count(Count{field.max}) + (field.unit.empty() ? "" : " ") + std::string{field.unit};
    for (const Choice& choice : field.choices) table += std::string{choice.name} + " ";
    if (field.kind == FieldKind::flag) table += "true false";
    if (field.kind == FieldKind::id) table += "an id of the catalogue";
    if (field.kind == FieldKind::text) table += "text";
    table += "\n" + std::string(kNameColumn, ' ') + std::string{help_of(field)} + "\n";
  }
  return table;
}

} // namespace plimsoll::cli
