#include "whole.hpp"

#include "walk.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::test {

using io::Json;

namespace {

constexpr std::size_t kWidth = 160;

std::string text(const Json& object, const char* key) { return object.at(key).get<std::string>(); }
std::string number(const Json& object, const char* key) { return grouped(io::dump(object.at(key))); }

void knows(const Json& object, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(keys, key) == keys.end()) throw std::runtime_error{"Goldens do not show the member “" + std::string{key} + "”."};
}

/// `shown` where it is more than the number with its unit, as in "4.00 GiB" for 4,294,967,296 bytes.
std::string unless(const std::string& usual, const std::string& shown) { return shown == usual ? "" : "  " + io::dump(Json(shown)); }

void add_citation(const Json& component, Citations& citations) {
  const Json& citation = component.at("citation");
  if (citation.is_null()) return;
  knows(citation, {"id", "text", "url"});
  Lines& known = citations[text(citation, "id")];
  for (const char* key : {"text", "url"})
    if (std::string line = text(citation, key); std::ranges::find(known, line) == known.end()) known.push_back(std::move(line));
}

/// name  value unit  meaning  [the field that it comes from]
std::string symbol_line(const Json& symbol) {
  knows(symbol, {"name", "value", "text", "unit", "meaning", "field"});
  const std::string value = number(symbol, "value"), unit = text(symbol, "unit"), field = text(symbol, "field");
  return "    " + text(symbol, "name") + "  " + value + (unit.empty() ? "" : " " + unit) + unless(value, text(symbol, "text")) + "  " +
         text(symbol, "meaning") + (field.empty() ? "" : "  [" + field + "]");
}

/// path  exact number  low..high where they differ  shown number  basis  label; then the formula, its citation and its symbols.
void add_component(const std::string& path, const Json& component, Lines& lines) {
  knows(component, {"id", "label", "unit", "amount", "low", "high", "text", "exact", "formula", "symbols", "citation", "basis", "parts"});
  const std::string amount = number(component, "amount"), low = number(component, "low"), high = number(component, "high");
  const std::string exact = amount + " " + text(component, "unit");
  lines.push_back(path + "  " + exact + unless(exact, text(component, "exact")) + (low == amount && high == amount ? "" : "  " + low + ".." + high) +
                  unless(amount, text(component, "text")) + "  " + text(component, "basis") + "  " + text(component, "label"));
  const std::string formula = text(component, "formula");
  const Json& citation = component.at("citation");
  if (!formula.empty() || !citation.is_null())
    lines.push_back("  = " + formula + (citation.is_null() ? "" : "  [" + text(citation, "id") + "]"));
  for (const Json& symbol : component.at("symbols")) lines.push_back(symbol_line(symbol));
}

/// Cells of a row, as many on a line as fit.
void add_row(std::string line, const Cells& cells, Lines& lines) {
  for (const auto& [key, value] : cells) {
    const std::string cell = "  " + key + "=" + io::dump(value);
    if (line.size() + cell.size() > kWidth && line.find("=") != std::string::npos) {
      lines.push_back(std::move(line));
      line = "  ";
    }
    line += cell;
  }
  lines.push_back(std::move(line));
}

} // namespace

Lines whole_lines(const Json& answer, Citations& citations) {
  Lines lines;
  walk(answer, {.component =
                    [&](const std::string& path, const Json& component) {
                      add_component(path, component, lines);
                      add_citation(component, citations);
                    },
                .object =
                    [&](const std::string& path, const Cells& cells, bool in_list) {
                      if (in_list) return add_row(path, cells, lines);
                      for (const auto& [key, value] : cells) lines.push_back(path + (path.empty() ? "" : ".") + key + "  " + io::dump(value));
                    },
                .list =
                    [&](const std::string& path, const Json& list) {
                      if (list.empty()) lines.push_back(path + "  " + io::dump(list));
                      for (const Json& value : list) lines.push_back(path + "  " + io::dump(value));
                    }});
  return lines;
}

void add_citations(const Json& answer, Citations& citations) {
  walk(answer, {.component = [&](const std::string&, const Json& component) { add_citation(component, citations); },
                .object = [](const std::string&, const Cells&, bool) {},
                .list = [](const std::string&, const Json&) {}});
}

Lines citation_lines(const Citations& citations) {
  Lines lines;
  for (const auto& [id, texts] : citations) {
    lines.push_back(id);
    for (const std::string& text : texts) lines.push_back("  " + text);
  }
  return lines;
}

} // namespace plimsoll::test
