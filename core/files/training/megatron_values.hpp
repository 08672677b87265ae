#pragma once
// Arguments of Megatron-LM that are small languages of their own.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

/// --moe-layer-freq and --linear-attention-freq: "[0]*3+[1]*11" with or without brackets around it, as 0 and 1 for each layer
/// (megatron/training/arguments.py, moe_freq_type). Nothing where it is no such sum, or has more than 10000 entries.
std::optional<std::vector<int>> marks_of(std::string_view text);

/// --pipeline-model-parallel-layout: "Et*3|(tt|)*6mL", chunks of a pipeline with | between them; E is the embedding, t a layer, m a
/// prediction depth, L the loss (megatron/core/transformer/pipeline_parallel_layer_layout.py). Repetitions are written out; nothing
/// where it is no layout, or has more than 10000 letters.
std::optional<std::vector<std::string>> chunks_of_layout(std::string_view text);

/// CUBLAS_WORKSPACE_CONFIG: ":SIZE:COUNT", repeated, in KiB all together (cuBLAS, "Results Reproducibility"). Nothing where it is no
/// such list.
std::optional<std::int64_t> workspace_kib(std::string_view text);

/// Layers of a hybrid model, one letter each: M Mamba-2, * attention, - MLP, E experts; prediction depths behind '/', cuts of the
/// pipeline as '|' (megatron/core/models/hybrid/hybrid_layer_allocation.py).
struct HybridPattern {
  std::string layers;              ///< without cuts
  std::vector<std::size_t> chunks; ///< layers of each, where there are cuts
  std::string predicted;           ///< layers of one prediction depth
  std::int64_t depths = 0;
};
/// Nothing where depths differ or there are more than 10000 letters.
std::optional<HybridPattern> hybrid_pattern(std::string_view text);
/// The pattern that --hybrid-attention-ratio and --hybrid-mlp-ratio stand for (pattern_from_ratios in the same file).
std::string pattern_of_ratios(std::int64_t layers, double attention, double mlp);

} // namespace plimsoll::io::configs
