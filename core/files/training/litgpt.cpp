// LitGPT's recipes (Lightning-AI/litgpt, config_hub; litgpt/finetune/lora.py and full.py, litgpt/pretrain.py, litgpt/args.py): the arguments of
// a command, in YAML. Read only.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/precision.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

constexpr std::array kAdapterKeys{"lora_r", "lora_query", "lora_key", "lora_value", "lora_projection", "lora_mlp", "lora_head", "lora_alpha", "lora_dropout"};

bool has_adapters(const Document& document) {
  return std::ranges::any_of(kAdapterKeys, [&](const char* key) { return document.peek(key) != nullptr; });
}

std::string text_at(const Document& document, std::string_view path) {
  const Json* value = document.peek(path);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

/// Several signs, as other programs have one or the other.
bool recognises(const Document& document) {
  int signs = 0;
  for (const char* key : {"checkpoint_dir", "model_name", "model_config", "initial_checkpoint_dir", "tokenizer_dir", "out_dir", "logger_name", "eval.initial_validation", "eval.final_validation",
                          "train.global_batch_size", "train.micro_batch_size", "train.lr_warmup_steps", "train.tie_embeddings", "train.max_seq_length", "lora_r", "lora_query", "lora_projection"})
    signs += document.has(key) ? 1 : 0;
  signs += text_at(document, "data.class_path").starts_with("litgpt.") ? 2 : 0;
  const std::string precision = text_at(document, "precision");
  signs += precision.ends_with("-true") || precision.ends_with("-mixed") ? 1 : 0;
  return signs >= 4 && (document.has("train") || has_adapters(document));
}

class Reader {
public:
  Reader(Document& document, RequestBuilder& draft) : document_(document), draft_(draft) {}

  void run() {
    pretrains_ = document_.has("model_name") || document_.has_section("model_config") || document_.has("initial_checkpoint_dir");
    draft_.set("task", pretrains_ ? "pretrain" : "finetune");
    draft_.set("profile", "litgpt");
    read_model();
    read_precision();
    read_adapters();
    read_optimizer();
    read_batches();
    read_kernels();
  }

private:
  /// litgpt/model.py, GPT: the head has a matrix of its own unless train.tie_embeddings is set.
  void read_model() {
    std::string name = document_.text("model_name");
    if (name.empty()) name = document_.text("initial_checkpoint_dir");
    if (name.empty()) name = document_.text("checkpoint_dir");
    if (name.starts_with("checkpoints/")) name.erase(0, 12);
    if (!name.empty()) draft_.name_model(name);
    else if (document_.has_section("model_config")) read_config();
    else draft_.miss_model("The file");
    draft_.set("tied_embeddings", document_.is_on("train.tie_embeddings") ? "true" : "false");
  }

  /// litgpt/config.py, Config: a model that is written out, where its name does not stand for it.
  void read_config() {
    const std::string name = document_.text("model_config.hf_config.name");
    const auto size = [&](std::string_view key) { return document_.whole("model_config." + std::string{key}); };
    const auto layers = size("n_layer"), hidden = size("n_embd"), heads = size("n_head"), vocabulary = size("padded_vocab_size");
    if (!layers || !hidden || !heads || *heads == 0) {
      const std::string plain = document_.text("model_config.name");
      if (!plain.empty() || !name.empty()) return draft_.name_model(plain.empty() ? name : plain);
      return draft_.miss_model("The file");
    }
    document_.take("model_config.name");
    draft_.set("model", "custom");
    draft_.set("layers", *layers);
    draft_.set("hidden_size", *hidden);
    draft_.set("query_heads", *heads);
    draft_.set("kv_heads", size("n_query_groups").value_or(*heads));
    draft_.set("head_dim", size("head_size").value_or(*hidden / *heads));
    draft_.set("intermediate_size", size("intermediate_size").value_or((Count{*hidden} * Count{4}).value));
    const std::string mlp = document_.text("model_config.mlp_class_name"), norm = document_.text("model_config.norm_class_name");
    draft_.set("mlp_kind", mlp == "LLaMAMLP" || mlp == "GemmaMLP" ? "gated" : "plain");
    draft_.set("norm", norm == "RMSNorm" ? "rmsnorm" : "layernorm");
    const auto bias = document_.truth("model_config.bias");
    for (const char* field : {"qkv_bias", "output_bias", "mlp_bias"}) draft_.set(field, bias.value_or(true) ? "true" : "false");
    draft_.set_if("max_context", size("block_size"));
    const std::int64_t multiple = size("padding_multiple").value_or(512);
    const auto plain = size("vocab_size");
    if (vocabulary) draft_.set("vocab_size", *vocabulary);
    else draft_.set("vocab_size", (ceil_div(Count{plain.value_or(50254)}, max(Count{1}, Count{multiple})) * max(Count{1}, Count{multiple})).value);
  }

  void read_precision() {
    const std::string word = document_.text("precision");
    quantised_ = document_.text("quantize");
    if (word == "bf16-true") draft_.set("precision", "bf16");
    else if (word == "bf16-mixed") draft_.set("precision", "mixed_bf16");
    else if (word == "16-mixed") draft_.set("precision", "mixed_fp16");
    else if (word == "32-true") draft_.set("precision", "fp32");
    else if (!word.empty()) document_.refuse("precision", "bf16-true, bf16-mixed, 16-mixed or 32-true");
    else draft_.set_assumed("precision", "mixed_bf16", "precision is bf16-mixed by itself, where the GPU has bf16");
    if (quantised_.empty()) return;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWays{
        {{"bnb.nf4", "nf4"}, {"bnb.nf4-dq", "nf4_double_quant"}, {"bnb.fp4", "fp4"}, {"bnb.fp4-dq", "fp4_double_quant"}, {"bnb.int8-training", "int8_bnb"}}};
    const auto way = std::ranges::find(kWays, quantised_, &std::pair<std::string_view, std::string_view>::first);
    if (way != kWays.end()) draft_.set("weight_dtype", way->second);
    // The one version that litgpt/finetune/lora.py calls supported; its 4-bit multiplications keep their inputs, as 0.43.2 and later do not.
    if (way != kWays.end() && way->first != "bnb.int8-training") draft_.set_assumed("keeps_quantised_inputs", "true", "bitsandbytes is taken to be 0.42, which LitGPT calls the only one that it supports");
    if (way != kWays.end()) draft_.set("quantised_head", "true"); // every linear map (Lightning-AI/pytorch-lightning, fabric/plugins/precision/bitsandbytes.py)
    if (way == kWays.end()) document_.refuse("quantize", "bnb.nf4, bnb.nf4-dq, bnb.fp4, bnb.fp4-dq or bnb.int8-training");
  }

  /// lora_query and lora_value are on by themselves, all others off.
  void read_adapters() {
    if (!has_adapters(document_)) return draft_.set("method", "full");
    draft_.set("method", "lora");
    draft_.set("rank", document_.whole("lora_r").value_or(8));
    struct Part {
      const char* key;
      bool usual;
      std::vector<std::string> names;
    };
    std::vector<std::string> names;
    for (const Part& part : {Part{"lora_query", true, {"q_proj"}}, Part{"lora_key", false, {"k_proj"}}, Part{"lora_value", true, {"v_proj"}}, Part{"lora_projection", false, {"o_proj"}},
                             Part{"lora_mlp", false, {"gate_proj", "up_proj", "down_proj"}}, Part{"lora_head", false, {"lm_head"}}})
      if (document_.truth(part.key).value_or(part.usual)) names.insert(names.end(), part.names.begin(), part.names.end());
    set_targets(document_, draft_, "lora_query", names);
    const Json* dropout = document_.take("lora_dropout");
    draft_.set("adapter_dropout", dropout == nullptr || (*dropout != Json(0) && *dropout != Json(0.0)) ? "true" : "false");
  }

  /// Beside quantised weights bitsandbytes' paged AdamW takes its place (litgpt/utils.py, instantiate_bnb_optimizer).
  void read_optimizer() {
    const std::string path = document_.peek("optimizer.class_path") != nullptr ? "optimizer.class_path" : "optimizer";
    std::string name = document_.text(path);
    name.erase(0, name.find_last_of('.') + 1);
    const auto fused = document_.truth("optimizer.init_args.fused"), foreach_step = document_.truth("optimizer.init_args.foreach");
    if (name.empty()) name = "AdamW"; // by itself
    if (name == "AdamW" || name == "Adam") {
      const bool one_kernel = fused.value_or(pretrains_); // pretrain.py asks for it
      draft_.set("optimizer", !quantised_.empty() ? "paged_adamw" : one_kernel ? "adamw_fused" : foreach_step == false ? "adamw_forloop" : "adamw_foreach");
    } else if (name == "PagedAdamW") draft_.set("optimizer", "paged_adamw");
    else if (name == "AdamW8bit") draft_.set("optimizer", "adamw_8bit");
    else if (name == "PagedAdamW8bit") draft_.set("optimizer", "paged_adamw_8bit");
    else if (name == "SGD") draft_.set("optimizer", document_.is_on("optimizer.init_args.momentum") ? "sgd_momentum" : "sgd");
    else document_.refuse(path, "AdamW or SGD of torch.optim, or AdamW8bit, PagedAdamW or PagedAdamW8bit of bitsandbytes");
  }

  void read_batches() {
    const std::int64_t batch = document_.whole("train.micro_batch_size").value_or(pretrains_ || !draft_.has("rank") ? 4 : 1);
    const std::int64_t step = document_.whole("train.global_batch_size").value_or(pretrains_ ? 512 : draft_.has("rank") ? 16 : 64);
    draft_.set("batch", batch);
    if (const auto length = document_.whole("train.max_seq_length")) draft_.set("context_tokens", *length);
    else draft_.say(Severity::warning, "context_tokens", "train.max_seq_length is not stated: the longest example of the data decides, or the model's context.", "Set context_tokens to its length.");
    const Json* stated = document_.peek("devices");
    const bool automatic = stated != nullptr && stated->is_string() && !whole_number(stated->get<std::string>()); // "auto": all of the machine
    const auto local = automatic ? std::nullopt : document_.whole("devices");
    if (automatic) document_.take("devices");
    const std::int64_t nodes = std::max<std::int64_t>(1, document_.whole("num_nodes").value_or(1));
    const std::int64_t machine = draft_.gpus > 0 ? std::max<std::int64_t>(1, draft_.gpus / nodes) : local.value_or(1);
    if (automatic || (stated == nullptr && pretrains_)) draft_.miss_gpus();
    const std::int64_t gpus = std::max<std::int64_t>(1, (Count{machine} * Count{nodes}).value);
    if (gpus > 1) shard(gpus, machine);
    draft_.set("micro_batches", std::max<std::int64_t>(1, step / gpus / std::max<std::int64_t>(batch, 1)));
  }

  /// FSDP around each block, which then runs again in the backward pass; pre-training shards within a machine and keeps what blocks save.
  void shard(std::int64_t gpus, std::int64_t local) {
    draft_.set("data_parallel", gpus);
    draft_.set("sharding", "parameters");
    if (!pretrains_) return draft_.set("recompute", "full");
    if (local > 0 && local < gpus) draft_.set("shard_group", local);
  }

  /// Whole models: logits at once and the loss in pieces of 128 tokens; pre-training is compiled. With adapters the head is in pieces, too.
  void read_kernels() {
    if (!draft_.has("rank")) draft_.set("loss", "chunked");
    if (!pretrains_) return;
    draft_.set("norms", "compiled");
    draft_.set("mlp", "compiled");
  }

  Document& document_;
  RequestBuilder& draft_;
  bool pretrains_ = false;
  std::string quantised_;
};

void read(Document& document, RequestBuilder& draft) { Reader{document, draft}.run(); }

} // namespace

const Format& litgpt() noexcept {
  static constexpr std::array kEffects{
      Effect{"resume", "what a resumed run reads."},
      Effect{"model_config.n_expert* model_config.rotary_* model_config.parallel_residual model_config.shared_attention_norm model_config.lm_head_bias model_config.norm_qk model_config.sliding_window*",
             "a part of the model that is written out."},
  };
  static constexpr std::array kCommands{ // litgpt/__main__.py
    Command{.program = "litgpt", .then = "finetune", .reads = Reads::file, .file_option = "--config", .takes_method = true},
    Command{.program = "litgpt", .then = "finetune_lora", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "litgpt", .then = "finetune_full", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "litgpt", .then = "finetune_adapter", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "litgpt", .then = "finetune_adapter_v2", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "litgpt", .then = "pretrain", .reads = Reads::file, .file_option = "--config"}
  };
  static const Format kFormat{.id = "litgpt",
                              .name = "LitGPT",
                              .source = "Lightning-AI/litgpt, config_hub and litgpt/args.py",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = "out_dir lora_alpha data data.* train.save_interval train.log_interval train.lr_warmup_* train.epochs train.max_tokens train.max_steps train.max_time train.max_norm "
                                          "train.min_lr eval.* log.* logger_name seed access_token tokenizer_dir optimizer.init_args.* optimizer.dict_kwargs.* checkpoint_dir initial_checkpoint_dir "
                                          "model_config.hf_config.* model_config.rope_* model_config.norm_eps model_config.scale_embeddings model_config.gelu_approximate model_config.name "
                                          "model_config.vocab_size model_config.padding_multiple model_config.bias model_config.rotary_percentage",
                              .effects = kEffects,
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
