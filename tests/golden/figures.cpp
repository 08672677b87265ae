#include "figures.hpp"

#include "walk.hpp"

#include <algorithm>

namespace plimsoll::test {

using io::Json;

namespace {

/// Words that say what came out; other texts repeat a number or an input, and are held by the digest.
constexpr std::string_view kWords[] = {"verdict", "moment", "bound_by", "severity", "message", "remedy", "value"};
constexpr std::string_view kNumbering[] = {"number", "setup"};

/// What is an input, or stands in another place as well.
bool is_told_elsewhere(const std::string& path) {
  const auto has = [&](std::string_view place) { return path.find(place) != std::string::npos; };
  return path == "scenario" || path.ends_with(".choice") || path.ends_with(".fields") || // what was asked or tried
         has("estimate.time.step/") ||                                                   // a component of the explanation
         (path.starts_with("estimate.moments/") && has("/memory."));                     // at the peak likewise; others by their sums
}

/// Of ways that are good in some respect, only what they are called and need: the best stand in full.
bool is_of_front(const std::string& name) { return name.starts_with("front/") && !name.ends_with(".needs_bytes") && !name.ends_with(".text"); }

const Json* find(const Cells& cells, const std::string& key) {
  const auto cell = std::ranges::find(cells, key, &Cells::value_type::first);
  return cell == cells.end() ? nullptr : &cell->second;
}

/// "bytes" of "expected_bytes", which "low_bytes" and "high_bytes" go with; "" of "expected".
std::string quantity_of(const std::string& key) {
  if (key == "expected") return "";
  return key.starts_with("expected_") ? key.substr(9) : key;
}

const Json* bound_of(const Cells& cells, const std::string& bound, const std::string& key) {
  const std::string quantity = quantity_of(key);
  return find(cells, quantity.empty() ? bound : bound + "_" + quantity);
}

bool bounds_another(const Cells& cells, const std::string& key) {
  return std::ranges::any_of(cells, [&](const auto& cell) {
    const Json* low = bound_of(cells, "low", cell.first);
    const Json* high = bound_of(cells, "high", cell.first);
    return (low != nullptr && low == find(cells, key)) || (high != nullptr && high == find(cells, key));
  });
}

std::string with_bounds(const Json& value, const Json* low, const Json* high) {
  const std::string shown = grouped(io::dump(value));
  if (low == nullptr || high == nullptr) return shown;
  const std::string from = grouped(io::dump(*low)), to = grouped(io::dump(*high));
  return from == shown && to == shown ? shown : shown + "  " + from + ".." + to;
}

bool is_word(const std::string& path, const std::string& key, bool question) {
  if (std::ranges::find(kWords, key) != std::end(kWords)) return true;
  return question && key == "text" && path.find('.') == std::string::npos && !path.starts_with("inputs/"); // what a way to choose is called
}

std::string table_of(const std::string& path) {
  static constexpr std::pair<std::string_view, std::string_view> kTables[] = {
      {"memory", "memory"}, {"parameters", "parameters"}, {"fact.", "facts"},         {"rule", "rules"},
      {"flops.", "rules"},  {"issues", "issues"},         {"estimate.moments", "moments"}};
  for (const auto& [beginning, table] : kTables)
    if (path.starts_with(beginning)) return std::string{table};
  return "estimate";
}

} // namespace

std::vector<Figure> figures(const Json& answer, bool question) {
  std::vector<Figure> found;
  const auto add = [&](const std::string& path, std::string value) {
    found.push_back({question ? "questions" : table_of(path), path, std::move(value)});
  };
  walk(answer, {.component =
                    [&](const std::string& path, const Json& component) {
                      add(path, with_bounds(component.at("amount"), &component.at("low"), &component.at("high")) + "  " +
                                    component.at("basis").get<std::string>());
                    },
                .object =
                    [&](const std::string& path, const Cells& cells, bool) {
                      if (is_told_elsewhere(path)) return;
                      for (const auto& [key, value] : cells) {
                        const std::string name = path + (path.empty() ? "" : ".") + key;
                        if (std::ranges::find(kNumbering, key) != std::end(kNumbering) || bounds_another(cells, key) || is_of_front(name)) continue;
                        if (value.is_number()) add(name, with_bounds(value, bound_of(cells, "low", key), bound_of(cells, "high", key)));
                        if (value.is_boolean()) add(name, io::dump(value));
                        if (value.is_string() && is_word(path, key, question)) add(name, value.get<std::string>());
                      }
                    },
                .list = [](const std::string&, const Json&) {}});
  return found;
}

} // namespace plimsoll::test
