#include "files/training/yaml_error.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::configs {

namespace {

struct Reason {
  std::string_view sign; ///< in libyaml's own sentence (src/scanner.c, parser.c, reader.c)
  std::string_view message, remedy;
};
constexpr std::array kReasons{
    Reason{"mapping values are not allowed", "a colon where no key may stand", "Put a value that holds a colon in quotes, and indent the line as its neighbours."},
    Reason{"could not find expected ':'", "a key without a colon", "Write \"key: value\", with a space behind the colon."},
    Reason{"did not find expected key", "a line that fits in no section before it", "Indent all keys of a section alike, with spaces; put texts with quotes inside in quotes."},
    Reason{"did not find expected '-' indicator", "a line that is no item of the list before it", "Begin each item of a list with \"- \", indented alike."},
    Reason{"did not find expected ',' or '}'", "a brace that is not closed, or a comma that is missing", "Close the brace, and put commas between its entries."},
    Reason{"did not find expected ',' or ']'", "a bracket that is not closed, or a comma that is missing", "Close the bracket, and put commas between its entries."},
    Reason{"found unexpected end of stream", "a quotation mark that is not closed", "Close the quotation mark."},
    Reason{"found unexpected document indicator", "a second document inside a text in quotes", "Close the quotation mark."},
    Reason{"block sequence entries are not allowed", "a list behind a key in the same line", "Begin the list in the next line, or write it as [a, b]."},
    Reason{"escape", "a backslash that means nothing here", "Put the text in single quotes, or write two backslashes."},
    Reason{"alphabetic or numeric character", "a * or & without a name behind it", "Put a text that begins with * or & in quotes."},
    Reason{"octet", "bytes that are not UTF-8", "Save the file as UTF-8."},
    Reason{"UTF-8", "bytes that are not UTF-8", "Save the file as UTF-8."},
    Reason{"UTF-16", "bytes that are not UTF-8", "Save the file as UTF-8."},
    Reason{"control characters", "a control character", "Delete it: it cannot be seen in most editors."},
    Reason{"tag", "a tag, which begins with an exclamation mark", "Put a text that begins with ! in quotes."},
};

struct Place {
  std::size_t line = 0, column = 0, byte = 0; ///< from 0
};

/// Where the parser stopped. Its reader counts bytes alone.
Place place_of(const yaml_parser_t& parser, std::string_view text) {
  if (parser.error != YAML_READER_ERROR) return {parser.problem_mark.line, parser.problem_mark.column, parser.problem_mark.index};
  Place place;
  place.byte = std::min(parser.problem_offset, text.size());
  const std::string_view before = text.substr(0, place.byte);
  place.line = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t begin = before.rfind('\n');
  place.column = begin == std::string_view::npos ? before.size() : before.size() - begin - 1;
  return place;
}

/// The line, and what is in it up to the column: the parser counts characters.
std::string_view line_of(std::string_view text, std::size_t line) {
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

} // namespace

YamlError yaml_error(const yaml_parser_t& parser, std::string_view text) {
  const Place place = place_of(parser, text);
  const std::string_view problem = parser.problem != nullptr ? parser.problem : "", line = line_of(text, place.line);
  const std::string where = "The text is not valid YAML: line " + std::to_string(place.line + 1) + ", column " + std::to_string(place.column + 1);
  const char at = place.column < line.size() ? line[place.column] : '\0';
  if (at == '\t' || line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos)
    return {where + " has a tab where YAML takes spaces alone.", "Indent with spaces."};
  if (problem.find("cannot start any token") != std::string_view::npos && at != '\0')
    return {where + " has a value that begins with " + std::string(1, at) + ", which YAML keeps for itself.", "Put the value in quotes."};
  for (const Reason& reason : kReasons)
    if (problem.find(reason.sign) != std::string_view::npos) return {where + " has " + std::string{reason.message} + ".", std::string{reason.remedy}};
  return {where + " cannot be read.", "Compare the line with the ones before it: keys of a section are indented alike, and a space stands behind each colon."};
}

} // namespace plimsoll::io::configs
