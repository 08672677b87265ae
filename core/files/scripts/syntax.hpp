#pragma once
// The commands of a bash or sh script as a tree: what the Shell Command Language (IEEE Std 1003.1, chapter 2) and bash's manual call lists, pipelines,
// compound commands and functions. Words stay as they are typed; run.hpp says what becomes of them.
//
// It reads what people paste, so nothing is an error: an `if` without its `fi` ends with the text. Beside the shell's own marks it takes those that other
// shells put at the end of a line (PowerShell's `, cmd's ^), a prompt in front of a command, and <placeholders> of manuals.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

struct Redirect {
  std::string operation;     ///< ">", ">>", "<", "<<", "<<<"; file numbers are left out
  std::string target;        ///< as typed: a file, the text of <<<, or the word that ends a here-document
  std::string text{};        ///< of a here-document
  bool literal = false;      ///< the here-document's word was quoted: nothing is expanded in it
};

/// How a command follows the one before it.
enum class Joint : unsigned char {
  then,    ///< ; & or a line's end
  if_so,   ///< &&
  if_not,  ///< ||
  pipe,    ///< |
};

enum class Kind : unsigned char {
  simple,    ///< words and redirects
  test,      ///< [[ words ]]
  arithmetic, ///< (( words[0] ))
  branch,    ///< if: conditions[i] leads to bodies[i]; a further body is that of `else`
  choice,    ///< case words[0]: patterns[i] lead to bodies[i]
  every,     ///< for words[0] in the others: bodies[0]
  loop,      ///< while conditions[0] (until: negated): bodies[0]
  group,     ///< { } or ( ): bodies[0]
  function,  ///< words[0]: bodies[0]
};

struct Node {
  Kind kind = Kind::simple;
  Joint joint = Joint::then;
  bool negated = false;
  std::size_t line = 1; ///< of the text, from 1 on
  std::vector<std::string> words{};
  std::vector<Redirect> redirects{};
  std::vector<std::vector<Node>> conditions{};
  std::vector<std::vector<Node>> bodies{};
  std::vector<std::vector<std::string>> patterns{};
};
using Block = std::vector<Node>;

/// Never throws on any text; nesting beyond 64 levels is left out.
Block parse_script(std::string_view text);

/// The end of what stands in brackets: one behind the `close` that belongs to the `open` at `at`, or the text's end. Quotes are skipped, and
/// comments where `with_comments`.
std::size_t end_of_brackets(std::string_view text, std::size_t at, char open, char close, bool with_comments = false);

/// The end of what stands in quotes that begin at `at`.
std::size_t end_of_quotes(std::string_view text, std::size_t at);

/// One behind "(base) " at `at`, which conda puts in front of a prompt; 0 where it is none: behind a list in brackets stands no word.
std::size_t end_of_prompt(std::string_view text, std::size_t at);

/// One behind "<n_of_tokens>" at `at`, what manuals write where a reader is to put something; 0 where it is none.
std::size_t end_of_placeholder(std::string_view text, std::size_t at);

} // namespace plimsoll::io::scripts
