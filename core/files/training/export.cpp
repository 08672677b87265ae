// From a scenario to a file, with what the file cannot say: it is read again, and whatever is then different is named.
#include "files/training/format.hpp"
#include "files/training/print.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/method/format.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace configs {

std::string Source::text(std::string_view field) const {
  const Field* const row = find_field(field);
  return row == nullptr ? "" : value_text(answer, *row);
}

} // namespace configs

namespace {

using namespace configs;

std::string printed(const Format& format, const Json& tree, const std::vector<std::string>& comments) {
  switch (format.syntax) {
    case Syntax::json: return print_json(tree, comments);
    case Syntax::yaml: return print_yaml(tree, comments);
    case Syntax::toml: return print_toml(tree, comments);
    case Syntax::arguments: return print_arguments(tree, "torchrun pretrain_gpt.py", comments);
    case Syntax::overrides: return print_overrides(tree, comments);
  }
  return "";
}

/// What somebody who has the same device gets of the file.
Answer read_again(const Catalog& catalog, const Answer& answer, std::string_view text) {
  Request request = read_training_config(catalog, text).request;
  for (const std::string_view name : {"device", "usable_bytes"})
    if (const std::string* typed = answer.request.find(name)) request.set(name, *typed);
  return io::answer(catalog, request);
}

/// Inputs of the training itself that the file does not bring back.
std::vector<std::string> lost(const Answer& answer, const Answer& again) {
  std::vector<std::string> lost;
  const bool same_model = answer.inputs.facts.values == again.inputs.facts.values; // whatever it is called
  if (!same_model) lost.push_back("model=" + value_text(answer, *find_field("model")) + ": pass the model apart");
  for (const FieldState& state : answer.fields) {
    const Field& field = *state.field;
    if (!state.applies || state.idle || field.topic == Topic::model || field.topic == Topic::hardware || field.topic == Topic::cost || field.kind == FieldKind::text) continue;
    const std::string value = value_text(answer, field), other = value_text(again, field);
    if (value != other) lost.push_back(std::string{field.name} + "=" + (value.empty() ? "none" : value) + ": not said here, where it is " + (other.empty() ? "none" : other));
  }
  return lost;
}

} // namespace

std::vector<std::string_view> exportable_configs() {
  std::vector<std::string_view> ids;
  for (const Format* format : {&deepspeed(), &accelerate(), &trainer(), &axolotl(), &llama_factory(), &trl(), &torchtune(), &torchtitan(), &megatron(), &nemo()}) ids.push_back(format->id);
  return ids;
}

ExportedCommand export_training_config(const Catalog& catalog, const Answer& answer, std::string_view id) {
  ExportedCommand exported;
  const auto refuse = [&](std::string field, std::string message, std::string remedy) {
    exported.issues.push_back({Severity::error, std::move(field), std::move(message), std::move(remedy)});
    return exported;
  };
  const auto ids = exportable_configs();
  if (std::ranges::find(ids, id) == ids.end())
    return refuse("to", "There is no configuration file of " + quoted(id) + ".", "Write " + joined_with_or({ids.begin(), ids.end()}) + ".");
  exported.issues = answer.issues;
  if (!answer.ok) return exported;
  if (!trains(answer.inputs.workload.task)) return refuse("task", "The configuration file is one of training.", "Choose finetune or pretrain as task.");
  const Format& format = **std::ranges::find(formats(), id, [](const Format* one) { return one->id; });
  Json tree = Json::object();
  format.write({catalog, answer}, tree);
  std::vector<std::string> comments{answer.inputs.hardware.name + ", " + format_count(answer.estimate.gpus) + (answer.estimate.gpus == Count{1} ? " GPU" : " GPUs")};
  if (Answer judged = answer; !answer.judgement.holds() || (add_footprint(judged), !judged.judgement.holds())) {
    add_footprint(judged);
    const std::string said = judged.headline.verdict + " " + judged.headline.rest;
    comments.push_back(said);
    exported.issues.push_back({Severity::warning, "", said, "`plimsoll fit --advice` says what makes it fit."});
  }
  for (std::string& sentence : lost(answer, read_again(catalog, answer, printed(format, tree, {})))) comments.push_back(std::move(sentence));
  exported.text = printed(format, tree, comments);
  exported.ok = true;
  return exported;
}

ExportedCommand export_scenario(const Catalog& catalog, const Answer& answer, std::string_view to) {
  const auto engines = exportable_engines(), configs = exportable_configs();
  if (std::ranges::find(configs, to) != configs.end()) return export_training_config(catalog, answer, to);
  if (std::ranges::find(engines, to) != engines.end()) return export_command_line(catalog, answer, to);
  std::vector<std::string> all{engines.begin(), engines.end()};
  all.insert(all.end(), configs.begin(), configs.end());
  ExportedCommand exported;
  exported.issues.push_back({Severity::error, "to", "Nothing can be written for " + quoted(to) + ".", "Write " + joined_with_or(all) + "."});
  return exported;
}

} // namespace plimsoll::io
