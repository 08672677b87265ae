#pragma once
// Rows of training runs: {"kind", "model", "params_total", "params_active", "tokens", "seq_len", "layers", "hidden", "gpu", "n_gpus",
// "gpu_hours", "precision", "parallelism", "recompute", "micro_batch", "batch_tokens", "tokens_per_s_per_gpu", "flag", …}. Most rows tell
// little of their configuration; what stands in for the rest is listed.

#include "evidence/rows.hpp"
#include "plimsoll/method/scenario.hpp"

#include <string>
#include <vector>

namespace plimsoll::io::accuracy::training_runs {

/// What a row comes to.
struct Run {
  Inputs inputs;
  std::string profile = "pytorch";
  std::vector<std::string> assumed;
  std::string reason; ///< why it is no question; "" otherwise

  void decline(std::string why) {
    if (reason.empty()) reason = std::move(why);
  }
};

/// From the row's name where the catalogue has it with as many parameters, else from its counts.
void read_model(const Json& row, Run& into);
void read_device(const Json& row, Run& into);
/// Precision, recomputation, framework; of whole jobs too, where a row tells them.
void read_common(const Json& row, Run& into);
/// Degrees and batch of a benchmark.
void read_layout(const Json& row, Run& into);
/// How many GPUs, where nothing else of the layout is known.
void read_gpus(const Json& row, Run& into);

} // namespace plimsoll::io::accuracy::training_runs
