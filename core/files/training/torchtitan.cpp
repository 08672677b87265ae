// torchtitan's TOML (pytorch/torchtitan, torchtitan/config/job_config.py; torchtitan/models/*/train_configs).
#include "files/training/format.hpp"
#include "files/training/models.hpp"
#include "files/training/print.hpp"
#include "files/training/torchtitan_keys.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace plimsoll::io::configs {

namespace {

/// Flavours of torchtitan/models that have the shape of a model of the catalogue.
struct Flavor {
  std::string_view id, name, flavor;
};
constexpr std::array kFlavors{Flavor{"llama-3-8b", "llama3", "8B"},          Flavor{"llama-3-70b", "llama3", "70B"},
                              Flavor{"llama-3.1-405b", "llama3", "405B"},    Flavor{"llama-3.1-8b", "llama3", "8B"},
                              Flavor{"llama-3.1-70b", "llama3", "70B"},      Flavor{"llama-4-scout-109b-a17b", "llama4", "17bx16e"},
                              Flavor{"llama-4-maverick-402b-a17b", "llama4", "17bx128e"}, Flavor{"llama-4-scout-109b-a17b", "llama4", "17bx16e_irope"},
                              Flavor{"llama-4-maverick-402b-a17b", "llama4", "17bx128e_irope"}, Flavor{"llama-3.2-1b", "llama3", "1B"}, Flavor{"llama-3.2-3b", "llama3", "3B"}, Flavor{"deepseek-v3-671b", "deepseek_v3", "671B"},
                              Flavor{"qwen3-0.6b", "qwen3", "0.6B"},         Flavor{"qwen3-1.7b", "qwen3", "1.7B"},
                              Flavor{"qwen3-4b", "qwen3", "4B"},             Flavor{"qwen3-8b", "qwen3", "8B"},
                              Flavor{"qwen3-14b", "qwen3", "14B"},           Flavor{"qwen3-32b", "qwen3", "32B"},
                              Flavor{"qwen3-30b-a3b", "qwen3", "30B-A3B"},   Flavor{"qwen3-235b-a22b", "qwen3", "235B-A22B"},
                              Flavor{"deepseek-v2-lite-16b", "deepseek_v3", "16B"}, Flavor{"deepseek-v2-236b", "deepseek_v3", "236B"}, Flavor{"gpt-oss-20b", "gpt_oss", "20b"},
                              Flavor{"gpt-oss-120b", "gpt_oss", "120b"},     Flavor{"qwen3.5-0.8b", "qwen3_5", "0.8B"},
                              Flavor{"qwen3.5-2b", "qwen3_5", "2B"},         Flavor{"qwen3.5-4b", "qwen3_5", "4B"},
                              Flavor{"qwen3.5-9b", "qwen3_5", "9B"},         Flavor{"qwen3.5-27b", "qwen3_5", "27B"},
                              Flavor{"qwen3.5-35b-a3b", "qwen3_5", "35B-A3B"}, Flavor{"qwen3.5-122b-a10b", "qwen3_5", "122B-A10B"},
                              Flavor{"qwen3.5-397b-a17b", "qwen3_5", "397B-A17B"}};

/// "qwen35" and "qwen3_5" are one folder: functions of registries write it so.
bool is_folder(std::string_view typed, std::string_view folder) {
  const auto without = [](std::string_view text) {
    std::string letters{text};
    std::erase(letters, '_');
    return letters;
  };
  return without(typed) == without(folder);
}

/// Small models that torchtitan tries its features on (torchtitan/models/llama3 and qwen3, __init__.py), with the vocabulary of the tokenizer in
/// its tests; what follows "debugmodel" in a name is a kernel of attention.
struct Small {
  std::string_view name, flavor;
  std::int64_t layers, heads, kv_heads, head_dim, mlp, experts, chosen, expert_size;
  bool normed = false, tied = false;
};
constexpr std::array kSmall{Small{"qwen3", "debugmodel_moe", 8, 16, 8, 128, 3072, 64, 8, 768, true, false}, Small{"qwen3", "debugmodel", 8, 16, 8, 128, 3072, 0, 0, 0, true, true},
                            Small{"llama3", "debugmodel", 6, 16, 16, 16, 768, 0, 0, 0}, Small{"llama3_ft", "debugmodel", 6, 16, 16, 16, 768, 0, 0, 0}};

/// Others of that kind, whose layers differ (deepseek_v3, gpt_oss and llama4, __init__.py and args.py of February 2026): in keys of the family's config.json.
struct Built {
  std::string_view name, flavor, config;
};
constexpr std::array kBuilt{
    Built{"deepseek_v3", "debugmodel",
          R"({"model_type":"deepseek_v2","hidden_size":256,"intermediate_size":1024,"moe_intermediate_size":256,"num_hidden_layers":6,"first_k_dense_replace":1,"num_attention_heads":16,"num_key_value_heads":16,"n_routed_experts":8,"n_shared_experts":2,"num_experts_per_tok":3,"moe_layer_freq":1,"q_lora_rank":null,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"vocab_size":2048,"max_position_embeddings":16384,"tie_word_embeddings":false,"attention_bias":false,"hidden_act":"silu"})"},
    Built{"gpt_oss", "debugmodel",
          R"({"model_type":"gpt_oss","hidden_size":256,"intermediate_size":2880,"num_hidden_layers":4,"layer_types":["sliding_attention","full_attention","sliding_attention","full_attention"],"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"num_local_experts":8,"num_experts_per_tok":4,"sliding_window":128,"attention_bias":true,"vocab_size":201088,"max_position_embeddings":131072,"tie_word_embeddings":false,"hidden_act":"silu"})"},
    Built{"llama4", "debugmodel", // experts' width: 4 * 256 * 2 / 3, divided among the chosen and the shared one, in whole 256
          R"({"model_type":"llama4_text","hidden_size":256,"intermediate_size":512,"intermediate_size_mlp":768,"interleave_moe_layer_step":2,"num_hidden_layers":6,"num_attention_heads":16,"num_key_value_heads":16,"head_dim":16,"num_local_experts":8,"num_experts_per_tok":1,"attention_bias":false,"use_qk_norm":false,"no_rope_layers":[1,1,1,1,1,1],"attention_chunk_size":null,"vocab_size":2048,"max_position_embeddings":1048576,"tie_word_embeddings":false,"hidden_act":"silu"})"}};

void describe(const Small& small, RequestBuilder& draft) {
  draft.set("model", "custom");
  draft.set("hidden_size", std::int64_t{256});
  draft.set("layers", small.layers);
  draft.set("query_heads", small.heads);
  draft.set("kv_heads", small.kv_heads);
  draft.set("head_dim", small.head_dim);
  draft.set("intermediate_size", small.mlp);
  draft.set("mlp_kind", "gated");
  draft.set("norm", "rmsnorm");
  if (small.normed) draft.set("qk_norm", "per_head");
  draft.set("tied_embeddings", small.tied ? "true" : "false");
  if (small.experts > 0) draft.set("experts", small.experts), draft.set("experts_per_token", small.chosen), draft.set("expert_size", small.expert_size);
  draft.set_assumed("vocab_size", "2048", "that of the tokenizer in torchtitan's tests");
}

bool recognises(const Document& document) {
  return document.has("model.flavor") || (document.has_section("training") && (document.has_section("parallelism") || document.has("training.seq_len")));
}

void read_model(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("model.name"), flavor = document.text("model.flavor");
  if (flavor.empty()) return draft.miss_model("The file");
  const auto small = std::ranges::find_if(kSmall, [&](const Small& one) { return is_folder(name, one.name) && flavor.starts_with(one.flavor); });
  if (small != kSmall.end()) return describe(*small, draft);
  const auto built = std::ranges::find_if(kBuilt, [&](const Built& one) { return is_folder(name, one.name) && one.flavor == flavor; });
  if (built != kBuilt.end()) return draft.set("model", "custom"), draft.set("config", built->config);
  if (const std::string named = document.text("hf_transformers.model"); name == "transformers_modeling_backend" && flavor == "full" && !named.empty()) return draft.name_model(named);
  const auto row = std::ranges::find_if(kFlavors, [&](const Flavor& one) { return is_folder(name, one.name) && one.flavor == flavor; });
  draft.name_model(row != kFlavors.end() ? std::string{row->id} : name.empty() ? flavor : name + "-" + flavor);
}

/// The name that a setting has in the file. Degrees stood in [training] and [experimental] until January 2025, eager float8 in [training]
/// before it had a section (pytorch/torchtitan, torchtitan/config_manager.py at v0.0.1 and before).
std::string name_of(const Document& document, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (document.has(name)) return name;
  return *names.begin();
}

/// Replicas of groups that shard; -1 is what is left of the GPUs.
void read_degrees(Document& document, RequestBuilder& draft) {
  const auto degree = [&](const std::string& name) {
    const std::string today = "parallelism." + name, training = "training." + name, experimental = "experimental." + name;
    return name_of(document, {today.c_str(), training.c_str(), experimental.c_str()});
  };
  if (const auto tensor = document.whole(degree("tensor_parallel_degree")); tensor && *tensor > 1) {
    draft.set("tensor_parallel", *tensor);
    draft.set("sequence_parallel", "true"); // torchtitan/models/llama3/infra/parallelize.py, apply_tp
  }
  draft.set_above_one("pipeline_parallel", document.whole(degree("pipeline_parallel_degree")));
  if (const auto context = document.whole(degree("context_parallel_degree")); context && *context > 1) {
    draft.set("context_parallel", *context);
    draft.set("context_method", document.text(degree("context_parallel_rotate_method")) == "alltoall" ? "ring" : "all_gather");
  }
  draft.set_above_one("expert_parallel", document.whole("parallelism.expert_parallel_degree"));
  draft.set_above_one("expert_tensor_parallel", document.whole("parallelism.expert_tensor_parallel_degree"));
  const std::int64_t replicas = document.whole(degree("data_parallel_replicate_degree")).value_or(1);
  const std::string shard = name_of(document, {"parallelism.data_parallel_shard_degree", "training.data_parallel_shard_degree", "training.data_parallel_degree"});
  const Json* given = document.take(shard);
  const bool rest = given == nullptr || *given == Json(-1);
  const auto shards = rest ? std::optional<std::int64_t>{} : document.whole(shard);
  draft.set("sharding", !rest && shards == 1 && !draft.has("context_parallel") ? "none" : "parameters");
  if (!shards) {
    draft.miss_gpus();
    const std::int64_t all = whole_number(draft.text("data_parallel")).value_or(0);
    if (replicas > 1 && times(all, replicas) > 1) draft.set("shard_group", times(all, replicas));
    return;
  }
  draft.set("data_parallel", (Count{std::max<std::int64_t>(replicas, 1)} * Count{*shards}).value);
  if (replicas > 1 && *shards > 1) draft.set("shard_group", *shards);
}

void read_pipeline(Document& document, RequestBuilder& draft) {
  const std::string key = name_of(document, {"parallelism.pipeline_parallel_schedule", "experimental.pipeline_parallel_schedule"});
  const std::string schedule = document.text(key);
  if (!draft.has("pipeline_parallel")) return; // a schedule without a pipeline says nothing
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSchedules{
      {{"1f1b", "1f1b"}, {"interleaved1f1b", "1f1b"}, {"gpipe", "gpipe"}, {"zbvzerobubble", "zb_v"}, {"dualpipev", "dualpipe_v"}}};
  const std::string lower = lower_case(schedule);
  for (const auto& [word, choice] : kSchedules)
    if (lower == word) draft.set("pipeline_schedule", choice);
  if (!schedule.empty() && !draft.has("pipeline_schedule")) document.refuse(key, "1F1B, Interleaved1F1B, GPipe, ZBVZeroBubble or DualPipeV");
  if (lower == "interleaved1f1b") draft.set_assumed("virtual_stages", "2", "a looped schedule takes two stages a rank where nobody says layers_per_stage");
}

/// With a pipeline the local batch is cut into micro-batches; without, the global batch says how often gradients accumulate.
void read_batches(Document& document, RequestBuilder& draft) {
  auto local = document.whole("training.local_batch_size");
  if (!local) local = document.whole("training.batch_size"); // until mid-2025
  if (!local) draft.assume("batch = 8: training.local_batch_size is 8 by itself");
  const std::int64_t batch = local.value_or(8);
  auto piece = document.whole("parallelism.pipeline_parallel_microbatch_size");
  if (const auto pieces = document.whole(name_of(document, {"parallelism.pipeline_parallel_microbatches", "experimental.pipeline_parallel_microbatches", "parallelism.num_pp_microbatches"})); pieces && *pieces > 0)
    piece = std::max<std::int64_t>(1, batch / *pieces); // how many there are, until 2025
  else if (!piece && document.has("experimental.pipeline_parallel_degree") && draft.has("pipeline_parallel"))
    piece = std::max<std::int64_t>(1, batch / std::max<std::int64_t>(1, whole_number(draft.text("pipeline_parallel")).value_or(1))); // then as many as stages
  const std::int64_t micro = draft.has("pipeline_parallel") ? std::min(std::max<std::int64_t>(piece.value_or(1), 1), batch) : batch;
  draft.set("batch", micro);
  std::int64_t count = micro > 0 ? std::max<std::int64_t>(batch / micro, 1) : 1;
  const Json* all = document.take("training.global_batch_size");
  const auto replicas = whole_number(draft.text("data_parallel"));
  if (all != nullptr && *all != Json(-1)) {
    const auto global = document.whole("training.global_batch_size");
    const Count once = Count{batch} * Count{replicas.value_or(0)};
    if (global && once > Count{0} && *global % once.value == 0) count = (Count{count} * Count{*global / once.value}).value;
    else if (global && !replicas) draft.assume("micro_batches = " + std::to_string(count) + ": how often gradients accumulate follows from the replicas, which nobody told");
    else if (global) document.refuse("training.global_batch_size", "a multiple of local_batch_size and the replicas, both stated");
  }
  draft.set("micro_batches", count);
}

void read_recompute(Document& document, RequestBuilder& draft) {
  const std::string mode = document.text("activation_checkpoint.mode"), option = document.text("activation_checkpoint.selective_ac_option");
  if (mode == "none" || mode == "full") return draft.set("recompute", mode);
  if (mode == "memory_budget") return document.refuse("activation_checkpoint.mode", "none, selective or full");
  if (mode.empty()) draft.assume("recompute: activation_checkpoint.mode is selective by itself, for every second layer");
  if (option == "op") return draft.set("recompute", "per_op");
  draft.set("recompute", "every_k");
  draft.set("recompute_layers", whole_number(option).value_or(2));
}

void read_precision(Document& document, RequestBuilder& draft) {
  const bool half = document.text("training.mixed_precision_param") != "float32";
  const bool shards = draft.text("sharding") == "parameters";
  const std::string dtype = document.text("training.dtype");
  draft.set("precision", dtype == "bfloat16" ? "bf16" : !half ? "fp32" : shards ? "sharded_bf16" : "mixed_bf16");
  if (!document.has("training.mixed_precision_param")) draft.assume("precision: mixed_precision_param is bfloat16 by itself");
  std::vector<std::string> converters = document.texts("model.converters");
  const bool earlier = document.any_on({"float8.enable_float8_linear", "training.enable_float8_linear", "training.enable_fp8_linear"});
  const bool float8 = earlier || std::ranges::any_of(converters, [](const std::string& name) { return name == "float8" || name == "quantize.linear.float8"; });
  const bool gathers = document.any_on({"float8.enable_fsdp_float8_all_gather", "training.enable_fsdp_float8_all_gather", "training.enable_fsdp_fp8_all_gather", "quantize.linear.float8.enable_fsdp_float8_all_gather"});
  if (float8) draft.set("fp8", gathers ? "gathered" : "compute");
  std::erase_if(converters, [](const std::string& name) { return name == "float8" || name == "quantize.linear.float8"; });
  if (!converters.empty()) document.refuse("model.converters", "float8 alone");
}

void read_optimizer(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("optimizer.name"), way = document.text("optimizer.implementation");
  if (name != "AdamW" && name != "Adam" && !name.empty()) document.refuse("optimizer.name", "AdamW or Adam");
  draft.set("optimizer", way == "foreach" ? "adamw_foreach" : way == "for-loop" ? "adamw_forloop" : "adamw_fused");
  if (way.empty()) draft.assume("optimizer = adamw_fused: optimizer.implementation is fused by itself");
  if (document.is_on("optimizer.early_step_in_backward")) draft.set("optimizer_in_backward", "true");
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "pretrain");
  draft.set("profile", "torchtitan");
  read_model(document, draft);
  read_degrees(document, draft);
  read_pipeline(document, draft);
  read_batches(document, draft);
  if (const auto length = document.whole("training.seq_len")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "2048", "training.seq_len is 2048 by itself");
  read_recompute(document, draft);
  read_precision(document, draft);
  read_optimizer(document, draft);
  const std::string reshard = document.text("parallelism.fsdp_reshard_after_forward");
  if (reshard == "never") draft.set("reshard_after_forward", "false");
  else if (reshard != "always" && draft.has("pipeline_parallel")) // models/llama3/infra/parallelize.py, apply_fsdp: not for every micro-batch again
    draft.set_assumed("reshard_after_forward", "false", "fsdp_reshard_after_forward is default, which keeps weights gathered in a pipeline");
  if (document.is_on("training.enable_cpu_offload")) draft.set("offload", "parameters");
  if (document.any_on({"training.deterministic", "debug.deterministic"})) draft.set("deterministic", "true");
  if (document.is_on("loss.chunked")) draft.set("loss", "linear_chunked");
  const std::vector<std::string> parts = document.texts("compile.components");
  if (!document.any_on({"training.compile", "compile.enable"})) return;
  draft.set("norms", "compiled");
  draft.set("mlp", "compiled");
  if (!draft.has("loss") && (parts.empty() || std::ranges::find(parts, "loss") != parts.end())) draft.set("loss", "torch_float_compiled");
}

void write_parallelism(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const std::string section = "parallelism.";
  const bool shards = strategy.sharding == Sharding::parameters;
  const std::int64_t groups = shards ? times(strategy.data_parallel, strategy.shard_group) : 0;
  const bool hybrid = groups > 0;
  put(tree, section + "data_parallel_replicate_degree", hybrid ? groups : shards ? 1 : strategy.data_parallel);
  put(tree, section + "data_parallel_shard_degree", hybrid ? strategy.shard_group : shards ? strategy.data_parallel : 1);
  put(tree, section + "fsdp_reshard_after_forward", strategy.reshard_after_forward ? "always" : "never");
  put(tree, section + "tensor_parallel_degree", strategy.tensor_parallel);
  put(tree, section + "context_parallel_degree", strategy.context_parallel);
  if (strategy.context_parallel > 1) put(tree, section + "context_parallel_rotate_method", strategy.context_method == ContextMethod::ring ? "alltoall" : "allgather");
  if (strategy.expert_parallel > 1) put(tree, section + "expert_parallel_degree", strategy.expert_parallel);
  if (strategy.expert_tensor_parallel > 1) put(tree, section + "expert_tensor_parallel_degree", strategy.expert_tensor_parallel);
  put(tree, section + "pipeline_parallel_degree", strategy.pipeline_parallel);
  if (strategy.pipeline_parallel == 1) return;
  static constexpr std::array<std::string_view, 7> kSchedules = {"1F1B", "GPipe", "", "", "ZBVZeroBubble", "", "DualPipeV"};
  const std::string_view schedule = strategy.virtual_stages > 1 && strategy.pipeline_schedule == PipelineSchedule::one_f_one_b ? "Interleaved1F1B" : kSchedules[static_cast<std::size_t>(strategy.pipeline_schedule)];
  if (!schedule.empty()) put(tree, section + "pipeline_parallel_schedule", schedule);
  put(tree, section + "pipeline_parallel_microbatch_size", source.workload().batch);
}

void write_recompute(const Source& source, Json& tree) {
  const Recompute recompute = source.strategy().recompute;
  const std::string section = "activation_checkpoint.";
  const bool selective = recompute == Recompute::per_op || recompute == Recompute::every_k;
  put(tree, section + "mode", selective ? "selective" : recompute == Recompute::full ? "full" : "none");
  if (recompute == Recompute::per_op) put(tree, section + "selective_ac_option", "op");
  if (recompute == Recompute::every_k) put(tree, section + "selective_ac_option", std::to_string(source.strategy().recompute_layers));
}

void write(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const auto row = std::ranges::find(kFlavors, source.inputs().model.id, &Flavor::id);
  if (row != kFlavors.end()) {
    put(tree, "model.name", row->name);
    put(tree, "model.flavor", row->flavor);
  }
  if (strategy.fp8 == Fp8::compute || strategy.fp8 == Fp8::gathered) put(tree, "model.converters", Json::array({"float8"}));
  const bool pipeline = strategy.pipeline_parallel > 1;
  const Count local = pipeline ? Count{source.workload().batch} * Count{source.workload().micro_batches} : Count{source.workload().batch};
  put(tree, "training.local_batch_size", local.value);
  if (!pipeline) put(tree, "training.global_batch_size", (local * (Count{source.workload().micro_batches} * Count{strategy.data_parallel})).value);
  put(tree, "training.seq_len", source.workload().context_tokens);
  put(tree, "training.mixed_precision_param", strategy.precision == Precision::fp32 ? "float32" : "bfloat16");
  if (strategy.precision == Precision::bf16) put(tree, "training.dtype", "bfloat16");
  if (strategy.offload == Offload::parameters) put(tree, "training.enable_cpu_offload", true);
  if (source.implementation().deterministic) put(tree, "training.deterministic", true);
  write_parallelism(source, tree);
  write_recompute(source, tree);
  put(tree, "optimizer.name", "AdamW");
  const Optimizer optimizer = strategy.optimizer;
  put(tree, "optimizer.implementation", optimizer == Optimizer::adamw_foreach ? "foreach" : optimizer == Optimizer::adamw_forloop ? "for-loop" : "fused");
  if (strategy.optimizer_in_backward) put(tree, "optimizer.early_step_in_backward", true);
  if (strategy.fp8 == Fp8::gathered) put(tree, "float8.enable_fsdp_float8_all_gather", true);
  const bool compiled = source.implementation().norms == Fusion::compiled;
  put(tree, "compile.enable", compiled);
  if (compiled && source.implementation().loss != LossKernel::torch_float_compiled) put(tree, "compile.components", Json::array({"model"}));
}

} // namespace

const Format& torchtitan() noexcept {
  static constexpr std::array kCommands{ // torchtitan/train.py
    Command{.program = "torchtitan/train.py", .reads = Reads::file, .file_option = "--job.config_file"},
    Command{.program = "torchtitan.train", .reads = Reads::file, .file_option = "--job.config_file"}
  };
  static const Format kFormat{.id = "torchtitan",
                              .name = "torchtitan",
                              .source = "pytorch/torchtitan, torchtitan/config/job_config.py",
                              .syntax = Syntax::toml,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = torchtitan_harmless(),
                              .effects = torchtitan_effects(),
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
