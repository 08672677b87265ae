#pragma once
// From the layers of a file to the model, its weights, and the rows that people see.

#include "files/tensors/gguf_facts.hpp"
#include "files/tensors/layer_facts.hpp"
#include "files/tensors/modules.hpp"
#include "plimsoll/files/tensor_file.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::io::tensor_files {

/// What a layer of the file belongs to.
enum class Section : unsigned char { outside, layers, prediction, vision, audio };

struct FileLayer {
  const LayerParts* parts = nullptr;
  std::vector<Module> modules{}; ///< sorted by kind, then path
  Section section = Section::outside;
  Layer layer{};               ///< of Section::layers
  std::size_t group = 0;       ///< of Section::layers: index into Model::groups
};

/// Sorts modules, tells sections apart, and reads what each layer is made of. `gguf` may be null.
std::vector<FileLayer> read_layers(const std::vector<LayerParts>& parts, Packing& packing, const GgufFacts* gguf,
                                   Unknowns& unknowns, Report& report);

/// A model whose groups follow from the layers and whose tensors are those of the file. Sets FileLayer::group.
Model assemble_model(std::vector<FileLayer>& layers, Count hidden_size, Count vocab_size);

/// How the tensors of `model` are stored; false when some layout does not give the file's bytes.
bool assemble_weights(const Model& model, const std::vector<FileLayer>& layers, StoredWeights& weights);

/// The layouts of the language model's tensors, by kind and name: ids of the catalogue for a GGUF file, where those of unknown types are left out;
/// for safetensors those of matrices, "unquantised" or "".
std::vector<TensorFormat> tensor_formats(const std::vector<FileLayer>& layers, bool gguf);

/// Rows for people. Every tensor of the file is in one.
std::vector<TensorGroup> list_groups(const std::vector<FileLayer>& layers, const Model& model);

} // namespace plimsoll::io::tensor_files
