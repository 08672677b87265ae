// The manual page, in the macros of man(7).
#include "described.hpp"

#include <algorithm>

namespace plimsoll::cli {

namespace {

/// Text of a line: what would be read as a request or as an escape is not.
std::string roff(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '\\' ? std::string{"\\e"} : c == '-' ? std::string{"\\-"} : std::string{c};
  return made.starts_with('.') || made.starts_with('\'') ? "\\&" + made : made;
}

std::string entry(const DescribedOption& option) {
  std::string text = ".TP\n\\fB" + roff(option.flag) + "\\fR" + (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR") + "\n" + roff(option.help) + "\n";
  if (option.help.find("One of:") != std::string::npos || option.values.empty()) return text;
  std::string list;
  for (const std::string& value : option.values) list += (list.empty() ? "" : ", ") + value;
  return text + "One of: " + roff(list) + ".\n";
}

bool same(const DescribedOption& one, const DescribedOption& other) { return one.flag == other.flag && one.help == other.help; }

/// Options that several commands have are described once.
std::vector<DescribedOption> shared(const std::vector<DescribedCommand>& commands) {
  std::vector<DescribedOption> made;
  for (const DescribedCommand& command : commands)
    for (const DescribedOption& option : command.options) {
      const auto has = [&](const DescribedCommand& other) { return std::ranges::any_of(other.options, [&](const DescribedOption& each) { return same(each, option); }); };
      if (std::ranges::count_if(commands, has) > 3 && std::ranges::none_of(made, [&](const DescribedOption& each) { return same(each, option); })) made.push_back(option);
    }
  return made;
}

} // namespace

std::string manual_of(const std::vector<DescribedCommand>& commands, const std::string& about, const std::string& version) {
  std::string text = ".TH PLIMSOLL 1 \"\" \"plimsoll " + roff(version) + "\" \"User Commands\"\n.SH NAME\nplimsoll \\- memory, time and money of large language models\n"
                     ".SH SYNOPSIS\n.B plimsoll\n.I COMMAND\n.RI [ SCENARIO ]\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n" + roff(about) + "\n";
  const std::vector<DescribedOption> common = shared(commands);
  text += ".SH COMMANDS\n";
  for (const DescribedCommand& command : commands) {
    text += ".SS " + roff(command.name) + "\n" + roff(command.help) + "\n";
    for (const DescribedOption& word : command.words) text += entry(word);
    for (const DescribedOption& option : command.options)
      if (option.flag != "--help" && std::ranges::none_of(common, [&](const DescribedOption& each) { return same(each, option); })) text += entry(option);
  }
  text += ".SH OPTIONS OF A SCENARIO\nEach is an input of the commands that ask about one; in a query its name has \"_\" for \"\\-\".\n";
  std::string group;
  for (const DescribedOption& option : common) {
    if (option.group != group) text += ".SS " + roff(option.group) + "\n";
    group = option.group;
    text += entry(option);
  }
  return text + ".SH EXIT STATUS\n.TP\n0\nThe scenario fits, or the command did its work.\n.TP\n1\nAn error.\n.TP\n3\nThe scenario does not fit.\n"
                ".SH EXAMPLES\n.nf\nplimsoll estimate \\-\\-model llama\\-3\\-8b \\-\\-device rtx4090 \\-\\-context\\-tokens 8192\n"
                "plimsoll export \"model=llama\\-3\\-8b&device=rtx4090\" \\-\\-to kubernetes\n.fi\n";
}

} // namespace plimsoll::cli
