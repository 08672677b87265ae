#pragma once
// How many parameters a tuning method trains, from the shapes of the model's tensors.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/tuning.hpp"

#include <optional>
#include <string_view>

namespace plimsoll {

/// Parameters that train, on a model held by one GPU. Total: sizes of 0 or less, which validation refuses, count as 1.
/// Llama-3-8B with LoRA of rank 16 on queries and values: 6,815,744.
Count trainable_parameters(const Model& model, const Tuning& tuning) noexcept;

/// Of these, the numbers of whole modules that train beside adapters (Tuning::modules_to_save).
Count copied_parameters(const Model& model, const Tuning& tuning) noexcept;

/// Whether what the method keeps for its backward pass is known; the memory of others is not estimated.
bool is_covered(TuningMethod method) noexcept;

/// Tokens that the method puts in front of every sequence, through all layers and the loss; 0 for prefixes, which are only attended to.
std::int64_t added_tokens(const Tuning& tuning) noexcept;

/// Name and place of a method, as people and the PEFT library write it.
struct TuningMethodText {
  std::string_view id;        ///< e.g. "lora"
  std::string_view name;      ///< e.g. "LoRA"
  std::string_view peft_type; ///< e.g. "LORA"; "" where the library has no such method
  std::string_view source;    ///< where its shapes were read
  bool per_target = false;    ///< stands beside the maps that Tuning::targets names
};
TuningMethodText text_of(TuningMethod method) noexcept;

/// The method with that peft_type; nothing when no row has it. DoRA is a flag of "LORA" there, BAT one of "MISS" and "BONE".
std::optional<TuningMethod> method_of_peft_type(std::string_view peft_type) noexcept;

/// The targets that a module name of Hugging Face means ("q_proj", "query_key_value", "fc1", "lm_head"); 0 for an unknown one.
std::uint32_t targets_of_module(std::string_view module) noexcept;

} // namespace plimsoll
