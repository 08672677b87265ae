#pragma once
// How a published checkpoint stores its weights, read from the "quantization_config" of its config.json (MLX: "quantization") or from
// its dtype. Trusts nothing in the text.

#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/issue.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

struct ImportedScheme {
  std::optional<WeightScheme> scheme; ///< empty when an error stands in `issues`
  std::string id;                     ///< of the catalogue's scheme that it is or is made from
  bool as_listed = false;             ///< it is that scheme; otherwise some tensors are stored in another way
  Issues issues;                      ///< fields are JSON paths, e.g. "quantization_config.bits"
};

/// `text` is the object that stands under "quantization_config", at most 4 MiB; `dtype` is the config's torch_dtype or dtype, which
/// tensors have that are not quantised: "bfloat16", "float16", "float32", with or without "torch."; "" stands for 16 bits.
/// Methods: bitsandbytes, gptq, awq, auto-round, compressed-tensors, fp8, fbgemm_fp8, mxfp4, modelopt, hqq, aqlm, exl2, exl3, quanto,
/// torchao, eetq, and MLX's object without a method. Lists of modules that are left alone become rules as far as they name modules or
/// layers that the tensors have; what is not understood is a note.
ImportedScheme scheme_of_quantization_config(const WeightCatalog& catalog, std::string_view text, std::string_view dtype);

/// The plain scheme of a checkpoint that is not quantised: "float32" -> fp32, "bfloat16" or "" -> bf16, "float8_e4m3fn" -> fp8 ….
ImportedScheme scheme_of_dtype(const WeightCatalog& catalog, std::string_view dtype);

} // namespace plimsoll::io
