#pragma once
// The tensors of a file, put together: the parts of a linear map (packed words, scales, zero points) become one module, and the
// modules of a layer stand together.

#include "files/tensors/names.hpp"
#include "files/tensors/roles.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::tensor_files {

/// Alike tensors of one layer: one, or one for each expert.
struct Part {
  std::string module;
  std::string part;
  const FileTensor* tensor = nullptr; ///< one of them: dtype, shape, bytes
  std::int64_t count = 1;
  bool expert = false; ///< the name has the number of an expert
};

/// What a linear map (or a vector) stands for, and how it is stored.
struct Module {
  std::string_view path; ///< as in the file, within the layer; points into a Part
  Role role;
  Tensor tensor{};       ///< logical shape: unpacked
  Bytes bytes{0};        ///< of all copies, with scales and zero points
  WeightFormat format{}; ///< of one copy: its bytes times the copies are `bytes`
};

/// One layer, or what stands outside layers.
struct LayerParts {
  std::string_view stack; ///< points into the file's names; "" outside layers
  std::int64_t number = -1;
  std::vector<Part> parts; ///< in the order of the file
};

inline constexpr std::size_t kMostLayers = 4096;

/// Every tensor of the file, sorted into layers: outside first, then stack by stack, in the order of the numbers.
std::vector<LayerParts> sort_into_layers(const TensorFile& file);

/// What is known about the packing of a whole file. Packed words do not say how many numbers they hold; the width of the model
/// does.
struct Packing {
  std::int64_t hidden_size = 0; ///< 0 = unknown
  std::int64_t group_size = 0;  ///< numbers along a row that share a scale; 0 = unknown
  std::int64_t bits = 0;        ///< of one packed number; 0 = unknown
  std::string scheme;           ///< the quantisation that was recognised, e.g. "GPTQ"; "" = none
  bool unsure = false;          ///< some packed tensor was counted in words
};

/// Looks for the width of the model and the quantisation.
Packing find_packing(const std::vector<LayerParts>& layers);

/// The modules of one layer. Sets packing.unsure.
std::vector<Module> modules_of(const LayerParts& layer, Packing& packing);

} // namespace plimsoll::io::tensor_files
