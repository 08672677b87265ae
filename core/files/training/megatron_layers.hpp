#pragma once
// Layers that are no plain attention and MLP: hybrid stacks, latent and linear attention, experts, prediction depths.

#include "files/training/megatron_shared.hpp"

namespace plimsoll::io::configs {

/// Sets what attention, experts and prediction need, and the config that says what no input of its own says. After the frame: widths,
/// norm and MLP.
void read_megatron_layers(Document& document, RequestBuilder& draft, MegatronDialect dialect);

} // namespace plimsoll::io::configs
