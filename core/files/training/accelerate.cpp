// Accelerate's configuration, as "accelerate config" writes it (huggingface/accelerate, src/accelerate/commands/config/config_args.py and
// examples/config_yaml_templates): on how many GPUs a script runs, and whether DDP, FSDP, DeepSpeed or Megatron-LM divides its work.
#include "files/training/format.hpp"
#include "files/training/fsdp.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

bool recognises(const Document& document) {
  return document.has("distributed_type") || document.has("compute_environment") || (document.has("num_processes") && (document.has("mixed_precision") || document.has("num_machines"))) ||
         document.has_section("deepspeed_config");
}

void read_deepspeed_section(Document& document, RequestBuilder& draft) {
  static constexpr std::array<std::string_view, 4> kStages = {"none", "optimizer", "gradients", "parameters"};
  draft.set("profile", "deepspeed");
  const std::string section = "deepspeed_config.";
  if (const auto stage = document.whole(section + "zero_stage"); stage && *stage <= 3) draft.set("sharding", kStages[static_cast<std::size_t>(*stage)]);
  else if (stage) document.refuse(section + "zero_stage", "a stage from 0 to 3");
  else if (!document.has(section + "deepspeed_config_file")) // accelerate/utils/dataclasses.py, DeepSpeedPlugin
    draft.set_assumed("sharding", "gradients", "zero_stage is 2 by itself");
  const std::string states = document.text(section + "offload_optimizer_device"), weights = document.text(section + "offload_param_device");
  if (weights == "cpu" || weights == "nvme") draft.set("offload", "parameters");
  else if (states == "cpu" || states == "nvme") draft.set("offload", "optimizer");
  if (document.is_auto(section + "gradient_accumulation_steps")) draft.assume("micro_batches: \"auto\" is what the script says");
  else draft.set_if("micro_batches", document.whole(section + "gradient_accumulation_steps"));
  if (const std::string path = document.text(section + "deepspeed_config_file"); !path.empty())
    draft.say(Severity::warning, section + "deepspeed_config_file", "DeepSpeed's configuration stands in another file, " + quoted(std::string_view{path}) + ".", "Import that file too.");
}

void read_megatron_section(Document& document, RequestBuilder& draft) {
  const std::string section = "megatron_lm_config.megatron_lm_";
  draft.set("profile", "megatron");
  draft.set_above_one("tensor_parallel", document.whole(section + "tp_degree"));
  draft.set_above_one("pipeline_parallel", document.whole(section + "pp_degree"));
  draft.set_if("micro_batches", document.whole(section + "num_micro_batches"));
  if (document.is_on(section + "sequence_parallelism")) draft.set("sequence_parallel", "true");
  if (document.is_on(section + "recompute_activations")) draft.set("recompute", "selective");
  if (document.is_on(section + "use_distributed_optimizer")) draft.set("sharding", "optimizer");
}

/// torch's device mesh: replicas of sharded groups (accelerate/parallelism_config.py).
void read_mesh(Document& document, RequestBuilder& draft) {
  const std::string section = "parallelism_config.parallelism_config_";
  if (!document.has_section("parallelism_config")) return;
  const std::int64_t replicas = document.whole(section + "dp_replicate_size").value_or(1), shards = document.whole(section + "dp_shard_size").value_or(1);
  draft.set_above_one("tensor_parallel", document.whole(section + "tp_size"));
  draft.set_above_one("context_parallel", document.whole(section + "cp_size"));
  if (const auto sequence = document.whole(section + "sp_size"); sequence && *sequence > 1) { // DeepSpeed's Ulysses (accelerate/parallelism_config.py)
    draft.set("context_parallel", *sequence);
    draft.set("context_method", "ulysses");
  }
  if (const std::string method = document.text(section + "cp_comm_strategy"); !method.empty() && draft.has("context_parallel"))
    draft.set("context_method", method == "alltoall" ? "ring" : "all_gather");
  if (replicas < 1 || shards < 1) return;
  draft.set("data_parallel", (Count{replicas} * Count{shards}).value);
  if (shards > 1) draft.set("sharding", "parameters");
  if (replicas > 1 && shards > 1) draft.set("shard_group", shards);
}

/// num_processes counts all GPUs: what divides a replica divides it.
void read_gpus(Document& document, RequestBuilder& draft, std::int64_t gpus) {
  if (gpus <= 0) return draft.miss_gpus();
  if (draft.has("data_parallel")) return;
  std::int64_t used = 1;
  for (const char* field : {"tensor_parallel", "pipeline_parallel", "context_parallel"})
    if (const auto size = whole_number(draft.text(field)); size && *size > 0) used = (Count{used} * Count{*size}).value;
  if (gpus % used != 0) return document.refuse("num_processes", "a multiple of the GPUs of one replica");
  draft.set("data_parallel", gpus / used);
}

/// accelerate/utils/dataclasses.py, DistributedType: DistributedDataParallel on several devices of whatever maker.
bool is_replicated(std::string_view type) {
  static constexpr std::array<std::string_view, 7> kTypes{"multi_gpu", "multi_xpu", "multi_npu", "multi_hpu", "multi_mlu", "multi_sdaa", "multi_musa"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

void read(Document& document, RequestBuilder& draft) {
  std::string type = lower_case(document.text("distributed_type"));
  if (type == "false") type = "no"; // NO without quotes is a truth in YAML
  const std::int64_t gpus = document.whole("num_processes").value_or(type == "no" ? 1 : 0), nodes = document.whole("num_machines").value_or(1);
  const bool fsdp = type == "fsdp" || (type.empty() && document.has_section("fsdp_config"));
  const bool deepspeed = type == "deepspeed" || (type.empty() && document.has_section("deepspeed_config"));
  draft.set("profile", "pytorch");
  if (fsdp) read_fsdp(document, draft, "fsdp_config", "", {.gpus = gpus, .nodes = nodes});
  else if (deepspeed) read_deepspeed_section(document, draft);
  else if (type == "megatron_lm") read_megatron_section(document, draft);
  else if (type != "no" && !is_replicated(type) && !type.empty()) document.refuse("distributed_type", "NO, MULTI_GPU, FSDP, DEEPSPEED or MEGATRON_LM");
  read_mesh(document, draft);
  if (const std::string backend = lower_case(document.text("dynamo_config.dynamo_backend")); !backend.empty() && backend != "no" && backend != "false") {
    draft.set("norms", "compiled"); // Accelerator.prepare_model compiles the model
    draft.set("mlp", "compiled");
  }
  std::string mixed = lower_case(document.text("mixed_precision"));
  if (mixed == "false") mixed = "no";
  const bool master = deepspeed || type == "megatron_lm";
  if (mixed == "fp8") draft.set("fp8", "compute");
  if (mixed.empty()) draft.set_assumed("precision", "fp32", "mixed_precision is \"no\" by itself");
  else draft.set("precision", precision_of({.bf16 = mixed == "bf16" || mixed == "fp8", .fp16 = mixed == "fp16", .fsdp = fsdp, .deepspeed = master}));
  draft.set_assumed("method", "full", "Accelerate does not say what trains; it is the script's matter");
  read_gpus(document, draft, gpus);
  draft.miss_model("Accelerate's configuration");
  draft.say(Severity::note, "batch", "Accelerate's configuration says neither batch nor sequence length.", "Set batch and context_tokens.");
}

void write_deepspeed_section(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  put(tree, "deepspeed_config.zero_stage", static_cast<int>(strategy.sharding));
  put(tree, "deepspeed_config.gradient_accumulation_steps", source.workload().micro_batches);
  put(tree, "deepspeed_config.offload_optimizer_device", strategy.offload == Offload::none ? "none" : "cpu");
  put(tree, "deepspeed_config.offload_param_device", strategy.offload == Offload::parameters ? "cpu" : "none");
}

void write_megatron_section(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const std::string section = "megatron_lm_config.megatron_lm_";
  put(tree, section + "tp_degree", strategy.tensor_parallel);
  put(tree, section + "pp_degree", strategy.pipeline_parallel);
  put(tree, section + "num_micro_batches", source.workload().micro_batches);
  put(tree, section + "sequence_parallelism", strategy.sequence_parallel);
  put(tree, section + "recompute_activations", strategy.recompute == Recompute::selective);
  put(tree, section + "use_distributed_optimizer", strategy.sharding == Sharding::optimizer);
}

void write(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const std::string& profile = source.answer.profile_id;
  const Count gpus = source.answer.estimate.gpus;
  tree["compute_environment"] = "LOCAL_MACHINE";
  tree["distributed_type"] = profile == "deepspeed" ? "DEEPSPEED" : profile == "megatron" ? "MEGATRON_LM" : is_fsdp(source) ? "FSDP" : gpus > Count{1} ? "MULTI_GPU" : "NO";
  tree["num_processes"] = gpus.value;
  tree["num_machines"] = 1;
  const std::string precision = source.text("precision");
  tree["mixed_precision"] = strategy.fp8 != Fp8::none ? "fp8" : precision.find("bf16") != std::string::npos ? "bf16" : precision.find("fp16") != std::string::npos ? "fp16" : "no";
  if (profile == "deepspeed") return write_deepspeed_section(source, tree);
  if (profile == "megatron") return write_megatron_section(source, tree);
  if (source.implementation().norms == Fusion::compiled) put(tree, "dynamo_config.dynamo_backend", "INDUCTOR");
  if (!is_fsdp(source)) return; // gradients accumulate as the script says: ClusterConfig has no key for it, and refuses those that it does not know
  write_fsdp(source, tree, "fsdp_config", "fsdp_");
  put(tree, "fsdp_config.fsdp_activation_checkpointing", strategy.recompute == Recompute::full);
  if (strategy.shard_group > 0 && strategy.shard_group <= gpus.value && gpus.value % strategy.shard_group == 0) tree["num_machines"] = gpus.value / strategy.shard_group;
}

constexpr std::array kAccelerateEffects{
    Effect{"fsdp_config.fsdp_ignored_modules", "modules that are not sharded."},
    Effect{"dynamo_config.* dynamo_backend", "torch.compile: set norms and mlp to compiled where the model is."},
    Effect{"downcast_bf16", "everything is in 16 bits (TPU)."},
    Effect{"use_cpu", "nothing runs on the GPU."},
    Effect{"fp8_config.backend fp8_config.opt_level fp8_config.enable_fsdp_float8_all_gather", "which library multiplies in 8 bits, and what it keeps.", true},
    Effect{"fp8_config.*", "how operands are scaled in 8 bits."},
    Effect{"gradient_accumulation_steps", "gradients accumulate as the script says: micro_batches."},
    Effect{"tp_config.*", "tensor-parallel GPUs: tensor_parallel."},
    Effect{"ec2_instance_type", "the GPUs of the instance: device and data_parallel."},
    Effect{"ipex_config.*", "Intel's extension changes the model's code."},
    Effect{"parallelism_config.*", "another axis of the device mesh."},
    Effect{"megatron_lm_config.*", "an option of Megatron-LM."},
    Effect{"deepspeed_config.deepspeed_moe_layer_cls_names", "ZeRO-3 gathers the experts of a layer at once."},
};

} // namespace

const Format& accelerate() noexcept {
  static const Format kFormat{
      .id = "accelerate",
      .name = "Accelerate",
      .source = "huggingface/accelerate, src/accelerate/commands/config/config_args.py",
      .syntax = Syntax::yaml,
      .recognises = recognises,
      .read = read,
      .write = write,
      .harmless = "compute_environment debug gpu_ids machine_rank main_process_ip main_process_port main_training_function rdzv_backend same_network "
                  "tpu_env tpu_env[]* tpu_use_cluster tpu_use_sudo tpu_name tpu_zone tpu_vm tpu_commands command_file commands enable_cpu_affinity "
                  "num_cpu_threads_per_process mpirun_config* fp8_config.amax_* fp8_config.fp8_format fp8_config.interval fp8_config.margin "
                  "fp8_config.override_linear_precision fp8_config.use_autocast_during_eval fp8_config.pad_inner_dim "
                  "iam_role_name image_uri profile region base_job_name pytorch_version transformers_version py_version sagemaker_inputs_file "
                  "sagemaker_metrics_file additional_args* dynamo_config.dynamo_mode dynamo_config.dynamo_use_dynamic dynamo_config.dynamo_use_fullgraph "
                  "deepspeed_config.zero3_init_flag deepspeed_config.zero3_save_16bit_model "
                  "deepspeed_config.gradient_clipping deepspeed_config.deepspeed_multinode_launcher deepspeed_config.deepspeed_hostfile "
                  "deepspeed_config.deepspeed_exclusion_filter deepspeed_config.deepspeed_inclusion_filter "
                  "deepspeed_config.offload_optimizer_nvme_path deepspeed_config.offload_param_nvme_path "
                  "megatron_lm_config.megatron_lm_gradient_clipping",
      .effects = kAccelerateEffects};
  return kFormat;
}

} // namespace plimsoll::io::configs
