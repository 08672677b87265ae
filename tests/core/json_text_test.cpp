// Texts are written as the library that reads JSON would: it reads them as they were, and what is not UTF-8 as U+FFFD for each part that begins no character.
#include "text/json_text.hpp"

#include "json.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

std::string written(std::string_view text) {
  std::string out;
  io::write_json_text(text, out);
  return out;
}

} // namespace

TEST_CASE("a text is escaped where JSON asks for it, and else written as it is") {
  CHECK(written("") == R"("")");
  CHECK(written("Qwen3 \"8B\" \\ /\b\f\n\r\t") == R"("Qwen3 \"8B\" \\ /\b\f\n\r\t")");
  CHECK(written({"\0\x01\x0b\x1f\x7f", 5}) == "\"\\u0000\\u0001\\u000b\\u001f\x7f\"");
  CHECK(written("é … \xf0\x9f\x9a\xa2") == "\"é … \xf0\x9f\x9a\xa2\"");
}

TEST_CASE("what is not UTF-8 becomes one U+FFFD for each part that begins no character") {
  const std::string_view kNone = "\xef\xbf\xbd";
  const auto replaced = [&](std::string_view text, std::string_view as) {
    std::string expected{as};
    for (std::size_t at = 0; (at = expected.find('?', at)) != expected.npos; at += kNone.size()) expected.replace(at, 1, kNone);
    return written(text) == '"' + expected + '"';
  };
  CHECK(replaced("a\x80z", "a?z"));
  CHECK(replaced("\xc0\xaf", "??"));                     // longer than it need be
  CHECK(replaced("\xe2\x82z\xe2\x82", "?z?"));           // broken off, by another character and by the end
  CHECK(replaced("\xed\xa0\x80", "???"));                // a surrogate
  CHECK(replaced("\xf0\x9f\x9a\xf4\x90\x80\x80", "?????")); // broken off, and above U+10FFFF
  CHECK(replaced("\xff\xfe\xf5", "???"));
}

TEST_CASE("whatever is written is read again") {
  std::mt19937 random{20261129};
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() % 128 : random());
    const io::ParsedJson read = io::parse_json(written(text));
    REQUIRE(read.ok);
    CHECK(written(read.value.text()) == written(text));
  }
}
