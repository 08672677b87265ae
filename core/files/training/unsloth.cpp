// unslothai/unsloth, unsloth/models/loader.py (from_pretrained), llama.py and vision.py (get_peft_model), and the trainers of huggingface/trl that it
// changes, as scripts and notebooks call them (unslothai/notebooks).
#include "files/training/unsloth.hpp"

#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/python.hpp"
#include "files/training/training_arguments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

using python::kCalled, python::kUnknown, python::kValues;

/// Without them there is no estimate: what only Python tells of them is asked.
constexpr std::string_view kDecisive = "per_device_train_batch_size gradient_accumulation_steps max_seq_length max_length optim packing num_generations max_prompt_length max_completion_length "
                                       "load.model_name load.max_seq_length load.load_in_4bit load.load_in_8bit load.load_in_16bit load.full_finetuning adapter.r adapter.target_modules";

bool is_literal(const Json& value) {
  return !value.is_object() && (!value.is_array() || std::ranges::none_of(value.elements(), [](const Json& each) { return each.is_object(); }));
}

/// Named arguments that are literals, and those that decide.
void take(const Json& call, const std::string& section, Json& into) {
  for (const auto& [key, value] : call.items())
    if (key == kCalled || key == kValues) continue;
    else if (is_literal(value)) into[key] = value;
    else if (names(kDecisive, section + key)) into[key] = Json{{kUnknown, key}};
}

bool recognises(const Document& document) { return document.has("load.model_name") && document.has("trainer.name"); }

constexpr AdapterKeys kKeys{.rank = "adapter.r", .targets = "adapter.target_modules", .dropout = "adapter.lora_dropout", .dora = "adapter.use_dora", .modules = "adapter.modules_to_save", .usual_rank = 16, .usual_targets = "all_linear"};

struct Trainer {
  std::string_view name, method;
};
constexpr std::array kTrainers{Trainer{"SFTTrainer", "none"}, Trainer{"UnslothTrainer", "none"}, Trainer{"Trainer", "none"}, Trainer{"Seq2SeqTrainer", "none"}, Trainer{"DPOTrainer", "dpo"},
                               Trainer{"ORPOTrainer", "orpo"}, Trainer{"KTOTrainer", "kto"}, Trainer{"GRPOTrainer", "grpo"}};

void read_weights(Document& document, RequestBuilder& draft, bool adapter) {
  const bool full = document.is_on("load.full_finetuning"), eight = document.is_on("load.load_in_8bit"), half = document.is_on("load.load_in_16bit");
  const bool four = document.truth("load.load_in_4bit").value_or(!full && !eight && !half);
  if (!adapter && !full) document.refuse("load.full_finetuning", "true, where no adapters are made");
  const std::string model = document.text("load.model_name");
  if (!model.empty()) draft.name_model(model);
  if (four && adapter) draft.set("weight_dtype", "nf4_double_quant");
  else if (eight && adapter) draft.set("weight_dtype", "int8_bnb");
  else if (model.find("bnb-4bit") != std::string::npos && adapter) draft.set_assumed("weight_dtype", "nf4_double_quant", "the model's name says that its weights are stored so");
  else draft.set("weight_dtype", "bf16");
}

/// The models that unsloth/models/loader.py leaves to llama.py. With others PEFT puts adapters on tables that are named among the targets.
constexpr std::string_view kOwnLoops = "llama mistral gemma gemma2 qwen2 qwen3 qwen3_moe";

void check_targets(Document& document, RequestBuilder& draft) {
  const ModelRow* const row = draft.catalog.find_model(draft.text("model"));
  if (row == nullptr) return;
  const ParsedJson config = parse_json(config_of(*row));
  const bool own = config.ok && config.value.contains("model_type") && names(kOwnLoops, config.value.at("model_type").text());
  if (draft.has("modules_to_save") && !own) document.refuse("adapter.target_modules", "maps of layers: adapters on embed_tokens and lm_head are no input");
  const std::optional<Model> model = draft.catalog.model(*row).model;
  if (model && has_experts(*model) && draft.text("targets") != "attention" && draft.text("targets") != "qv" && draft.text("targets") != "qkv")
    draft.say(Severity::warning, "targets", "Adapters on experts, which Unsloth makes since February 2026, are not in the estimate.", "Take what they need off usable_bytes, or leave gate_proj, up_proj and down_proj out.");
}

void read_recompute(Document& document, RequestBuilder& draft) {
  const std::string key = document.has("adapter.use_gradient_checkpointing") ? "adapter.use_gradient_checkpointing" : "load.use_gradient_checkpointing", word = document.text(key);
  draft.set("recompute", word.empty() || word == "unsloth" ? "offloaded" : truth_word(word).value_or(true) ? "full" : "none");
}

void read_method(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("trainer.name");
  const auto known = std::ranges::find(kTrainers, name, &Trainer::name);
  if (known == kTrainers.end()) return document.refuse("trainer.name", "SFTTrainer, Trainer, DPOTrainer, ORPOTrainer, KTOTrainer or GRPOTrainer");
  draft.set("preference", known->method);
  const auto length = document.whole("max_length"), cut = document.whole("max_seq_length"), loaded = document.whole("load.max_seq_length");
  const std::int64_t most = length ? *length : cut ? *cut : loaded.value_or(2048); // max_seq_length = 2048 in from_pretrained
  if (known->method != "grpo") return draft.set("context_tokens", most);
  draft.set("rollout_engine", "shared");
  draft.set_if("group_size", document.whole("num_generations"));
  const Json* const beta = document.take("beta");
  draft.set("kl_reference", beta == nullptr || *beta == Json(0) || *beta == Json("0.0") ? "false" : "true");
  const std::int64_t answer = document.whole("max_completion_length").value_or(256), prompt = document.whole("max_prompt_length").value_or(512);
  draft.set("completion_tokens", answer);
  draft.set("context_tokens", answer + prompt);
}

void read(Document& document, RequestBuilder& draft) {
  for (Leaf& leaf : document.leaves()) {
    if (!leaf.path.ends_with(std::string{"."} + kUnknown)) continue;
    leaf.state = LeafState::refused;
    const std::string name = leaf.path.substr(0, leaf.path.size() - 2);
    draft.refuse(name, "What " + name + " is, only running the script tells.", "Write its value there.");
  }
  for (const char* key : {"adapter.finetune_language_layers", "adapter.finetune_attention_modules", "adapter.finetune_mlp_modules"})
    if (document.truth(key) == false) document.refuse(key, "true: adapters on a part of the maps are told by target_modules");
  const bool adapter = document.has_section("adapter");
  read_training_arguments(document, draft, {.bf16 = true, .half_weights = true, .frozen = adapter});
  draft.set("profile", "unsloth");
  if (adapter) read_lora(document, draft, kKeys);
  else draft.set("method", "full");
  read_weights(document, draft, adapter);
  if (adapter) check_targets(document, draft);
  read_recompute(document, draft);
  read_method(document, draft);
  if (document.is_on("packing")) draft.set("batching", "packed");
  draft.assume("context_tokens: as many as are allowed; sequences of the data may be shorter");
}

constexpr std::array kEffects{
    Effect{"load.fast_inference", "vLLM generates from the weights that train.", false, Weight::decides},
    Effect{"load.qat_scheme adapter.qat_scheme", "weights are rounded anew in every pass, beside those that train.", false, Weight::decides},
    Effect{"load.unsloth_tiled_mlp", "MLPs run piece by piece.", false, Weight::decides},
    Effect{"load.load_in_fp8", "weights are held in 8 bits.", false, Weight::decides},
    Effect{"load.float32_mixed_precision", "weights that train are fp32: precision.", false, Weight::decides},
    Effect{"adapter.finetune_vision_layers", "the tower that sees gets adapters, and images are tokens: towers beside the language model."},
    Effect{"adapter.layers_to_transform", "layers that get adapters.", false, Weight::decides},
    Effect{"adapter.init_lora_weights adapter.loftq_config", "adapters begin from parts of the weights, which changes neither memory nor time."},
};

} // namespace

Json unsloth_tree(std::string_view text) {
  if (text.find("unsloth") == std::string_view::npos || text.find(".from_pretrained(") == std::string_view::npos) return {};
  Json tree = Json::object(), load, trainer;
  for (const Json& call : python::read_calls(text)) {
    const std::string name = call.at(kCalled).text();
    if (load.is_null() && name.starts_with("Fast") && name.ends_with(".from_pretrained")) load = call;
    else if (!load.is_null() && !tree.contains("adapter") && name.starts_with("Fast") && name.ends_with(".get_peft_model")) take(call, "adapter.", tree["adapter"] = Json::object());
    else if (trainer.is_null() && name.ends_with("Trainer") && (call.contains("model") || call.contains("args"))) trainer = call;
  }
  if (load.is_null() || trainer.is_null()) return {};
  if (!load.contains("model_name") && !load.at(kValues).empty()) load["model_name"] = load.at(kValues)[0];
  take(load, "load.", tree["load"] = Json::object());
  if (const auto args = trainer.find("args"); args != trainer.end() && args->is_object()) take(*args, "", tree);
  take(trainer, "", tree);
  tree["trainer"] = Json::object();
  tree["trainer"]["name"] = trainer.at(kCalled);
  tree["num_processes"] = 1U; // where no launcher starts more
  if (Json& adapter = tree["adapter"]; adapter.is_null()) tree.erase("adapter");
  else if (adapter.contains("target_modules") && adapter["target_modules"].is_array()) { // these two train whole (unsloth/models/llama.py)
    Json maps = Json::array(), whole = Json::array();
    for (const Json& one : adapter["target_modules"]) (one == Json("embed_tokens") || one == Json("lm_head") ? whole : maps).push_back(one);
    adapter["target_modules"] = std::move(maps);
    if (!whole.empty()) adapter["modules_to_save"] = std::move(whole);
  }
  return tree;
}

const Format& unsloth() noexcept {
  static const std::string kHarmless = std::string{trl().harmless} +
                                       " load.token load.dtype load.max_lora_rank load.gpu_memory_utilization load.trust_remote_code load.revision load.device_map load.auto_model load.unsloth_force_compile "
                                       "load.force_download load.attn_implementation load.rope_scaling load.fix_tokenizer load.use_exact_model_name load.local_files_only load.use_gradient_checkpointing "
                                       "adapter.lora_alpha adapter.bias adapter.random_state adapter.use_rslora adapter.task_type adapter.max_seq_length adapter.temporary_location "
                                       "adapter.ensure_weight_tying use_vllm vllm_sampling_params embedding_learning_rate num_processes";
  static const Format kFormat{.id = "unsloth",
                              .name = "Unsloth",
                              .source = "unslothai/unsloth, unsloth/models/loader.py and llama.py",
                              .syntax = Syntax::json,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = kHarmless,
                              .effects = kEffects,
                              .shared_harmless = training_arguments_harmless(),
                              .shared_effects = training_arguments_effects()};
  return kFormat;
}

} // namespace plimsoll::io::configs
