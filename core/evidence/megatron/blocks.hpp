#pragma once
// What a layer of a row can be made of.

#include "evidence/megatron/parts.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io::accuracy {

/// The kinds of blocks that a model has, each as the layer that it is alone, with one norm. What a model lacks stays empty.
struct Blocks {
  explicit Blocks(MegatronDraft& draft);
  Layer attention, mlp, experts, state_space, linear;
};

/// rmsnorm or layernorm, with a bias unless the row says otherwise.
NormKind read_norm(const Section& model);

Mamba2 read_mamba(const Section& model);
GatedDeltaNet read_delta(const Section& model);

/// Megatron norms the latent vectors only with --qk-layernorm, and with the model's own kind of norm
/// (NVIDIA/Megatron-LM, megatron/core/transformer/multi_latent_attention.py).
void adapt_latent(std::vector<Tensor>& tensors, const Section& model);
void adapt_latent(std::vector<ModelTensor>& tensors, const Section& model);

Tensor tensor_of(std::string_view name, TensorKind kind, Count rows, Count columns, bool matrix);

} // namespace plimsoll::io::accuracy
