#pragma once
// What is wrong with an input, where, and what to do about it. Bad input is an answer, never an exception.

#include <string>
#include <vector>

namespace plimsoll {

enum class Severity : unsigned char {
  note,    ///< worth knowing; the estimate stands
  warning, ///< the estimate stands but may not describe what the user means
  error,   ///< no estimate can be given
};

struct Issue {
  Severity severity = Severity::error;
  std::string field;   ///< the input's name as in the field tables, a JSON path of an imported file, or "" for the whole
  std::string message; ///< one sentence: what is wrong, with the value that was given
  std::string remedy;  ///< one sentence: what to write instead
};

/// In the order in which they were found. To find one is rare, which push_back() tells compilers: code that only leads to it stands apart from what runs.
class Issues : public std::vector<Issue> {
public:
  using vector::vector;
  [[gnu::cold, gnu::noinline]] void push_back(Issue&& issue);
  void push_back(const Issue& issue) { vector::push_back(issue); }
};

constexpr const char* name_of(Severity severity) noexcept {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

inline bool has_errors(const Issues& issues) noexcept {
  for (const Issue& issue : issues)
    if (issue.severity == Severity::error) return true;
  return false;
}

} // namespace plimsoll
