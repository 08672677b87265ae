// Where quotes and brackets of a script end, and what is no script among it.
#include "files/scripts/syntax.hpp"

#include <algorithm>

namespace plimsoll::io::scripts {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

} // namespace

std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == quote) return at + 1;
    if (quote == '\'') continue;
    if (text[at] == '\\') ++at;
    else if (text[at] == '$' && at + 1 < text.size() && text[at + 1] == '(') at = end_of_brackets(text, at + 1, '(', ')') - 1;
  }
  return text.size();
}

std::size_t end_of_brackets(std::string_view text, std::size_t at, char open, char close, bool with_comments) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') ++at;
    else if (c == open) ++depth;
    else if (c == close && --depth == 0) return at + 1;
    else if (c == '\'' && open != '{') at = std::min(text.find('\'', at + 1), text.size());
    else if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    } else if (with_comments && c == '#' && at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n')) {
      at = std::min(text.find('\n', at), text.size());
    }
  }
  return text.size();
}

std::size_t end_of_prompt(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '(') return 0;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", at + 1);
  if (end == std::string_view::npos || text[end] != ')' || end + 2 >= text.size() || text[end + 1] != ' ') return 0;
  const char behind = text[end + 2];
  return (behind >= 'a' && behind <= 'z') || (behind >= 'A' && behind <= 'Z') || behind == '.' || behind == '/' ? end + 2 : 0;
}

std::size_t end_of_placeholder(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '<') return 0;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. /", at + 1);
  if (end == std::string_view::npos || text[end] != '>' || end < at + 2 || is_blank(text[at + 1]) || text[at + 1] == '/') return 0;
  const char behind = end + 1 < text.size() ? text[end + 1] : '\n';
  return is_blank(behind) || behind == '\n' || behind == '/' || behind == ',' || behind == ';' ? end + 1 : 0;
}

} // namespace plimsoll::io::scripts
