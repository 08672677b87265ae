#pragma once
// A configuration file while it is read: its leaves by name, and which of them somebody has read.

#include "text/json.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

enum class LeafState : unsigned char {
  untouched,
  read,    ///< an input, or what the estimate takes anyway
  refused, ///< somebody wanted it and could not read it: it has an issue
};

/// A value that holds no other keys: a text, a number, a list of such, or an empty section.
struct Leaf {
  std::string path; ///< keys with dots between them; "[0]" behind a key stands for a place in a list of sections
  const Json* value = nullptr;
  LeafState state = LeafState::untouched;
};

/// The leaves of a tree. Names that are taken are read; who asks for another kind of value than is there gets nothing, and the leaf
/// stays refused. The tree must outlive the document.
class Document {
public:
  /// `text` is the file itself, for what stands in its comments.
  explicit Document(const Json& root, std::string_view text = {});

  /// The first comment line (behind '#') that has the words; "" where there is none.
  std::string comment_with(std::string_view words) const;

  const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
  std::vector<Leaf>& leaves() noexcept { return leaves_; }

  /// Whether there is a leaf of that name, or one below it. Null stands for nothing in all of these formats.
  bool has(std::string_view path) const;
  /// Whether there is any key below that one.
  bool has_section(std::string_view path) const;

  /// The value of that leaf, which is read from now on; null where there is none or it is null.
  const Json* take(std::string_view path);
  /// The same without reading it.
  const Json* peek(std::string_view path) const;
  /// Reads all leaves below that key.
  void take_section(std::string_view path);

  /// A whole number from 0 to 2^53; also as a text, and as 5e8.
  std::optional<std::int64_t> whole(std::string_view path);
  /// A number; also as a text.
  std::optional<double> real(std::string_view path);
  /// true, false, and the words for them.
  std::optional<bool> truth(std::string_view path);
  bool is_on(std::string_view path) { return truth(path).value_or(false); }
  /// Whether one of them is true; all are read.
  bool any_on(std::initializer_list<std::string> paths) {
    bool any = false;
    for (const std::string& path : paths) any = is_on(path) || any;
    return any;
  }
  /// A text; numbers and truths as they are written. "" where there is none.
  std::string text(std::string_view path);
  /// Texts of a list, or of one text that commas or spaces divide.
  std::vector<std::string> texts(std::string_view path);
  /// Whether the value is the word "auto" or null, which is then read.
  bool is_auto(std::string_view path);

  /// The leaf is not what its reader wants.
  void refuse(std::string_view path, std::string wanted) { note(path, std::move(wanted), false); }
  /// The estimate takes what is wanted in its place, which is near.
  void differs(std::string_view path, std::string wanted) { note(path, std::move(wanted), true); }

  struct Refusal {
    std::string path, wanted, value;
    bool is_near = false; ///< the estimate stands, and takes what is wanted
  };
  const std::vector<Refusal>& refusals() const noexcept { return refusals_; }

private:
  Leaf* find(std::string_view path);
  const Leaf* find(std::string_view path) const;
  void add(const Json& value, const std::string& path, std::size_t depth);
  void note(std::string_view path, std::string wanted, bool is_near);
  const Json* resolved(const Leaf& leaf) const;

  std::string_view text_;
  std::vector<Leaf> leaves_;
  std::vector<Refusal> refusals_;
};

/// The number that such a text states, e.g. "8192", "5e8", "1_000"; nothing for others.
std::optional<std::int64_t> whole_number(std::string_view text);
/// "true", "Yes", "on", "1" and their opposites.
std::optional<bool> truth_word(std::string_view text);
/// Texts between commas, spaces and line ends.
std::vector<std::string> split_list(std::string_view text);
/// How often `part` goes into `whole`; 0 where it does not, or leaves a rest.
std::int64_t times(std::int64_t whole, std::int64_t part) noexcept;
/// false, 0, null, "none" and the like: a key that is not in use.
bool says_nothing(const Json& value);
/// A value as a text: texts themselves, everything else as JSON.
std::string plain_text(const Json& value);

} // namespace plimsoll::io::configs
