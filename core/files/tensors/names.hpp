#pragma once
// What a tensor's name says: which layer of which stack, which module, and which of the module's parts.

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

/// "model.layers.3.mlp.experts.17.up_proj.qweight" = {"model.layers", 3, "mlp.experts.*.up_proj", "qweight"}
struct TensorName {
  std::string_view stack;  ///< what stands before the layer's number; "" outside layers
  std::int64_t layer = -1; ///< -1 outside layers
  std::string module;      ///< "*" for the number of an expert
  std::string_view part;   ///< "weight", "bias", "qweight", ...; "" when the module is the tensor itself ("A_log")
  bool expert = false;     ///< the name has the number of an expert
};

TensorName parse_name(std::string_view name);

/// The last component of a dotted name.
std::string_view last_component(std::string_view dotted) noexcept;
/// What stands before it; "" when there is one component.
std::string_view parent_of(std::string_view dotted) noexcept;
/// Whether one of the components, split at '.', is `component`.
bool has_component(std::string_view dotted, std::string_view component) noexcept;

} // namespace plimsoll::io::tensor_files
