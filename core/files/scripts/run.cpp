#include "files/scripts/run.hpp"

#include "files/scripts/conditions.hpp"
#include "files/scripts/marks.hpp"
#include "files/scripts/slurm.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

constexpr std::size_t kMostSteps = 20'000, kMostWork = std::size_t{8} << 20, kMostCommands = 512, kMostMerges = 200;
constexpr int kMostCalls = 8;

constexpr std::array<std::string_view, 26> kOfTheShell{"cd",   ":",     "set",  "shift", "trap",  "wait",  "sleep", "alias", "umask", "ulimit", "pushd", "popd", "module",
                                                       "shopt", "mkdir", "touch", "rm",   "cp",    "mv",    "ls",    "chmod", "pwd",   "kill",  "break", "continue", "let"};

/// NAME, NAME[…] and whether it is followed by = or +=; 0 where the word sets nothing.
std::size_t end_of_name(std::string_view word) {
  std::size_t end = 0;
  while (end < word.size() && ((word[end] >= 'a' && word[end] <= 'z') || (word[end] >= 'A' && word[end] <= 'Z') || word[end] == '_' || (end > 0 && word[end] >= '0' && word[end] <= '9'))) ++end;
  if (end == 0) return 0;
  std::size_t behind = end;
  if (behind < word.size() && word[behind] == '[') behind = std::min(word.find(']', behind), word.size() - 1) + 1;
  if (word.substr(behind).starts_with("+=")) return end;
  return behind < word.size() && word[behind] == '=' ? end : 0;
}

class Follower {
public:
  Follower(const std::vector<Setting>& given, const std::vector<NamedText>& texts, Script& into) : given_(given), texts_(texts), script_(into) {}

  void run(std::string_view text) {
    Variables variables{given_};
    for (const Setting& each : slurm_settings(text))
      if (variables.find(each.first) == nullptr) variables.set_text(each.first, each.second);
    const Block& block = kept(text);
    static_cast<void>(run(block, variables));
    if (script_.commands.empty()) follow_uncalled(block, variables);
  }

private:
  /// How a list of commands ended.
  struct End {
    bool left = false; ///< by exit, return, break
    Condition last{Outcome::yes, {}};
  };

  /// Functions that are called later stand in it.
  const Block& kept(std::string_view text) {
    work_ += text.size();
    return blocks_.emplace_back(parse_script(text));
  }

  bool over() {
    if (steps_ > kMostSteps || work_ > kMostWork) script_.whole = false;
    return !script_.whole;
  }

  Substitute substitute(const Variables& variables) {
    return [this, &variables](std::string_view text) { return printed(text, variables); };
  }

  End run(const Block& block, Variables& variables) {
    End end;
    for (std::size_t i = 0; i < block.size() && !over(); ++i) {
      const Node& node = block[i];
      if (node.joint == Joint::if_so && end.last.outcome == Outcome::no) continue;
      if (node.joint == Joint::if_not && end.last.outcome == Outcome::yes) continue;
      const bool open = (node.joint == Joint::if_so || node.joint == Joint::if_not) && end.last.outcome == Outcome::unknown;
      if (!open) {
        end = run_one(node, variables);
        if (end.left) return end;
        continue;
      }
      const std::vector<std::string> why = end.last.why;
      Variables there = variables;
      const End way = run_one(node, there);
      if (!way.left) join(variables, there, why);
      end.last = {Outcome::unknown, why};
    }
    return end;
  }

  void join(Variables& into, const Variables& other, const std::vector<std::string>& why) {
    if (++merges_ > kMostMerges) script_.whole = false;
    else into.merge(other, why);
  }

  End run_one(const Node& node, Variables& variables) {
    ++steps_;
    End end = run_kind(node, variables);
    // a script that ends because something is missing: what follows is what it is for
    if (node.kind == Kind::branch || node.kind == Kind::choice || node.joint == Joint::if_not) end.left = end.left && calls_ > 0;
    if (node.negated && node.kind != Kind::loop) end.last = negated(std::move(end.last));
    return end;
  }

  End run_kind(const Node& node, Variables& variables) {
    switch (node.kind) {
      case Kind::simple: return simple(node, variables);
      case Kind::test: return {false, condition_of(expanded(node.words, variables))};
      case Kind::arithmetic: return {false, calculated(node.words[0], variables)};
      case Kind::branch: return branch(node, variables, 0);
      case Kind::choice: return choice(node, variables);
      case Kind::every: return every(node, variables);
      case Kind::loop: return loop(node, variables);
      case Kind::group: {
        End end = node.bodies.empty() ? End{} : run(node.bodies[0], variables);
        return end;
      }
      case Kind::function: functions_[node.words[0]] = &node; return {};
    }
    return {};
  }

  std::vector<std::string> expanded(const std::vector<std::string>& words, Variables& variables) {
    std::vector<std::string> all;
    for (const std::string& word : words) all.push_back(text_of(word, variables, substitute(variables)));
    return all;
  }

  Condition calculated(const std::string& expression, Variables& variables) {
    const std::optional<std::string> value = arithmetic(text_of(expression, variables, substitute(variables)), variables);
    if (!value || has_mark(*value)) return {Outcome::unknown, value ? marked_names(*value) : std::vector<std::string>{}};
    return {*value == "0" ? Outcome::no : Outcome::yes, {}};
  }

  End branch(const Node& node, Variables& variables, std::size_t i) {
    if (i >= node.conditions.size()) return i < node.bodies.size() ? run(node.bodies[i], variables) : End{};
    const Condition condition = run(node.conditions[i], variables).last;
    if (condition.outcome == Outcome::no) return branch(node, variables, i + 1);
    if (condition.outcome == Outcome::yes) return run(node.bodies[i], variables);
    Variables other = variables;
    const End yes = run(node.bodies[i], variables);
    const End no = branch(node, other, i + 1);
    return meet({yes, no}, variables, {&other}, condition.why);
  }

  /// Where ways that were followed apart come together: those that leave the script are not among them.
  End meet(std::vector<End> ends, Variables& first, const std::vector<Variables*>& others, const std::vector<std::string>& why) {
    bool have = !ends[0].left;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (ends[i + 1].left) continue;
      if (have) join(first, *others[i], why);
      else first = std::move(*others[i]);
      have = true;
    }
    return {false, {Outcome::unknown, why}};
  }

  End choice(const Node& node, Variables& variables) {
    const std::string subject = text_of(node.words[0], variables, substitute(variables));
    if (!has_mark(subject)) {
      for (std::size_t i = 0; i < node.bodies.size(); ++i)
        for (const std::string& pattern : node.patterns[i])
          if (fits(text_of(pattern, variables, substitute(variables)), subject)) return run(node.bodies[i], variables);
      return {};
    }
    const Variables before = variables;
    std::vector<Variables> ways(node.bodies.size(), before);
    std::vector<Variables*> others;
    std::vector<End> ends{End{true, {}}};
    for (std::size_t i = 0; i < node.bodies.size() && !over(); ++i) {
      ends.push_back(run(node.bodies[i], ways[i]));
      others.push_back(&ways[i]);
    }
    return meet(std::move(ends), variables, others, marked_names(subject));
  }

  /// Once, with a mark for what is counted where there is more than one of it.
  End every(const Node& node, Variables& variables) {
    if (node.bodies.empty()) return {};
    std::vector<std::string> items;
    for (std::size_t i = 1; i < node.words.size(); ++i)
      for (std::string& item : fields_of(node.words[i], variables, substitute(variables))) items.push_back(std::move(item));
    if (node.words.size() > 1 && items.empty()) return {};
    if (!node.words.empty()) variables.set_text(node.words[0], items.size() == 1 ? items[0] : unknown_mark(node.words[0]));
    static_cast<void>(run(node.bodies[0], variables));
    return {};
  }

  End loop(const Node& node, Variables& variables) {
    const Condition asked = run(node.conditions[0], variables).last;
    const Condition condition = node.negated ? negated(asked) : asked;
    if (condition.outcome == Outcome::no) return {};
    Variables inside = variables;
    static_cast<void>(run(node.bodies[0], inside));
    if (condition.outcome == Outcome::yes) variables = std::move(inside);
    return {}; // what a loop leaves behind that may not run is left alone
  }

  End simple(const Node& node, Variables& variables) {
    std::vector<Setting> in_front;
    std::size_t first = 0;
    while (first < node.words.size() && end_of_name(node.words[first]) > 0) ++first;
    for (std::size_t i = 0; i < first; ++i) {
      if (first == node.words.size()) assign(node.words[i], variables);
      else if (const std::size_t end = end_of_name(node.words[i]); node.words[i][end] == '=')
        in_front.emplace_back(node.words[i].substr(0, end), text_of(std::string_view{node.words[i]}.substr(end + 1), variables, substitute(variables)));
    }
    if (first == node.words.size()) return {};
    const std::string& name = node.words[first];
    if (name == "export" || name == "declare" || name == "local" || name == "readonly" || name == "typeset") return declare(node, first, name == "export", variables);
    std::vector<std::string> words;
    for (std::size_t i = first; i < node.words.size(); ++i)
      for (std::string& field : fields_of(node.words[i], variables, substitute(variables))) {
        work_ += field.size() + 1;
        words.push_back(std::move(field));
      }
    if (words.empty()) return {};
    return command(node, std::move(words), std::move(in_front), variables);
  }

  void assign(const std::string& word, Variables& variables) {
    const std::size_t end = end_of_name(word);
    const std::string name = word.substr(0, end);
    if (word[end] == '[') return variables.set(name, {{unknown_mark(name)}, true, false});
    const bool append = word[end] == '+';
    const std::string_view value = std::string_view{word}.substr(end + (append ? 2 : 1));
    work_ += value.size();
    if (!value.starts_with('(')) return variables.set_text(name, text_of(value, variables, substitute(variables)), append);
    const std::string_view inside = value.substr(1, value.size() - (value.ends_with(')') ? 2 : 1));
    Value list{{}, true, false};
    for (const Node& line : parse_script(inside))
      for (const std::string& item : line.words)
        for (std::string& field : fields_of(item, variables, substitute(variables))) list.items.push_back(std::move(field));
    variables.set(name, std::move(list), append);
  }

  End declare(const Node& node, std::size_t first, bool exports, Variables& variables) {
    for (std::size_t i = first + 1; i < node.words.size(); ++i) {
      const std::string& word = node.words[i];
      const bool sets = end_of_name(word) > 0;
      if (sets) assign(word, variables);
      if (exports && !word.starts_with('-')) variables.export_name(sets ? word.substr(0, end_of_name(word)) : word);
    }
    return {};
  }

  End command(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, Variables& variables) {
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
    if (name == "echo" || name == "printf") return print(rest);
    if (name == "command" && rest.size() > 1 && rest[0] == "-v") return {false, {}};
    if (name == "grep" || name == "which" || name == "nvidia-smi") return {false, {}};
    if (std::ranges::find(kOfTheShell, name) != kOfTheShell.end()) return {};
    if (const auto function = functions_.find(name); function != functions_.end()) return call(*function->second, rest, variables);
    if (const std::size_t script = inner_script(words); script > 0) return inner(words[script], variables, words, script);
    if (name == "sbatch" || name == "bash" || name == "sh" || name == "ssh")
      for (const Redirect& redirect : node.redirects)
        if (redirect.operation == "<<") return inner(document(redirect, variables), variables);
    record(node, std::move(words), std::move(in_front), variables);
    return {};
  }

  /// Where the text of `… bash -c TEXT` stands; 0 where there is none.
  static std::size_t inner_script(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      const std::string_view base = std::string_view{words[i]}.substr(words[i].find_last_of('/') + 1);
      if (base != "bash" && base != "sh" && base != "zsh") continue;
      for (std::size_t option = i + 1; option + 1 < words.size() && words[option].starts_with('-'); ++option)
        if (words[option].ends_with('c') && !words[option].starts_with("--")) return option + 1;
    }
    return 0;
  }

  /// A script within a word. What starts it, such as srun, is kept in front of its commands.
  End inner(const std::string& text, Variables& variables, const std::vector<std::string>& starters = {}, std::size_t count = 2) {
    if (++calls_ > kMostCalls) return --calls_, End{};
    const std::vector<std::string> before = std::exchange(starters_, {});
    starters_.assign(starters.begin(), starters.begin() + static_cast<std::ptrdiff_t>(start_of_shell(starters, count)));
    End end = run(kept(text), variables);
    starters_ = before;
    --calls_;
    end.left = false;
    return end;
  }

  /// Where the shell stands whose script is the word at `script`.
  static std::size_t start_of_shell(const std::vector<std::string>& words, std::size_t script) {
    std::size_t at = std::min(words.size(), script);
    while (at > 0 && words[at - 1].starts_with('-')) --at;
    return at > 0 ? at - 1 : 0;
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  End call(const Node& function, const std::vector<std::string>& arguments, Variables& variables) {
    if (++calls_ > kMostCalls || function.bodies.empty()) return --calls_, End{};
    const std::vector<std::string> before = std::exchange(variables.arguments, arguments);
    const bool within = std::exchange(variables.in_function, true);
    static_cast<void>(run(function.bodies[0], variables));
    variables.arguments = before;
    variables.in_function = within;
    --calls_;
    return {false, {}};
  }

  void follow_uncalled(const Block& block, Variables& variables) {
    for (const Node& node : block)
      if (node.kind == Kind::function && !node.bodies.empty() && !over()) {
        Variables inside = variables;
        static_cast<void>(run(node.bodies[0], inside));
      }
  }

  End source(const std::vector<std::string>& rest, Variables& variables) {
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

  /// read -r A B <<< TEXT, and read -r -d '' A << WORD.
  End read(const Node& node, const std::vector<std::string>& rest, Variables& variables) {
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

  std::string document(const Redirect& redirect, Variables& variables) {
    return redirect.literal ? unmarked(redirect.text) : text_of_document(redirect.text, variables, substitute(variables));
  }

  /// cat > FILE << WORD, and tee FILE << WORD.
  End write(const Node& node, const std::vector<std::string>& rest, Variables& variables) {
    std::string name = rest.empty() || rest[0].starts_with('-') ? "" : rest[0];
    std::optional<std::string> text;
    for (const Redirect& redirect : node.redirects) {
      if (redirect.operation == "<<") text = document(redirect, variables);
      if (redirect.operation == ">" || redirect.operation == ">>") name = text_of(redirect.target, variables, substitute(variables));
    }
    if (text && !name.empty() && script_.written.size() < kMostCommands) script_.written.push_back({shown(name), shown(*text)});
    else if (text && output_ != nullptr) *output_ += *text;
    return {};
  }

  End print(const std::vector<std::string>& rest) {
    if (output_ == nullptr) return {};
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (rest[i] != "-n" && rest[i] != "-e") *output_ += (output_->empty() ? "" : " ") + rest[i];
    return {};
  }

  /// What $( ) gives: that of echo and of the programs that cut names.
  std::optional<std::string> printed(std::string_view text, const Variables& variables) {
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

  static bool cut_name(const std::vector<std::string>& words, std::string& output) {
    if (words.size() < 2 || (words[0] != "basename" && words[0] != "dirname")) return false;
    const std::size_t slash = words[1].find_last_of('/');
    std::string name = words[0] == "basename" ? words[1].substr(slash + 1) : slash == std::string::npos ? "." : words[1].substr(0, slash);
    if (words[0] == "basename" && words.size() > 2 && name.ends_with(words[2])) name.resize(name.size() - words[2].size());
    output += name;
    return true;
  }

  /// Programs behind | that change nothing but blanks.
  static bool filtered(const Node& node, std::string& output) {
    if (node.words.empty()) return false;
    if (node.words[0] == "tr" && node.words.size() == 3 && node.words[1] == "'\\n'") return std::ranges::replace(output, '\n', ' '), true;
    return node.words[0] == "xargs" || (node.words[0] == "sed" && node.words.size() == 2 && node.words[1].starts_with("'s/ ") && node.words[1].find("/ /") != std::string::npos);
  }

  void record(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, const Variables& variables) {
    if (script_.commands.size() >= kMostCommands) return void(script_.whole = false);
    constexpr std::size_t kMostSettings = 100, kMostBytes = 256;
    ShellCommand command;
    for (Setting& each : variables.exported())
      if (command.environment.size() < kMostSettings && each.second.size() <= kMostBytes) command.environment.push_back(std::move(each));
    for (Setting& each : in_front) command.environment.push_back(std::move(each));
    command.words = starters_;
    command.words.insert(command.words.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
    command.line = node.line;
    script_.commands.push_back(std::move(command));
  }

  const std::vector<Setting>& given_;
  const std::vector<NamedText>& texts_;
  Script& script_;
  std::map<std::string, const Node*, std::less<>> functions_;
  std::deque<Block> blocks_;
  std::vector<std::string> starters_;
  std::string* output_ = nullptr; ///< of a $( ) that is followed
  std::size_t steps_ = 0, work_ = 0, merges_ = 0;
  int calls_ = 0;
};

} // namespace

bool same_file(std::string_view a, std::string_view b) {
  const auto name = [](std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); };
  return !name(a).empty() && name(a) == name(b);
}

Script follow(std::string_view text, const std::vector<Setting>& given, const std::vector<NamedText>& texts) {
  Script script;
  const std::string plain = unmarked(text);
  Follower{given, texts, script}.run(plain);
  return script;
}

} // namespace plimsoll::io::scripts
