#pragma once
// Writes what read_table() reads.

#include "architectures/tables/walk.hpp"
#include "text/compiled_value_write.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

namespace plimsoll::io {

/// Numbers as read.cpp reads them, texts with their length before them.
class TableWriting {
public:
  std::string bytes;

  void take(Count& count) { number(count.value); }
  void take(std::string_view& text) { write(text); }
  void take(std::string& text) { write(text); }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void take(T& value) {
    number(static_cast<std::int64_t>(value));
  }

  void take_layers(std::vector<Layer>& layers) {
    std::vector<Layer> different;
    std::vector<std::pair<std::size_t, std::size_t>> runs; // how many, of which
    for (const Layer& layer : layers) {
      const auto which = static_cast<std::size_t>(std::ranges::find(different, layer) - different.begin());
      if (which == different.size()) different.push_back(layer);
      if (runs.empty() || runs.back().second != which) runs.emplace_back(0, which);
      ++runs.back().first;
    }
    tables::list(*this, different);
    std::size_t count = runs.size();
    take(count);
    for (auto& [length, which] : runs) tables::members(*this, length, which);
  }

  void take_quantization(const ImportedModel& imported) {
    std::string compiled;
    if (!imported.quantization_config.empty()) write_compiled(parse_json(imported.quantization_config).value, compiled);
    write(compiled);
  }

  void take_facts(ModelFacts& facts) {
    std::size_t known = facts.known.count();
    take(known);
    for (std::size_t fact = 0; fact < kMostFacts; ++fact) {
      if (!facts.known[fact]) continue;
      take(fact);
      take(facts.values[fact]);
    }
  }

private:
  void write(std::string_view text) {
    number(static_cast<std::int64_t>(text.size()));
    bytes += text;
  }

  void number(std::int64_t value) {
    std::uint64_t bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7) bytes += static_cast<char>((bits & 0x7f) | 0x80);
    bytes += static_cast<char>(bits);
  }
};

inline std::string write_table(ImportedModel imported, Architecture architecture) {
  TableWriting walk;
  tables::members_of(walk, imported);
  tables::members_of(walk, architecture);
  return std::move(walk.bytes);
}

} // namespace plimsoll::io
