#pragma once
// Follows the commands of a script; run.hpp says how.

#include "files/scripts/conditions.hpp"
#include "files/scripts/run.hpp"
#include "files/scripts/syntax.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io::scripts {

class Follower {
public:
  Follower(const std::vector<Setting>& given, const std::vector<NamedText>& texts, Script& into) : given_(given), texts_(texts), script_(into) {}

  void run(std::string_view text);

private:
  /// How a list of commands ended.
  struct End {
    bool left = false; ///< by exit, return, break
    Condition last{Outcome::yes, {}};
  };

  /// Functions that are called later stand in it.
  const Block& kept(std::string_view text);

  bool over();

  Substitute substitute(const Variables& variables);

  End run(const Block& block, Variables& variables);

  void join(Variables& into, const Variables& other, const std::vector<std::string>& why);

  End run_one(const Node& node, Variables& variables);

  End run_kind(const Node& node, Variables& variables);

  std::vector<std::string> expanded(const std::vector<std::string>& words, Variables& variables);

  Condition calculated(const std::string& expression, Variables& variables);

  End branch(const Node& node, Variables& variables, std::size_t i);

  /// Where ways that were followed apart come together: those that leave the script are not among them.
  End meet(std::vector<End> ends, Variables& first, const std::vector<Variables*>& others, const std::vector<std::string>& why);

  End choice(const Node& node, Variables& variables);

  /// Once, with a mark for what is counted where there is more than one of it.
  End every(const Node& node, Variables& variables);

  End loop(const Node& node, Variables& variables);

  End simple(const Node& node, Variables& variables);

  void assign(const std::string& word, Variables& variables);

  End declare(const Node& node, std::size_t first, bool exports, Variables& variables);

  End command(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, Variables& variables);

  /// Where the text of `… bash -c TEXT` stands; 0 where there is none.
  static std::size_t inner_script(const std::vector<std::string>& words);

  /// Where the name of a script stands that a shell runs and an earlier line wrote; 0 where there is none.
  std::size_t written_script(const std::vector<std::string>& words) const;
  std::string text_of_written(std::string_view name) const;

  /// A script within a word. What starts it, such as srun, is kept in front of its commands.
  End inner(const std::string& text, Variables& variables, const std::vector<std::string>& starters = {}, std::size_t count = 2);

  /// Where the shell stands whose script is the word at `script`.
  static std::size_t start_of_shell(const std::vector<std::string>& words, std::size_t script);

  static std::string joined(const std::vector<std::string>& words);

  End call(const Node& function, const std::vector<std::string>& arguments, Variables& variables);

  void follow_uncalled(const Block& block, Variables& variables);

  End source(const std::vector<std::string>& rest, Variables& variables);

  /// read -r A B <<< TEXT, and read -r -d '' A << WORD.
  End read(const Node& node, const std::vector<std::string>& rest, Variables& variables);

  std::string document(const Redirect& redirect, Variables& variables);

  /// cat > FILE << WORD, and tee FILE << WORD.
  End write(const Node& node, const std::vector<std::string>& rest, Variables& variables);

  /// echo and printf, into a file or a $( ).
  End print(const Node& node, const std::vector<std::string>& rest, Variables& variables);

  /// What $( ) gives: that of echo and of the programs that cut names.
  std::optional<std::string> printed(std::string_view text, const Variables& variables);

  static bool cut_name(const std::vector<std::string>& words, std::string& output);

  /// Programs behind | that change nothing but blanks.
  static bool filtered(const Node& node, std::string& output);

  void record(const Node& node, std::vector<std::string> words, std::vector<Setting> in_front, const Variables& variables);

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

} // namespace plimsoll::io::scripts
