#include "files/training/precision.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace plimsoll::io::configs {

namespace {

struct Pair {
  std::string_view word, choice;
};

/// The first row of a choice is the one that is written.
constexpr std::array kOptimizers{
    Pair{"adamw_torch_fused", "adamw_fused"},      Pair{"adamw_apex_fused", "adamw_fused"},    Pair{"adamw_torch", "adamw_foreach"},
    Pair{"adopt_adamw", "adamw_foreach"},          Pair{"adamw_hf", "adamw_forloop"},             Pair{"adamw_8bit", "adamw_8bit"},           Pair{"adamw_bnb_8bit", "adamw_8bit"},
    Pair{"adamw_torch_8bit", "adamw_8bit"},        Pair{"ao_adamw_8bit", "adamw_8bit"},       Pair{"adamw_torch_4bit", "adamw_4bit"}, Pair{"ao_adamw_4bit", "adamw_4bit"}, Pair{"paged_adamw_32bit", "paged_adamw"},   Pair{"paged_adamw", "paged_adamw"},
    Pair{"paged_adamw_8bit", "paged_adamw_8bit"},  Pair{"adafactor", "adafactor"},             Pair{"lion_32bit", "lion"},
    Pair{"lion_pytorch", "lion"},                  Pair{"lion", "lion"},                       Pair{"lion_8bit", "lion_8bit"},
    // bitsandbytes keeps one state of any optimizer alike (optim/optimizer.py, Optimizer1State); schedule-free Adam has an average of the
    // weights in place of the momentum, and makes one copy to divide by (facebookresearch/schedule_free).
    Pair{"rmsprop_bnb", "lion"},                   Pair{"rmsprop_bnb_32bit", "lion"},          Pair{"rmsprop_bnb_8bit", "lion_8bit"},
    Pair{"schedule_free_adamw", "adamw_foreach"},  Pair{"schedule_free_radam", "adamw_foreach"},
    Pair{"sgd", "sgd"},                            Pair{"galore_adamw", "galore"},             Pair{"apollo_adamw", "apollo"},
    Pair{"lomo", "lomo"},                          Pair{"adalomo", "adalomo"}};

struct Target {
  std::string_view name;
  std::uint32_t maps;
};
constexpr std::array kTargets{
    Target{"q_proj", kTargetQuery},       Target{"k_proj", kTargetKey},      Target{"v_proj", kTargetValue},
    Target{"o_proj", kTargetOutput},      Target{"out_proj", kTargetOutput}, Target{"output_proj", kTargetOutput},
    Target{"dense", kTargetOutput},       Target{"gate_proj", kTargetGate},  Target{"up_proj", kTargetUp},
    Target{"down_proj", kTargetDown},     Target{"gate_up_proj", kTargetGate | kTargetUp},
    Target{"fc1", kTargetUp},             Target{"fc2", kTargetDown},        Target{"dense_h_to_4h", kTargetUp},
    Target{"dense_4h_to_h", kTargetDown}, Target{"w1", kTargetGate},         Target{"w3", kTargetUp},
    Target{"w2", kTargetDown},
    Target{"qkv_proj", kTargetQuery | kTargetKey | kTargetValue},
    Target{"query_key_value", kTargetQuery | kTargetKey | kTargetValue},
    Target{"c_attn", kTargetQuery | kTargetKey | kTargetValue},
    Target{"W_pack", kTargetQuery | kTargetKey | kTargetValue},
    Target{"linear_qkv", kTargetQuery | kTargetKey | kTargetValue},
    Target{"in_proj_qkvz", kTargetMixer}, Target{"in_proj_ba", kTargetMixer},    Target{"in_proj_qkv", kTargetMixer},
    Target{"in_proj_z", kTargetMixer},    Target{"in_proj_b", kTargetMixer},     Target{"in_proj_a", kTargetMixer},
    Target{"x_proj", kTargetMixer},       Target{"dt_proj", kTargetMixer},       Target{"output", kTargetHead},
    Target{"linear_proj", kTargetOutput}, Target{"linear_fc1", kTargetGate | kTargetUp}, Target{"linear_fc2", kTargetDown}};

constexpr std::uint32_t kLayerMaps = kTargetAttention | kTargetMlp;

} // namespace

std::string_view precision_of(const StatedPrecision& precision) noexcept {
  if (precision.deepspeed) return precision.bf16 ? "master_bf16" : precision.fp16 ? "master_fp16" : "fp32";
  const bool raised = precision.fsdp && !precision.frozen;
  if (precision.bf16) return precision.half_weights && !raised ? "bf16" : precision.fsdp ? "sharded_bf16" : "mixed_bf16";
  if (precision.fp16) return "mixed_fp16";
  return precision.half_weights ? "bf16" : "fp32";
}

std::string_view dtype_word(std::string_view text) noexcept {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  if (text == "bfloat16" || text == "bf16") return "bf16";
  if (text == "float16" || text == "fp16" || text == "half") return "fp16";
  if (text == "float32" || text == "fp32" || text == "float") return "fp32";
  return "";
}

std::string_view optimizer_of(std::string_view word) noexcept {
  const auto at = std::ranges::find(kOptimizers, word, &Pair::word);
  return at == kOptimizers.end() ? "" : at->choice;
}

std::string_view optimizer_word(std::string_view choice) noexcept {
  const auto at = std::ranges::find(kOptimizers, choice, &Pair::choice);
  return at == kOptimizers.end() ? "" : at->word;
}

std::string known_optimizers() {
  std::vector<std::string> words;
  for (const Pair& pair : kOptimizers)
    if (optimizer_word(pair.choice) == pair.word) words.emplace_back(pair.word);
  return joined_with_or(words);
}

namespace {

/// 0 where the name is not known.
std::uint32_t maps_of_name(std::string_view name) noexcept {
  if (name == "all" || name == "all-linear" || name == "all_linear") return kTargetAllLinear;
  name.remove_prefix(name.rfind('.') + 1); // "linear_attn.in_proj_qkvz"
  const auto at = std::ranges::find(kTargets, name, &Target::name);
  return at != kTargets.end() ? at->maps : targets_of_module(name);
}

} // namespace

std::string targets_of(const std::vector<std::string>& names) {
  std::uint32_t maps = 0;
  for (const std::string& name : names) {
    if (name.ends_with("shared_expert_gate")) continue; // a map to one channel
    const std::uint32_t more = maps_of_name(name);
    if (more == 0) return "";
    maps |= more;
  }
  if (maps == 0) return "";
  return text_of(*find_field("targets"), (maps & kLayerMaps) == kLayerMaps ? maps | kTargetAllLinear : maps);
}

std::vector<std::string> target_names(std::string_view choice) {
  const Choice* const row = find_choice(*find_field("targets"), choice);
  std::vector<std::string> names;
  if (row == nullptr) return names;
  for (const std::string_view name : {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"})
    if ((std::ranges::find(kTargets, name, &Target::name)->maps & static_cast<std::uint32_t>(row->value)) != 0) names.emplace_back(name);
  return names;
}

} // namespace plimsoll::io::configs
