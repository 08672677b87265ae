// "lora" and "quant": what trains, and how the frozen weights beside it are stored.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::accuracy::measured_training {

namespace {

constexpr int kWhole = 0x10000; ///< modules that train as a whole beside the adapters
constexpr int kInferred = 0x20000;
constexpr int kUntold = 0x40000;

// Meanings are sets of TuningTarget. Qwen 1's names: w1 and w2 are up and gate, attn.c_proj the output map (modeling_qwen.py).
constexpr Phrase kTargets[] = {
    {"q", kTargetQuery},
    {"k", kTargetKey},
    {"v", kTargetValue},
    {"o", kTargetOutput},
    {"q proj", kTargetQuery},
    {"k proj", kTargetKey},
    {"v proj", kTargetValue},
    {"o proj", kTargetOutput},
    {"output proj", kTargetOutput},
    {"gate", kTargetGate},
    {"up", kTargetUp},
    {"down", kTargetDown},
    {"gate proj", kTargetGate},
    {"up proj", kTargetUp},
    {"down proj", kTargetDown},
    {"qkv", kTargetQuery | kTargetKey | kTargetValue},
    {"qkv proj", kTargetQuery | kTargetKey | kTargetValue},
    {"c attn", kTargetQuery | kTargetKey | kTargetValue},
    {"c attn qkv", kTargetQuery | kTargetKey | kTargetValue},
    {"attn c proj", kTargetOutput},
    {"c proj", kTargetOutput | kTargetDown},
    {"w1", kTargetUp},
    {"w2", kTargetGate},
    {"mlp", kTargetMlp},
    {"attention", kTargetAttention},
    {"attn", kTargetAttention},
    {"all linear", kTargetAllLinear},
    {"all attention and mlp", kTargetAllLinear},
    {"head", kTargetHead},
    {"lm head", kTargetHead},
    {"wte", kTargetEmbedding},
    {"embed tokens", kTargetEmbedding},
    {"wte and lm head fully trained", kWhole},
    {"fully trained", kWhole},
    {"inferred", kInferred},
    {"default", kUntold},
    {"recipe default", kUntold},
    {"all", kTargetAllLinear},
    {"peft default", kNothing},
    {"yaml default", kNothing},
    {"rows of fused qkv", kNothing},
    {"example script", kNothing},
    {"and", kNothing},
    {"proj", kNothing},
    {"model language model layers d mlp cross attn self attn up down gate q k v o proj", kTargetAllLinear}, // a pattern
};

struct Method {
  std::string_view text; ///< letters of the row's method
  TuningMethod method;
};
constexpr Method kMethods[] = {
    {"lora", TuningMethod::lora},           {"rslora", TuningMethod::lora},    {"pissa", TuningMethod::lora},
    {"qlora", TuningMethod::lora},          {"dora", TuningMethod::dora},      {"ia3", TuningMethod::ia3},
    {"prompttuning", TuningMethod::prompt}, {"prefixtuning", TuningMethod::prefix}, {"lntuning", TuningMethod::norms},
    {"bottleneck", TuningMethod::bottleneck},
};

std::string targets_text(const Json& lora) {
  const Json* targets = member_of(lora, "targets");
  if (targets == nullptr) return {};
  if (targets->is_string()) return targets->get<std::string>();
  std::string text;
  if (targets->is_array())
    for (const Json& target : *targets) text += target.is_string() ? target.get<std::string>() + ", " : quoted(target) + ", ";
  return text;
}

void read_targets(const std::string& text, MeasuredRow& into) {
  const Understood words = understand(text, kTargets);
  if (!words.rest.empty()) return into.decline(not_understood("lora", text, words.rest));
  std::uint32_t targets = 0;
  for (const int meaning : words.meanings) targets |= static_cast<std::uint32_t>(meaning);
  if ((targets & kWhole) != 0) return into.decline("Modules that train as a whole beside the adapters have no field: " + quoted(std::string_view{text}) + ".");
  if ((targets & kUntold) != 0 || targets == 0) return into.decline("The row does not tell which maps get adapters.");
  if ((targets & kInferred) != 0) into.assumed.push_back("Adapters are on \"" + text + "\", as the row infers.");
  into.inputs.tuning.targets = targets & ~static_cast<std::uint32_t>(kInferred);
}

} // namespace

void read_tuning(const Json& row, MeasuredRow& into) {
  const Json* lora = member_of(row, "lora");
  if (lora == nullptr) {
    if (contains_word(text_of(row, "category"), "lora") || contains_word(text_of(row, "category"), "qlora") || contains_word(text_of(row, "category"), "peft"))
      into.decline("The row names no adapter.");
    if (into.profile == "peft") into.profile = "pytorch"; // nothing of PEFT runs where every parameter trains
    return;
  }
  Tuning& tuning = into.inputs.tuning;
  const std::string method = letters_of(text_of(*lora, "method"));
  const auto known = std::ranges::find(kMethods, method, &Method::text);
  tuning.method = TuningMethod::lora;
  if (known != std::end(kMethods)) tuning.method = known->method;
  else if (!method.empty()) return into.decline(not_covered_text("lora", text_of(*lora, "method")));
  if (const Json* dora = member_of(*lora, "dora"); dora != nullptr && dora->is_boolean() && dora->get<bool>()) tuning.method = TuningMethod::dora;
  if (const Json* dropout = member_of(*lora, "dropout")) tuning.adapter_dropout = dropout->is_number() && dropout->get<double>() > 0;
  else if (into.profile == "litgpt") {
    tuning.adapter_dropout = true; // litgpt/finetune/lora.py, lora_dropout
    into.assumed.push_back("Dropout in front of the adapters, as in LitGPT's recipes.");
  } else into.assumed.push_back("No dropout in front of the adapters.");

  const bool has_matrices = tuning.method == TuningMethod::lora || tuning.method == TuningMethod::dora || tuning.method == TuningMethod::bottleneck;
  if (has_matrices) {
    const std::optional<std::int64_t> rank = number_of(*lora, "rank");
    if (!rank || *rank < 1) return into.decline("The row does not tell the rank of the adapters.");
    tuning.rank = *rank;
    const std::string targets = targets_text(*lora);
    if (targets.empty()) return into.decline("The row does not tell which maps get adapters.");
    read_targets(targets, into);
  }
  if (tuning.method == TuningMethod::prompt || tuning.method == TuningMethod::prefix) {
    // Their parameters are tokens × width: learned vectors of the hidden size, or keys and values of every layer.
    const std::optional<std::int64_t> trainable = number_of(*lora, "trainable");
    Count width = into.inputs.model.hidden_size;
    if (tuning.method == TuningMethod::prefix) {
      width = Count{0};
      for (const LayerGroup& group : into.inputs.model.groups)
        width += Count{2} * group.layers * group.attention.kv_heads * group.attention.head_dim;
    }
    if (!trainable || *trainable <= 0 || width <= Count{0} || *trainable % width.value != 0)
      return into.decline("The row does not tell how many virtual tokens are learned.");
    tuning.virtual_tokens = *trainable / width.value;
  }
}

void read_base(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "quant");
  if (into.inputs.tuning.method == TuningMethod::full) {
    if (!text.empty()) into.decline("Quantised weights that train as a whole are not covered.");
    return;
  }
  if (text.empty()) return store_base(into.inputs.strategy.regime == Regime::fp32 || into.inputs.strategy.regime == Regime::mixed_bf16 || into.inputs.strategy.regime == Regime::sharded_bf16 ? "fp32" : "bf16", into);
  enum Meaning : int { kNf4, kDouble, kGptq4, kGptq8, kTorchao, kInt8 };
  constexpr Phrase kPhrases[] = {
      {"nf4", kNf4},          {"nf4 dq", kDouble},        {"double quant", kDouble},   {"dq", kDouble},         {"gptq int4", kGptq4},
      {"gptq int8", kGptq8},  {"torchao", kTorchao},      {"int8", kInt8},             {"bnb", kNothing},       {"bf16 quant storage", kNothing},
      {"bf16 storage", kNothing}, {"bnb.nf4", kNf4},
  };
  const Understood words = understand(text, kPhrases);
  if (!words.rest.empty() || words.meanings.empty()) return into.decline(not_understood("quant", text, words.rest.empty() ? text : words.rest));
  if (words.says(kGptq4) || words.says(kGptq8)) {
    into.assumed.push_back("GPTQ groups have 128 weights.");
    return store_base(words.says(kGptq4) ? "gptq_4bit_g128" : "gptq_8bit_g128", into);
  }
  if (words.says(kInt8)) return store_base("int8_bnb", into);
  if (!words.says(kTorchao)) read_bitsandbytes({text_of(row, "framework"), text, text_of(row, "notes")}, into);
  // torchao's NF4Tensor quantises its scales too (torchao/dtypes/nf4tensor.py).
  store_base(words.says(kDouble) || words.says(kTorchao) ? "nf4_double_quant" : "nf4", into);
}

} // namespace plimsoll::io::accuracy::measured_training
