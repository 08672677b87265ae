// jupyter/nbformat, docs/format_description.rst; ipython/ipython, docs/source/interactive/magics: "!" and "%%bash" are for a shell.
#include "files/scripts/notebook.hpp"

#include "text/json.hpp"

#include <algorithm>

namespace plimsoll::io::scripts {

namespace {

/// A text, or a list of its lines.
std::string text_of(const Json& cell, const char* key) {
  const auto at = cell.find(key);
  if (at == cell.end()) return "";
  if (at->is_string()) return at->text() + "\n";
  std::string text;
  if (at->is_array())
    for (const Json& line : *at)
      if (line.is_string()) text += line.text();
  return text + "\n";
}

void add_cell(const std::string& source, Notebook& into) {
  const bool shell = source.starts_with("%%bash") || source.starts_with("%%sh") || source.starts_with("%%shell");
  bool goes_on = false; // a line of the shell
  for (std::string_view rest = source; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view from = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (from.starts_with('%')) continue;
    const bool command = goes_on || from.starts_with('!') || shell;
    goes_on = command && line.ends_with('\\');
    if (from.starts_with('!')) line = from.substr(1);
    std::string& text = command ? into.shell : into.code;
    text.append(line).push_back('\n');
  }
}

} // namespace

std::optional<Notebook> notebook_of(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{' || text.find("\"cells\"") == std::string_view::npos || text.find("\"cell_type\"") == std::string_view::npos) return {};
  constexpr std::size_t kMostKeys = 60'000; // the state of widgets has thousands
  const ParsedJson parsed = parse_json(text, {.keys = kMostKeys});
  if (!parsed.ok || !parsed.value.is_object() || !parsed.value.contains("cells") || !parsed.value["cells"].is_array()) return {};
  Notebook made;
  for (const Json& cell : parsed.value["cells"]) {
    if (!cell.is_object() || !cell.contains("cell_type") || cell["cell_type"] != Json("code")) continue;
    add_cell(text_of(cell, "source"), made);
    if (!cell.contains("outputs") || !cell["outputs"].is_array()) continue;
    for (const Json& output : cell["outputs"])
      if (output.is_object()) made.printed += text_of(output, "text");
  }
  return made;
}

} // namespace plimsoll::io::scripts
