#include "training_config_invariants.hpp"

#include "files/training/format.hpp"
#include "files/training/read.hpp"
#include "files/training/syntax.hpp"
#include "files/training/toml.hpp"
#include "files/training/yaml.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/files/training_config.hpp"

#include <algorithm>
#include <exception>

namespace plimsoll::fuzz {

namespace {

std::string broken_config(const io::TrainingConfig& config) {
  for (const Issue& issue : config.issues)
    if (issue.message.empty() || issue.remedy.empty()) return "an issue about '" + issue.field + "' says nothing or has no remedy";
  if (!config.ok && !has_errors(config.issues)) return "neither ok nor an error";
  const auto has_issue = [&](const std::string& name) { return std::ranges::any_of(config.issues, [&](const Issue& issue) { return issue.field == name; }); };
  // One note tells of all keys that nobody knows.
  const bool tells = std::ranges::any_of(config.issues, [](const Issue& issue) { return issue.message.find(" not known of ") != std::string::npos; });
  for (const std::string& name : config.unread)
    if (!tells && !has_issue(name)) return "no issue says why " + name + " is not read";
  const std::string json = io::training_config_json(config);
  if (!io::parse_json(json).ok) return "training_config_json did not return JSON: " + json.substr(0, 400);
  return "";
}

io::configs::ParsedTree parsed(const io::configs::Format& format, std::string_view text) {
  using io::configs::Syntax;
  switch (format.syntax) {
    case Syntax::json: {
      io::ParsedJson json = io::parse_python_json(text, {.bytes = io::kMostConfigBytes});
      return {std::move(json.value), json.ok, std::move(json.error), {}, {}};
    }
    case Syntax::yaml: return io::configs::parse_yaml(text);
    case Syntax::toml: return io::configs::parse_toml(text);
    case Syntax::arguments: return io::configs::parse_arguments(text);
    case Syntax::overrides: return io::configs::parse_overrides(text);
  }
  return {};
}

} // namespace

std::string broken_by_training_config(const io::Catalog& catalog, std::string_view text) {
  try {
    const io::TrainingConfig config = io::read_training_config(catalog, text);
    if (config.format.empty() == io::is_training_config(text)) return "recognised once and not the other time";
    if (std::string broken = broken_config(config); !broken.empty() || !config.ok) return broken;
    const io::Answer answer = io::answer(catalog, config.request);
    if (answer.ok == has_errors(answer.issues)) return "ok and the issues disagree";
    const auto written = io::exportable_configs();
    if (!answer.ok || std::ranges::find(written, config.format) == written.end()) return "";
    const io::ExportedCommand exported = io::export_training_config(catalog, answer, config.format);
    if (!exported.ok) return "what was read of " + config.format + " cannot be written";
    const io::TrainingConfig again = io::read_training_config(catalog, exported.text);
    if (!again.ok || again.format != config.format) return "what was written as " + config.format + " is read as '" + again.format + "': " + exported.text;
    return "";
  } catch (const std::exception& error) {
    return std::string{"threw: "} + error.what();
  }
}

std::string broken_by_reader(const io::Catalog& catalog, std::string_view id, std::string_view text) {
  try {
    const auto format = std::ranges::find(io::configs::formats(), id, [](const io::configs::Format* one) { return one->id; });
    if (format == io::configs::formats().end()) return "there is no format " + std::string{id};
    const io::configs::ParsedTree tree = parsed(**format, text);
    if (!tree.ok) return tree.error.empty() && !tree.value.is_string() ? "not parsed, and nobody says why" : ""; // words before anything else are no configuration
    const io::TrainingConfig config = io::configs::read_as(catalog, **format, tree.value, tree.duplicates);
    const std::size_t leaves = io::configs::Document{tree.value}.leaves().size();
    if (static_cast<std::size_t>(config.read + config.harmless) + config.unread.size() != leaves) return "a key is lost, or told of twice";
    return broken_config(config);
  } catch (const std::exception& error) {
    return std::string{"threw: "} + error.what();
  }
}

} // namespace plimsoll::fuzz
