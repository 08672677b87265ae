// Completions: GNU Bash Reference Manual, "Programmable Completion"; zshcompsys(1), _arguments and _describe; fish, complete(1).
#include "described.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace plimsoll::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The first sentence: the rest stands in the manual.
std::string short_help(const std::string& help) {
  const std::size_t end = std::min({help.find(". "), help.find(": "), help.find("; "), help.size()});
  std::string text = help.substr(0, end);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// For a shell's text in single quotes.
std::string in_quotes(const std::string& text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return made + "'";
}

/// Ids that only the catalogue knows are asked of the program itself.
std::string ids_of(const std::string& list) { return "$(plimsoll catalog " + list + " 2>/dev/null | awk 'NR > 1 { print $1 }')"; }

std::string bash(const std::vector<DescribedCommand>& commands) {
  std::map<std::string, std::string> values; // by flag: it means the same in every command
  std::string names, cases;
  for (const DescribedCommand& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string flags, words;
    for (const DescribedOption& option : command.options) {
      flags += (flags.empty() ? "" : " ") + option.flag;
      if (!option.listed.empty()) values[option.flag] = ids_of(option.listed);
      else if (!option.values.empty()) values[option.flag] = joined(option.values);
    }
    if (!command.words.empty()) words = joined(command.words.front().values);
    cases += "    " + command.name + ") flags=\"" + flags + "\" words=\"" + words + "\" ;;\n";
  }
  std::string after;
  for (const auto& [flag, text] : values) after += "    " + flag + ") COMPREPLY=($(compgen -W \"" + text + "\" -- \"$current\")); return ;;\n";
  return "# bash completion of plimsoll, written by `plimsoll completion bash`\n"
         "_plimsoll() {\n  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags words\n  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"" + names + " --help --version\" -- \"$current\")); return; fi\n"
         "  case $before in\n" + after + "  esac\n  case ${COMP_WORDS[1]} in\n" + cases + "  esac\n"
         "  case $current in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$current\")) ;;\n    *) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n  esac\n}\n"
         "complete -o default -F _plimsoll plimsoll\n";
}

/// Text within the brackets and behind the colons of _arguments.
std::string in_zsh(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return made;
}

std::string zsh_action(const DescribedOption& option) {
  if (!option.listed.empty()) return "{_plimsoll_ids " + option.listed + "}";
  return option.values.empty() ? "_files" : "(" + joined(option.values) + ")";
}

std::string zsh(const std::vector<DescribedCommand>& commands) {
  std::string text = "#compdef plimsoll\n# zsh completion of plimsoll, written by `plimsoll completion zsh`\n"
                     "_plimsoll_ids() {\n  local -a ids\n  ids=(${(f)\"$(plimsoll catalog $1 2>/dev/null | awk 'NR > 1 { print $1 }')\"})\n  compadd -a ids\n}\n"
                     "_plimsoll() {\n  local -a commands\n  commands=(\n";
  for (const DescribedCommand& command : commands) text += "    " + in_quotes(command.name + ":" + in_zsh(short_help(command.help))) + "\n";
  text += "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const DescribedCommand& command : commands) {
    text += "    " + command.name + ") _arguments";
    for (const DescribedOption& option : command.options)
      text += " \\\n      " + in_quotes(option.flag + "[" + in_zsh(short_help(option.help)) + "]" + (option.value.empty() ? "" : ":" + in_zsh(option.value) + ":" + zsh_action(option)));
    for (const DescribedOption& word : command.words) text += " \\\n      " + in_quotes("*:" + in_zsh(word.flag) + ":" + zsh_action(word));
    text += " ;;\n";
  }
  return text + "  esac\n}\n_plimsoll \"$@\"\n";
}

/// For fish's text in single quotes.
std::string in_fish(const std::string& text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return made + "'";
}

std::string fish(const std::vector<DescribedCommand>& commands) {
  std::string text = "# fish completion of plimsoll, written by `plimsoll completion fish`\n"
                     "function __plimsoll_ids\n  plimsoll catalog $argv[1] 2>/dev/null | awk 'NR > 1 { print $1 }'\nend\n";
  for (const DescribedCommand& command : commands) text += "complete -c plimsoll -n __fish_use_subcommand -f -a " + command.name + " -d " + in_fish(short_help(command.help)) + "\n";
  for (const DescribedCommand& command : commands) {
    const std::string of = "complete -c plimsoll -n '__fish_seen_subcommand_from " + command.name + "' ";
    for (const DescribedOption& option : command.options) {
      text += of + "-l " + option.flag.substr(2) + " -d " + in_fish(short_help(option.help));
      if (!option.listed.empty()) text += " -x -a '(__plimsoll_ids " + option.listed + ")'";
      else if (!option.values.empty()) text += " -x -a " + in_fish(joined(option.values));
      else if (!option.value.empty()) text += " -r";
      text += "\n";
    }
    for (const DescribedOption& word : command.words)
      if (!word.values.empty()) text += of + "-f -a " + in_fish(joined(word.values)) + "\n";
  }
  return text;
}

} // namespace

std::string completion_of(const std::vector<DescribedCommand>& commands, const std::string& shell) { return shell == "zsh" ? zsh(commands) : shell == "fish" ? fish(commands) : bash(commands); }

} // namespace plimsoll::cli
