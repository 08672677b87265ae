#pragma once
// How long training takes: one step, part by part, and a whole job. Parts are exposed times, those that nothing else hides, so that they
// add up to the step.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time_range.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plimsoll {

/// The parts of a training step. Ids are stable.
enum class TimePart : unsigned char {
  matrices,         ///< multiplications with weights, forward and backward
  attention,        ///< attention's core and recurrences, forward and backward
  elementwise,      ///< operations between multiplications, and the loss: bound by memory
  recompute,        ///< forward passes that run again
  tensor_parallel,  ///< communication of tensor-parallel groups
  context_parallel, ///< keys and values on their way around
  experts,          ///< tokens on their way to experts and back
  pipeline,         ///< stages that wait for each other, and messages between them
  data_parallel,    ///< gradients and gathered weights
  optimizer,
  offload,          ///< between device and host
  launches,         ///< GPUs wait for the host to launch kernels
};
inline constexpr std::size_t kTimeParts = 12;

struct TimePartText {
  std::string_view id;    ///< e.g. "time.attention"
  std::string_view label; ///< e.g. "Attention"
};
const TimePartText& text_of(TimePart part) noexcept;

/// One optimizer step on an average GPU.
struct StepTime {
  bool known = false; ///< false: no training, or the device's rates are not published; the rest is 0 then
  std::array<TimeRange, kTimeParts> parts{};
  TimeRange total;    ///< sum of the parts
  Count tokens;       ///< that all replicas train on
  Count gpus;
  Count tokens_per_gpu; ///< trained per second and GPU, in thousandths
  std::int64_t mfu = 0; ///< model FLOPs utilisation, in thousandths of the data sheet's rate in the format of the multiplications
  std::int64_t hfu = 0; ///< hardware FLOPs utilisation: with what runs again
};

/// Pure and total, like estimate(). `scenario` must come from inputs without validate() errors.
StepTime step_time(const Scenario& scenario) noexcept;

/// In thousandths per second and GPU, from its tokens, GPUs and expected time.
Count tokens_per_gpu(const StepTime& step) noexcept;

struct CountRange {
  Count expected, low, high;
};

/// What a job takes besides its steps, where that is counted.
struct JobLosses {
  bool known = false;
  Bytes checkpoint;
  TimeRange write;     ///< that training waits for a checkpoint
  TimeRange interval;  ///< of training between two
  TimeRange start, evaluation, checkpoints, failures; ///< of the whole job
  CountRange interruptions; ///< to expect
};
/// A whole training job; what Scenario::job asks about.
struct JobTime {
  bool known = false;    ///< false: no job is asked about, or its step is not known
  Count tokens;          ///< that it trains on, repetitions counted
  Count steps;           ///< optimizer steps
  TimeRange wall;        ///< saturates at 292 years
  CountRange gpu_hours;  ///< in thousandths of an hour
  std::int64_t goodput = 0; ///< thousandths of its time that steps take; with JobBasis::typical, that arithmetic and memory traffic take
  JobLosses losses;
};
JobTime job_time(const Scenario& scenario) noexcept;

/// Tokens that make the best use of a given amount of arithmetic: 20 for each parameter that a token meets. Advice for pre-training.
Count chinchilla_tokens(const Model& model) noexcept;

} // namespace plimsoll
