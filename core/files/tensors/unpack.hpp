#pragma once
// How quantised checkpoints lay out one linear map in several tensors, and what shape it had before.

#include "files/tensors/modules.hpp"

#include <span>

namespace plimsoll::io::tensor_files {

/// The parts of one module: pointers, first those that hold the numbers.
struct PartList {
  std::vector<const Part*> parts;

  const Part* find(std::string_view name) const noexcept;
  bool has(std::string_view name) const noexcept { return find(name) != nullptr; }
};

struct Unpacked {
  const Part* payload = nullptr; ///< the part that holds the numbers; null when the module is one plain tensor
  std::int64_t rows = 0, columns = 0;
  std::int64_t copies = 1;       ///< matrices in one tensor of `payload`
  const char* scheme = "";       ///< as Packing::scheme
  bool inputs_first = false;     ///< scales and zero points have a row for each group of inputs
  bool sure = true;              ///< false: rows and columns are those of the packed words
};

/// Recognises the layout. `hidden_side`: 1 when the map's input is the model's width, 2 when its output is, 0 when unknown.
Unpacked unpack(const PartList& list, const Packing& packing, int hidden_side);

/// The layout of one of the matrices: exactly the bytes of `payload` (one matrix of it) and of `others`, which hold scales and
/// the like.
WeightFormat layout_of(std::string id, const Unpacked& unpacked, Bytes payload, std::span<const Part* const> others);

} // namespace plimsoll::io::tensor_files
