#pragma once
// Keys of FSDP as Accelerate has them (huggingface/accelerate, src/accelerate/utils/dataclasses.py, FullyShardedDataParallelPlugin): with
// the prefix "fsdp_" in its own files, without it in those of transformers and Axolotl.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "files/training/format.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll::io::configs {

struct FsdpSetting {
  std::int64_t gpus = 0;  ///< processes in all; 0 where nobody says
  std::int64_t nodes = 1;
  std::int64_t version = 1; ///< where the section does not say
};

/// Reads the section, and the words of `strategy` before it ("full_shard auto_wrap"); sets what is sharded and the profile.
void read_fsdp(Document& document, RequestBuilder& draft, std::string_view section, std::string_view strategy, const FsdpSetting& setting);

/// Writes the section with names that begin with `prefix`.
void write_fsdp(const Source& source, Json& tree, std::string_view section, std::string_view prefix);

/// Whether the scenario runs under FSDP.
bool is_fsdp(const Source& source);

inline constexpr std::string_view kFsdpHarmless =
    "fsdp_config.fsdp_auto_wrap_policy fsdp_config.auto_wrap_policy fsdp_config.fsdp_cpu_ram_efficient_loading "
    "fsdp_config.cpu_ram_efficient_loading fsdp_config.fsdp_state_dict_type fsdp_config.state_dict_type fsdp_config.fsdp_final_state_dict_type "
    "fsdp_config.final_state_dict_type fsdp_config.fsdp_sync_module_states fsdp_config.sync_module_states fsdp_config.fsdp_use_orig_params "
    "fsdp_config.use_orig_params fsdp_config.fsdp_transformer_layer_cls_to_wrap fsdp_config.transformer_layer_cls_to_wrap "
    "fsdp_config.xla* fsdp_config.fsdp_xla*";

} // namespace plimsoll::io::configs
