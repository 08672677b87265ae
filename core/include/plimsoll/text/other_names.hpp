#pragma once
// What engines, trainers and other calculators call our inputs: nobody should have to guess which word is used here.

#include <string>
#include <string_view>

namespace plimsoll::io {

/// As our names are written: in lower case, '_' for '-'.
std::string spelled(std::string_view name);

/// The input of which this is but another name, e.g. "tp" or "tensor-parallel-size" -> "tensor_parallel"; "gpus" for the number of GPUs in
/// all, "tokens" for those of a whole job. "" of other names, ours included. Requests may use it in place of ours.
std::string_view same_as(std::string_view name);

/// The input that people mean by this name, letter case and '-' for '_' ignored, e.g. "zero_stage" -> "sharding", where its values are
/// others than ours, or it stands for several inputs; "" where the name is nobody's.
std::string_view meant_by(std::string_view name);

/// What they mean by this text in that choice, in words for a remedy, e.g. method "qlora" -> "lora, with weight_dtype=nf4"; "" where
/// the text is nobody's.
std::string_view meant_by_choice(std::string_view field, std::string_view text);

} // namespace plimsoll::io
