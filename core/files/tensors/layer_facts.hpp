#pragma once
// From the shapes of a layer's tensors to what the layer is made of.

#include "files/tensors/modules.hpp"
#include "plimsoll/method/model.hpp"

#include <span>

namespace plimsoll::io::tensor_files {

/// What shapes alone leave open.
struct Unknowns {
  bool heads = false;       ///< KV width is exact, but stands as one head
  bool experts_used = false;
  bool recurrence = false;  ///< a recurrent layer whose state has an unknown size
};

/// The layer, with everything that shapes tell. What they leave open is added to `unknowns`.
Layer layer_from_shapes(std::span<const Module> modules, Count hidden_size, Unknowns& unknowns);

/// The first tensor of that kind and name that is no bias; null when there is none.
const Module* find_module(std::span<const Module> modules, TensorKind kind, std::string_view name) noexcept;

/// Whether a module belongs to attention over the output of an encoder.
bool is_cross(const Module& module) noexcept;

/// Sets Tensor::split, units and active from the layer.
void cut_tensors(std::span<Module> modules, const Layer& layer);

} // namespace plimsoll::io::tensor_files
