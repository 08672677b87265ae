#pragma once
// A measured run as a question to the estimate: what a row of a published table says, in our terms. For whoever asks why a row is
// predicted as it is, or not at all; accuracy.hpp compares whole files.

#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io {

/// Which memory number a source read.
enum class Counter : unsigned char {
  requested, ///< what the program asked the allocator for
  allocated, ///< torch.cuda.max_memory_allocated: blocks in use; "active" blocks as well
  reserved,  ///< torch.cuda.max_memory_reserved: what the allocator took from the driver
  process,   ///< nvidia-smi: reserved, and context, modules and communicators besides
};

/// What of a run the number is about.
enum class Reading : unsigned char {
  peak,            ///< the largest moment of a step
  first_peak,      ///< likewise of the first step, before optimizer states exist
  first_micro_batch, ///< likewise of the first of several micro-batches, the longest: no gradients of others exist when its loss is computed
  loaded,          ///< after the model was loaded: weights alone
  saved_per_layer, ///< what one layer keeps for its backward pass
  layer_forward,   ///< what its forward pass leaves behind: that, and its output
  context,         ///< a process that holds nothing: driver context and kernels
};

/// Which GPUs of a pipeline the number is of.
enum class Ranks : unsigned char { fullest, first, last };

/// What a row says, in our terms. With a `reason` it is no question: `inputs` are what could be read all the same.
struct MeasuredRow {
  Inputs inputs;
  std::string profile; ///< id of the profile that the framework means; it need not exist yet
  Counter counter = Counter::allocated;
  Reading reading = Reading::peak;
  Ranks ranks = Ranks::fullest;
  std::string group;
  std::string metric; ///< as the source words it
  std::optional<std::int64_t> bytes;
  bool rounded = true;
  std::vector<std::string> assumed; ///< what the row does not tell and what stands in for it
  std::string reason;

  /// The first reason stays: it stands for the field that is read first.
  void decline(std::string why) {
    if (reason.empty()) reason = std::move(why);
  }
};

/// `row` is one JSON object of any schema of measured runs: training runs in words, or the tables of torchtitan, torchtune and LitGPT.
/// Never throws: text that is no such row gives a row with a reason.
MeasuredRow read_measured_row(std::string_view row);

} // namespace plimsoll::io
