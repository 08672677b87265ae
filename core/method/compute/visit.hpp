#pragma once
// Every part of a training token's work, once: sink(Part, const Term&).

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::compute {

enum class Part : unsigned char {
  matrices,           ///< multiplications with weights, forward and backward
  experts,            ///< with those of routed experts
  scores,             ///< attention's core, forward and backward
  recurrences,        ///< scans and convolutions, forward and backward
  prediction,         ///< with weights of prediction layers, forward and backward, routed experts apart
  prediction_experts,
  prediction_scores,
  matrices_again,     ///< forward passes that run again
  scores_again,
  recurrences_again,
};
constexpr bool runs_again(Part part) noexcept { return part >= Part::matrices_again; }

/// Parameters of a tensor that a token is multiplied with: lookups, norms, states and filters multiply no matrix.
Count multiplied(const ModelTensor& part) noexcept;

/// Passes over frozen weights make no gradients of them: two in place of three.
Count passes_over_weights(const Scenario& scenario) noexcept;
inline constexpr Count kPasses{3};

Term matrices(const Term& kind, Count multiplied, Count passes) noexcept;
/// Of `copies` groups alike.
Term attention(const Model& model, const LayerGroup& group, Count context, Count copies = Count{1}) noexcept;
Term cross_attention(const LayerGroup& group, Count context) noexcept;
/// What a token of the group costs, for each token of the context: more where an encoder's sequence is longer.
Count per_token(const Model& model, const LayerGroup* group, Count amount, Count context) noexcept;
Term recurrence(const LayerGroup& group) noexcept;

/// A tower's forward pass over what one sequence shows it: 2 * (patches * inside + tokens * outside) + 4 * patches * layers * channels * seen.
struct TowerWork {
  Count patches, inside;  ///< and parameters of matrices in its layers
  Count tokens, outside;  ///< that come of them, and parameters of matrices outside its layers, most of which stand behind them
  Count layers, channels; ///< of its attention
  Count seen;             ///< patches of one image, all of which attend to each other

  Count operations() const noexcept { return Count{2} * (patches * inside + tokens * outside) + Count{4} * (patches * (layers * (channels * seen))); }
};
TowerWork tower_work(const Tower& tower, const Media& media) noexcept;
Term adapters(Count trainable) noexcept;

/// `whole` is of `passes` over `layers` layers; gradients pass the last of them only, the others run forward.
Term reached_by_gradients(const Term& whole, Count passes, Count layers, Count last) noexcept;
/// `forward` of all `layers`, in those that run again.
Term run_again(Part part, Count forward, Count again, Count layers) noexcept;
/// Layers whose whole forward pass runs again.
Count layers_again(const Strategy& strategy, Count layers) noexcept;
/// Layers of the stack.
Count stack_of(const Model& model) noexcept;

void visit(const Scenario& scenario, void (*sink)(void* into, Part part, const Term& term), void* into) noexcept;

/// sink(Part, const Term&).
template <class Sink> void visit(const Scenario& scenario, Sink&& sink) noexcept {
  visit(
      scenario, [](void* into, Part part, const Term& term) { (*static_cast<Sink*>(into))(part, term); }, &sink);
}

} // namespace plimsoll::compute
