#pragma once
// The ways to store weights that are compiled in (core/catalog/data/weights), by id. Some rows stand for many schemes: "gptq_{bits}bit_g{group}".

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct WeightSchemeRow {
  std::string id;   ///< e.g. "q4_k_m", "gptq_4bit_g128"
  std::string name; ///< as its engine writes it
  std::string about;
  std::string engine;
  std::string citation;
  Basis basis = Basis::published;
  std::vector<std::string> aliases;
};

class WeightCatalog {
public:
  /// Reads the data that is compiled in. Malformed data is a defect of the build, found by tests: throws std::runtime_error.
  static WeightCatalog load();

  /// The schemes to choose from, in the order of the data; of schemes with numbers in their ids, the usual numbers.
  const std::vector<WeightSchemeRow>& schemes() const noexcept;

  /// By id or alias, letter case ignored. Ids with other numbers than the usual ones are found too, within their ranges
  /// ("exl2_4.65bpw"). Empty when there is no such scheme. Never throws on any id.
  std::optional<WeightScheme> find(std::string_view id) const;

  /// A layout that several schemes share, by its id; null when there is none.
  const WeightFormat* find_format(std::string_view id) const noexcept;

  /// The listed row of that id or alias, or null.
  const WeightSchemeRow* find_row(std::string_view id) const noexcept;

  /// Ids closest to a mistyped one, best first, at most `most`: for remedies.
  std::vector<std::string> similar(std::string_view id, std::size_t most = 3) const;

private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

} // namespace plimsoll::io
