// Writes JSON as a program that has it compiled in reads it (compiled_value.hpp), when the program is built:
//
//   compile_values FILE...
//
// Beside each FILE then lies FILE.literal: how many bytes its value takes, and on the next lines these as a string literal of C++.
#include "text/compiled_value_write.hpp"
#include "text/cpp_literal.hpp"
#include "text/json.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>

int main(int count, char** given) {
  using namespace plimsoll;
  constexpr io::JsonLimits kOurOwn{.bytes = std::numeric_limits<std::size_t>::max(), .keys = std::numeric_limits<std::size_t>::max()};
  for (int i = 1; i < count; ++i) {
    std::ifstream file{given[i], std::ios::binary};
    const io::ParsedJson parsed = io::parse_json(std::string{std::istreambuf_iterator<char>{file}, {}}, kOurOwn);
    if (!parsed.ok || !parsed.duplicates.empty()) return std::fprintf(stderr, "%s: %s\n", given[i], parsed.ok ? "a key stands twice" : parsed.error.c_str()), 1;
    std::string bytes;
    io::write_compiled(parsed.value, bytes);
    std::ofstream out{std::string{given[i]} + ".literal", std::ios::binary};
    out << bytes.size() << '\n' << io::cpp_literal(bytes);
    if (!out) return 1;
  }
  return 0;
}
