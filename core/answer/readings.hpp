#pragma once
// What sources read of a run, besides the peak of a step that an answer shows: numbers that the estimator has and no screen asks for.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll::io {

/// Which memory number a source read.
enum class MemoryCounter : unsigned char {
  requested, ///< what the program asked the allocator for
  allocated, ///< torch.cuda.max_memory_allocated: blocks in use; "active" blocks as well
  reserved,  ///< torch.cuda.max_memory_reserved: what the allocator took from the driver
  process,   ///< nvidia-smi: reserved, and context, modules and communicators besides
};

/// THE ONE PLACE that picks a number of the footprint for a counter.
const MemoryRange& counted(const Footprint& footprint, MemoryCounter counter);

/// A number that is no peak of the whole: as uncertain as comparisons with the profile's runs are.
MemoryRange range_around(Bytes expected, const ComparisonsProfile& comparisons);
/// Another number of the same run: as far to either side as the range of what the answer shows.
MemoryRange range_as_of(const MemoryRange& shown, Bytes expected);

/// Of the component with that id anywhere in the tree; 0 where there is none.
std::int64_t amount_of(const Component& tree, std::string_view id);

/// What one layer keeps for its backward pass.
Bytes saved_by_layer(const Scenario& scenario);
/// As large as the layer's input, which checkpointing keeps.
Bytes output_of_layer(Scenario scenario);

/// The largest moment of the first step, before optimizer states exist.
Bytes first_peak(const Estimate& of_rank);
/// Of a step of several micro-batches, the first: until its backward pass it is like that of a step of one, and at its end all gradients
/// are there as they are kept between micro-batches.
Bytes first_micro_batch(Scenario scenario, std::int64_t rank);

/// What tensors take between steps.
Bytes kept_between_steps(const Estimate& of_rank);

} // namespace plimsoll::io
