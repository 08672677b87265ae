// The configs of huggingface/peft, src/peft/tuners/*/config.py, to our Tuning: a table of whole numbers, and what needs a word.
#include "evidence/peft.hpp"
#include "evidence/rows.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <array>
#include <cctype>

namespace plimsoll::io::accuracy {

namespace {

struct Knob {
  const char* key;
  std::int64_t Tuning::* member;
};

// Keys that mean the same in every config that has them.
constexpr std::array kKnobs{
    Knob{"r", &Tuning::rank}, Knob{"init_r", &Tuning::rank}, Knob{"num_ranks", &Tuning::rank},
    Knob{"num_virtual_tokens", &Tuning::virtual_tokens}, Knob{"adapter_len", &Tuning::virtual_tokens}, Knob{"adapter_layers", &Tuning::prompt_layers},
    Knob{"encoder_hidden_size", &Tuning::encoder_size}, Knob{"encoder_num_layers", &Tuning::encoder_layers},
    Knob{"num_tasks", &Tuning::tasks}, Knob{"n_tasks", &Tuning::tasks}, Knob{"n_skills", &Tuning::vectors}, Knob{"n_splits", &Tuning::splits},
    Knob{"block_size", &Tuning::block_size}, Knob{"oft_block_size", &Tuning::block_size}, Knob{"boft_block_size", &Tuning::block_size},
    Knob{"boft_block_num", &Tuning::blocks}, Knob{"boft_n_butterfly_factor", &Tuning::factors},
    Knob{"gralora_k", &Tuning::blocks}, Knob{"hybrid_r", &Tuning::second_rank}, Knob{"subspace_rank", &Tuning::second_rank},
    Knob{"num_subspaces", &Tuning::vectors}, Knob{"n_frequency", &Tuning::coefficients}, Knob{"u", &Tuning::coefficients},
    Knob{"theta_d_length", &Tuning::coefficients}, Knob{"num_vectors", &Tuning::vectors}, Knob{"vector_length", &Tuning::vector_length},
    Knob{"stride_A", &Tuning::stride}, Knob{"num_B", &Tuning::vectors}, Knob{"depth", &Tuning::depth},
    Knob{"decompose_factor", &Tuning::kronecker_factor}};

// Options that change what trains in ways that Tuning does not know: covered only when absent, null, false or empty.
constexpr std::array kNotCovered{"modules_to_save", "layers_to_transform", "layer_replication", "rank_pattern", "target_parameters",
                                 "trainable_token_indices", "exclude_modules", "n_frequency_pattern", "proportional_parameters",
                                 "use_qalora", "use_bdlora", "arrow_config", "alora_invocation_tokens", "use_dynamic_rank"};

bool is_set(const Json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  return !(value.is_object() || value.is_array() || value.is_string()) || !value.empty();
}

constexpr std::int64_t kMost = 1'000'000'000'000;

void take_knobs(const Json& config, Tuning& tuning) {
  for (const Knob& knob : kKnobs)
    if (const std::optional<std::int64_t> value = number_of(config, knob.key); value && *value >= -1 && *value <= kMost)
      tuning.*knob.member = *value;
}

std::int64_t millionths_of(const Json& config, const char* key) {
  const Json& value = member(config, key);
  if (!value.is_number()) return 0;
  const auto share = value.get<double>();
  return share > 0 && share <= 1 ? static_cast<std::int64_t>(share * 1e6 + 0.5) : 0;
}

PathForm path_of(const std::string& name) {
  if (name == "vector") return PathForm::vector;
  if (name == "constant") return PathForm::constant;
  return name == "none" ? PathForm::none : PathForm::low_rank;
}

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

std::vector<std::string> modules_of(const Json& value) {
  std::vector<std::string> modules;
  if (value.is_string()) modules.push_back(value.get<std::string>());
  if (value.is_array())
    for (const Json& module : value) modules.push_back(module.is_string() ? module.get<std::string>() : "");
  return modules;
}

/// The bits of all modules; nothing when one is unknown.
std::optional<std::uint32_t> targets_of(const std::vector<std::string>& modules, std::string& reason) {
  std::uint32_t targets = 0;
  for (const std::string& module : modules) {
    const std::uint32_t bits = module == "all-linear" ? kTargetAllLinear : targets_of_module(module);
    if (bits == 0) {
      reason = "The target module " + quoted(std::string_view{module}) + " is not covered.";
      return std::nullopt;
    }
    targets |= bits;
  }
  return targets;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  for (const std::string& each : names)
    if (each == name) return true;
  return false;
}

bool take_targets(const Json& config, Tuning& tuning, std::vector<std::string>& assumed, std::string& reason) {
  const bool norms = tuning.method == TuningMethod::norms;
  if (!text_of(tuning.method).per_target && tuning.method != TuningMethod::tinylora && tuning.method != TuningMethod::unilora && !norms) return true;
  const std::vector<std::string> modules = modules_of(member(config, "target_modules"));
  if (modules.empty()) {
    tuning.targets = norms ? kTargetAllNorms : tuning.method == TuningMethod::ia3 ? kTargetKey | kTargetValue | kTargetDown : kTargetQueryValue;
    assumed.push_back("method.target_modules: the library's default for Llama");
    return true;
  }
  const std::optional<std::uint32_t> targets = targets_of(modules, reason);
  if (!targets) return false;
  tuning.targets = *targets;
  if (norms && contains(modules, "input_layernorm") != contains(modules, "post_attention_layernorm")) {
    reason = "Training only some of a layer's norms is not covered.";
    return false;
  }
  return true;
}

/// What a number under one name cannot tell.
bool take_words(const Json& config, const std::string& type, Tuning& tuning, std::string& reason) {
  const std::string init = text_of(config, "init_weights");
  if (type == "LORA") {
    if (flag(config, "use_dora")) tuning.method = TuningMethod::dora;
    if (text_of(config, "init_lora_weights") == "mica") tuning.frozen_half = FrozenHalf::up;
    tuning.adapter_bias = flag(config, "lora_bias");
  } else if (type == "MISS" || type == "BONE") {
    if (init == "bat") tuning.method = TuningMethod::miss_bat;
    tuning.second_rank = init == "mini" ? number_of(config, "mini_r").value_or(1) : 0;
  } else if (type == "OFT") {
    if (tuning.block_size <= 0) tuning.blocks = tuning.rank;
    tuning.share_blocks = flag(config, "block_share");
  } else if (type == "ROAD") {
    const std::string variant = text_of(config, "variant");
    tuning.per_channel = variant == "road_4" ? 4 : variant == "road_2" ? 2 : 1;
  } else if (type == "GLORA") {
    tuning.weight_paths = path_of(text_of(config, "config_A_B"));
    tuning.bias_path = path_of(text_of(config, "config_C"));
    tuning.bias_vectors = path_of(text_of(config, "config_D_E"));
  } else if (type == "TINYLORA") {
    tuning.tying_millionths = millionths_of(config, "weight_tying");
  } else if (type == "FROD") {
    tuning.millionths = millionths_of(config, "sparse_rate");
  } else if (type == "HRA") {
    tuning.orthogonal = flag(config, "apply_GS");
  } else if (type == "DEFT") {
    tuning.removal_only = flag(config, "para");
  } else if (type == "LOKR") {
    tuning.decompose_both = flag(config, "decompose_both");
  } else if (type == "PSOFT") {
    tuning.rotation = flag(config, "psoft_orth", true);
    tuning.full_decomposition = text_of(config, "psoft_svd") != "lowrank";
    tuning.input_scale = flag(config, "psoft_mag_a", true);
    tuning.output_scale = flag(config, "psoft_mag_b", true);
  } else if (type == "PREFIX_TUNING") {
    tuning.encoder = flag(config, "prefix_projection") ? PromptEncoder::mlp : PromptEncoder::none;
  } else if (type == "P_TUNING") {
    tuning.encoder = text_of(config, "encoder_reparameterization_type") == "LSTM" ? PromptEncoder::lstm : PromptEncoder::mlp;
  } else if (type == "CARTRIDGE") {
    tuning.virtual_tokens -= number_of(config, "num_frozen_tokens").value_or(0);
  } else if (type == "TRAINABLE_TOKENS") {
    const Json& indices = member(config, "token_indices");
    if (!indices.is_array() || indices.empty()) {
      reason = "The config lists no token_indices.";
      return false;
    }
    tuning.virtual_tokens = static_cast<std::int64_t>(indices.size());
  } else if (type == "IA3") {
    const std::optional<std::uint32_t> inputs = targets_of(modules_of(member(config, "feedforward_modules")), reason);
    if (!inputs) return false;
    if ((*inputs & ~std::uint32_t{kTargetDown}) != 0 || (*inputs & kTargetDown) != (tuning.targets & kTargetDown)) {
      reason = "IA3 is covered where the maps out of the MLP are its only feedforward_modules.";
      return false;
    }
  }
  return true;
}

bool drops(const Json& config) {
  for (auto at = config.begin(); at != config.end(); ++at)
    if (at.key().ends_with("_dropout") && at.key() != "encoder_dropout" && at.key() != "module_dropout" && at.key() != "rank_dropout" &&
        at->is_number() && at->get<double>() > 0)
      return true;
  return false;
}

} // namespace

std::optional<Tuning> tuning_of(const Json& method, const std::string& optimizer, std::vector<std::string>& assumed, std::string& reason) {
  const std::string type = text_of(method, "peft_type");
  Tuning tuning;
  const std::optional<TuningMethod> known = method_of_peft_type(type);
  if (!known) {
    reason = "The method " + quoted(std::string_view{type}) + " is not covered" +
             (type == "OSF" ? ": its config does not tell how many singular values train." : ".");
    return std::nullopt;
  }
  tuning.method = *known;
  if (*known == TuningMethod::full) return tuning;
  const Json& config = member(method, "config");
  if (!config.is_object()) {
    reason = "The row gives no config of its method.";
    return std::nullopt;
  }
  for (const char* option : kNotCovered)
    if (is_set(member(config, option))) {
      reason = std::string{"The option "} + option + " is not covered.";
      return std::nullopt;
    }
  if (const std::string bias = text_of(config, "bias"); !bias.empty() && bias != "none") {
    reason = "Training the model's own biases is not covered.";
    return std::nullopt;
  }
  take_knobs(config, tuning);
  if (!take_targets(config, tuning, assumed, reason) || !take_words(config, type, tuning, reason)) return std::nullopt;
  tuning.adapter_dropout = drops(config);
  // peft/optimizers/lorafa.py freezes every lora_A.
  if (const std::string name = lower(optimizer); type == "LORA" && (name.find("lora-fa") != std::string::npos || name.find("lorafa") != std::string::npos))
    tuning.frozen_half = FrozenHalf::down;
  return tuning;
}

} // namespace plimsoll::io::accuracy
