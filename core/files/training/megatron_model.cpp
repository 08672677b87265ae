// The shape of a model in Megatron-LM's arguments (NVIDIA/Megatron-LM, megatron/training/arguments.py, validate_args and
// core_transformer_config_from_args; megatron/training/tokenizer, _vocab_size_with_padding).
#include "files/training/megatron_layers.hpp"
#include "files/training/megatron_reader.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/models.hpp"
#include "files/training/print.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

class Reader : MegatronReader {
public:
  using MegatronReader::MegatronReader;

  bool run() {
    const bool letters = has("hybrid-layer-pattern") || has("hybrid-override-pattern"); // which count the layers
    const auto layers = whole("num-layers"), hidden = whole("hidden-size"), heads = whole("num-attention-heads");
    if ((!layers && !letters) || !hidden || (!letters && (!heads || *heads == 0))) return false;
    draft_.set("model", "custom");
    draft_.set("layers", layers.value_or(1));
    draft_.set("hidden_size", *hidden);
    read_norm();
    read_mlp(*hidden);
    read_vocabulary();
    read_positions();
    read_megatron_layers(document_, draft_, dialect_);
    return true;
  }

private:
  /// The activations of Megatron Core. GELU has a kernel with its bias, SwiGLU one of its own, quick GeGLU the one of GELU's switch; squared
  /// ReLU and GELU without a bias run one operation at a time (core_transformer_config_from_args).
  void read_mlp(std::int64_t hidden) {
    const std::string activation = arguments() ? "" : document_.text("model.activation");
    const bool swiglu = is_on("swiglu") || activation.find("swiglu") != std::string::npos;
    const bool quick = is_on("quick-geglu"), other = is_on("squared-relu") || is_on("openai-gelu") || activation == "squared-relu";
    const bool gated = swiglu || quick || activation.ends_with("geglu") || activation.ends_with("reglu");
    draft_.set("mlp_kind", gated ? "gated" : "plain");
    const auto stated = whole("ffn-hidden-size");
    // four times the width; with SwiGLU two thirds of it, rounded down to 64
    draft_.set("intermediate_size", stated.value_or(swiglu ? (Count{hidden} * Count{8}).value / 3 / 64 * 64 : (Count{hidden} * Count{4}).value));
    if (!stated) draft_.assume("intermediate_size: --ffn-hidden-size is not stated, and follows from --hidden-size");
    const bool bias = !is_off("disable-bias-linear", document_.has("model.bias") ? "model.bias" : "model.add_bias_linear"); // NeMo 1 says the first
    draft_.set("mlp_bias", bias ? "true" : "false");
    const bool swiglu_off = is_off("no-bias-swiglu-fusion", "model.bias_activation_fusion"), gelu_off = is_off("no-bias-gelu-fusion", "model.bias_gelu_fusion") || (!arguments() && swiglu_off);
    const bool fused = swiglu ? !swiglu_off : !gelu_off && !other && (bias || !arguments());
    if (!fused) draft_.set("mlp", "eager");
  }

  void read_vocabulary() {
    const auto padded = whole("padded-vocab-size"), plain = whole("vocab-size");
    const auto stated = padded ? padded : plain, vocabulary = stated ? stated : vocabulary_of_tokenizer();
    const std::int64_t multiple = whole("make-vocab-size-divisible-by").value_or(128);
    const std::int64_t tensor = whole("tensor-model-parallel-size").value_or(1);
    for (const char* spared : {"tokenizer-type", "tokenizer-model"}) document_.take(key(spared));
    if (!vocabulary) {
      draft_.say(Severity::warning, "vocab_size", "The vocabulary is that of the tokenizer, whose file is not here.",
                 "Set vocab_size to its size, padded to a multiple of " + std::to_string(multiple) + " times the tensor parallel degree.");
    } else {
      const Count unit = max(Count{1}, Count{multiple} * Count{tensor});
      draft_.set("vocab_size", (ceil_div(Count{*vocabulary}, unit) * unit).value);
    }
    const bool shared = document_.truth("model.share_embeddings_and_output_weights").value_or(!document_.has("model.mamba_ssm_ngroups")); // NeMo 1 gives Mamba a head of its own
    const bool untied = arguments() ? is_on("untie-embeddings-and-output-weights") : !shared;
    draft_.set("tied_embeddings", untied ? "false" : "true");
  }

  /// Of tokenizers that have one vocabulary whatever their files are called, and of models of the catalogue, whose table may be padded.
  std::optional<std::int64_t> vocabulary_of_tokenizer() {
    struct Known {
      std::string_view type;
      std::int64_t size;
    };
    constexpr std::array kKnown{Known{"GPT2BPETokenizer", 50257}, Known{"Llama2Tokenizer", 32000}, Known{"TikTokenizer", 131072}};
    std::string type = document_.text(key("tokenizer-type"));
    const std::string model = type.find('/') != std::string::npos ? std::exchange(type, "HuggingFaceTokenizer") : document_.text(key("tokenizer-model")); // NeMo 1: library huggingface
    if (type.empty() && document_.has("vocab-file") && document_.has("merge-file")) {
      type = "GPT2BPETokenizer"; // pretrain_gpt.py and pretrain_hybrid.py, args_defaults
      draft_.assume("vocab_size: --tokenizer-type is GPT2BPETokenizer by itself");
    }
    if (const auto known = std::ranges::find(kKnown, type, &Known::type); known != kKnown.end()) {
      draft_.assume("vocab_size: a " + type + " has " + std::to_string(known->size) + " words, before they are padded");
      return known->size;
    }
    const ModelRow* const row = type == "HuggingFaceTokenizer" ? model_of_config(draft_.catalog, model).row : nullptr;
    const std::optional<Model> found = row != nullptr ? draft_.catalog.model(*row).model : std::nullopt;
    if (!found) return std::nullopt;
    draft_.assume("vocab_size: as many words as the embedding table of " + row->name + " has rows, before they are padded");
    return found->vocab_size.value;
  }

  void read_norm() {
    const std::string norm = document_.text(key("normalization"));
    draft_.set("norm", norm == "RMSNorm" || norm == "rmsnorm" ? "rmsnorm" : "layernorm");
  }

  void read_positions() {
    const std::string kind = document_.text(key("position-embedding-type"));
    const auto longest = whole("max-position-embeddings");
    const bool rotary = arguments() && (document_.is_on("use-rotary-position-embeddings") || document_.is_on("no-position-embedding"));
    const bool learned = kind == "learned_absolute" || (kind.empty() && arguments() && !rotary);
    if (longest) draft_.set("max_context", *longest);
    if (learned && longest) draft_.set("learned_positions", *longest);
  }
};

} // namespace

bool read_megatron_model(Document& document, RequestBuilder& draft, MegatronDialect dialect) { return Reader{document, draft, dialect}.run(); }

void write_megatron_model(const Source& source, Json& tree, MegatronDialect dialect) {
  const bool arguments = dialect == MegatronDialect::arguments;
  const auto set = [&](std::string_view argument, Json value) { arguments ? void(tree[std::string{argument}] = std::move(value)) : put(tree, megatron_written(dialect, argument), std::move(value)); };
  const auto number = [&](std::string_view argument, std::string_view fact) {
    if (const auto value = whole_number(source.text(fact))) set(argument, *value);
  };
  const auto is = [&](std::string_view fact) { return source.text(fact) == "true"; };
  number("num-layers", "layers");
  number("hidden-size", "hidden_size");
  number("num-attention-heads", "query_heads");
  if (arguments) set("group-query-attention", true);
  number("num-query-groups", "kv_heads");
  number("kv-channels", "head_dim");
  number("ffn-hidden-size", "intermediate_size");
  if (source.text("mlp_kind") == "gated") set("swiglu", true);
  const bool bias = is("mlp_bias");
  if (arguments && !bias) set("disable-bias-linear", true);
  if (!arguments) put(tree, "model.add_bias_linear", bias);
  if (!bias && is("qkv_bias")) set("add-qkv-bias", true);
  number("vocab-size", "vocab_size");
  set("make-vocab-size-divisible-by", 1);
  if (arguments && !is("tied_embeddings")) set("untie-embeddings-and-output-weights", true);
  if (!arguments) put(tree, "model.share_embeddings_and_output_weights", is("tied_embeddings"));
  set("normalization", source.text("norm").starts_with("rmsnorm") ? "RMSNorm" : "LayerNorm");
  if (source.text("qk_norm").starts_with("per_head")) set("qk-layernorm", true);
  number("max-position-embeddings", "max_context");
  const auto positions = whole_number(source.text("learned_positions"));
  set("position-embedding-type", positions && *positions > 0 ? "learned_absolute" : "rope");
  if (const auto experts = whole_number(source.text("experts")); !experts || *experts == 0) return;
  number("num-experts", "experts");
  number("moe-router-topk", "experts_per_token");
  number("moe-ffn-hidden-size", "expert_size");
  if (const auto shared = whole_number(source.text("shared_expert_size")); shared && *shared > 0) set("moe-shared-expert-intermediate-size", *shared);
}

} // namespace plimsoll::io::configs
