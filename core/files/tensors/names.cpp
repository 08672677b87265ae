#include "files/tensors/names.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::tensor_files {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostDigits = 6;

bool is_number(std::string_view text) noexcept {
  return !text.empty() && text.size() <= kMostDigits && text.find_first_not_of("0123456789") == text.npos;
}

std::int64_t number_of(std::string_view digits) noexcept {
  std::int64_t number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

template <std::size_t n> bool among(const std::array<std::string_view, n>& names, std::string_view name) noexcept {
  return std::ranges::find(names, name) != names.end();
}

/// Components that a layer's number follows: transformers, GPT-2, GGUF, T5, MPT, BERT.
constexpr std::array kStacks = {"layers"sv, "blk"sv, "h"sv, "block"sv, "blocks"sv, "layer"sv};
/// Components that an expert's number follows: transformers; GGUF files of 2023.
constexpr std::array kExperts = {"experts"sv, "ffn_gate"sv, "ffn_up"sv, "ffn_down"sv};

// The parts of one linear map: plain; GPTQ and AWQ; compressed-tensors and FP8; bitsandbytes; ExLlama 2 and 3; MLX; llama.cpp
// NVFP4.
constexpr std::array kParts = {
    "weight"sv, "bias"sv,
    "qweight"sv, "qzeros"sv, "scales"sv, "g_idx"sv,
    "weight_packed"sv, "weight_scale"sv, "weight_scale_inv"sv, "weight_scale_2"sv, "weight_global_scale"sv, "weight_zero_point"sv,
    "weight_shape"sv, "weight_g_idx"sv, "input_scale"sv, "input_global_scale"sv, "input_zero_point"sv, "output_scale"sv,
    "k_scale"sv, "v_scale"sv, "q_scale"sv,
    "SCB"sv, "weight_format"sv,
    "q_weight"sv, "q_scale_max"sv, "q_groups"sv, "q_group_map"sv, "q_perm"sv, "q_invperm"sv,
    "trellis"sv, "suh"sv, "svh"sv, "su"sv, "sv"sv, "mcg"sv, "mul1"sv,
    "biases"sv,
    "scale"sv};

/// "mlp.experts.down_proj_blocks": the part is glued to the name (gpt-oss).
constexpr std::array kGlued = {"blocks"sv, "scales"sv, "bias"sv};

void split_part(std::string_view rest, TensorName& name, std::string_view& module) {
  // bitsandbytes: "q_proj.weight.absmax", "q_proj.weight.quant_state.bitsandbytes__nf4"
  if (const std::size_t at = rest.find(".weight."); at != rest.npos) {
    module = rest.substr(0, at);
    name.part = rest.substr(at + 8);
    return;
  }
  const std::string_view last = last_component(rest);
  if (last.size() < rest.size() && among(kParts, last)) {
    module = rest.substr(0, rest.size() - last.size() - 1);
    name.part = last;
    return;
  }
  module = rest;
  if (const std::size_t at = last.rfind('_'); at != last.npos && at > 0 && among(kGlued, last.substr(at + 1)) &&
                                              !last.starts_with("e_score") && !last.starts_with("dt_")) {
    name.part = last.substr(at + 1);
    module = rest.substr(0, rest.size() - name.part.size() - 1);
  }
}

} // namespace

std::string_view last_component(std::string_view dotted) noexcept {
  const std::size_t at = dotted.rfind('.');
  return at == dotted.npos ? dotted : dotted.substr(at + 1);
}

std::string_view parent_of(std::string_view dotted) noexcept {
  const std::size_t at = dotted.rfind('.');
  return at == dotted.npos ? std::string_view{} : dotted.substr(0, at);
}

bool has_component(std::string_view dotted, std::string_view component) noexcept {
  for (std::size_t at = dotted.find(component); at != dotted.npos; at = dotted.find(component, at + 1)) {
    const std::size_t end = at + component.size();
    if ((at == 0 || dotted[at - 1] == '.') && (end == dotted.size() || dotted[end] == '.')) return true;
  }
  return false;
}

TensorName parse_name(std::string_view name) {
  TensorName parsed;
  std::string_view rest = name, previous;
  std::size_t expert_begin = name.npos, expert_end = 0;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view component = name.substr(begin, end - begin);
    if (is_number(component) && end < name.size()) {
      if (parsed.layer < 0 && among(kStacks, previous)) {
        parsed.stack = name.substr(0, begin - 1);
        parsed.layer = number_of(component);
        rest = name.substr(end + 1);
      } else if (among(kExperts, previous)) {
        expert_begin = begin;
        expert_end = end;
      }
    }
    previous = component;
    begin = end + 1;
  }
  std::string_view module;
  split_part(rest, parsed, module);
  const std::size_t start = static_cast<std::size_t>(module.data() - name.data());
  parsed.expert = expert_begin != name.npos && expert_begin >= start && expert_end <= start + module.size();
  if (parsed.expert) {
    parsed.module = module.substr(0, expert_begin - start);
    parsed.module += '*';
    parsed.module += module.substr(expert_end - start);
  } else {
    parsed.module = module;
  }
  return parsed;
}

} // namespace plimsoll::io::tensor_files
