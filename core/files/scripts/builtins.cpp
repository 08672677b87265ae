// What commands of the shell itself do.
#include "files/scripts/follower.hpp"
#include "files/scripts/marks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

constexpr std::size_t kMostFiles = 512, kMostMerges = 200;
constexpr int kMostCalls = 8;

constexpr std::array<std::string_view, 26> kOfTheShell{"cd",   ":",     "set",  "shift", "trap",  "wait",  "sleep", "alias", "umask", "ulimit", "pushd", "popd", "module",
                                                       "shopt", "mkdir", "touch", "rm",   "cp",    "mv",    "ls",    "chmod", "pwd",   "kill",  "break", "continue", "let"};

} // namespace

Follower::End Follower::command(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, Variables& variables) {
  const std::string& name = words[0];
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (name == "[" || name == "test") {
    std::vector<std::string> operands = rest;
    if (name == "[" && !operands.empty()) operands.pop_back();
    return {false, condition_of(operands)};
  }
  if (name == "exit" || name == "return") return {true, {}};
  if (name == "true" || name == "false") return {false, {name == "true" ? Outcome::yes : Outcome::no, {}}};
  if (name == "unset") {
    for (const std::string& each : rest) variables.unset(each);
    return {};
  }
  if (name == "source" || name == ".") return source(rest, variables);
  if (name == "eval") return inner(joined(rest), variables);
  if (name == "read") return read(node, rest, variables);
  if (name == "cat" || name == "tee") return write(node, rest, variables);
  if (name == "echo" || name == "printf") return print(node, rest, variables);
  if (name == "command" && rest.size() > 1 && rest[0] == "-v") return {false, {}};
  if (name == "grep" || name == "which" || name == "nvidia-smi") return {false, {}};
  if (std::ranges::find(kOfTheShell, name) != kOfTheShell.end()) return {};
  if (const auto function = functions_.find(name); function != functions_.end()) return call(*function->second, rest, variables);
  if (const std::size_t script = inner_script(words); script > 0) return inner(words[script], variables, words, script);
  if (const std::size_t script = written_script(words); script > 0) return inner(text_of_written(words[script]), variables, words, script);
  if (name == "sbatch" || name == "bash" || name == "sh" || name == "ssh")
    for (const Redirect& redirect : node.redirects)
      if (redirect.operation == "<<") return inner(document(redirect, variables), variables);
  record(node, std::move(words), std::move(in_front), variables);
  return {};
}

std::size_t Follower::inner_script(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const std::string_view base = std::string_view{words[i]}.substr(words[i].find_last_of('/') + 1);
    if (base != "bash" && base != "sh" && base != "zsh") continue;
    for (std::size_t option = i + 1; option + 1 < words.size() && words[option].starts_with('-'); ++option)
      if (words[option].ends_with('c') && !words[option].starts_with("--")) return option + 1;
  }
  return 0;
}

std::string Follower::text_of_written(std::string_view name) const {
  const auto file = std::ranges::find_if(script_.written, [&](const NamedText& text) { return same_file(text.name, name); });
  return file == script_.written.end() ? "" : file->text;
}

std::size_t Follower::written_script(const std::vector<std::string>& words) const {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view base = std::string_view{words[i]}.substr(words[i].find_last_of('/') + 1);
    if ((base == "bash" || base == "sh") && !words[i + 1].starts_with('-') && !text_of_written(words[i + 1]).empty()) return i + 1;
  }
  return 0;
}

Follower::End Follower::inner(const std::string& text, Variables& variables, const std::vector<std::string>& starters, std::size_t count) {
  if (++calls_ > kMostCalls) return --calls_, End{};
  const std::vector<std::string> before = std::exchange(starters_, {});
  starters_.assign(starters.begin(), starters.begin() + static_cast<std::ptrdiff_t>(start_of_shell(starters, count)));
  End end = run(kept(text), variables);
  starters_ = before;
  --calls_;
  end.left = false;
  return end;
}

std::size_t Follower::start_of_shell(const std::vector<std::string>& words, std::size_t script) {
  std::size_t at = std::min(words.size(), script);
  while (at > 0 && words[at - 1].starts_with('-')) --at;
  return at > 0 ? at - 1 : 0;
}

std::string Follower::joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Follower::End Follower::source(const std::vector<std::string>& rest, Variables& variables) {
  if (rest.empty()) return {};
  const auto file = std::ranges::find_if(texts_, [&](const NamedText& text) { return same_file(text.name, rest[0]); });
  if (file != texts_.end()) {
    if (++calls_ > kMostCalls) return --calls_, End{};
    static_cast<void>(run(kept(unmarked(file->text)), variables));
    --calls_;
  } else if (const std::string name = shown(rest[0]); std::ranges::find(script_.missing, name) == script_.missing.end()) {
    script_.missing.push_back(name);
  }
  return {};
}

Follower::End Follower::read(const Node& node, const std::vector<std::string>& rest, Variables& variables) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == "-d" || rest[i] == "-p" || rest[i] == "-n" || rest[i] == "-t") ++i;
    else if (!rest[i].starts_with('-')) names.push_back(rest[i]);
  }
  std::optional<std::string> text;
  std::string separators = " \t\n";
  for (const Redirect& redirect : node.redirects) {
    if (redirect.operation == "<<<") text = text_of(redirect.target, variables, substitute(variables));
    if (redirect.operation == "<<") text = document(redirect, variables);
  }
  for (const std::string& word : node.words)
    if (word.starts_with("IFS=")) separators = text_of(std::string_view{word}.substr(4), variables, substitute(variables));
  std::size_t at = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!text || has_mark(*text)) {
      variables.set_text(names[i], text && !marked_names(*text).empty() ? unknown_mark(marked_names(*text).front()) : unknown_mark(names[i]));
      continue;
    }
    const bool last = i + 1 == names.size();
    const std::size_t end = last || separators.empty() ? text->size() : std::min(text->find_first_of(separators, at), text->size());
    variables.set_text(names[i], text->substr(std::min(at, text->size()), end > at ? end - at : 0));
    at = end + 1;
  }
  return {};
}

std::string Follower::document(const Redirect& redirect, Variables& variables) {
  return redirect.literal ? unmarked(redirect.text) : text_of_document(redirect.text, variables, substitute(variables));
}

Follower::End Follower::write(const Node& node, const std::vector<std::string>& rest, Variables& variables) {
  std::string name = rest.empty() || rest[0].starts_with('-') ? "" : rest[0];
  std::optional<std::string> text;
  for (const Redirect& redirect : node.redirects) {
    if (redirect.operation == "<<") text = document(redirect, variables);
    if (redirect.operation == ">" || redirect.operation == ">>") name = text_of(redirect.target, variables, substitute(variables));
  }
  if (text && !name.empty() && script_.written.size() < kMostFiles) script_.written.push_back({shown(name), shown(*text)});
  else if (text && output_ != nullptr) *output_ += *text;
  return {};
}

Follower::End Follower::print(const Node& node, const std::vector<std::string>& rest, Variables& variables) {
  const auto file = std::ranges::find(node.redirects, ">", &Redirect::operation);
  if (file != node.redirects.end() && output_ == nullptr && !rest.empty() && script_.written.size() < kMostFiles) {
    script_.written.push_back({shown(text_of(file->target, variables, substitute(variables))), shown(rest.back())});
    return {};
  }
  if (output_ == nullptr) return {};
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i] != "-n" && rest[i] != "-e") *output_ += (output_->empty() ? "" : " ") + rest[i];
  return {};
}

std::optional<std::string> Follower::printed(std::string_view text, const Variables& variables) {
  if (calls_ >= kMostCalls || over()) return std::nullopt;
  const Block& block = kept(text);
  if (block.empty()) return "";
  Variables inside = variables;
  if (++merges_ > kMostMerges) return std::nullopt; // each copies all variables
  std::string output;
  std::string* const before = std::exchange(output_, &output);
  const std::size_t commands = script_.commands.size();
  ++calls_;
  bool told = true;
  std::size_t plain = 0;
  while (plain < block.size() && (plain == 0 || block[plain].joint != Joint::pipe)) ++plain;
  static_cast<void>(run(blocks_.emplace_back(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(plain)), inside));
  for (std::size_t i = commands; i < script_.commands.size(); ++i) told = cut_name(script_.commands[i].words, output) && told;
  script_.commands.resize(std::min(commands, script_.commands.size()));
  for (std::size_t i = plain; i < block.size(); ++i) told = told && filtered(block[i], output);
  --calls_;
  output_ = before;
  for (const Node& node : block) told = told && node.words.empty() == false && node.words[0] != "nvidia-smi" && node.words[0] != "grep";
  return told || !output.empty() ? (told ? std::optional{output} : std::nullopt) : std::nullopt;
}

bool Follower::cut_name(const std::vector<std::string>& words, std::string& output) {
  if (words.size() < 2 || (words[0] != "basename" && words[0] != "dirname")) return false;
  const std::size_t slash = words[1].find_last_of('/');
  std::string name = words[0] == "basename" ? words[1].substr(slash + 1) : slash == std::string::npos ? "." : words[1].substr(0, slash);
  if (words[0] == "basename" && words.size() > 2 && name.ends_with(words[2])) name.resize(name.size() - words[2].size());
  output += name;
  return true;
}

bool Follower::filtered(const Node& node, std::string& output) {
  if (node.words.empty()) return false;
  if (node.words[0] == "tr" && node.words.size() == 3 && node.words[1] == "'\\n'") return std::ranges::replace(output, '\n', ' '), true;
  return node.words[0] == "xargs" || (node.words[0] == "sed" && node.words.size() == 2 && node.words[1].starts_with("'s/ ") && node.words[1].find("/ /") != std::string::npos);
}
} // namespace plimsoll::io::scripts
