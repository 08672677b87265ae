#pragma once
// The ways to store weights that are compiled in (core/catalog/data/weights), by id. Some rows stand for many schemes: "gptq_{bits}bit_g{group}".

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <memory>
#include <optional>
#include <span>
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
  /// ("exl2_4.65bpw"), and so are mixtures of one file: "q4_k_m/v_proj:q6_k/experts.down_proj:0-3.7:q5_k" is Q4_K_M but for the
  /// tensors that it lists, by name or by kind and name, some in some layers only, with ids of formats ("ggml_" may be left out).
  /// Empty when there is no such scheme. Never throws on any id.
  std::optional<WeightScheme> find(std::string_view id) const;

  /// A layout that several schemes share, by its id; null when there is none.
  const WeightFormat* find_format(std::string_view id) const noexcept;

  /// The engine whose format that is, e.g. "llama.cpp"; "" when there is no such format.
  std::string_view engine_of(std::string_view format) const;

  /// The id of the scheme that stores those tensors so, and the others of the model as `base` does: find() knows it. "" when there is
  /// no such base. Tensors that the model does not have are left out.
  std::string as_stored(const Model& model, std::string_view base, std::span<const TensorFormat> stored) const;

  /// The listed row of that id or alias, of a mixture that of its base, or null.
  const WeightSchemeRow* find_row(std::string_view id) const noexcept;

  /// Ids closest to a mistyped one, best first, at most `most`: for remedies.
  std::vector<std::string> similar(std::string_view id, std::size_t most = 3) const;

private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

} // namespace plimsoll::io
