// MaxText (AI-Hypercomputer/maxtext at e591f30c, src/maxtext/configs/base.yml and types.py): keys that change base.yml, as words of a command or as
// a file that names it as base_config. What a key does that is not read here is not known: it is an error.
#include "files/training/format.hpp"
#include "files/training/maxtext_keys.hpp"
#include "files/training/maxtext_mesh.hpp"
#include "files/training/precision.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::io::configs {

namespace {

bool recognises(const Document& document) {
  const Json* const base = document.peek("base_config");
  return base != nullptr && base->is_string() && base->text().ends_with("base.yml");
}

/// types.py, get_individual_scales: a power of two goes to heads and MLP first, to the width second, to the layers third.
struct Scales {
  int width = 0, heads = 0, layers = 0;
};
Scales scales_of(std::uint64_t scale) {
  const int doublings = std::countr_zero(scale), rounds = doublings / 3, rest = doublings % 3;
  return {rounds + (rest > 1 ? 1 : 0), rounds + (rest > 0 ? 1 : 0), rounds};
}

constexpr std::array<std::string_view, 7> kShape{"base_emb_dim", "base_num_query_heads", "base_num_kv_heads", "base_mlp_dim", "base_num_decoder_layers", "head_dim", "vocab_size"};
constexpr std::int64_t kMostScale = std::int64_t{1} << 24;
constexpr std::array<std::int64_t, 7> kUsual{2048, 16, 16, 7168, 16, 128, 32'000};

/// A model without a name is a Llama of that shape.
void read_shape(Document& document, RequestBuilder& draft) {
  const std::int64_t scale = document.whole("global_parameter_scale").value_or(1);
  if (scale < 1 || scale > kMostScale || !std::has_single_bit(static_cast<std::uint64_t>(scale))) return document.refuse("global_parameter_scale", "a power of 2");
  const Scales scales = scales_of(static_cast<std::uint64_t>(scale));
  const std::array<int, 7> doubled{scales.width, scales.heads, scales.heads, scales.heads, scales.layers, 0, 0};
  constexpr std::array<std::string_view, 7> kFields{"hidden_size", "query_heads", "kv_heads", "intermediate_size", "layers", "head_dim", "vocab_size"};
  draft.set("model", "custom");
  draft.set("mlp_kind", "gated");
  draft.set("norm", "rmsnorm");
  draft.set("tied_embeddings", document.is_on("logits_via_embedding") ? "true" : "false");
  for (std::size_t i = 0; i < kShape.size(); ++i) draft.set(kFields[i], (Count{document.whole(kShape[i]).value_or(kUsual[i])} * Count{std::int64_t{1} << doubled[i]}).value);
  draft.assume("model = custom: no model_name; what is not stated of its shape is as base.yml has it");
  if (const std::string block = document.text("decoder_block"); !block.empty() && block != "llama2") document.refuse("decoder_block", "llama2; name a model for another one");
}

void read_model(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("model_name");
  if (document.is_on("override_model_config")) draft.refuse("override_model_config", "The model has another shape than its name says, which is not read here.", "Import its config.json.");
  if (name.empty() || name == "default") return read_shape(document, draft);
  draft.name_model(name);
}

/// src/maxtext/layers/decoders.py, get_remat_policy. Policies between keep products of matrices by name, which no input says.
void read_recompute(Document& document, RequestBuilder& draft) {
  const std::string policy = document.text("remat_policy");
  bool offloads = false, all = policy.empty() || policy == "full";
  if (policy == "custom") {
    all = true;
    for (const char* name : {"context", "mlpwi", "mlpwi_0", "mlpwi_1", "mlpwo", "moe_mlpwi_0", "moe_mlpwi_1", "moe_mlpwo", "query_proj", "key_proj", "value_proj", "kv_proj", "qkv_proj", "out_proj",
                             "query_wa_proj", "kv_wa_proj", "mla_q", "mla_kv", "attention_out"})
      if (const std::string kept = document.text(name); !kept.empty() && kept != "remat") document.refuse(name, "remat: what layers keep besides their inputs has no input");
    const std::string inputs = document.text("decoder_layer_input");
    offloads = inputs == "offload";
    if (!inputs.empty() && !offloads && inputs != "device") document.refuse("decoder_layer_input", "device or offload");
  }
  if (policy == "none") return draft.set("recompute", "none");
  if (all) return draft.set("recompute", offloads ? "offloaded" : "full");
  document.refuse("remat_policy", "full, none, or custom with inputs of layers alone: other policies keep products of matrices, which no input says");
}

/// optax.adamw keeps both moments as the weights are (src/maxtext/optimizers/optimizers.py).
void read_numbers(Document& document, RequestBuilder& draft) {
  const std::string weights = document.text("weight_dtype"), numbers = document.text("dtype"), gradients = document.text("grad_dtype"), moment = document.text("mu_dtype");
  const std::string_view stored = weights.empty() ? "fp32" : dtype_word(weights), computed = numbers.empty() ? "bf16" : dtype_word(numbers);
  if (stored == "fp32" && computed == "bf16") draft.set("precision", "sharded_bf16");
  else if (stored == computed && (stored == "bf16" || stored == "fp32")) draft.set("precision", stored);
  else document.refuse(weights.empty() ? "dtype" : "weight_dtype", "float32 or bfloat16, with dtype bfloat16, or float32 beside float32 weights");
  const std::string_view gradient = gradients.empty() ? "fp32" : dtype_word(gradients);
  if (gradient == "fp32" || gradient == "bf16") draft.set("gradient_dtype", gradient == "fp32" ? "fp32" : "half");
  else document.refuse("grad_dtype", "float32 or bfloat16");
  if (!moment.empty() && dtype_word(moment) != stored) document.refuse("mu_dtype", "the dtype of the weights: one moment alone in another has no input");
  const std::string optimizer = document.text("opt_type");
  if (optimizer.empty() || optimizer == "adamw" || optimizer == "adam_pax") draft.set("optimizer", "adamw_fused");
  else if (optimizer == "sgd") draft.set("optimizer", "sgd");
  else document.refuse("opt_type", "adamw, adam_pax or sgd");
  if (const std::string quantised = document.text("quantization"); !quantised.empty()) document.refuse("quantization", "\"\": multiplications in 8 bits are not covered as MaxText does them");
}

void read_kernels(Document& document, RequestBuilder& draft) {
  const std::string attention = document.text("attention");
  if (attention == "dot_product") draft.set("attention", "eager");
  else if (attention == "flash" || attention == "cudnn_flash_te") draft.set("attention", "flash");
  else if (!attention.empty() && attention != "autoselected") document.refuse("attention", "autoselected, flash, cudnn_flash_te or dot_product");
  for (const char* on : {"scan_layers", "cast_logits_to_fp32", "megablox", "sparse_matmul"})
    if (document.truth(on) == false) document.refuse(on, "true, which the estimate takes");
  if (const auto pieces = document.whole("num_vocab_tiling"); pieces && *pieces > 1) document.refuse("num_vocab_tiling", "1: logits in pieces are not covered as MaxText does them");
  if (const Json* capacity = document.take("capacity_factor"); capacity != nullptr && *capacity != Json(-1) && *capacity != Json(-1.0)) document.refuse("capacity_factor", "-1: experts that drop tokens are not covered");
}

/// types.py, calculate_global_batch_sizes: sequences of a device, whatever divides them; a replica has those of all its devices.
void read_batch(Document& document, RequestBuilder& draft) {
  const auto stated = document.real("per_device_batch_size");
  if (!stated) draft.assume("batch: per_device_batch_size is 12 by itself");
  if (const std::string hardware = document.text("hardware"); hardware.empty() || hardware == "tpu") draft.assume("A chip is one device, as up to TPU v6e; a chip of TPU v7 is two, each with half of its memory");
  const std::int64_t devices = whole_number(draft.text("tensor_parallel")).value_or(1) * whole_number(draft.text("context_parallel")).value_or(1);
  constexpr double kMostSequences = 1'000'000;
  const double sequences = stated.value_or(12) * static_cast<double>(devices);
  if (!(sequences >= 1 && sequences <= kMostSequences) || sequences != std::floor(sequences)) return document.refuse("per_device_batch_size", "a number that makes whole sequences of the devices which share a replica");
  draft.set("batch", static_cast<std::int64_t>(sequences));
  draft.set_above_one("micro_batches", document.whole("gradient_accumulation_steps"));
  if (const auto length = document.whole("max_target_length")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "2048", "max_target_length is 2048 by itself");
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("profile", "maxtext");
  draft.set("task", document.is_on("use_sft") ? "finetune" : "pretrain");
  if (draft.text("task") == "finetune") draft.set("method", "full");
  document.text("base_config");
  read_model(document, draft);
  read_mesh(document, draft);
  read_numbers(document, draft);
  read_recompute(document, draft);
  read_kernels(document, draft);
  read_batch(document, draft);
}

} // namespace

const Format& maxtext() noexcept {
  static constexpr std::array kCommands{
    Command{.program = "maxtext.trainers.pre_train.train", .reads = Reads::file, .usual_file = "base.yml"},
    Command{.program = "maxtext.trainers.pre_train.train_compile", .reads = Reads::file, .usual_file = "base.yml"},
    Command{.program = "maxtext/trainers/pre_train/train.py", .reads = Reads::file, .usual_file = "base.yml"},
    Command{.program = "MaxText.train", .reads = Reads::file, .usual_file = "base.yml"}, // until 2026
    Command{.program = "MaxText.train_compile", .reads = Reads::file, .usual_file = "base.yml"},
    Command{.program = "MaxText/train.py", .reads = Reads::file, .usual_file = "base.yml"}
  };
  static const Format kFormat{.id = "maxtext",
                              .name = "MaxText",
                              .source = "AI-Hypercomputer/maxtext, src/maxtext/configs/base.yml",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = maxtext_harmless(),
                              .effects = maxtext_effects(),
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
