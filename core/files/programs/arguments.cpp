#include "files/programs/arguments.hpp"

#include "files/scripts/marks.hpp"
#include "files/training/yaml.hpp"

#include <algorithm>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kMostOptions = 2000;

bool is_number(std::string_view word) { return word.size() > 1 && ((word[1] >= '0' && word[1] <= '9') || word[1] == '.'); }
bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && !is_number(word); }
bool is_lost(const std::string& word) { return scripts::has_mark(word) && scripts::without_unset(word).empty(); }

/// The value as YAML has it: numbers, truths, lists. Of a path with unknown folders the known end.
Json value_of(const std::string& text) {
  if (scripts::has_mark(text)) return Json(scripts::shown(text));
  if (text == "None") return Json(nullptr); // as Python's parsers of arguments hand it on
  if (text.size() > 4096 || text.empty() || std::string_view{"0123456789+-.[\"'~tTfFnNyYoO"}.find(text[0]) == std::string_view::npos) return Json(text); // a text without reading it
  const configs::ParsedTree parsed = configs::parse_yaml(text);
  return parsed.ok && !parsed.value.is_object() && !parsed.value.is_null() ? parsed.value : Json(text);
}

/// Whether the part of a path that names a model is known.
bool ends_known(const std::string& text) {
  const std::size_t slash = text.find_last_of('/');
  return slash != std::string::npos && slash + 1 < text.size() && !scripts::has_mark(text.substr(slash + 1));
}

class Collector {
public:
  Collector(const scripts::Launch& launch, const Program& program) : words_(launch.words), program_(program), at_(program.first) {}

  Arguments run() && {
    while (at_ < words_.size() && made_.tree.size() < kMostOptions) {
      const std::string& word = words_[at_++];
      if (is_usual(word) || word == "--") continue;
      if (is_option(word)) option(word);
      else if (scripts::has_unknown(word) && (!is_assignment(word) || scripts::has_mark(word.substr(0, word.find('='))))) miss(word, "");
      else if (!is_lost(word)) plain(word);
    }
    return std::move(made_);
  }

private:
  std::string written(std::string name) const {
    const bool dashes = program_.format != nullptr && program_.format->id == configs::megatron().id;
    std::ranges::replace(name, dashes ? '_' : '-', dashes ? '-' : '_');
    return name;
  }

  /// The file that says what the program takes by itself, in whatever folder.
  bool is_usual(std::string_view word) const { return !program_.usual_file.empty() && word.substr(std::min(word.find_last_of('/') + 1, word.size())) == program_.usual_file; }

  bool is_harmless(const std::string& name) const {
    const configs::Format* const format = program_.format;
    if (name.ends_with("nnodes") || name.ends_with("gpus_per_node")) return false; // read, of a section whose keys are harmless otherwise
    return format != nullptr && (configs::names(format->harmless, name) || configs::names(format->shared_harmless, name));
  }

  void miss(const std::string& text, const std::string& option) {
    for (std::string& name : scripts::marked_names(text)) made_.missing.push_back({std::move(name), option});
  }

  void take(const std::string& name, const std::vector<std::string>& values, const std::string& option) {
    if (name.empty()) return;
    std::string all;
    for (const std::string& value : values) all += (all.empty() ? "" : " ") + value;
    if (scripts::has_mark(all) && !is_harmless(name) && !ends_known(all)) return miss(all, option);
    if (values.empty()) return put(made_.tree, name, true);
    if (values.size() == 1) return put(made_.tree, name, value_of(values[0]));
    Json list = Json::array();
    for (const std::string& value : values) list.push_back(value_of(value));
    put(made_.tree, name, std::move(list));
  }

  void option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string typed = word.substr(0, equals);
    std::vector<std::string> values;
    if (equals != std::string::npos) values.push_back(word.substr(equals + 1));
    else
      while (at_ < words_.size() && !is_option(words_[at_]) && !is_assignment(words_[at_])) {
        if (!values.empty() && is_lost(words_[at_])) break; // options of a variable that nobody sets
        values.push_back(words_[at_++]);
      }
    std::string dashed = typed;
    std::ranges::replace(dashed, '_', '-');
    std::string wanted{program_.file_option};
    std::ranges::replace(wanted, '_', '-');
    if (!wanted.empty() && dashed == wanted && !values.empty()) return void(made_.file = values[0]);
    take(written(typed.substr(std::min(typed.find_first_not_of('-'), typed.size()))), values, typed);
  }

  bool is_assignment(const std::string& word) const {
    const std::size_t equals = word.find('=');
    const bool overrides = program_.reads != Reads::arguments || (program_.format != nullptr && program_.format->id == configs::nemo().id && word.find('.') < equals); // Megatron Bridge's scripts take both
    return overrides && equals != std::string::npos && equals > 0 && word.find_first_of("/{[\"' ") > equals;
  }

  /// name=value, the configuration file, or what belongs to no option.
  void plain(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (is_assignment(word)) {
      std::string name = word.substr(0, equals);
      name.erase(0, std::min(name.find_first_not_of("+~"), name.size()));
      return take(name, {word.substr(equals + 1)}, name);
    }
    const bool file = word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json") || word.ends_with(".toml") || ends_in_mark(word);
    if (program_.reads == Reads::file && made_.file.empty() && file) made_.file = word;
    else if (program_.format != nullptr && program_.format->id == "litgpt" && !made_.tree.contains("checkpoint_dir")) put(made_.tree, "checkpoint_dir", scripts::shown(word));
  }

  static bool ends_in_mark(const std::string& word) { return !word.empty() && word.back() == scripts::kEnd; }

  const std::vector<std::string>& words_;
  const Program& program_;
  std::size_t at_;
  Arguments made_;
};

} // namespace

Arguments arguments_of(const scripts::Launch& launch, const Program& program) { return Collector{launch, program}.run(); }

void put(Json& tree, std::string_view path, Json value) {
  const std::size_t dot = path.find('.');
  if (dot != std::string_view::npos) {
    const std::string section{path.substr(0, dot)};
    if (const auto at = tree.find(section); at != tree.end() && at->is_object()) return put(*at, path.substr(dot + 1), std::move(value));
  }
  tree[std::string{path}] = std::move(value);
}

void overlay(Json& tree, const Json& over) {
  for (const auto& [path, value] : over.items()) put(tree, path, value);
}

} // namespace plimsoll::io::programs
