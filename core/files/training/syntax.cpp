#include "files/training/syntax.hpp"

#include "files/commands/words.hpp"
#include "plimsoll/files/training_config.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

using commands::Word;

constexpr std::size_t kMostOptions = 2000; // each new name is looked for among all before it
constexpr std::string_view kTooMany = "The text has more than 2000 options.";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool is_option(std::string_view word) { return word.size() > 2 && word.starts_with("--"); }

/// Options within quotes: "--fp8-format hybrid" in a list, or all of them in one variable, ARGS="--bf16 --swiglu".
std::string_view options_in(std::string_view word) {
  const std::size_t equals = word.find_first_not_of(kNameLetters);
  if (equals != std::string_view::npos && equals > 0 && word.substr(equals).starts_with("+=")) word.remove_prefix(equals + 2);
  else if (equals != std::string_view::npos && equals > 0 && word[equals] == '=') word.remove_prefix(equals + 1);
  if (word.find_first_of(" \t\n") == std::string_view::npos) return {};
  const std::size_t option = word.find("--");
  const bool begins = option != std::string_view::npos && (option == 0 || word[option - 1] == ' ' || word[option - 1] == '\t' || word[option - 1] == '\n');
  return begins ? word.substr(option) : std::string_view{};
}

/// The words of a script, with those that stand in quotes together.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (Word& word : commands::split_words(text, text.size())) {
    if (const std::size_t list = word.text.find("=("); list != std::string::npos && list + 2 < word.text.size() && word.text.find_first_not_of(kNameLetters) <= list) {
      words.push_back({word.text.substr(0, list + 2), false}); // ARGS+=(--bf16)
      word.text.erase(0, list + 2);
    }
    const std::string_view options = options_in(word.text);
    if (options.empty()) {
      words.push_back(std::move(word));
      continue;
    }
    for (Word& part : commands::split_words(options, options.size())) words.push_back(std::move(part));
    words.push_back({"", true}); // the quotes end an option's values
  }
  return words;
}

/// Ends the values of an option: a script, or a bracket of a shell's list.
bool ends_values(std::string_view word) { return word.ends_with(".py") || word == ")" || word == "(" || word.ends_with("=("); }

class Arguments {
public:
  explicit Arguments(std::string_view text) : words_(words_of(text)) {}

  ParsedTree run() && {
    tree_.value = Json::object();
    while (at_ < words_.size()) {
      const std::string word = words_[at_++].text;
      if (is_option(word)) read_option(word);
      else remember(word);
      if (tree_.value.size() <= kMostOptions) continue;
      tree_.error = kTooMany;
      return std::move(tree_);
    }
    name_tokenizer();
    tree_.ok = true;
    return std::move(tree_);
  }

private:
  /// NVIDIA/Megatron-LM, examples/post_training/modelopt/export.sh and others: what a file of conf/ sets besides its arguments becomes --tokenizer-model.
  void name_tokenizer() {
    const auto named = variables_.find("TOKENIZER_MODEL");
    if (named != variables_.end() && tree_.value.contains("tokenizer-type") && !tree_.value.contains("tokenizer-model")) tree_.value["tokenizer-model"] = replaced(named->second);
  }

  void remember(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || word.find_first_not_of(kNameLetters) != equals) return;
    variables_[word.substr(0, equals)] = word.substr(equals + 1);
  }

  std::string replaced(const std::string& word) const {
    std::string value = word;
    for (int n = 0; n < 4 && value.starts_with('$'); ++n) { // a variable may stand for another one
      std::string name = value.substr(1), otherwise = value;
      if (name.starts_with('{') && name.ends_with('}')) name = name.substr(1, name.size() - 2);
      if (const std::size_t colon = name.find(":-"); colon != std::string::npos) { // ${NAME:-what it is where nobody sets it}
        otherwise = name.substr(colon + 2);
        name.resize(colon);
      }
      const auto at = variables_.find(name);
      if (at == variables_.end()) return otherwise;
      value = at->second;
    }
    return value;
  }

  void read_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (name.size() > 1 && name.ends_with(')')) name.pop_back(); // of a shell's list
    std::ranges::replace(name, '_', '-');
    Json values = Json::array();
    if (equals != std::string::npos) values.push_back(replaced(word.substr(equals + 1)));
    else
      while (at_ < words_.size() && !words_[at_].ends_command && !is_option(words_[at_].text) && !ends_values(words_[at_].text)) {
        std::string value = replaced(words_[at_].text);
        // a list of options, or a variable that stands for some
        if (value.starts_with('$') && (!values.empty() || value.find("[@]") != std::string::npos || value.find("[*]") != std::string::npos)) break;
        ++at_;
        const bool last = value.size() > 1 && value.ends_with(')') && value.find('(') == std::string::npos; // of a shell's list
        if (last) value.pop_back();
        values.push_back(std::move(value));
        if (last) break;
      }
    if (tree_.value.contains(name)) tree_.duplicates.push_back(name);
    tree_.value[name] = values.empty() ? Json(true) : values.size() == 1 ? values[0] : values;
  }

  std::vector<Word> words_;
  std::size_t at_ = 0;
  std::map<std::string, std::string, std::less<>> variables_;
  ParsedTree tree_;
};

} // namespace

ParsedTree parse_arguments(std::string_view text) { return Arguments{text}.run(); }

ParsedTree parse_overrides(std::string_view text) {
  ParsedTree tree;
  tree.value = Json::object();
  for (const Word& word : commands::split_words(text, text.size())) {
    if (tree.value.size() > kMostOptions) {
      tree.error = kTooMany;
      return tree;
    }
    std::string_view name = word.text;
    const std::size_t equals = name.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    const std::string_view value = name.substr(equals + 1);
    name = name.substr(0, equals);
    while (name.starts_with('+') || name.starts_with('-')) name.remove_prefix(1);
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != std::string_view::npos) continue;
    const ParsedTree parsed = parse_yaml(value);
    const std::string key{name};
    if (tree.value.contains(key)) tree.duplicates.push_back(key);
    tree.value[key] = parsed.ok && !parsed.value.is_object() ? parsed.value : Json(std::string{value});
  }
  tree.ok = true;
  return tree;
}

} // namespace plimsoll::io::configs
