#pragma once
// What LitGPT's scripts and recipes do where a row of its tables does not say it.

#include "evidence/measured.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll::io::accuracy::litgpt {

/// Micro-batches of a step: its recipes train 64 sequences in a step, or with adapters 8 (config_hub/finetune/*/full.yaml and lora.yaml,
/// global_batch_size).
std::int64_t micro_batches(std::int64_t batch, bool adapters);

/// The longest example of the dataset is in the first micro-batch, and others are shorter: what that one needs is the peak.
/// Lightning-AI/litgpt at 8641822, finetune/lora.py, get_batch.
void take_longest_first(MeasuredRow& row);

/// Where a table's row names a machine of several GPUs, and nothing that divides the work: recipes with adapters run on one of them
/// ("devices: 1", config_hub/finetune/README.md), those that train whole models shard them.
void take_devices_of_recipe(bool whole, MeasuredRow& row);

/// With several GPUs each block runs again in the backward pass. litgpt/finetune/full.py and lora.py, FSDPStrategy.
void recompute_blocks(MeasuredRow& row);

/// What the recipe for that model adapts.
void take_recipe(std::string_view model, bool quantised, MeasuredRow& row);

/// Whole models: the head's logits at once, the loss in chunks (litgpt/finetune/full.py, fit). Declines a figure below the weights,
/// gradients and AdamW states of that model: nothing that a run with that optimizer could have shown.
void train_whole(MeasuredRow& row);

} // namespace plimsoll::io::accuracy::litgpt
