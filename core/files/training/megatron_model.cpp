// The shape of a model in Megatron-LM's arguments (NVIDIA/Megatron-LM, megatron/training/arguments.py, validate_args and
// core_transformer_config_from_args; megatron/training/tokenizer, _vocab_size_with_padding).
#include "files/training/megatron_shared.hpp"
#include "files/training/print.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

class Reader {
public:
  Reader(Document& document, Draft& draft, MegatronDialect dialect) : document_(document), draft_(draft), dialect_(dialect) {}

  bool run() {
    const auto layers = whole("num-layers"), hidden = whole("hidden-size"), heads = whole("num-attention-heads");
    if (!layers || !hidden || !heads || *heads == 0) return false;
    draft_.set("model", "custom");
    draft_.set("layers", *layers);
    draft_.set("hidden_size", *hidden);
    draft_.set("query_heads", *heads);
    const bool grouped = is_on("group-query-attention");
    const auto groups = whole("num-query-groups");
    const bool arguments = dialect_ == MegatronDialect::arguments;
    draft_.set("kv_heads", arguments ? (grouped ? groups.value_or(1) : *heads) : groups.value_or(*heads)); // --num-query-groups is 1 by itself
    draft_.set("head_dim", whole("kv-channels").value_or(*hidden / *heads));
    read_mlp(*hidden);
    read_vocabulary();
    read_norms();
    read_positions();
    read_experts();
    return true;
  }

private:
  std::string key(std::string_view argument) const { return megatron_key(document_, dialect_, argument); }
  std::optional<std::int64_t> whole(std::string_view argument) { return document_.whole(key(argument)); }
  bool is_on(std::string_view argument) { return document_.is_on(key(argument)); }
  /// An argument that switches something off; overrides have the positive name.
  bool is_off(std::string_view argument, std::string_view positive) {
    return dialect_ == MegatronDialect::arguments ? is_on(argument) : document_.truth(positive) == false;
  }

  void read_mlp(std::int64_t hidden) {
    const bool gated = is_on("swiglu");
    draft_.set("mlp_kind", gated ? "gated" : "plain");
    const auto stated = whole("ffn-hidden-size");
    // four times the width; of gated MLPs two thirds of it, rounded down to 64
    draft_.set("intermediate_size", stated.value_or(gated ? (Count{hidden} * Count{8}).value / 3 / 64 * 64 : (Count{hidden} * Count{4}).value));
    if (!stated) draft_.assume("intermediate_size: --ffn-hidden-size is not stated, and follows from --hidden-size");
    const bool bias = !is_off("disable-bias-linear", "model.add_bias_linear");
    draft_.set("mlp_bias", bias ? "true" : "false");
    draft_.set("output_bias", bias ? "true" : "false");
    draft_.set("qkv_bias", bias || is_on("add-qkv-bias") ? "true" : "false");
  }

  void read_vocabulary() {
    const auto padded = whole("padded-vocab-size"), plain = whole("vocab-size");
    const auto stated = padded ? padded : plain, vocabulary = stated ? stated : vocabulary_of_tokenizer();
    const std::int64_t multiple = whole("make-vocab-size-divisible-by").value_or(128);
    const std::int64_t tensor = whole("tensor-model-parallel-size").value_or(1);
    if (!vocabulary) {
      draft_.say(Severity::warning, "vocab_size", "The vocabulary is that of the tokenizer, whose file is not here.",
                 "Set vocab_size to its size, padded to a multiple of " + std::to_string(multiple) + " times the tensor parallel degree.");
    } else {
      const Count unit = max(Count{1}, Count{multiple} * Count{tensor});
      draft_.set("vocab_size", (ceil_div(Count{*vocabulary}, unit) * unit).value);
    }
    const bool untied = dialect_ == MegatronDialect::arguments ? is_on("untie-embeddings-and-output-weights") : document_.truth("model.share_embeddings_and_output_weights") == false;
    draft_.set("tied_embeddings", untied ? "false" : "true");
  }

  /// Of tokenizers that have one vocabulary whatever their files are called, and of models of the catalogue, whose table may be padded.
  std::optional<std::int64_t> vocabulary_of_tokenizer() {
    struct Known {
      std::string_view type;
      std::int64_t size;
    };
    constexpr std::array kKnown{Known{"GPT2BPETokenizer", 50257}, Known{"Llama2Tokenizer", 32000}};
    const std::string type = document_.text(key("tokenizer-type")), model = document_.text(key("tokenizer-model"));
    if (const auto known = std::ranges::find(kKnown, type, &Known::type); known != kKnown.end()) {
      draft_.assume("vocab_size: a " + type + " has " + std::to_string(known->size) + " words, before they are padded");
      return known->size;
    }
    const ModelRow* const row = type == "HuggingFaceTokenizer" ? draft_.catalog.find_model(model) : nullptr;
    const std::optional<Model> found = row != nullptr ? import_model(*row).model : std::nullopt;
    if (!found) return std::nullopt;
    draft_.assume("vocab_size: as many words as the embedding table of " + row->name + " has rows, before they are padded");
    return found->vocab_size.value;
  }

  void read_norms() {
    const std::string norm = document_.text(key("normalization"));
    draft_.set("norm", norm == "RMSNorm" || norm == "rmsnorm" ? "rmsnorm" : "layernorm");
    if (is_on("qk-layernorm")) draft_.set("qk_norm", norm == "RMSNorm" ? "per_head" : "per_head_layernorm");
  }

  void read_positions() {
    const std::string kind = document_.text(key("position-embedding-type"));
    const auto longest = whole("max-position-embeddings");
    const bool learned = kind == "learned_absolute" || (kind.empty() && dialect_ == MegatronDialect::arguments && !document_.is_on("use-rotary-position-embeddings"));
    if (longest) draft_.set("max_context", *longest);
    if (learned && longest) draft_.set("learned_positions", *longest);
  }

  void read_experts() {
    const auto experts = whole("num-experts");
    if (!experts || *experts == 0) return;
    draft_.set("experts", *experts);
    draft_.set("experts_per_token", whole("moe-router-topk").value_or(2));
    draft_.set("expert_size", whole("moe-ffn-hidden-size").value_or(whole_number(draft_.text("intermediate_size")).value_or(1)));
    draft_.set_if("shared_expert_size", whole("moe-shared-expert-intermediate-size"));
  }

  Document& document_;
  Draft& draft_;
  MegatronDialect dialect_;
};

} // namespace

bool read_megatron_model(Document& document, Draft& draft, MegatronDialect dialect) { return Reader{document, draft, dialect}.run(); }

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
