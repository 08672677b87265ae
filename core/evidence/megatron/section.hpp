#pragma once
// One object of a row: what is missing, of the wrong kind or out of range becomes the reason why the row is not covered.

#include "text/json.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::accuracy {

/// What came of reading a row so far.
struct Reading {
  std::string reason; ///< the first thing that is wrong
  std::vector<std::string> assumed;

  void refuse(std::string why) {
    if (reason.empty()) reason = std::move(why);
  }
  bool failed() const { return !reason.empty(); }
};

/// What a word of a row stands for.
template <class Value> struct Word {
  std::string_view text;
  Value value;
};

class Section {
public:
  /// Sizes and counts are at most this: far beyond any model, so that a damaged row cannot ask for a day of work.
  static constexpr std::int64_t kMost = 100'000'000;

  /// The object under `name`; one without members when there is none.
  Section(const Json& row, const char* name, Reading& reading);
  Section inside(const char* name) const { return {*object_, name, *reading_, path_ + name + "."}; }

  /// The value; null when it is absent or null.
  const Json* find(const char* key) const;
  bool has(const char* key) const { return find(key) != nullptr; }

  /// A whole number from `least` to `most`; without a standard it must be there.
  std::int64_t integer(const char* key, std::int64_t least = 1, std::optional<std::int64_t> standard = {}, std::int64_t most = kMost) const;
  std::optional<std::int64_t> optional_integer(const char* key, std::int64_t least, std::int64_t most = kMost) const;
  /// A finite number.
  std::optional<double> real(const char* key) const;
  /// true or false, also as 1, 0, "true" and "false".
  bool flag(const char* key, bool standard = false) const;
  /// "" when absent.
  std::string text(const char* key) const;
  template <class Value> Value choice(const char* key, std::span<const Word<Value>> words, std::string_view standard = {}) const {
    const std::string given = has(key) ? text(key) : std::string{standard};
    for (const Word<Value>& word : words)
      if (word.text == given) return word.value;
    refuse_value(key, given);
    return words.front().value;
  }

  std::string path_of(const char* key) const { return path_ + key; }
  Reading& reading() const { return *reading_; }

private:
  Section(const Json& row, const char* name, Reading& reading, std::string path);
  void refuse_value(const char* key, const std::string& given) const;

  const Json* object_;
  Reading* reading_;
  std::string path_;
};

} // namespace plimsoll::io::accuracy
