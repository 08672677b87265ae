#include "files/tensors/unpack.hpp"

#include "files/tensors/safetensors.hpp"

#include <numeric>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::int64_t kWordBits = 32;

std::int64_t size_at(const Part* part, std::size_t dimension) noexcept {
  return part && dimension < part->tensor->shape.size() ? part->tensor->shape[dimension] : 0;
}

std::int64_t product(std::int64_t a, std::int64_t b) noexcept { return (Count{a} * Count{b}).value; }

/// a * b / c when that is whole, else 0.
std::int64_t exactly(std::int64_t a, std::int64_t b, std::int64_t c) noexcept {
  const Count numerator = Count{a} * Count{b};
  return c > 0 && !numerator.saturated() && numerator.value % c == 0 ? numerator.value / c : 0;
}

/// Columns of a row of `words` 32-bit words with `groups` scales. 0 when neither the group size nor the bits are known.
std::int64_t columns_of(std::int64_t words, std::int64_t groups, const Packing& packing, int hidden_side) noexcept {
  if (hidden_side == 1 && packing.hidden_size > 0) return packing.hidden_size;
  if (packing.group_size > 0 && groups > 1) return product(groups, packing.group_size);
  return packing.bits > 0 ? exactly(words, kWordBits, packing.bits) : 0;
}

// GPTQ: arXiv 2210.17323, layout of AutoGPTQ and GPTQModel: inputs packed along rows; AWQ: arXiv 2306.00978, layout of AutoAWQ:
// outputs packed along columns. Both have one scale for each group of inputs and each output.
Unpacked gptq_or_awq(const PartList& list) {
  const Part* words = list.find("qweight");
  const Part* scales = list.find("scales");
  const std::int64_t outputs = size_at(scales, 1);
  Unpacked result{.payload = words, .rows = outputs, .inputs_first = true};
  if (size_at(words, 1) == outputs) {
    result.scheme = "GPTQ";
    const std::int64_t bits = exactly(kWordBits, size_at(list.find("qzeros"), 1), outputs);
    result.columns = list.has("g_idx") ? size_at(list.find("g_idx"), 0)
                     : bits > 0        ? exactly(size_at(words, 0), kWordBits, bits)
                                       : 0;
  } else {
    result.scheme = "AWQ";
    result.columns = size_at(words, 0);
  }
  return result;
}

// compressed-tensors (vLLM): packed 32-bit words along a row; NVFP4 packs two numbers in a byte.
Unpacked compressed(const PartList& list, const Packing& packing, int hidden_side) {
  const Part* words = list.find("weight_packed");
  Unpacked result{.payload = words, .rows = size_at(words, 0), .scheme = "compressed-tensors"};
  if (words->tensor->dtype == "U8") result.columns = product(2, size_at(words, 1)), result.scheme = "NVFP4";
  else result.columns = columns_of(size_at(words, 1), size_at(list.find("weight_scale"), 1), packing, hidden_side);
  return result;
}

// MLX: mlx.core.quantize packs a row into 32-bit words, with a scale and a bias for each group.
Unpacked mlx(const PartList& list, const Packing& packing, int hidden_side) {
  const Part* words = list.find("weight");
  return {.payload = words,
          .rows = size_at(words, 0),
          .columns = columns_of(size_at(words, 1), size_at(list.find("scales"), 1), packing, hidden_side),
          .scheme = "MLX"};
}

// bitsandbytes, 4 bit: all numbers in one column of bytes. Dettmers et al. 2023 (arXiv 2305.14314). The shape stands in the data.
Unpacked nf4(const PartList& list, const Packing& packing, int hidden_side) {
  const Part* bytes = list.find("weight");
  Unpacked result{.payload = bytes, .scheme = "bitsandbytes 4-bit"};
  const std::int64_t numbers = product(2, bytes->tensor->elements.value), h = packing.hidden_size;
  const std::int64_t other = h > 0 ? exactly(numbers, 1, h) : 0;
  if (other == 0) result.rows = numbers, result.columns = 1;
  else if (hidden_side == 2) result.rows = h, result.columns = other;
  else result.rows = other, result.columns = h;
  return result;
}

// MXFP4 as in gpt-oss: experts, rows, blocks of 32, 16 bytes. OCP Microscaling Formats 1.0.
Unpacked mxfp4(const PartList& list) {
  constexpr std::int64_t kBlock = 32;
  const Part* blocks = list.find("blocks");
  return {.payload = blocks,
          .rows = size_at(blocks, 1),
          .columns = product(size_at(blocks, 2), kBlock),
          .copies = size_at(blocks, 0),
          .scheme = "MXFP4"};
}

// ExLlamaV3: tiles of 16 × 16 numbers, inputs first.
Unpacked exl3(const PartList& list) {
  constexpr std::int64_t kTile = 16;
  const Part* tiles = list.find("trellis");
  return {.payload = tiles,
          .rows = product(size_at(tiles, 1), kTile),
          .columns = product(size_at(tiles, 0), kTile),
          .scheme = "EXL3"};
}

/// One number in a byte or more, with scales beside it: FP8, INT8; or NVFP4 of ModelOpt, two in a byte.
Unpacked scaled(const PartList& list) {
  const Part* weight = list.find("weight");
  if (weight->tensor->shape.size() != 2) return {};
  Unpacked result{.payload = weight, .rows = size_at(weight, 0), .columns = size_at(weight, 1)};
  const std::string& dtype = weight->tensor->dtype;
  if (list.has("SCB")) result.scheme = "bitsandbytes 8-bit";
  else if (dtype == "U8" && list.has("weight_scale_2")) result.columns = product(2, result.columns), result.scheme = "NVFP4";
  else if (dtype.starts_with("F8")) result.scheme = "FP8";
  else if (dtype == "I8") result.scheme = "INT8";
  else if (bits_of(dtype) < 16 && bits_of(dtype) > 0) result.sure = false;
  return result;
}

Unpacked recognise_layout(const PartList& list, const Packing& packing, int hidden_side) {
  if (list.has("qweight") && list.has("scales")) return gptq_or_awq(list);
  if (list.has("weight_packed")) return compressed(list, packing, hidden_side);
  if (list.has("blocks") && list.has("scales")) return mxfp4(list);
  if (list.has("trellis")) return exl3(list);
  const Part* weight = list.find("weight");
  if (!weight) return {};
  if (list.has("absmax")) return nf4(list, packing, hidden_side);
  if (weight->tensor->dtype == "U32" && list.has("scales")) return mlx(list, packing, hidden_side);
  if (list.parts.size() > 1) return scaled(list);
  return {};
}

} // namespace

const Part* PartList::find(std::string_view name) const noexcept {
  for (const Part* part : parts)
    if (part->part == name) return part;
  return nullptr;
}

Unpacked unpack(const PartList& list, const Packing& packing, int hidden_side) {
  Unpacked result = recognise_layout(list, packing, hidden_side);
  if (!result.payload) return result;
  const Count numbers = Count{result.copies} * (Count{result.rows} * Count{result.columns});
  if (result.rows > 0 && result.columns > 0 && result.copies > 0 && !numbers.saturated()) return result;
  // Not the layout it looked like: count words, and say so.
  result.rows = result.payload->tensor->elements.value;
  result.columns = result.copies = 1;
  result.sure = false;
  return result;
}

WeightFormat layout_of(std::string id, const Unpacked& unpacked, Bytes payload, std::span<const Part* const> others) {
  WeightFormat format;
  format.id = std::move(id);
  const Count whole{0}; // all rows, or all columns
  const std::int64_t rows = unpacked.rows, columns = unpacked.columns, copies = std::max<std::int64_t>(unpacked.copies, 1);
  if (rows > 0 && columns > 0 && payload.value % rows == 0) {
    const std::int64_t row = payload.value / rows, common = std::gcd(row, columns);
    format.parts.push_back({.columns = Count{columns / common}, .bytes = Bytes{row / common}});
  } else {
    format.parts.push_back({.rows = whole, .columns = whole, .bytes = payload});
  }
  for (const Part* part : others) {
    const std::int64_t bytes = part->tensor->bytes.value / copies; // of one matrix
    const std::int64_t cells = part->tensor->elements.value / copies;
    const std::vector<std::int64_t>& shape = part->tensor->shape;
    std::int64_t down = shape.size() >= 2 ? shape[shape.size() - 2] : 0, across = shape.empty() ? 0 : shape.back();
    if (unpacked.inputs_first) std::swap(down, across);
    if (down > 0 && across > 0 && down <= rows && across <= columns && cells > 0 && bytes % cells == 0) {
      const Count tile_rows = ceil_div(Count{rows}, Count{down}), tile_columns = ceil_div(Count{columns}, Count{across});
      if ((ceil_div(Count{rows}, tile_rows) * ceil_div(Count{columns}, tile_columns)).value == cells) {
        format.parts.push_back({.rows = tile_rows, .columns = tile_columns, .bytes = Bytes{bytes / cells}});
        continue;
      }
    }
    if (rows > 1 && cells == rows && bytes % rows == 0) format.parts.push_back({.columns = whole, .bytes = Bytes{bytes / rows}});
    else if (columns > 1 && cells == columns && bytes % columns == 0)
      format.parts.push_back({.rows = whole, .bytes = Bytes{bytes / columns}});
    else format.parts.push_back({.rows = whole, .columns = whole, .bytes = Bytes{bytes}});
  }
  return format;
}

} // namespace plimsoll::io::tensor_files
