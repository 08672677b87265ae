#pragma once
// What a program allocates and frees, in order, and what the caching allocator makes of it. A training step becomes such a
// trace by the order in which PyTorch's autograd runs it.

#include "plimsoll/method/allocator.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A tensor of a trace; the writer of the trace chooses the number.
using TensorId = std::int64_t;

struct TraceEvent {
  enum class Kind : unsigned char {
    allocate,      ///< tensor, bytes, stream
    free,          ///< tensor
    record_stream, ///< tensor: another stream uses it
    synchronize,
    empty_cache,
    mark,          ///< name: the statistics at this point are wanted
    end_of_step,   ///< name: likewise, and the replay ends here when the step before peaked at as much reserved memory
  };
  Kind kind = Kind::mark;
  TensorId tensor = 0;
  Bytes bytes{};
  Stream stream = 0;
  std::string name{};
};

struct Trace {
  std::vector<TraceEvent> events;
  bool truncated = false; ///< it would have had more than kMaxTraceEvents: what a replay says of it is too little
};

inline constexpr std::size_t kMaxTraceEvents = 2'000'000;

/// The counters at a mark; peaks are those since the start of the trace.
struct MarkedStatistics {
  std::string name;
  AllocatorStatistics statistics;
};

struct Replay {
  std::vector<MarkedStatistics> marks;        ///< in the order of the trace
  AllocatorStatistics statistics;             ///< at the end, with all peaks
  std::optional<std::size_t> failed_event;    ///< the allocation that found no memory: the replay ends there
  Count ignored; ///< events that make no sense: freeing a tensor that is not there, allocating one that is
};

/// Never fails: see Replay::failed_event and Replay::ignored.
Replay replay(const Trace& trace, const AllocatorSettings& settings = {}, std::optional<Bytes> capacity = std::nullopt);

/// Some tensors of one size. None of fewer than 1 byte, or where count < 1.
struct TensorList {
  Bytes bytes;
  Count count{1};
};

/// One layer, or several equal ones in a row. Tensors are allocated in the order they stand in.
struct LayerTensors {
  std::vector<TensorList> forward;   ///< alive while the layer runs forward
  std::vector<TensorList> saved;     ///< kept from there to the layer's backward
  std::vector<TensorList> backward;  ///< alive while it runs backward
  std::vector<TensorList> gradients; ///< of its parameters
  Count layers{1};
};

/// What happens to the gradient that a layer's backward makes.
enum class GradientLife : unsigned char {
  kept,  ///< until the optimizer step is over; later micro-batches are added to it and freed
  freed, ///< with its layer: it is sharded away, or added to a buffer that stands under `persistent`
};

/// Steps after which a training loop of equal steps has grown its cache as far as it will.
inline constexpr std::int64_t kMaxSteps = 3;

struct StepDescription {
  std::vector<TensorList> persistent;       ///< weights, buffers, gradients allocated once
  std::vector<LayerTensors> layers;         ///< in the order of the forward pass; embedding and head are layers too
  std::vector<TensorList> loss;             ///< from the end of the forward pass to the start of the backward pass: logits
  std::vector<TensorList> loss_backward;    ///< alive in the backward pass of the loss
  std::vector<TensorList> optimizer_states; ///< made by the first optimizer step, and kept
  std::vector<TensorList> optimizer_step;   ///< alive during each
  GradientLife gradients = GradientLife::kept;
  std::int64_t micro_batches = 1;
  std::int64_t in_flight = 1; ///< micro-batches that run forward before the first runs backward: more than 1 in a pipeline
  std::int64_t steps = kMaxSteps; ///< at most; the replay ends earlier where a step adds nothing to the step before
};

/// Marks: "step N forward" at the end of its last forward pass, "step N loss" with the loss of the last micro-batch alive,
/// "step N backward", "step N optimizer", and "step N" at its end. Counts below 1 are taken as 1; no tensor is negative.
Trace trace_of(const StepDescription& description);

} // namespace plimsoll
