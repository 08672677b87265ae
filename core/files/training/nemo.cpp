// Overrides of NeMo and Megatron Bridge: key=value as Hydra and OmegaConf take them (NVIDIA-NeMo/Megatron-Bridge, docs/recipe-usage.md and
// docs/megatron-lm-to-megatron-bridge.md; NVIDIA/NeMo, examples/nlp/language_modeling/conf). What a recipe says by itself is not here.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::configs {

namespace {

/// Several signs: other programs have a "train.micro_batch_size" too. A recipe's name is enough beside one of them.
bool recognises(const Document& document) {
  int signs = 0;
  for (const Leaf& leaf : document.leaves()) {
    for (const std::string_view name : {"model.tensor_model_parallel_size", "model.pipeline_model_parallel_size", "model.micro_batch_size", "model.global_batch_size",
                                        "train.micro_batch_size", "train.global_batch_size", "trainer.strategy.tensor_model_parallel_size", "trainer.strategy.pipeline_model_parallel_size",
                                        "trainer.devices", "trainer.num_nodes", "data.micro_batch_size", "data.global_batch_size", "model.num_layers", "model.hidden_size", "model.seq_length",
                                        "ddp.use_distributed_optimizer", "model.context_parallel_size", "model.expert_model_parallel_size", "model.restore_from_path", "model.encoder_seq_length",
                                        "model.virtual_pipeline_model_parallel_size", "model.sequence_parallel", "dataset.sequence_length", "dataset.seq_length", "recipe", "recipe.name", "recipe._target_", "hf_path", "mixed_precision"})
      signs += leaf.path == name ? 1 : 0;
    signs += leaf.path.starts_with("exp_manager.") || leaf.path == "model.mcore_gpt" || leaf.path == "model.megatron_amp_O2" ? 1 : 0;
  }
  return signs >= 2;
}

/// "llama3_8b_pretrain_config", "qwen3_30b_a3b_sft_8gpu_h100_bf16_config" and "/ckpts/llama3-8b.nemo" begin with a model.
std::string model_part(std::string name) {
  if (name.ends_with(".nemo")) name.erase(name.size() - 5);
  if (name.starts_with("megatron.bridge.recipes.")) name.erase(0, name.rfind('.') + 1); // a function of that module
  for (const std::string_view end : {"_pretrain", "_finetune", "_sft", "_peft", "_lora", "_dora", "_config"})
    if (const std::size_t at = name.find(end); at != std::string::npos && at > 0 && name.find('/', at) == std::string::npos) name.erase(at);
  return name;
}

constexpr std::array kNameKeys{"recipe", "recipe.name", "recipe._target_", "model_recipe_name", "mr", "hf_path", "hf_model_id", "hf_model_path", "model.restore_from_path", "model.path", "resume.restore_config.path", "model.tokenizer.type", "model.factory", "flavor"};

/// The part of the path of a checkpoint that training starts from that names a model; "" where none does.
std::string model_of_checkpoint(Document& document, const Catalog& catalog) {
  for (const char* key : {"checkpoint.pretrained_checkpoint", "pretrained_checkpoint"}) {
    std::string rest = document.text(key);
    while (!rest.empty()) {
      const std::size_t slash = rest.find_last_of('/');
      const std::string part = rest.substr(slash == std::string::npos ? 0 : slash + 1);
      if (model_of_config(catalog, part).row != nullptr) return part;
      rest.erase(slash == std::string::npos ? 0 : slash);
    }
  }
  return "";
}

/// A recipe that is not called by its model trains the one of the checkpoint.
void read_name(Document& document, RequestBuilder& draft) {
  std::string first;
  if (const std::string family = document.text("model_name"), size = document.text("model_size"); !family.empty() && !size.empty()) { // until the end of 2025
    first = family + "_" + size;
    if (model_of_config(draft.catalog, first).row != nullptr) return draft.name_model(first);
  }
  for (const char* key : kNameKeys) {
    const std::string name = model_part(document.text(key));
    if (name.empty() || (std::string_view{key} == "model.tokenizer.type" && name.find('/') == std::string::npos)) continue;
    if (model_of_config(draft.catalog, name).row != nullptr) return draft.name_model(name);
    if (first.empty()) first = name;
  }
  if (const std::string name = model_of_checkpoint(document, draft.catalog); !name.empty()) return draft.name_model(name);
  if (!first.empty()) return draft.name_model(first);
  draft.miss_model("The list of overrides");
}

/// Overrides that give a recipe's model another shape: single facts of it.
void read_changes(Document& document, RequestBuilder& draft) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kFacts{{{"num_layers", "layers"}, {"hidden_size", "hidden_size"}, {"ffn_hidden_size", "intermediate_size"},
                                                                                       {"num_attention_heads", "query_heads"}, {"num_query_groups", "kv_heads"}, {"kv_channels", "head_dim"},
                                                                                       {"num_moe_experts", "experts"}, {"moe_router_topk", "experts_per_token"}, {"moe_ffn_hidden_size", "expert_size"}}};
  for (const auto& [key, field] : kFacts)
    for (const std::string& path : {"model." + std::string{key}, std::string{key}})
      if (const auto number = document.whole(path)) draft.set(field, *number);
}

/// Recipes of models whose layers the stages do not divide count embedding and loss as layers too (NVIDIA-NeMo/Megatron-Bridge,
/// src/megatron/bridge/recipes/qwen/h100/qwen3_moe.py, account_for_embedding_in_pipeline_split), or lay chunks out that are all as large but the last, which has
/// what is left (deepseek/h100/deepseek_v3.py, kimi/h100/kimi_k2.py: 61 layers on 4, 8 and 16 chunks).
void split_of_recipe(RequestBuilder& draft) {
  for (const char* stated : {"embedding_in_split", "loss_in_split", "first_stage_layers", "last_stage_layers", "layers"})
    if (draft.has(stated)) return;
  const std::int64_t chunks = (Count{whole_number(draft.text("pipeline_parallel")).value_or(1)} * Count{whole_number(draft.text("virtual_stages")).value_or(1)}).value;
  const ModelRow* const row = draft.catalog.find_model(draft.text("model"));
  const std::optional<Model> model = row == nullptr ? std::nullopt : draft.catalog.model(*row).model;
  if (!model || chunks < 2) return;
  Count all;
  for (const LayerGroup& group : model->groups) all = all + group.layers;
  const std::int64_t layers = all.value;
  if (layers % chunks == 0) return;
  if ((layers + 2) % chunks == 0) {
    for (const char* field : {"embedding_in_split", "loss_in_split"}) draft.set_assumed(field, "true", "the recipe's stages cannot divide the layers otherwise");
    return;
  }
  const Count each = ceil_div(all, Count{chunks}), last = all - each * Count{chunks - 1};
  if (last <= Count{0}) return;
  std::vector<std::size_t> laid_out(static_cast<std::size_t>(chunks), static_cast<std::size_t>(each.value));
  laid_out.back() = static_cast<std::size_t>(last.value);
  set_megatron_chunks(draft, laid_out);
  draft.assume("layers of the stages: " + std::to_string(each.value) + " in each chunk and " + std::to_string(last.value) + " in the last, as recipes lay 61 layers out");
}

/// What recipes say by themselves, and what scripts make of their options (NVIDIA-NeMo/Megatron-Bridge, src/megatron/bridge/recipes/common.py and
/// scripts/performance/utils/overrides.py, _set_megatron_fsdp_overrides and _set_recompute_overrides; NVIDIA/NeMo, nemo/collections/llm/recipes/optim/adam.py).
void read_recipe(Document& document, RequestBuilder& draft) {
  const bool sharded = document.any_on({"ddp.use_megatron_fsdp", "ddp.use_custom_fsdp", "dist.use_megatron_fsdp", "model.use_megatron_fsdp", "use_megatron_fsdp"});
  const bool alone = draft.text("data_parallel") == "1" && !draft.has("context_parallel");
  const bool stated = document.has("ddp.use_distributed_optimizer") || document.has("optimizer.use_distributed_optimizer");
  if (sharded && !document.has("ddp.data_parallel_sharding_strategy")) draft.set_assumed("sharding", "parameters", "data_parallel_sharding_strategy is optim_grads_params in recipes");
  else if (!sharded && !stated && !alone) draft.set_assumed("sharding", "optimizer", "use_distributed_optimizer is on in recipes");
  const auto layers = document.whole("recompute_num_layers");
  if (!layers || draft.has("recompute")) return;
  draft.set("recompute", *layers > 0 ? "block" : "none");
  if (*layers > 0) draft.set("recompute_layers", *layers);
}

/// Towers train where a launch does not freeze them.
void read_frozen(Document& document, RequestBuilder& draft) {
  const ModelRow* const row = draft.catalog.find_model(draft.text("model"));
  const std::optional<Model> model = row == nullptr ? std::nullopt : draft.catalog.model(*row).model;
  if (!model || model->towers.empty()) return;
  if (const auto frozen = document.truth("model.freeze_vision_model")) draft.set("train_towers", *frozen ? "false" : "true");
}

/// What a launch of Megatron Bridge runs: as --mode or --task says, and otherwise the recipe's name (scripts/training/run_recipe.py,
/// scripts/performance/argument_parser.py).
enum class Run : unsigned char { pretrains, finetunes, adapters };

Run run_of(Document& document) {
  const std::string mode = document.text("mode"), task = document.text("task"), recipe = document.text("recipe") + document.text("recipe.name") + document.text("recipe._target_");
  const std::string& stated = mode.empty() ? task : mode;
  if (stated == "lora" || stated == "dora" || stated == "peft") return Run::adapters;
  if (stated == "sft" || stated == "finetune") return Run::finetunes;
  if (!stated.empty()) return Run::pretrains;
  if (recipe.find("_peft") != std::string::npos || recipe.find("_lora") != std::string::npos) return Run::adapters;
  return recipe.find("_sft") != std::string::npos || recipe.find("_finetune") != std::string::npos ? Run::finetunes : Run::pretrains;
}

void read_adapter(Document& document, RequestBuilder& draft) {
  const std::string scheme = document.text("model.peft.peft_scheme");
  const std::string plain = document.text("peft"), other = document.text("peft_scheme");
  const Run run = run_of(document);
  const bool lora = scheme == "lora" || plain == "lora" || other == "lora" || document.has("peft.dim") || run == Run::adapters;
  if (!scheme.empty() && scheme != "lora" && scheme != "null" && scheme != "none") document.refuse("model.peft.peft_scheme", "lora");
  if (run != Run::pretrains || lora) draft.set("task", "finetune");
  if (run == Run::finetunes && !lora) draft.set("method", "full");
  if (!lora) return;
  draft.set("method", "lora");
  auto rank = document.whole("model.peft.lora_tuning.adapter_dim");
  if (!rank) rank = document.whole("peft.dim");
  if (rank) draft.set("rank", *rank);
  else draft.set_assumed("rank", "32", "adapter_dim is 32 by itself");
  const std::string key = document.has("peft.target_modules") ? "peft.target_modules" : "model.peft.lora_tuning.target_modules";
  std::vector<std::string> names = document.texts(key);
  for (std::string& name : names) {
    if (name == "attention_qkv") name = "linear_qkv";
    if (name == "attention_dense") name = "linear_proj";
    if (name == "mlp_fc1") name = "linear_fc1";
    if (name == "mlp_fc2") name = "linear_fc2";
  }
  if (names.empty() && run == Run::adapters) return draft.set_assumed("targets", "all_linear", "linear_qkv, linear_proj, linear_fc1 and linear_fc2 are the targets by themselves");
  if (names.empty()) return draft.set_assumed("targets", "qkv", "attention_qkv is the target by itself");
  set_targets(document, draft, key, names);
  const Json* dropout = document.take("peft.dropout");
  if (dropout == nullptr) dropout = document.take("model.peft.lora_tuning.adapter_dropout");
  if (dropout != nullptr && *dropout != Json(0) && *dropout != Json(0.0)) draft.set("adapter_dropout", "true");
}

/// NeMo 1: an optimizer that shards its states, and fp32 weights under autocast where megatron_amp_O2 is off (NVIDIA/NeMo,
/// nemo/collections/nlp/models/language_modeling/megatron_base_model.py).
void read_first_generation(Document& document, RequestBuilder& draft) {
  const std::string optimizer = document.text("model.optim.name");
  if (optimizer.find("distributed_") != std::string::npos && !draft.has("sharding")) draft.set("sharding", "optimizer");
  const auto master = document.truth("model.megatron_amp_O2");
  const std::string precision = draft.text("precision");
  if (master == false && optimizer.find("distributed_") == std::string::npos)
    draft.set("precision", precision == "master_bf16" ? "mixed_bf16" : precision == "master_fp16" ? "mixed_fp16" : precision);
}

/// Files of NeMo 1 beside those that train a GPT (NVIDIA/NeMo, examples/nlp/language_modeling/conf, and the models of that name in
/// nemo/collections/nlp/models/language_modeling; transformer_block_type: modules/common/megatron/transformer.py).
void refuse_other_models(Document& document, RequestBuilder& draft) {
  struct Other {
    std::string_view keys, reason;
  };
  static constexpr std::array kOthers{
      Other{"model.encoder.* model.decoder.* model.tokens_head_bias model.share_decoder_tokens_head_embeddings", "T5 and BART, an encoder beside a decoder, are not covered as NeMo builds them."},
      Other{"model.retro.* model.enc_num_layers model.dec_num_layers base_model.enc_num_layers", "RETRO, whose layers read what was retrieved, is not covered."},
      Other{"model.add_pooler model.add_lm_head model.mcore_bert model.language_model.*", "BERT, with its pooler and its second loss, is not covered as NeMo builds it."},
      Other{"model.vision.* model.text.*", "CLIP, an encoder of pictures beside one of texts, is not covered as NeMo builds it."},
      Other{"model.unet_config.* model.unet.* model.first_stage_config.* model.cond_stage_config.* model.conditioning.*", "A model that makes pictures is not covered."},
      Other{"model.perception.*", "A part that hears in front of a language model is not covered as NeMo builds it."},
      Other{"model.logits_soft_cap", "Griffin's recurrent layers are not covered as NeMo builds them."},
      Other{"export_options.*", "The file exports a model, and trains nothing."},
  };
  for (const Other& other : kOthers)
    for (const Leaf& leaf : document.leaves())
      if (names(other.keys, leaf.path)) {
        draft.refuse(leaf.path, std::string{other.reason}, "Choose a model by its name, or import its config.json.");
        break; // one of a kind is enough
      }
  if (document.text("model.name") == "te_gpt_hyena") draft.refuse("model.name", "Hyena's long convolutions in the place of attention are not covered.", "Choose a model by its name, or import its config.json.");
  if (const std::string block = document.text("model.transformer_block_type"); !block.empty() && block != "pre_ln") document.refuse("model.transformer_block_type", "pre_ln");
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "pretrain");
  draft.set("profile", "megatron");
  refuse_other_models(document, draft);
  read_megatron(document, draft, MegatronDialect::overrides);
  if (!read_megatron_model(document, draft, MegatronDialect::overrides)) {
    read_name(document, draft);
    if (draft.has("model")) read_changes(document, draft), split_of_recipe(draft), read_frozen(document, draft);
    if (!document.has("model.optim.name")) read_recipe(document, draft);
  } else for (const char* key : kNameKeys) document.take(key); // the shape that is described counts
  for (const char* key : {"model.transformer_engine", "model.reduce_amax"}) document.take(key); // as the estimate takes it
  read_first_generation(document, draft);
  if (document.has_section("inference") && !document.has("model.optim.name")) draft.refuse("inference", "The file generates text, and trains nothing.", "Give the file that trains; for serving, state the model with task=inference.");
  read_adapter(document, draft);
  draft.say(Severity::note, "", "Overrides change a recipe, which is not read here: what they do not say is taken as the inputs have it.", "Check the inputs against the recipe.");
}

void write(const Source& source, Json& tree) {
  const Count gpus = source.answer.estimate.gpus;
  const std::int64_t local = gpus > Count{8} && gpus.value % 8 == 0 ? 8 : gpus.value;
  put(tree, "trainer.devices", local);
  put(tree, "trainer.num_nodes", gpus.value / local);
  write_megatron_model(source, tree, MegatronDialect::overrides);
  write_megatron(source, tree, MegatronDialect::overrides);
  if (!is_lora(source)) return;
  put(tree, "peft.dim", source.tuning().rank);
  put(tree, "peft.dropout", source.tuning().adapter_dropout ? 0.05 : 0.0);
  const std::string targets = source.text("targets");
  Json names = Json::array();
  if (targets == "qkv" || targets == "attention" || targets == "all_linear") names.push_back("linear_qkv");
  if (targets == "attention" || targets == "all_linear") names.push_back("linear_proj");
  if (targets == "mlp" || targets == "all_linear") for (const char* name : {"linear_fc1", "linear_fc2"}) names.push_back(name);
  if (!names.empty()) put(tree, "peft.target_modules", names);
}

} // namespace

const Format& nemo() noexcept {
  static constexpr std::array kCommands{ // scripts/training and scripts/performance
    Command{.program = "run_recipe.py", .reads = Reads::overrides, .name = "Megatron Bridge"},
    Command{.program = "training/train.sh", .reads = Reads::overrides, .name = "Megatron Bridge"},
    Command{.program = "performance/run_script.py", .reads = Reads::overrides, .name = "Megatron Bridge"},
    Command{.program = "performance/setup_experiment.py", .reads = Reads::overrides, .name = "Megatron Bridge"},
    Command{.program = "performance/custom_setup_experiment.py", .reads = Reads::overrides, .name = "Megatron Bridge"} // its copy in AI-Hypercomputer/gpu-recipes
  };
  static const Format kFormat{.id = "nemo",
                              .name = "NeMo, Megatron Bridge",
                              .source = "NVIDIA-NeMo/Megatron-Bridge, docs/megatron-lm-to-megatron-bridge.md",
                              .syntax = Syntax::overrides,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = nemo_harmless(),
                              .effects = nemo_effects(),
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
