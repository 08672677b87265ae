// docs.docker.com, reference/dockerfile: what the last stage of an image starts, with the variables that are set before.
#include "files/programs/manifests.hpp"

#include "files/commands/words.hpp"
#include "files/training/document.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

/// Takes a line off, with those that it goes on in; comments between them are left out.
std::string take_instruction(std::string_view& text) {
  std::string line;
  for (bool goes_on = true; goes_on && !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    part = part.substr(0, part.find_last_not_of(" \t\r") + 1);
    part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
    if (part.starts_with('#')) continue;
    goes_on = part.ends_with('\\');
    if (goes_on) part.remove_suffix(1);
    line.append(part).push_back(' ');
  }
  return line;
}

/// ["a", "b"] as words of a shell; a text is one for it anyway.
std::string words_of(const std::string& rest) {
  const ParsedJson parsed = rest.starts_with('[') ? parse_json(rest) : ParsedJson{};
  if (!parsed.ok || !parsed.value.is_array()) return rest;
  std::string line;
  for (const Json& each : parsed.value)
    if (each.is_string()) line += (line.empty() ? "" : " ") + commands::quoted_word(each.text());
  return line;
}

/// NAME=value NAME=value, or NAME value.
std::string exports_of(const std::string& rest) {
  const std::size_t equals = rest.find('='), space = rest.find(' ');
  if (equals != std::string::npos && equals < space) return "export " + rest + "\n";
  if (space == std::string::npos || equals != std::string::npos) return "";
  return "export " + rest.substr(0, space) + "=" + commands::quoted_word(rest.substr(rest.find_first_not_of(' ', space))) + "\n";
}

} // namespace

void read_dockerfile(std::string_view text, Described& into) {
  static constexpr std::array<std::string_view, 8> kOthers{"run", "copy", "add", "workdir", "expose", "user", "volume", "label"};
  std::string image, entry, command, variables;
  bool is = false;
  for (bool first = true; !text.empty();) {
    std::string line = take_instruction(text);
    while (line.ends_with(' ')) line.pop_back();
    if (line.empty()) continue;
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string word = lower_case(line.substr(0, space)), rest = line.substr(std::min(line.find_first_not_of(" \t", space), line.size()));
    if (first && word != "from" && word != "arg") return;
    first = false;
    if (word == "from") image = rest.substr(0, rest.find(' ')), entry.clear(), command.clear();
    else if (word == "env" || word == "arg") variables += exports_of(rest);
    else if (word == "entrypoint") entry = words_of(rest), command.clear(), is = true;
    else if (word == "cmd") command = words_of(rest), is = true;
    else is = is || std::ranges::find(kOthers, word) != kOthers.end();
  }
  if (!is || image.empty()) return;
  into.is = true;
  into.lines.push_back(variables + "docker run " + commands::quoted_word(image) + " " + entry + " " + command);
}

} // namespace plimsoll::io::programs
