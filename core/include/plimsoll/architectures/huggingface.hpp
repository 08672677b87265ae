#pragma once
// Hugging Face config.json -> Model. Trusts nothing in the file.

#include "plimsoll/method/facts.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/model.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// What somebody changed about a model: these win over what the file says.
struct Overrides {
  std::string architecture; ///< the model_type to read the file as; "" = the file's own
  std::map<std::string, std::int64_t, std::less<>> facts; ///< by field name; flags are 0 or 1, choices their value. Within range.
  bool empty() const noexcept { return architecture.empty() && facts.empty(); }
};

struct ImportedModel {
  std::optional<Model> model;      ///< empty when an error stands in `issues`; id "custom", name = that of the family
  ModelFacts facts;                ///< what was used; facts that the family does not have are not known
  std::string architecture;        ///< the model_type whose rule was used, e.g. "qwen3_moe"
  std::string family;              ///< as people write it, e.g. "Qwen3-MoE"
  std::string quantization_config; ///< the file's own as JSON text; "" when it has none
  std::string_view compiled_quantization; ///< the same as text/compiled_value.hpp has it, of a model of the catalogue as published; else ""
  std::string dtype;               ///< as in the file, e.g. "bfloat16"; "" when it says nothing
  Issues issues;                   ///< fields are JSON paths, e.g. "text_config.hidden_size", or names of overridden facts
};

/// `text` is the whole file, at most 4 MiB; the numbers Infinity and NaN, which Python writes, may stand in it. Nested text_config
/// (also llm_config, language_config, thinker_config, ...) is followed; a field that is absent takes the default of its model class.
/// Notes tell what is not counted. Covered are the types in covered_architectures(); any other is an error with the nearest ones.
ImportedModel import_huggingface_config(std::string_view text, const Overrides& overrides = {});

/// A dense decoder of which nothing is known but `overrides`: what the model "custom" is without a config. Something stands for a size that
/// is not among them, so that there is a model at all: whoever answers with it has asked for custom_model_sizes() before.
ImportedModel import_custom_model(const Overrides& overrides = {});

/// Facts that a custom model must state, since no class of models stands behind it: "hidden_size", "layers", ...
std::span<const std::string_view> custom_model_sizes() noexcept;

/// The shortest JSON object that imports to the same model, for URLs; `text` itself when it does not import.
std::string reduced_config(std::string_view text);

/// Every model_type that is read, in alphabetical order.
std::vector<std::string_view> covered_architectures();

} // namespace plimsoll::io
