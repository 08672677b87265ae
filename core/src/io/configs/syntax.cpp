#include "io/configs/syntax.hpp"

#include "io/commands/words.hpp"
#include "plimsoll/io/training_config.hpp"

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

/// Ends the values of an option: a script, or a bracket of a shell's list.
bool ends_values(std::string_view word) { return word.ends_with(".py") || word == ")" || word == "(" || word.ends_with("=("); }

class Arguments {
public:
  explicit Arguments(std::string_view text) : words_(commands::split_words(text, text.size())) {}

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
    tree_.ok = true;
    return std::move(tree_);
  }

private:
  void remember(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || word.find_first_not_of(kNameLetters) != equals) return;
    variables_[word.substr(0, equals)] = word.substr(equals + 1);
  }

  std::string replaced(const std::string& word) const {
    if (!word.starts_with('$')) return word;
    std::string name = word.substr(1);
    if (name.starts_with('{') && name.ends_with('}')) name = name.substr(1, name.size() - 2);
    const auto at = variables_.find(name);
    return at == variables_.end() ? word : at->second;
  }

  void read_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    std::ranges::replace(name, '_', '-');
    Json values = Json::array();
    if (equals != std::string::npos) values.push_back(replaced(word.substr(equals + 1)));
    else
      while (at_ < words_.size() && !words_[at_].ends_command && !is_option(words_[at_].text) && !ends_values(words_[at_].text)) {
        std::string value = replaced(words_[at_++].text);
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
