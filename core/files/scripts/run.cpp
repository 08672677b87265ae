#include "files/scripts/run.hpp"

#include "files/scripts/follower.hpp"
#include "files/scripts/marks.hpp"
#include "files/scripts/slurm.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

constexpr std::size_t kMostSteps = 20'000, kMostWork = 8'000'000, kMostCommands = 512, kMostMerges = 200;
constexpr std::size_t kMostRounds = 16; ///< of a loop over words: each is a command of its own
constexpr int kMostCalls = 8;

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

} // namespace

void Follower::run(std::string_view text) {
  Variables variables{given_};
  for (const Setting& each : slurm_settings(text))
    if (variables.find(each.first) == nullptr) variables.set_text(each.first, each.second);
  const Block& block = kept(text);
  static_cast<void>(run(block, variables));
  if (script_.commands.empty()) follow_uncalled(block, variables);
}

const Block& Follower::kept(std::string_view text) {
  work_ += text.size();
  return blocks_.emplace_back(parse_script(text));
}

bool Follower::over() {
  if (steps_ > kMostSteps || work_ > kMostWork) script_.whole = false;
  return !script_.whole;
}

Substitute Follower::substitute(const Variables& variables) {
  return [this, &variables](std::string_view text) { return printed(text, variables); };
}

Follower::End Follower::run(const Block& block, Variables& variables) {
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

void Follower::join(Variables& into, const Variables& other, const std::vector<std::string>& why) {
  if (++merges_ > kMostMerges) script_.whole = false;
  else into.merge(other, why);
}

Follower::End Follower::run_one(const Node& node, Variables& variables) {
  ++steps_;
  End end = run_kind(node, variables);
  // a script that ends because something is missing: what follows is what it is for
  if (node.kind == Kind::branch || node.kind == Kind::choice || node.joint == Joint::if_not) end.left = end.left && calls_ > 0;
  if (node.negated && node.kind != Kind::loop) end.last = negated(std::move(end.last));
  return end;
}

Follower::End Follower::run_kind(const Node& node, Variables& variables) {
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

std::vector<std::string> Follower::expanded(const std::vector<std::string>& words, Variables& variables) {
  std::vector<std::string> all;
  for (const std::string& word : words) all.push_back(text_of(word, variables, substitute(variables)));
  return all;
}

Condition Follower::calculated(const std::string& expression, Variables& variables) {
  const std::optional<std::string> value = arithmetic(text_of(expression, variables, substitute(variables)), variables);
  if (!value || has_mark(*value)) return {Outcome::unknown, value ? marked_names(*value) : std::vector<std::string>{}};
  return {*value == "0" ? Outcome::no : Outcome::yes, {}};
}

Follower::End Follower::branch(const Node& node, Variables& variables, std::size_t i) {
  constexpr std::size_t kMostWays = 64; // one call within another
  if (i > kMostWays) return script_.whole = false, End{};
  if (i >= node.conditions.size()) return i < node.bodies.size() ? run(node.bodies[i], variables) : End{};
  const Condition condition = run(node.conditions[i], variables).last;
  if (condition.outcome == Outcome::no) return branch(node, variables, i + 1);
  if (condition.outcome == Outcome::yes) return run(node.bodies[i], variables);
  Variables other = variables;
  const End yes = run(node.bodies[i], variables);
  const End no = branch(node, other, i + 1);
  return meet({yes, no}, variables, {&other}, condition.why);
}

Follower::End Follower::meet(std::vector<End> ends, Variables& first, const std::vector<Variables*>& others, const std::vector<std::string>& why) {
  bool have = !ends[0].left;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (ends[i + 1].left) continue;
    if (have) join(first, *others[i], why);
    else first = std::move(*others[i]);
    have = true;
  }
  return {false, {Outcome::unknown, why}};
}

Follower::End Follower::choice(const Node& node, Variables& variables) {
  const std::string subject = text_of(node.words[0], variables, substitute(variables));
  if (!has_mark(subject)) {
    for (std::size_t i = 0; i < node.bodies.size(); ++i)
      for (const std::string& pattern : node.patterns[i])
        if (fits(text_of(pattern, variables, substitute(variables)), subject)) return run(node.bodies[i], variables);
    return {};
  }
  if (node.bodies.size() > kMostMerges || (merges_ += node.bodies.size()) > kMostMerges) return script_.whole = false, End{}; // each way has variables of its own
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

Follower::End Follower::every(const Node& node, Variables& variables) {
  if (node.bodies.empty()) return {};
  std::vector<std::string> items;
  for (std::size_t i = 1; i < node.words.size(); ++i)
    for (std::string& item : fields_of(node.words[i], variables, substitute(variables))) items.push_back(std::move(item));
  if (node.words.size() > 1 && items.empty()) return {};
  const bool told = !items.empty() && items.size() <= kMostRounds && std::ranges::none_of(items, has_mark);
  if (!told && !node.words.empty()) variables.set_text(node.words[0], items.size() == 1 ? items[0] : unknown_mark(node.words[0]));
  if (!told) static_cast<void>(run(node.bodies[0], variables));
  for (std::size_t i = 0; told && i < items.size() && !over(); ++i) {
    variables.set_text(node.words[0], items[i]);
    static_cast<void>(run(node.bodies[0], variables));
  }
  return {};
}

Follower::End Follower::loop(const Node& node, Variables& variables) {
  const Condition asked = run(node.conditions[0], variables).last;
  const Condition condition = node.negated ? negated(asked) : asked;
  if (condition.outcome == Outcome::no) return {};
  if (++merges_ > kMostMerges) return script_.whole = false, End{};
  Variables inside = variables;
  static_cast<void>(run(node.bodies[0], inside));
  if (condition.outcome == Outcome::yes) variables = std::move(inside);
  return {}; // what a loop leaves behind that may not run is left alone
}

Follower::End Follower::simple(const Node& node, Variables& variables) {
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

void Follower::assign(const std::string& word, Variables& variables) {
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

Follower::End Follower::declare(const Node& node, std::size_t first, bool exports, Variables& variables) {
  for (std::size_t i = first + 1; i < node.words.size(); ++i) {
    const std::string& word = node.words[i];
    const bool sets = end_of_name(word) > 0;
    if (sets) assign(word, variables);
    if (exports && !word.starts_with('-')) variables.export_name(sets ? word.substr(0, end_of_name(word)) : word);
  }
  return {};
}

Follower::End Follower::call(const Node& function, const std::vector<std::string>& arguments, Variables& variables) {
  if (++calls_ > kMostCalls || function.bodies.empty()) return --calls_, End{};
  const std::vector<std::string> before = std::exchange(variables.arguments, arguments);
  const bool within = std::exchange(variables.in_function, true);
  static_cast<void>(run(function.bodies[0], variables));
  variables.arguments = before;
  variables.in_function = within;
  --calls_;
  return {false, {}};
}

void Follower::follow_uncalled(const Block& block, Variables& variables) {
  for (const Node& node : block)
    if (node.kind == Kind::function && !node.bodies.empty() && !over()) {
      Variables inside = variables;
      static_cast<void>(run(node.bodies[0], inside));
    }
}

void Follower::record(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, const Variables& variables) {
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
