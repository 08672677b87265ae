#include "files/scripts/variables.hpp"

#include "files/scripts/marks.hpp"

#include <algorithm>

namespace plimsoll::io::scripts {

namespace {

constexpr std::size_t kMostVariables = 2000, kMostItems = 2000, kMostBytes = 1'000'000;

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : " ") + item;
  return text;
}

std::size_t size_of(const Value& value) {
  std::size_t size = 0;
  for (const std::string& item : value.items) size += item.size() + 1;
  return size;
}

} // namespace

Variables::Variables(const std::vector<Setting>& given) {
  for (const auto& [name, text] : given) {
    set_text(name, unmarked(text));
    export_name(name);
    given_.push_back(name);
  }
}

const Value* Variables::find(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? nullptr : &at->second;
}

std::string Variables::text(std::string_view name) const {
  const Value* const value = find(name);
  return value == nullptr ? unset_mark(name) : joined(value->items);
}

void Variables::set(std::string_view name, Value value, bool append) {
  if (std::ranges::find(given_, name) != given_.end()) return;
  if (name.empty() || (values_.size() >= kMostVariables && find(name) == nullptr)) return;
  Value& to = values_[std::string{name}];
  value.exported = value.exported || to.exported;
  if (append && value.list) {
    value.items.insert(value.items.begin(), to.items.begin(), to.items.end());
  } else if (append && !to.items.empty()) {
    value.items = {to.items.front() + joined(value.items)};
  }
  const std::size_t others = bytes_ - std::min(bytes_, size_of(to));
  if (value.items.size() > kMostItems || size_of(value) > kMostValueBytes || others + size_of(value) > kMostBytes) value = {{unknown_mark(name)}, false, value.exported};
  to = std::move(value);
  bytes_ = others + size_of(to);
}

void Variables::set_text(std::string_view name, std::string text, bool append) {
  if (name.empty()) return;
  const std::string nameless = unknown_mark("");
  for (std::size_t at = text.find(nameless); at != std::string::npos; at = text.find(nameless, at + name.size())) // $(command) goes by the name of what it sets
    text.replace(at, nameless.size(), unknown_mark(name));
  set(name, {{std::move(text)}}, append);
}

void Variables::export_name(std::string_view name) {
  if (const auto at = values_.find(name); at != values_.end()) at->second.exported = true;
}

void Variables::unset(std::string_view name) {
  if (std::ranges::find(given_, name) != given_.end()) return;
  if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
}

void Variables::merge(const Variables& other, const std::vector<std::string>& why) {
  const auto doubt = [&](const std::string& name) { values_[name] = {{unknown_mark(why.empty() ? std::string_view{name} : std::string_view{why.front()})}}; };
  for (auto& [name, value] : values_) {
    const Value* const there = other.find(name);
    if (there == nullptr || there->items != value.items || there->list != value.list) doubt(name);
  }
  for (const auto& [name, value] : other.values_)
    if (find(name) == nullptr) doubt(name);
}

std::vector<Setting> Variables::exported() const {
  std::vector<Setting> all;
  for (const auto& [name, value] : values_)
    if (value.exported) all.emplace_back(name, joined(value.items));
  return all;
}

bool fits(std::string_view pattern, std::string_view text) {
  // the last '*' is the only one that needs to be tried again
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    const std::size_t close = p < pattern.size() && pattern[p] == '[' ? pattern.find(']', p + 2) : std::string_view::npos;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (close != std::string_view::npos && pattern.substr(p + 1, close - p - 1).find(text[t]) != std::string_view::npos) {
      p = close + 1;
      ++t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

} // namespace plimsoll::io::scripts
