#pragma once
// A formula is written twice in one place: as code, and as the text that people read. tests/laws evaluates the text with
// the recorded symbols and compares it with the code's number, so the two cannot drift apart.

#include "plimsoll/method/quantity.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace plimsoll {

/// How sure we are of a number.
enum class Basis : unsigned char {
  counted,   ///< follows from tensor shapes
  published, ///< a formula or constant read in a paper, documentation or source code
  measured,  ///< taken from published measurements
  assumed,   ///< a stated assumption; shown as such and open to override
};

constexpr const char* name_of(Basis basis) noexcept {
  switch (basis) {
    case Basis::counted: return "counted";
    case Basis::published: return "published";
    case Basis::measured: return "measured";
    case Basis::assumed: return "assumed";
  }
  return "assumed";
}

inline constexpr std::size_t kMaxSymbols = 10;

/// One name in a formula's text.
struct SymbolText {
  std::string_view name;    ///< as in the text
  std::string_view unit;    ///< e.g. "tokens"; "" for a plain number
  std::string_view meaning; ///< what it is and how it follows from the inputs
  std::string_view field;   ///< the input it comes from (field tables), or "" when it is derived or a constant
};

/// What people read of a formula.
struct FormulaText {
  std::string_view id;    ///< stable: colours, tests, links and tables hang on it
  std::string_view label;
  std::string_view unit;  ///< "bytes", "parameters", "FLOP", "micro-dollars", "joules", "grams CO2e" …
  std::string_view text;  ///< + - * / ( ) with integers, symbols, max(a, b), min(a, b), ceil_div(a, b)
  std::string_view citation; ///< id in core/catalog/data/citations.json
  Basis basis = Basis::counted;
  std::array<SymbolText, kMaxSymbols> symbols{};
};

template <class Write> inline constexpr FormulaText kWritten = Write{}();

/// A formula, known by its address. What it says is behind a function: a program that is loaded in parts has the texts when an answer is explained,
/// and computes before. Made of a function that writes the text: constexpr Formula kX{[] { return FormulaText{.id = "…"}; }}.
class Formula {
public:
  template <class Write>
  consteval explicit(false) Formula(Write) noexcept : written_([]() noexcept -> const FormulaText& { return kWritten<Write>; }) {}

  constexpr const FormulaText& written() const noexcept { return written_(); }

private:
  const FormulaText& (*written_)() noexcept;
};

struct Constant;
struct RoleText;
struct LayerGroup;
struct Tensor;

/// The value of one formula for one scenario. Small and without heap: estimate() makes and drops a few dozen of these.
struct Term {
  const Formula* formula = nullptr;
  const Formula* of = nullptr;      ///< the tensors it is about: "memory.weights" of "parameters.mlp" is "memory.weights.mlp"
  const LayerGroup* group = nullptr; ///< the layers it is about; null for what stands outside layers
  const Tensor* tensor = nullptr;    ///< the one tensor it is about, where each counts for itself; or null
  const RoleText* role = nullptr;    ///< the model it is about, where it is not the one that the scenario is about
  std::string_view variant;          ///< tells terms about the same tensor apart: the id of a weight format
  const Constant* provenance = nullptr; ///< the profile's constant whose source and basis stand for the formula's; or null
  std::int64_t amount = 0;          ///< in its formula's unit
  std::int64_t low = 0;             ///< equal to amount where nothing is uncertain
  std::int64_t high = 0;
  std::array<std::int64_t, kMaxSymbols> values{}; ///< in the order of its formula's symbols

  constexpr Bytes bytes() const noexcept { return Bytes{amount}; }
  constexpr Count count() const noexcept { return Count{amount}; }
};

} // namespace plimsoll
