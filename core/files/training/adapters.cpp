#include "files/training/adapters.hpp"

#include "files/training/precision.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace plimsoll::io::configs {

namespace {

/// PEFT's modules_to_save: "embed_tokens" and "lm_head", by the names that families have for them.
void read_modules(Document& document, RequestBuilder& draft, std::string_view key) {
  if (key.empty()) return;
  std::uint32_t modules = 0;
  for (const std::string& name : document.texts(key)) {
    const std::uint32_t module = targets_of_module(name);
    if ((module & kTargetEmbeddingAndHead) == 0) return document.refuse(key, "a list of embed_tokens and lm_head: other modules that train whole are not covered");
    modules |= module;
  }
  if (modules == 0) return;
  draft.set("modules_to_save", modules == kTargetEmbeddingAndHead ? "embedding_and_head" : modules == kTargetEmbedding ? "embedding" : "head");
}

} // namespace

void read_lora(Document& document, RequestBuilder& draft, const AdapterKeys& keys) {
  const bool dora = !keys.dora.empty() && document.is_on(keys.dora);
  draft.set("method", dora ? "dora" : "lora");
  if (const auto rank = document.whole(keys.rank)) draft.set("rank", *rank);
  else draft.set_assumed("rank", std::to_string(keys.usual_rank), std::string{keys.rank} + " is not stated");
  const Json* dropout = document.take(keys.dropout);
  if (dropout == nullptr && keys.usual_dropout) draft.set_assumed("adapter_dropout", "true", std::string{keys.dropout} + " is not 0 by itself");
  if (dropout != nullptr && *dropout != Json(0) && *dropout != Json(0.0)) draft.set("adapter_dropout", "true");
  read_modules(document, draft, keys.modules);
  const std::vector<std::string> names = document.texts(keys.targets);
  if (names.empty() && draft.has("targets")) return;
  if (names.empty()) return draft.set_assumed("targets", keys.usual_targets, std::string{keys.targets} + " is not stated");
  set_targets(document, draft, keys.targets, names);
}

namespace {

/// PEFT takes a text as a regular expression over whole names: "…layers.[\\d]+.(mlp|self_attn).(up|down|gate|q|k|v|o)_proj" has these maps.
std::vector<std::string> names_in_pattern(const std::string& pattern) {
  const std::size_t end = pattern.rfind(")_proj"), begin = end == std::string::npos ? end : pattern.rfind('(', end);
  if (begin == std::string::npos) return {};
  std::vector<std::string> names;
  std::string name;
  for (std::size_t at = begin + 1; at <= end; ++at) {
    if (pattern[at] != '|' && at < end) {
      name += pattern[at];
      continue;
    }
    names.push_back(name + "_proj");
    name.clear();
  }
  return names;
}

/// Maps of state spaces and linear attention have names of their own: a list of q_proj … down_proj alone has not all linear maps of such a model.
bool is_seven(const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [](const std::string& name) { return name.ends_with("_proj") && name.find("in_proj") == name.npos && name.find("out_proj") == name.npos; });
}
bool has_mixers(const RequestBuilder& draft) {
  const ModelRow* const row = draft.catalog.find_model(draft.text("model"));
  const std::optional<Model> model = row == nullptr ? std::nullopt : draft.catalog.model(*row).model;
  return model && std::ranges::any_of(model->groups, [](const LayerGroup& group) { return !group.attends(); });
}

} // namespace

void set_targets(Document& document, RequestBuilder& draft, std::string_view key, const std::vector<std::string>& given) {
  std::vector<std::string> names = given;
  if (const Json* value = document.peek(key); value != nullptr && value->is_string())
    if (std::vector<std::string> found = names_in_pattern(value->get<std::string>()); !found.empty()) names = std::move(found);
  if (const std::string targets = targets_of(names); !targets.empty()) return draft.set("targets", targets == "all_linear" && is_seven(names) && has_mixers(draft) ? "q,k,v,o,gate,up,down" : targets);
  document.refuse(key, "a list of names such as q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj and down_proj");
}

bool is_lora(const Source& source) { return source.is_adapter() && (source.tuning().method == TuningMethod::lora || source.tuning().method == TuningMethod::dora); }

void write_lora(const Source& source, Json& tree, const AdapterKeys& keys) {
  const auto set = [&](std::string_view key, Json value) { tree[std::string{key}] = std::move(value); };
  set(keys.rank, source.tuning().rank);
  set(keys.targets, target_names(source.text("targets")));
  set(keys.dropout, source.tuning().adapter_dropout ? 0.05 : 0.0);
  if (source.tuning().method == TuningMethod::dora && !keys.dora.empty()) set(keys.dora, true);
  if (keys.modules.empty()) return;
  Json modules = Json::array();
  if ((copied_modules(source.tuning()) & kTargetEmbedding) != 0) modules.push_back("embed_tokens");
  if ((copied_modules(source.tuning()) & kTargetHead) != 0) modules.push_back("lm_head");
  if (!modules.empty()) set(keys.modules, modules);
}

void set_bits(RequestBuilder& draft, const Bits& bits) {
  const bool frozen = draft.has("method") && draft.text("method") != "full", quantises = bits.four || bits.eight;
  const ModelRow* const row = (bits.experts || !quantises) && !frozen ? nullptr : draft.catalog.find_model(draft.text("model"));
  const ImportedModel imported = row == nullptr ? ImportedModel{} : draft.catalog.model(*row);
  const bool maps = quantises && !bits.experts && imported.model && has_experts(*imported.model);
  const std::string format = std::string{bits.four ? bits.kind : "int8_bnb"} + (maps ? "_maps" : "") + (bits.four && bits.doubled ? "_double_quant" : "");
  if (maps) draft.set_assumed("weight_dtype", format, "transformers keeps the experts of a layer as one tensor since version 5, which bitsandbytes leaves in 16 bits");
  else if (quantises) draft.set("weight_dtype", format);
  else if (!draft.stored.empty() && frozen) draft.set_assumed("weight_dtype", draft.stored, "the model's name says that its weights are stored so");
  else if (frozen && imported.quantization_config.find("mxfp4") != std::string::npos) // transformers, quantizers/quantizer_mxfp4.py, is_trainable
    draft.set_assumed("weight_dtype", "bf16", "transformers trains nothing beside weights in MXFP4, and dequantises them");
}

std::string_view attention_of(std::string_view word) noexcept {
  if (word.starts_with("flash_att") || word == "fa2" || word == "fa3" || word == "sdpa" || word == "kernels-community/flash-attn" ||
      word == "kernels-community/flash-attn2" || word == "kernels-community/flash-attn3" || word == "kernels-community/vllm-flash-attn3")
    return "flash"; // SDPA takes FlashAttention where there is no mask (torch.nn.functional.scaled_dot_product_attention)
  if (word == "eager" || word == "disabled") return "eager";
  return "";
}

} // namespace plimsoll::io::configs
