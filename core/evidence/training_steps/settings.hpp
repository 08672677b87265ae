#pragma once
// One setting of a scenario at a time. Whatever is not understood declines the row, with the name of the setting.

#include "evidence/measured.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::io::accuracy::training_steps {

/// Where a setting stands, for reasons: "scenario", "scenario.ranks", …
struct Place {
  const Json& object; ///< may be anything
  std::string name;
  MeasuredRow& into;

  /// The value, or null where it is absent.
  const Json& at(const char* key) const;
  void decline(const char* key, std::string_view why) const;

  /// A whole number from 1 on.
  std::int64_t size(const char* key, std::int64_t otherwise) const;
  bool truth(const char* key, bool otherwise) const;
  /// Text as it stands; other values as JSON, which no list of choices has.
  std::string word(const char* key, std::string_view otherwise) const;

  /// Declines the row for the first member that is neither null nor in the list.
  void refuse_others(std::span<const std::string_view> known) const;
};

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
T choice(const Place& place, const char* key, std::string_view otherwise, const Choice<T> (&choices)[N]) {
  const std::string word = place.word(key, otherwise);
  const auto at = std::ranges::find(choices, std::string_view{word}, &Choice<T>::word);
  if (at != std::end(choices)) return at->value;
  place.decline(key, quoted(std::string_view{word}) + " is not covered");
  return choices[0].value;
}

} // namespace plimsoll::io::accuracy::training_steps
