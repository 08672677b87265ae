#pragma once
// Every part of a training step's time, once: sink(TimePart, const Term&). Estimates add them up, explanations show them.

#include "method/time/training/rate.hpp"
#include "plimsoll/method/time.hpp"

#include <type_traits>
#include <utility>

namespace plimsoll::timing {

/// What one GPU multiplies in a micro-batch, in FLOP.
struct GpuWork {
  Count layers, head;          ///< with weights; routed experts in `layers` too
  Count experts;               ///< of `layers`, those with weights of routed experts
  Count scores;                ///< attention's core
  Count pairs;                 ///< of a query and a key, whose exponential is taken, in one forward pass
  Count recurrences;           ///< scans and convolutions
  Count prediction;            ///< with weights of prediction layers, and what their attention multiplies
  Count prediction_experts, prediction_scores; ///< of that
  Count prediction_pairs;
  Count layers_again, scores_again, recurrences_again;
  Count experts_again;         ///< of `layers_again`
  Count pairs_again;
  constexpr Count model() const noexcept { return layers + head + scores + recurrences + prediction; }
  constexpr Count hardware() const noexcept { return model() + layers_again + scores_again + recurrences_again; }
};
GpuWork gpu_work(const Scenario& scenario) noexcept;

using TimeSink = void (*)(void* into, TimePart part, const Term& term);

/// What a step's passes leave to the parts that follow.
struct Passes {
  Nanoseconds of_micro_batch; ///< which can hide what replicas exchange
  Count parameters;           ///< of one GPU
};

/// Training, on a device whose rates are known: the parts of its passes, which do not depend on how states are divided or where they are;
/// those that follow; and both.
Passes visit_passes(const Scenario& scenario, TimeSink sink, void* into) noexcept;
void visit_states(const Scenario& scenario, const Passes& passes, TimeSink sink, void* into) noexcept;
void visit(const Scenario& scenario, TimeSink sink, void* into) noexcept;

template <class Sink> constexpr TimeSink time_sink = [](void* into, TimePart part, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(part, term); };

template <class Sink> void visit(const Scenario& scenario, Sink&& sink) noexcept { visit(scenario, time_sink<Sink>, const_cast<void*>(static_cast<const void*>(&sink))); }

/// An optimizer step with its part of what a step of learning takes besides training, and the GPUs that it occupies.
StepTime with_other_passes(const Scenario& scenario, StepTime step);

/// Tokens per second and GPU, shares of the peak and GPU-hours as terms, from what step_time() and job_time() found.
Term throughput(const StepTime& step) noexcept;
Term utilisation(const Scenario& scenario, const StepTime& step) noexcept;
Term hardware_utilisation(const Scenario& scenario, const StepTime& step) noexcept;
Term gpu_hours(const Scenario& scenario, const StepTime& step) noexcept;
Term wall_time(const Scenario& scenario, const StepTime& step) noexcept;

/// Chinchilla's tokens, as advice.
Term advised_tokens(const Model& model) noexcept;

/// Tokens of the scenario's job; 0 where none is asked about.
Count job_tokens(const Scenario& scenario) noexcept;

} // namespace plimsoll::timing
