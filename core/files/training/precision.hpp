#pragma once
// Words of configurations for number formats, optimizers and adapters' targets, and back.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

/// What a program's keys come to for number formats.
struct StatedPrecision {
  bool bf16 = false, fp16 = false;
  bool half_weights = false; ///< weights that train are loaded in 16 bits
  bool fsdp = false;         ///< shards them, so that its mixed precision computes on 16-bit copies
  bool frozen = false;       ///< the weights do not train: Accelerate leaves them as they were loaded
  bool deepspeed = false;    ///< keeps 16-bit weights beside an fp32 copy (deepspeed/runtime/bf16_optimizer.py, fp16/fused_optimizer.py)
};
/// The choice of "precision" that they are. Under FSDP with mixed precision, Accelerate turns weights that train into fp32 whatever they were
/// loaded in (huggingface/accelerate, src/accelerate/accelerator.py, prepare_model, since pull request 2674; utils/fsdp_utils.py, fsdp2_prepare_model).
std::string_view precision_of(const StatedPrecision& precision) noexcept;

/// "bfloat16", "bf16", "torch.bfloat16" … as "bf16", "fp16" or "fp32"; "" for "auto" and others.
std::string_view dtype_word(std::string_view text) noexcept;

/// Optimizers of transformers (transformers/training_args.py, OptimizerNames) and of the programs that add some.
std::string_view optimizer_of(std::string_view word) noexcept;  ///< the choice of "optimizer"; "" where there is none
std::string_view optimizer_word(std::string_view choice) noexcept; ///< "" where transformers has none
std::string known_optimizers();                                    ///< "adamw_torch_fused, adamw_torch … or adalomo": one word of each

/// The value of "targets" that names of linear maps make together, e.g. {"q_proj", "v_proj"}; "" where one of them is not known.
std::string targets_of(const std::vector<std::string>& names);
/// The names that a choice of "targets" stands for, as Llama's code has them.
std::vector<std::string> target_names(std::string_view choice);

} // namespace plimsoll::io::configs
