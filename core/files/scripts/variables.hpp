#pragma once
// The variables of a script while it is followed, and what words become.

#include "files/scripts/syntax.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io::scripts {

/// NAME and value.
using Setting = std::pair<std::string, std::string>;

struct Value {
  std::vector<std::string> items; ///< of a list; one of a plain variable
  bool list = false;
  bool exported = false;
  bool operator==(const Value&) const = default;
};

/// Longer values are unknown: doubling one thirty times takes thirty lines.
inline constexpr std::size_t kMostValueBytes = 65'000;

class Variables {
public:
  /// What the reader of a script told about it: no line of the script changes these.
  explicit Variables(const std::vector<Setting>& given);

  const Value* find(std::string_view name) const;
  /// The value as one text, a mark where it is not known.
  std::string text(std::string_view name) const;
  void set(std::string_view name, Value value, bool append = false);
  void set_text(std::string_view name, std::string text, bool append = false);
  void export_name(std::string_view name);
  void unset(std::string_view name);

  /// $1 and so on, of the script or of a function.
  std::vector<std::string> arguments;
  bool in_function = false; ///< arguments are all of them: $2 without a second one is empty

  /// Values that are not the same here and there are not known: `why` are names of what decides.
  void merge(const Variables& other, const std::vector<std::string>& why);
  std::vector<Setting> exported() const;

private:
  std::map<std::string, Value, std::less<>> values_;
  std::vector<std::string> given_;
  std::size_t bytes_ = 0; ///< of all values
};

/// What a command in $( ) prints, where that can be told.
using Substitute = std::function<std::optional<std::string>(std::string_view script)>;

/// The fields that a word becomes: variables in place of their names, cut at blanks where they are not quoted, without quotes.
std::vector<std::string> fields_of(std::string_view word, Variables& variables, const Substitute& substitute);
/// The same uncut, as behind "=" and in here-documents.
std::string text_of(std::string_view word, Variables& variables, const Substitute& substitute);
/// A here-document, in which quotes are letters.
std::string text_of_document(std::string_view text, Variables& variables, const Substitute& substitute);

/// A whole number of $(( )); a text with marks where a variable in it is not known; nothing for what is no expression.
std::optional<std::string> arithmetic(std::string_view expression, const Variables& variables);

/// Whether a text fits a pattern of `case`: *, ? and [letters].
bool fits(std::string_view pattern, std::string_view text);

} // namespace plimsoll::io::scripts
