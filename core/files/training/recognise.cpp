// Which format a text has.
#include "files/scripts/notebook.hpp"
#include "files/training/format.hpp"
#include "files/training/primus.hpp"
#include "files/training/syntax.hpp"
#include "files/training/toml.hpp"
#include "files/training/unsloth.hpp"
#include "files/training/yaml.hpp"
#include "plimsoll/files/training_config.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::configs {

namespace {

bool is_tree(Syntax syntax) { return syntax == Syntax::json || syntax == Syntax::yaml; }

/// The first format of that syntax, or of either JSON or YAML, whose signs are in the tree.
const Format* format_of(const Json& tree, Syntax syntax) {
  if (!tree.is_object()) return nullptr;
  for (const char* key : {"architectures", "hidden_size", "num_hidden_layers", "n_layer"})
    if (tree.contains(key)) return nullptr; // a model's config.json
  const Document document{tree};
  for (const Format* format : formats())
    if ((format->syntax == syntax || (is_tree(syntax) && (is_tree(format->syntax) || format->syntax == Syntax::overrides))) && format->recognises(document)) return format;
  return nullptr;
}

Recognised take(ParsedTree parsed, Syntax syntax) {
  Recognised found;
  found.error = std::move(parsed.error);
  found.remedy = !found.error.empty() && parsed.remedy.empty() ? "Mend it there: it must be a file that its own program reads." : std::move(parsed.remedy);
  if (!parsed.ok) return found;
  found.tree = std::move(parsed.value);
  found.duplicates = std::move(parsed.duplicates);
  if (std::optional<PrimusRun> run = is_tree(syntax) ? primus_run(found.tree) : std::nullopt) {
    found.format = run->format;
    found.tree = std::move(run->tree);
    found.error = std::move(run->error);
    found.remedy = std::move(run->remedy);
    return found;
  }
  found.format = format_of(found.tree, syntax);
  return found;
}

/// Megatron-LM's arguments as its tests and translators keep them in YAML: a section MODEL_ARGS of "--name: value", beside variables of the
/// environment, which become "env.NAME" (NVIDIA/Megatron-LM, tests/functional_tests/test_cases; NVIDIA-NeMo/Megatron-Bridge,
/// scripts/translate_mlm_to_bridge.py). Tests of NeMo have overrides in the same place.
struct ArgumentsInYaml {
  ParsedTree tree;
  Syntax syntax = Syntax::arguments;
};

ArgumentsInYaml arguments_in_yaml(std::string_view text) {
  ArgumentsInYaml found{parse_yaml(text, {.bytes = kMostConfigBytes})};
  ParsedTree& parsed = found.tree;
  if (!parsed.ok) return found;
  if (!parsed.value.is_object() || !parsed.value.contains("MODEL_ARGS") || !parsed.value["MODEL_ARGS"].is_object()) return {};
  Json tree = Json::object();
  for (const auto& [key, value] : parsed.value["MODEL_ARGS"].items()) {
    std::string name = key.substr(std::min(key.find_first_not_of("-+"), key.size()));
    if (name.find('.') != std::string::npos) found.syntax = Syntax::overrides;
    if (found.syntax == Syntax::arguments) std::ranges::replace(name, '_', '-');
    if (!name.empty()) tree[name] = value;
  }
  if (found.syntax == Syntax::arguments) {
    if (parsed.value.contains("ENV_VARS") && parsed.value["ENV_VARS"].is_object() && !parsed.value["ENV_VARS"].empty()) tree["env"] = parsed.value["ENV_VARS"];
    if (parsed.value.contains("MODE") && parsed.value["MODE"] == Json("inference")) tree["inference-mode"] = true;
  }
  parsed.value = std::move(tree);
  return found;
}

/// A line "[section]", which YAML has not.
bool has_section_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) return false;
    if (text[begin] == '[' && begin + 1 < text.size() && ((text[begin + 1] >= 'a' && text[begin + 1] <= 'z') || text[begin + 1] == '[')) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (text.substr(begin, end - begin).find(']') != std::string_view::npos) return true;
    }
  }
  return false;
}

/// A line "from x import y" or "import x": a module of Python, which may build a configuration in any way.
bool is_python(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const std::string_view line = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
    if ((line.starts_with("from ") && line.find(" import ") != std::string_view::npos) || line.starts_with("import ")) return true;
  }
  return false;
}

/// What a script or a notebook of Python calls.
Recognised of_calls(std::string_view code) {
  Recognised found;
  found.tree = unsloth_tree(code);
  if (found.tree.is_object()) found.format = &unsloth();
  return found;
}

Recognised python_error() {
  Recognised found;
  found.error = "The text is a module of Python, which only Python can read.";
  found.remedy = "Give the configuration that it makes, as its program prints or saves it, or state the model and the parallel degrees.";
  return found;
}

} // namespace

bool is_template(std::string_view text) {
  const std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  return rest.starts_with("{{") || rest.starts_with("{%") || (rest.find("{{") != std::string_view::npos && rest.find(".Values.") != std::string_view::npos);
}

Recognised recognise(std::string_view text) {
  if (const auto notebook = scripts::notebook_of(text)) {
    Recognised found = of_calls(notebook->code);
    if (found.format == nullptr) found.error = "The notebook calls no trainer that is known here.", found.remedy = "State the model and how it trains, or give the configuration of a framework.";
    return found;
  }
  if (text.size() > kMostConfigBytes || text.find('\0') != std::string_view::npos) return {};
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return {};
  if (is_template(text)) {
    Recognised found;
    found.error = "The text is a template, whose values are filled in before a program reads it.";
    found.remedy = "Give what it becomes: of a Helm chart, what \"helm template\" prints.";
    return found;
  }
  if (text[begin] == '{') {
    ParsedJson parsed = parse_python_json(text.substr(begin), {.bytes = kMostConfigBytes});
    ParsedTree tree;
    tree.ok = parsed.ok;
    tree.error = std::move(parsed.error);
    if (!parsed.ok) tree.remedy = "JSON takes texts and keys in double quotes, a comma between entries and none behind the last, and no comments.";
    tree.value = std::move(parsed.value);
    tree.duplicates = std::move(parsed.duplicates);
    return take(std::move(tree), Syntax::json);
  }
  const bool python = is_python(text);
  if (python)
    if (Recognised found = of_calls(text); found.format != nullptr) return found;
  if (text.find("MODEL_ARGS:") != std::string_view::npos)
    if (ArgumentsInYaml section = arguments_in_yaml(text); section.tree.ok || !section.tree.error.empty())
      if (Recognised found = take(std::move(section.tree), section.syntax); found.format != nullptr || !found.error.empty()) return found;
  if (text.find("--") != std::string_view::npos)
    if (Recognised found = take(parse_arguments(text), Syntax::arguments); found.format != nullptr) return found;
  if (text.find('=') != std::string_view::npos)
    if (Recognised found = take(parse_overrides(text), Syntax::overrides); found.format != nullptr) return found;
  if (has_section_line(text) && text.find('=') != std::string_view::npos)
    if (Recognised found = take(parse_toml(text, {.bytes = kMostConfigBytes}), Syntax::toml); found.format != nullptr || !found.error.empty()) {
      if (found.format != nullptr) return found;
      Recognised list = take(parse_yaml(text, {.bytes = kMostConfigBytes}), Syntax::yaml); // "[a]" is a list on a line of its own there
      return list.format != nullptr ? std::move(list) : python ? python_error() : std::move(found);
    }
  if (text.find(':') == std::string_view::npos) return {};
  Recognised found = take(parse_yaml(text, {.bytes = kMostConfigBytes}), Syntax::yaml);
  return found.format == nullptr && python ? python_error() : found;
}

} // namespace plimsoll::io::configs
