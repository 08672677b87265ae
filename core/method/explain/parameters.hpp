#pragma once
// The parameters of a model as a tree: kind and layer group, then every tensor with its shape.

#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/model.hpp"

namespace plimsoll {

/// The language model. Its amount is count_parameters(model).
Component parameters_tree(const Model& model);

/// Vision and audio towers and prediction layers, which published counts of the language model leave out.
Component components_tree(const Model& model);

} // namespace plimsoll
