// From a scenario to a file, with what the file cannot say: it is read again, and whatever is then different is named.
#include "files/lost_inputs.hpp"
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

} // namespace

std::vector<std::string_view> exportable_configs() {
  std::vector<std::string_view> ids;
  for (const Format* format : {&deepspeed(), &accelerate(), &trainer(), &axolotl(), &llama_factory(), &ms_swift(), &trl(), &torchtune(), &torchtitan(), &megatron(), &nemo()}) ids.push_back(format->id);
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
  const Answer again = answer_again(catalog, answer, read_training_config(catalog, printed(format, tree, {})).request);
  for (std::string& sentence : lost_inputs(answer, again)) comments.push_back(std::move(sentence));
  exported.text = printed(format, tree, comments);
  exported.ok = true;
  return exported;
}

} // namespace plimsoll::io
