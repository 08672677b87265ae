#include "files/tensors/modules.hpp"

#include "files/tensors/ggml_types.hpp"
#include "files/tensors/safetensors.hpp"
#include "files/tensors/unpack.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::int64_t kBitsPerByte = 8;
constexpr std::int64_t kWordBits = 32;

/// The block of a dtype without what ggml's rows have besides: {1, 0} when it is not known.
std::pair<std::int64_t, std::int64_t> block_of(const std::string& dtype, const GgmlType* type) noexcept {
  if (type) return {type->block_elements, type->block_bytes};
  const int bits = bits_of(dtype);
  return bits % kBitsPerByte == 0 ? std::pair<std::int64_t, std::int64_t>{1, bits / kBitsPerByte}
                                  : std::pair<std::int64_t, std::int64_t>{kBitsPerByte, bits};
}

/// "Q4 K" as ids write it: "q4_k".
std::string id_of(std::string_view name) {
  std::string id = lower_case(name);
  std::ranges::replace(id, ' ', '_');
  return id;
}

/// Which side of the map is as wide as the model.
int hidden_side(const Role& role) noexcept {
  switch (role.cut) {
    case Cut::query_rows:
    case Cut::key_rows:
    case Cut::channel_rows: return role.name == "q_b_proj" || role.name == "kv_b_proj" || role.name == "dt_proj" ? 0 : 1;
    case Cut::query_columns:
    case Cut::channel_columns: return role.name == "x_proj" ? 0 : 2;
    case Cut::none: break;
  }
  return 0;
}

std::string_view bias_name(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 16> kNames = {"q_proj.bias",  "k_proj.bias",       "v_proj.bias",  "qkv_proj.bias",
                                                       "o_proj.bias",  "gate_proj.bias",    "up_proj.bias", "down_proj.bias",
                                                       "gate.bias",    "gate_up_proj.bias", "conv1d.bias",  "dt_proj.bias",
                                                       "in_proj.bias", "out_proj.bias",     "norm.bias",    "lm_head.bias"};
  for (const std::string_view known : kNames)
    if (known.size() == name.size() + 5 && known.starts_with(name)) return known;
  return "bias";
}

/// A plain tensor as the model's tensors are described: experts in one tensor become copies, and what is no matrix says so.
void shape_plain(const Part& part, const Role& role, Tensor& tensor) {
  const std::vector<std::int64_t>& shape = part.tensor->shape;
  const bool stacked =
      role.kind == TensorKind::experts && !part.expert && shape.size() >= 2 && (shape.size() == 3 || part.part == "bias");
  const std::size_t first = stacked ? 1 : 0;
  tensor.copies = Count{part.count} * Count{stacked ? shape[0] : 1};
  tensor.rows = first < shape.size() ? Count{shape[first]} : Count{1};
  tensor.columns = Count{1};
  for (std::size_t i = first + 1; i < shape.size(); ++i) tensor.columns = tensor.columns * Count{shape[i]};
  tensor.matrix = shape.size() == first + 2 && role.kind != TensorKind::positions && part.part != "bias" &&
                  role.name != "conv1d" && role.name != "A_log";
}

/// How a plain tensor is stored, by rows of its last dimension.
WeightFormat plain_format(const Part& part, Tensor& tensor) {
  const GgmlType* type = find_ggml_type(std::string_view{part.tensor->dtype});
  const auto [elements, bytes] = block_of(part.tensor->dtype, type);
  if (elements > 1 && tensor.columns.value % elements != 0) std::swap(tensor.rows, tensor.columns); // a vector in blocks
  WeightFormat format;
  format.id = id_of(part.tensor->dtype);
  format.name = part.tensor->dtype;
  format.parts = {{.columns = Count{elements}, .bytes = Bytes{bytes}}};
  if (type && type->row_bytes > 0) format.parts.push_back({.columns = Count{0}, .bytes = Bytes{type->row_bytes}});
  return format;
}

Module plain_module(const Part& part, const Role& role) {
  Module module{.path = part.module, .role = role, .bytes = Count{part.count} * part.tensor->bytes};
  module.tensor.name = part.part == "bias" ? bias_name(role.name) : role.name;
  module.tensor.kind = role.kind;
  shape_plain(part, role, module.tensor);
  module.format = plain_format(part, module.tensor);
  return module;
}

Module packed_module(const PartList& list, const Unpacked& unpacked, const Role& role) {
  const Part& payload = *unpacked.payload;
  Module module{.path = payload.module, .role = role};
  module.tensor.name = role.name;
  module.tensor.kind = role.kind;
  module.tensor.rows = Count{unpacked.rows};
  module.tensor.columns = Count{unpacked.columns};
  std::int64_t matrices = 0; // experts whose numbers have different widths are separate parts of one name
  std::vector<const Part*> others;
  for (const Part* part : list.parts) {
    if (part->part == "bias") continue; // a vector of its own
    module.bytes += Count{part->count} * part->tensor->bytes;
    if (part->part == payload.part) matrices += part->count;
    if (part != &payload) others.push_back(part);
  }
  module.tensor.copies = Count{matrices} * Count{unpacked.copies};
  std::string id = id_of(*unpacked.scheme ? unpacked.scheme : payload.tensor->dtype.c_str());
  module.format = layout_of(std::move(id), unpacked, Bytes{payload.tensor->bytes.value / unpacked.copies}, others);
  module.format.name = *unpacked.scheme ? unpacked.scheme : payload.tensor->dtype;
  return module;
}

/// Modules of the layer in the order in which they first appear, with their parts.
std::vector<PartList> lists_of(const LayerParts& layer) {
  std::vector<PartList> lists;
  std::unordered_map<std::string_view, std::size_t> known;
  for (const Part& part : layer.parts) {
    const auto [at, is_new] = known.emplace(part.module, lists.size());
    if (is_new) lists.emplace_back();
    lists[at->second].parts.push_back(&part);
  }
  return lists;
}

/// Parts that hold no numbers of their own when the module has others: scales of one linear map.
bool is_alone(const PartList& list) noexcept {
  return std::ranges::all_of(
      list.parts, [](const Part* part) { return part->part == "weight" || part->part == "bias" || part->part.empty(); });
}

std::vector<std::string_view> recurrent_parents(const LayerParts& layer) {
  std::vector<std::string_view> parents;
  for (const Part& part : layer.parts)
    if (marks_recurrence(last_component(part.module))) {
      const std::string_view parent = parent_of(part.module);
      if (std::ranges::find(parents, parent) == parents.end() && parents.size() < 8) parents.push_back(parent);
    }
  return parents;
}

/// Whether the maps that a GGUF file calls attn_* belong to linear attention: Gated DeltaNet has no attn_output, Kimi Delta
/// Attention has convolutions over queries. llama.cpp, src/models/qwen3next.cpp, kimi-linear.cpp.
bool has_linear_attention(const LayerParts& layer) {
  bool state = false, output = false, convolved = false;
  for (const Part& part : layer.parts) {
    state = state || part.module == "ssm_a";
    output = output || part.module == "attn_output";
    convolved = convolved || part.module == "ssm_conv1d_q";
  }
  return convolved || (state && !output);
}

} // namespace

std::vector<Module> modules_of(const LayerParts& layer, Packing& packing) {
  std::vector<Module> modules;
  const std::vector<std::string_view> parents = recurrent_parents(layer);
  const TensorKind stack = layer.number < 0 ? TensorKind::embedding : stack_kind(layer.stack);
  const bool linear = has_linear_attention(layer);
  for (const PartList& list : lists_of(layer)) {
    const std::string_view path = list.parts.front()->module;
    const std::string_view parent = parent_of(path);
    const bool recurrent = !parent.empty() && std::ranges::find(parents, parent) != parents.end();
    Role role = layer.number < 0 ? role_outside(path) : role_in_layer(path, recurrent);
    if (linear) role = as_recurrence(role);
    if (stack != TensorKind::embedding) role = {role_outside(layer.stack).name, stack, Cut::none};
    const Unpacked unpacked = is_alone(list) ? Unpacked{} : unpack(list, packing, hidden_side(role));
    if (unpacked.payload) {
      packing.unsure = packing.unsure || !unpacked.sure;
      modules.push_back(packed_module(list, unpacked, role));
      for (const Part* part : list.parts)
        if (part->part == "bias") modules.push_back(plain_module(*part, role));
    } else {
      for (const Part* part : list.parts) modules.push_back(plain_module(*part, role));
    }
  }
  return modules;
}

Packing find_packing(const std::vector<LayerParts>& layers) {
  Packing packing;
  for (const LayerParts& layer : layers)
    for (const Part& part : layer.parts) {
      if (layer.number >= 0) break;
      const Role role = role_outside(part.module);
      const std::vector<std::int64_t>& shape = part.tensor->shape;
      if (role.kind == TensorKind::final_norm && shape.size() == 1) packing.hidden_size = shape[0];
      else if (role.kind == TensorKind::embedding && role.name == "embed_tokens" && shape.size() == 2 &&
               packing.hidden_size == 0 && part.part == "weight" && part.tensor->dtype != "U32" && part.tensor->dtype != "U8")
        packing.hidden_size = shape[1];
    }
  // The first packed map from the model's width tells the group size and the bits of all.
  std::size_t looked = 0;
  for (const LayerParts& layer : layers) {
    if (layer.number < 0 || stack_kind(layer.stack) != TensorKind::embedding) continue;
    for (const PartList& list : lists_of(layer)) {
      if (is_alone(list)) continue;
      const Role role = role_in_layer(list.parts.front()->module, false);
      const Unpacked unpacked = unpack(list, packing, hidden_side(role));
      if (packing.scheme.empty()) packing.scheme = unpacked.scheme;
      if (!unpacked.payload || !unpacked.sure || hidden_side(role) != 1 || packing.bits > 0) continue;
      const std::int64_t words = unpacked.payload->tensor->shape.size() > 1 ? unpacked.payload->tensor->shape[1] : 0;
      const Part* scales = list.find("scales") ? list.find("scales") : list.find("weight_scale");
      const std::int64_t groups = scales && scales->tensor->shape.size() > 1 ? scales->tensor->shape[1] : 0;
      if (groups > 1 && packing.hidden_size % groups == 0) packing.group_size = packing.hidden_size / groups;
      const Count bits = Count{words} * Count{kWordBits};
      if (packing.hidden_size > 0 && words > 0 && words <= packing.hidden_size && !bits.saturated() &&
          bits.value % packing.hidden_size == 0)
        packing.bits = bits.value / packing.hidden_size;
    }
    if (!packing.scheme.empty() || ++looked >= 8) break; // the first layers may be dense and unquantised
  }
  return packing;
}

} // namespace plimsoll::io::tensor_files
