#pragma once
// Python's pickle, as much of protocol 2 as dictionaries, lists, texts and whole numbers need: Lib/pickletools.py of CPython.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace plimsoll::io::timelines {

class Pickle {
public:
  Pickle() { text_.append("\x80\x02"); }

  void begin_list() { text_.append("]("); }
  void end_list() { text_.push_back('e'); }
  void begin_dictionary() { text_.append("}("); }
  void end_dictionary() { text_.push_back('u'); }

  /// The first time it is written out and remembered, later only named.
  void text(std::string_view value) {
    const auto [at, is_new] = remembered_.try_emplace(std::string{value}, static_cast<std::uint32_t>(remembered_.size()));
    if (is_new) {
      text_.push_back('X');
      bytes(value.size(), 4);
      text_.append(value);
    }
    text_.push_back(is_new ? 'r' : 'j');
    bytes(at->second, 4);
  }

  /// >= 0
  void number(std::int64_t value) {
    text_.append("\x8a\x08");
    bytes(static_cast<std::uint64_t>(value), 8);
  }

  void truth(bool value) { text_.push_back(value ? '\x88' : '\x89'); }

  /// One entry of a dictionary.
  void entry(std::string_view key, std::int64_t value) { text(key), number(value); }
  void entry(std::string_view key, std::string_view value) { text(key), text(value); }

  std::string finish() && {
    text_.push_back('.');
    return std::move(text_);
  }

private:
  void bytes(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8) text_.push_back(static_cast<char>(value & 0xff));
  }

  std::string text_;
  std::map<std::string, std::uint32_t, std::less<>> remembered_;
};

} // namespace plimsoll::io::timelines
