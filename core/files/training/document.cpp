#include "files/training/document.hpp"

#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io::configs {

namespace {

constexpr double kMostExact = 9007199254740992.0; // 2^53
constexpr std::size_t kMostDepth = 64;

bool holds_keys(const Json& value) {
  if (value.is_object()) return !value.empty();
  return value.is_array() && std::ranges::any_of(value, [](const Json& item) { return item.is_object() && !item.empty(); });
}

/// Digits with an exponent: "5e8", "1.5e9". Only what is whole.
std::optional<std::int64_t> scientific(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return std::nullopt;
  std::string digits;
  std::int64_t exponent = 0, after_dot = 0;
  bool dot = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.' && !dot) dot = true;
    else if (c >= '0' && c <= '9') digits += c, after_dot += dot ? 1 : 0;
    else return std::nullopt;
  }
  std::string_view power = text.substr(e + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  if (power.empty() || power.size() > 2 || digits.empty() || digits.size() > 16) return std::nullopt;
  for (const char c : power) {
    if (c < '0' || c > '9') return std::nullopt;
    exponent = exponent * 10 + (c - '0');
  }
  if (exponent < after_dot || static_cast<std::int64_t>(digits.size()) + exponent - after_dot > 16) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent - after_dot), '0');
  return whole_number(digits);
}

} // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  std::size_t count = 0;
  for (const char c : text) {
    if (c == '_' && count > 0) continue;
    if (c < '0' || c > '9' || ++count > 16) return scientific(text);
    number = number * 10 + (c - '0');
  }
  if (count == 0 || static_cast<double>(number) > kMostExact) return std::nullopt;
  return number;
}

std::optional<bool> truth_word(std::string_view text) {
  const std::string word = lower_case(text);
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return std::nullopt;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '[' || c == ']' || c == '"' || c == '\'') words.emplace_back();
    else words.back() += c;
  }
  std::erase(words, "");
  return words;
}

std::int64_t times(std::int64_t whole, std::int64_t part) noexcept { return part > 0 && whole % part == 0 ? whole / part : 0; }

std::string plain_text(const Json& value) { return value.is_string() ? value.get<std::string>() : dump(value); }

bool says_nothing(const Json& value) {
  if (value.is_null() || value == Json(false) || value == Json(0) || value == Json(0.0) || value.empty()) return true;
  if (!value.is_string()) return false;
  const std::string text = lower_case(value.get<std::string>());
  return text.empty() || text == "none" || text == "no" || text == "false" || text == "0";
}

Document::Document(const Json& root, std::string_view text) : text_(text) { add(root, "", 0); }

std::string Document::comment_with(std::string_view words) const {
  for (std::size_t at = text_.find(words); at != std::string_view::npos; at = text_.find(words, at + 1)) {
    const std::size_t begin = at == 0 ? 0 : text_.find_last_of('\n', at) + 1; // npos + 1 is the text's begin
    const std::string_view line = text_.substr(begin, std::min(text_.find('\n', at), text_.size()) - begin);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] == '#') return std::string{line};
  }
  return "";
}

/// What "${model.hidden_size}" and "${.hidden_size}" stand for (OmegaConf, interpolations): another leaf, by its whole name or beside this one.
const Json* Document::resolved(const Leaf& leaf) const {
  const Json* value = leaf.value;
  std::string path = leaf.path;
  for (int hops = 0; hops < 4 && value->is_string(); ++hops) {
    std::string name = value->get<std::string>();
    if (!name.starts_with("${") || !name.ends_with('}') || name.find_first_of(":$", 2) != std::string::npos) return value;
    name = name.substr(2, name.size() - 3);
    if (name.starts_with('.')) name = path.substr(0, path.find_last_of('.') + 1) + name.substr(1);
    const Leaf* other = find(name);
    if (other == nullptr) return value;
    value = other->value;
    path = std::move(name);
  }
  return value;
}

void Document::add(const Json& value, const std::string& path, std::size_t depth) {
  if (depth < kMostDepth && value.is_object() && holds_keys(value)) {
    for (const auto& [key, below] : value.items()) add(below, path.empty() ? key : path + "." + key, depth + 1);
  } else if (depth < kMostDepth && value.is_array() && holds_keys(value)) {
    for (std::size_t i = 0; i < value.size(); ++i) add(value[i], path + "[" + std::to_string(i) + "]", depth + 1);
  } else if (!path.empty()) {
    leaves_.push_back({path, &value});
  }
}

Leaf* Document::find(std::string_view path) {
  const auto at = std::ranges::find(leaves_, path, &Leaf::path);
  return at == leaves_.end() ? nullptr : &*at;
}
const Leaf* Document::find(std::string_view path) const {
  const auto at = std::ranges::find(leaves_, path, &Leaf::path);
  return at == leaves_.end() ? nullptr : &*at;
}

bool Document::has(std::string_view path) const { return peek(path) != nullptr || has_section(path); }

bool Document::has_section(std::string_view path) const {
  return std::ranges::any_of(leaves_, [&](const Leaf& leaf) {
    return leaf.path.size() > path.size() && leaf.path.starts_with(path) && (leaf.path[path.size()] == '.' || leaf.path[path.size()] == '[');
  });
}

const Json* Document::take(std::string_view path) {
  Leaf* leaf = find(path);
  if (leaf == nullptr) return nullptr;
  if (leaf->state == LeafState::untouched) leaf->state = LeafState::read;
  const Json* value = resolved(*leaf);
  return value->is_null() ? nullptr : value;
}

const Json* Document::peek(std::string_view path) const {
  const Leaf* leaf = find(path);
  const Json* value = leaf == nullptr ? nullptr : resolved(*leaf);
  return value == nullptr || value->is_null() ? nullptr : value;
}

void Document::take_section(std::string_view path) {
  for (Leaf& leaf : leaves_)
    if (leaf.state == LeafState::untouched && leaf.path.starts_with(path) &&
        (leaf.path.size() == path.size() || leaf.path[path.size()] == '.' || leaf.path[path.size()] == '['))
      leaf.state = LeafState::read;
}

std::optional<std::int64_t> Document::whole(std::string_view path) {
  const Json* value = take(path);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostExact)) return value->get<std::int64_t>();
  if (value->is_number_float()) {
    const double number = value->get<double>();
    if (number >= 0 && number <= kMostExact && static_cast<double>(static_cast<std::int64_t>(number)) == number) return static_cast<std::int64_t>(number);
  }
  if (value->is_string())
    if (const auto number = whole_number(value->get<std::string>())) return number;
  refuse(path, "a whole number");
  return std::nullopt;
}

std::optional<double> Document::real(std::string_view path) {
  const Json* value = take(path);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (value->is_string()) {
    std::string text = value->get<std::string>();
    if (text.starts_with('.')) text.insert(text.begin(), '0'); // as Python writes some
    if (const ParsedJson parsed = parse_json(text); parsed.ok && parsed.value.is_number()) return parsed.value.get<double>();
  }
  refuse(path, "a number");
  return std::nullopt;
}

std::optional<bool> Document::truth(std::string_view path) {
  const Json* value = take(path);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  if (*value == Json(0) || *value == Json(1)) return *value == Json(1);
  if (value->is_string())
    if (const auto truth = truth_word(value->get<std::string>())) return truth;
  refuse(path, "true or false");
  return std::nullopt;
}

std::string Document::text(std::string_view path) {
  const Json* value = take(path);
  if (value == nullptr) return "";
  if (value->is_object() || value->is_array()) {
    refuse(path, "a text");
    return "";
  }
  return plain_text(*value);
}

std::vector<std::string> Document::texts(std::string_view path) {
  const Json* value = take(path);
  if (value == nullptr) return {};
  if (!value->is_array()) return split_list(plain_text(*value));
  std::vector<std::string> texts;
  for (const Json& item : *value) texts.push_back(plain_text(item));
  return texts;
}

bool Document::is_auto(std::string_view path) {
  Leaf* leaf = find(path);
  if (leaf == nullptr || !leaf->value->is_string() || lower_case(leaf->value->get<std::string>()) != "auto") return false;
  leaf->state = LeafState::read;
  return true;
}

void Document::note(std::string_view path, std::string wanted, bool is_near) {
  Leaf* leaf = find(path);
  if (leaf == nullptr || leaf->state == LeafState::refused) return;
  leaf->state = LeafState::refused;
  refusals_.push_back({leaf->path, std::move(wanted), plain_text(*leaf->value), is_near});
}

} // namespace plimsoll::io::configs
