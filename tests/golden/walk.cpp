#include "walk.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace plimsoll::test {

using io::Json;

namespace {

bool is_plain(const Json& value) { return !value.is_object() && !value.is_array(); }
bool is_component(const Json& value) { return value.is_object() && value.contains("formula") && value.contains("parts"); }

/// The member that names an element of a list.
std::optional<std::string> naming_key(const Json& element) {
  if (element.is_object())
    for (const char* key : {"id", "rank", "moment", "part", "field"})
      if (element.contains(key)) return key;
  return std::nullopt;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : io::dump(value); }

/// "memory.weights.mlp" below "memory.weights" is a part of it by name too.
std::string below(const std::string& path, const std::string& parent, const std::string& id) {
  if (path.empty()) return id;
  return id.starts_with(parent + ".") ? path + id.substr(parent.size()) : path + "/" + id;
}

class Walk {
public:
  explicit Walk(const Visitor& visitor) : visitor_(visitor) {}

  void visit(const std::string& path, const Json& value, bool in_list) {
    if (is_component(value)) return component("", "", value);
    if (value.empty() || (value.is_array() && is_plain(*value.begin()))) return visitor_.list(path, value);
    if (value.is_array()) return list(path, value);
    object(path, value, in_list, std::nullopt);
  }

private:
  void component(const std::string& path, const std::string& parent, const Json& value) {
    const std::string id = value.at("id").get<std::string>();
    const std::string here = below(path, parent, id);
    visitor_.component(here, value);
    for (const Json& part : value.at("parts")) component(here, id, part);
  }

  void object(const std::string& path, const Json& value, bool in_list, const std::optional<std::string>& naming) {
    Cells cells;
    for (const auto& [key, member] : value.items())
      if (is_plain(member) && key != naming) cells.emplace_back(key, member);
    if (!cells.empty()) visitor_.object(path, cells, in_list);
    for (const auto& [key, member] : value.items()) {
      if (is_plain(member)) continue;
      const bool parts = key == "parts"; // whose names say of what
      visit(path + (parts || path.empty() ? "" : ".") + (parts ? "" : key), member, in_list);
    }
  }

  void list(const std::string& path, const Json& value) {
    std::map<std::string, int> seen;
    int number = 0;
    for (const Json& element : value) {
      ++number;
      const auto naming = naming_key(element);
      std::string name = naming ? text_of(element.at(*naming)) : std::to_string(number);
      if (const int before = seen[name]++; before > 0) name += "#" + std::to_string(before + 1);
      if (naming && !is_component(element)) object(path + "/" + name, element, true, naming);
      else visit(path + "/" + name, element, true);
    }
  }

  const Visitor& visitor_;
};

} // namespace

void walk(const Json& answer, const Visitor& visitor) { Walk{visitor}.visit("", answer, false); }

std::string grouped(std::string number) {
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  if (!std::all_of(number.begin() + static_cast<std::ptrdiff_t>(sign), number.end(), [](char c) { return c >= '0' && c <= '9'; })) return number;
  for (std::size_t at = number.size(); at > sign + 3;) number.insert(at -= 3, ",");
  return number;
}

} // namespace plimsoll::test
