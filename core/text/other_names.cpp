#include "plimsoll/text/other_names.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io {

namespace {

struct OtherName {
  std::string_view typed, meant;
};

// Flags of vLLM, SGLang, llama.cpp and TensorRT-LLM, arguments of the Hugging Face trainers, Megatron-LM and DeepSpeed, and what
// people write for short. These mean just what our input means.
constexpr auto kSame = std::to_array<OtherName>({
    {"accelerator", "device"},
    {"accumulation", "micro_batches"},
    {"activation_checkpointing", "recompute"},
    {"answer", "answer_tokens"},
    {"answer_len", "answer_tokens"},
    {"backend", "profile"},
    {"batch_size", "batch"},
    {"bs", "batch"},
    {"cache_dtype", "kv_dtype"},
    {"context", "context_tokens"},
    {"context_len", "context_tokens"},
    {"context_length", "context_tokens"},
    {"context_parallel_size", "context_parallel"},
    {"cp", "context_parallel"},
    {"cp_size", "context_parallel"},
    {"ctx", "context_tokens"},
    {"ctx_size", "context_tokens"},
    {"data_parallel_size", "data_parallel"},
    {"dp", "data_parallel"},
    {"dp_size", "data_parallel"},
    {"dtype", "weight_dtype"},
    {"engine", "profile"},
    {"ep", "expert_parallel"},
    {"ep_size", "expert_parallel"},
    {"expert_parallel_size", "expert_parallel"},
    {"finetuning_type", "method"},
    {"framework", "profile"},
    {"free_gpu_memory_fraction", "memory_fraction"},
    {"gpu", "device"},
    {"gpu_memory_utilization", "memory_fraction"},
    {"gpu_type", "device"},
    {"gpus", "gpus"},
    {"grad_accum", "micro_batches"},
    {"gradient_accumulation", "micro_batches"},
    {"gradient_accumulation_steps", "micro_batches"},
    {"gradient_checkpointing", "recompute"},
    {"hardware", "device"},
    {"input_len", "prompt_tokens"},
    {"input_tokens", "prompt_tokens"},
    {"kv_cache_dtype", "kv_dtype"},
    {"lora", "method"},
    {"lora_r", "rank"},
    {"max_async_level", "rollout_ahead"},
    {"max_concurrency", "concurrency"},
    {"max_head_offpolicyness", "rollout_ahead"},
    {"max_length", "context_tokens"},
    {"max_model_len", "context_tokens"},
    {"max_num_batched_tokens", "prefill_tokens"},
    {"max_num_seqs", "max_sequences"},
    {"max_position_embeddings", "max_context"},
    {"max_seq_len", "context_tokens"},
    {"max_seq_length", "context_tokens"},
    {"max_trajectory_age_steps", "rollout_ahead"},
    {"mem_fraction_static", "memory_fraction"},
    {"micro_batch", "batch"},
    {"micro_batch_size", "batch"},
    {"mode", "task"},
    {"model_id", "model"},
    {"model_len", "context_tokens"},
    {"model_name", "model"},
    {"model_name_or_path", "model"},
    {"model_path", "model"},
    {"n_cpu_moe", "host_expert_layers"},
    {"n_ctx", "context_tokens"},
    {"n_gpu_layers", "gpu_layers"},
    {"n_gpus", "gpus"},
    {"ncmoe", "host_expert_layers"},
    {"ngl", "gpu_layers"},
    {"num_attention_heads", "query_heads"},
    {"num_ctx", "context_tokens"},
    {"num_devices", "gpus"},
    {"num_experts", "experts"},
    {"num_gpus", "gpus"},
    {"num_hidden_layers", "layers"},
    {"num_key_value_heads", "kv_heads"},
    {"num_layers", "layers"},
    {"optim", "optimizer"},
    {"output_len", "answer_tokens"},
    {"output_tokens", "answer_tokens"},
    {"peft", "method"},
    {"per_device_train_batch_size", "batch"},
    {"pipeline_parallel_size", "pipeline_parallel"},
    {"pp", "pipeline_parallel"},
    {"pp_size", "pipeline_parallel"},
    {"price", "price_per_gpu_hour"},
    {"prompt", "prompt_tokens"},
    {"prompt_len", "prompt_tokens"},
    {"qlora", "method"},
    {"qps", "request_rate"},
    {"quant", "weight_dtype"},
    {"quantisation", "weight_dtype"},
    {"quantization", "weight_dtype"},
    {"quantize", "weight_dtype"},
    {"r", "rank"},
    {"request_per_second", "request_rate"},
    {"requests_per_second", "request_rate"},
    {"rps", "request_rate"},
    {"seq", "context_tokens"},
    {"seq_len", "context_tokens"},
    {"seq_length", "context_tokens"},
    {"seqlen", "context_tokens"},
    {"sequence", "context_tokens"},
    {"sequence_len", "context_tokens"},
    {"sequence_length", "context_tokens"},
    {"sequence_tokens", "context_tokens"},
    {"stage", "sharding"},
    {"staleness_threshold", "rollout_ahead"},
    {"tensor_parallel_size", "tensor_parallel"},
    {"tokens", "tokens"},
    {"tp", "tensor_parallel"},
    {"tp_size", "tensor_parallel"},
    {"trainer", "profile"},
    {"tuning", "method"},
    {"tuning_method", "method"},
    {"ub", "prefill_tokens"},
    {"ubatch_size", "prefill_tokens"},
    {"users", "batch"},
    {"weights", "weight_dtype"},
    {"world_size", "gpus"},
    {"zero", "sharding"},
    {"zero_stage", "sharding"},
});

// These take other values, or stand for several inputs: they are suggested.
constexpr auto kInputs = std::to_array<OtherName>({
    {"nodes", "gpus_per_node"},
    {"parameters", "model, or layers and hidden_size of one of your own"},
    {"params", "model, or layers and hidden_size of one of your own"},
    {"precision", "precision where a model trains, weight_dtype where it is served"},
    {"rate", "request_rate, or price_per_gpu_hour"},
    {"tokens", "train_tokens of a pre-training, dataset_tokens of a fine-tuning, context_tokens of one sequence"},
    {"vram", "usable_bytes, or a device"},
});

struct OtherChoice {
  std::string_view field, typed, meant;
};

constexpr auto kChoices = std::to_array<OtherChoice>({
    {"method", "qlora", "lora, with weight_dtype=nf4"},
    {"method", "none", "full"},
    {"training_graphs", "true", "layers"}, // a flag in earlier versions
    {"training_graphs", "false", "none"},
    {"optimizer", "adam", "adamw_fused"},
    {"optimizer", "adamw", "adamw_fused"},
    {"optimizer", "adamw_torch", "adamw_foreach"},
    {"optimizer", "adamw_torch_fused", "adamw_fused"},
    {"optimizer", "adamw_bnb_8bit", "adamw_8bit"},
    {"optimizer", "paged_adamw_32bit", "paged_adamw"},
    {"recompute", "true", "full"},
    {"recompute", "1", "full"},
    {"recompute", "on", "full"},
    {"recompute", "false", "none"},
    {"recompute", "0", "none"},
    {"recompute", "off", "none"},
    {"sharding", "0", "none"},
    {"sharding", "1", "optimizer"},
    {"sharding", "2", "gradients"},
    {"sharding", "3", "parameters"},
    {"sharding", "zero1", "optimizer"},
    {"sharding", "zero2", "gradients"},
    {"sharding", "zero3", "parameters"},
    {"sharding", "ddp", "none"},
    {"sharding", "fsdp", "parameters"},
    {"sharding", "full", "parameters"},
    {"task", "serve", "inference"},
    {"task", "serving", "inference"},
    {"task", "train", "finetune or pretrain"},
    {"task", "training", "finetune or pretrain"},
    {"task", "pre-train", "pretrain"},
    {"task", "fine-tune", "finetune"},
    {"task", "sft", "finetune"},
});

} // namespace

std::string spelled(std::string_view name) {
  std::string text = lower_case(name);
  std::ranges::replace(text, '-', '_');
  return text;
}

std::string_view same_as(std::string_view name) {
  const std::string typed = spelled(name);
  const auto* const found = std::ranges::find(kSame, std::string_view{typed}, &OtherName::typed);
  return found == kSame.end() ? std::string_view{} : found->meant;
}

std::string_view meant_by(std::string_view name) {
  const std::string typed = spelled(name);
  const auto* const found = std::ranges::find(kInputs, std::string_view{typed}, &OtherName::typed);
  return found == kInputs.end() ? std::string_view{} : found->meant;
}

std::string_view meant_by_choice(std::string_view field, std::string_view text) {
  const std::string typed = lower_case(text);
  const auto* const found = std::ranges::find_if(kChoices, [&](const OtherChoice& one) { return one.field == field && one.typed == typed; });
  return found == kChoices.end() ? std::string_view{} : found->meant;
}

} // namespace plimsoll::io
