// Lines as these print them: NVIDIA/Megatron-LM, megatron/training/arguments.py (_print_args), utils.py (report_memory: its MB is 2^20 bytes) and training.py;
// pytorch/torchtitan, torchtitan/components/metrics.py (the peak that was reserved); meta-pytorch/torchtune, torchtune/training/metric_logging.py and
// memory.py (GiB since September 2024); huggingface/transformers, src/transformers/trainer.py.
#include "files/logs/lines.hpp"
#include "files/logs/logs.hpp"
#include "files/training/document.hpp"
#include "files/training/yaml.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::logs {

namespace {

bool has(std::string_view line, std::string_view words) { return line.find(words) != std::string_view::npos; }

std::optional<std::int64_t> whole(std::optional<double> value) { return value && *value < 9e15 ? std::optional{static_cast<std::int64_t>(*value)} : std::nullopt; }

// ---- Megatron-LM

/// Arguments that say what the model is and how it is laid out: the list has hundreds more.
constexpr std::string_view kArguments =
    " num_layers hidden_size ffn_hidden_size num_attention_heads kv_channels group_query_attention num_query_groups seq_length max_position_embeddings position_embedding_type normalization "
    "swiglu untie_embeddings_and_output_weights micro_batch_size global_batch_size tensor_model_parallel_size pipeline_model_parallel_size context_parallel_size expert_model_parallel_size "
    "expert_tensor_parallel_size num_experts moe_router_topk moe_ffn_hidden_size moe_shared_expert_intermediate_size moe_grouped_gemm moe_layer_freq sequence_parallel use_distributed_optimizer bf16 fp16 "
    "recompute_granularity recompute_method recompute_num_layers transformer_impl padded_vocab_size vocab_size multi_latent_attention q_lora_rank kv_lora_rank "
    "qk_head_dim qk_pos_emb_head_dim v_head_dim optimizer qk_layernorm add_qkv_bias num_layers_per_virtual_pipeline_stage attention_backend squared_relu num_distributed_optimizer_instances ";

void megatron_argument(std::string_view line, Json& tree) {
  const std::size_t dots = line.find(" ..");
  if (dots == std::string_view::npos) return;
  const std::size_t begin = line.find_last_of(' ', dots == 0 ? 0 : dots - 1) + 1;
  std::string name{line.substr(begin, dots - begin)};
  const std::size_t behind = line.find_first_not_of('.', dots + 1);
  if (behind == std::string_view::npos || line[behind] != ' ') return;
  const std::string value{line.substr(std::min(line.find_first_not_of(' ', behind), line.size()))};
  if (name == "world_size") {
    tree["nproc-per-node"] = value;
    tree["nnodes"] = 1;
  }
  if (name == "add_bias_linear" && value == "False") tree["disable-bias-linear"] = true;
  if (kArguments.find(" " + name + " ") == std::string_view::npos || value == "None" || value == "False" || value.empty() || value == "[]") return;
  if (name == "position_embedding_type" && value == "learned_absolute") return;
  std::ranges::replace(name, '_', '-');
  tree[name] = value == "True" ? Json(true) : Json(value);
}

Log megatron(std::string_view text) {
  Log log;
  std::int64_t step = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    megatron_argument(line, log.tree);
    if (has(line, "memory (MB) |")) {
      const auto rank = whole(number_behind(line, "[Rank ")), after = whole(number_behind(line, "(after "));
      if (const auto most = number_behind(line, "max allocated: ")) measure(log.measured, "allocated", *most * kMiB, "bytes", rank, after);
      if (const auto most = number_behind(line, "max reserved: ")) measure(log.measured, "reserved", *most * kMiB, "bytes", rank, after);
    }
    if (const auto now = whole(number_behind(line, " iteration "))) step = *now;
    if (const auto time = number_behind(line, "elapsed time per iteration (ms): ")) measure(log.measured, "step_time_s", *time / 1000, "s", {}, step);
  }
  log.is = log.tree.contains("num-layers") || !log.measured.empty();
  log.program = "Megatron-LM";
  if (log.tree.contains("num-layers")) log.format = &configs::megatron();
  return log;
}

// ---- torchtitan

Log torchtitan(std::string_view text) {
  Log log;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const auto step = whole(number_behind(line, "step:"));
    if (!step) continue;
    if (const auto gib = number_behind(line, "memory:"); gib && has(line, "GiB(")) log.is = true, measure(log.measured, "reserved", *gib * kGiB, "bytes", {}, step);
    if (const auto rate = number_behind(line, "tps:")) measure(log.measured, "tokens_per_s_per_gpu", *rate, "tokens/s", {}, step);
  }
  log.program = "torchtitan";
  log.request.set("task", "pretrain");
  log.request.set("profile", "torchtitan");
  return log;
}

// ---- torchtune

Log torchtune(std::string_view text) {
  Log log;
  std::string config;
  bool within = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (has(line, "with resolved config:")) {
      within = true;
      continue;
    }
    const bool key = !line.empty() && (line[0] == ' ' || line[0] == '-' || (line.find(':') != std::string_view::npos && line.find(':') < line.find(' ')));
    if (within && (line.empty() ? !config.empty() : !key)) within = false;
    if (within && !line.empty()) (config += line) += '\n';
    const auto step = whole(number_behind(line, "Step "));
    if (!step) continue;
    if (const auto gib = number_behind(line, "peak_memory_alloc:")) log.is = true, measure(log.measured, "allocated", *gib * kGiB, "bytes", {}, step);
    if (const auto gib = number_behind(line, "peak_memory_reserved:")) log.is = true, measure(log.measured, "reserved", *gib * kGiB, "bytes", {}, step);
    if (const auto rate = number_behind(line, "tokens_per_second_per_gpu:")) measure(log.measured, "tokens_per_s_per_gpu", *rate, "tokens/s", {}, step);
  }
  configs::ParsedTree parsed = configs::parse_yaml(config);
  if (parsed.ok && parsed.value.is_object()) {
    log.is = true;
    log.tree = std::move(parsed.value);
    if (configs::torchtune().recognises(configs::Document{log.tree})) log.format = &configs::torchtune();
  }
  log.program = "torchtune";
  return log;
}

// ---- transformers' Trainer

Log trainer(std::string_view text) {
  Log log;
  std::optional<std::int64_t> batch, all, steps;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (const auto value = whole(number_behind(line, "Instantaneous batch size per device ="))) batch = value;
    if (const auto value = whole(number_behind(line, "distributed & accumulation) ="))) all = value;
    if (const auto value = whole(number_behind(line, "Gradient Accumulation steps ="))) steps = value;
    if (const auto gb = number_behind(line, "Peak reserved memory = ")) measure(log.measured, "reserved", *gb * kGiB, "bytes");
    if (const auto rate = number_behind(line, "'train_steps_per_second': "); rate && *rate > 0) measure(log.measured, "step_time_s", 1 / *rate, "s");
  }
  log.is = batch.has_value() || !log.measured.empty();
  log.program = "transformers' Trainer";
  log.request.set("task", "finetune");
  log.request.set("profile", "hf_trainer");
  if (batch && *batch > 0) log.request.set("batch", std::to_string(*batch));
  if (steps && *steps > 0) log.request.set("micro_batches", std::to_string(*steps));
  if (batch && all && steps) {
    const std::int64_t once = configs::times(*all, *batch), replicas = configs::times(once, *steps);
    if (replicas > 0) log.request.set("data_parallel", std::to_string(replicas));
  }
  return log;
}

} // namespace

Log read_training_log(std::string_view text) {
  if (has(text, "memory (MB) |") || (has(text, " arguments ---") && has(text, "tensor_model_parallel_size ..")) || has(text, "elapsed time per iteration (ms):")) return megatron(text);
  if (has(text, "with resolved config:") || has(text, "peak_memory_alloc:")) return torchtune(text);
  if (has(text, "GiB(") && has(text, "step:")) return torchtitan(text);
  if (has(text, "***** Running training *****") || has(text, "'train_steps_per_second': ") || has(text, "Peak reserved memory = ")) return trainer(text);
  return {};
}

Log read_log(std::string_view text) {
  Log log = read_engine_log(text);
  return log.is ? log : read_training_log(text);
}

} // namespace plimsoll::io::logs
