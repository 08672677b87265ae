// The names that people read for categories and moments.
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/estimate.hpp"

namespace plimsoll {

const PartText& text_of(Part part) noexcept {
  static constexpr PartText kTexts[kParts] = {
      {"memory.weights", "Weights", "The model's parameters in the form the GPU computes with."},
      {"memory.gradients", "Gradients", "One number per trained parameter, made during the backward pass."},
      {"memory.optimizer", "Optimizer states", "What the optimizer remembers of each parameter between steps."},
      {"memory.activations", "Activations", "What the forward pass keeps for the backward pass, and that pass's temporaries."},
      {"memory.loss", "Logits and loss", "Vocabulary-wide tensors around the cross-entropy."},
      {"memory.buffers", "Communication buffers", "Buckets in which gradients are averaged between replicas."},
      {"memory.kv_cache", "KV cache", "Keys and values of every token that can still be attended to."},
      {"memory.workspace", "Forward pass", "Activations, logits and sampling of one pass of the engine."},
      {"memory.runtime", "Runtime", "Driver context, loaded kernels and library workspaces."},
      {"memory.models", "Other models", "What reference, reward model, critic, teacher and the engine's copy of the weights hold."},
  };
  return kTexts[static_cast<std::size_t>(part)];
}

const MomentText& text_of(Moment moment) noexcept {
  static constexpr MomentText kTexts[] = {
      {"prefill", "prefill", "in prefill", "A prompt is read, at most prefill_tokens tokens in one pass, while the cache is full."},
      {"decode", "decode", "in decode", "One token per sequence, while the cache is full."},
      {"rollout", "rollout", "in the rollout", "Answers are generated: the cache is full, everything else is resident."},
      {"scoring", "scoring", "in scoring", "A model without gradients reads the answers: its pass and logits, beside everything that is resident."},
      {"forward_end", "end of the forward pass", "at the end of the forward pass", "All activations are kept and the loss has just been computed."},
      {"loss_backward", "backward of the loss", "in the backward of the loss", "Gradients of the logits exist beside the logits; all activations are kept."},
      {"head_backward", "backward of the output head", "in the backward of the output head", "The head's gradient is computed; all activations are kept."},
      {"last_layer_backward", "backward of the last layer", "in the backward of the last layer", "The first layer to go backward: nearly all activations are kept."},
      {"first_layer_backward", "backward of the first layer", "in the backward of the first layer", "The last layer to go backward: nearly all gradients exist."},
      {"backward_end", "end of the backward pass", "at the end of the backward pass", "All gradients exist and no activations."},
      {"optimizer_step", "optimizer step", "in the optimizer step", "All gradients exist, and what the optimizer makes while it steps."},
      {"between_steps", "between two steps", "between two steps", "Gradients are gone; weights and states stay."},
  };
  return kTexts[static_cast<std::size_t>(moment)];
}

const RoleText& text_of(Role role) noexcept {
  static constexpr RoleText kTexts[kRoles] = {
      {"policy", "The model itself"}, {"reference", "Reference model"}, {"reward", "Reward model"},
      {"critic", "Critic"},           {"teacher", "Teacher"},           {"engine", "Rollout engine"},
      {"draft", "Draft model"},       {"tower", "Tower for images or sound"},
  };
  return kTexts[static_cast<std::size_t>(role)];
}

} // namespace plimsoll
