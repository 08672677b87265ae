// Formats in each of their generations, and keys that decide without being asked.
#include "plimsoll/files/training_config.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

io::TrainingConfig read(std::string_view text) { return io::read_training_config(test::catalog(), text); }

std::string field(const io::TrainingConfig& config, std::string_view name) {
  const std::string* const text = config.request.find(name);
  return text == nullptr ? "" : *text;
}

bool refuses(const io::TrainingConfig& config, std::string_view key) {
  return !config.ok && std::ranges::any_of(config.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == key && !issue.remedy.empty(); });
}

const std::string kTune = "model:\n  _component_: torchtune.models.llama3_1.lora_llama3_1_8b\n  lora_attn_modules: ['q_proj', 'v_proj', 'output_proj']\n  lora_rank: 64\n"
                          "tokenizer:\n  max_seq_len: 2048\nbatch_size: 2\ndtype: bf16\noptimizer:\n  _component_: torch.optim.AdamW\n  fused: True\n";

const std::string kAxolotl = "base_model: meta-llama/Meta-Llama-3-8B\nsequence_len: 4096\nmicro_batch_size: 2\nadapter: lora\nlora_r: 16\nlora_target_linear: true\n";

} // namespace

TEST_CASE("torchtune: the recipe stands in the command that the file shows") {
  const io::TrainingConfig one = read("# To launch on a single device:\n#   tune run lora_finetune_single_device --config llama3_1/8B_lora_single_device\n" + kTune);
  CHECK(field(one, "sharding").empty());
  CHECK(field(one, "data_parallel") == "1");
  CHECK(field(one, "rank") == "64");
  CHECK(field(one, "targets") == "q,v,o");
  const io::TrainingConfig several = read("#   tune run --nproc_per_node 2 lora_finetune_distributed --config llama3_1/8B_lora\n" + kTune);
  CHECK(field(several, "sharding") == "parameters");
  CHECK(several.asks_gpus);
  CHECK(field(read("#   tune run lora_finetune_single_device\n" + kTune + "fsdp_cpu_offload: True\n"), "sharding") == "parameters"); // the comment is of another file
  CHECK(field(read("text: 'tune run lora_finetune_single_device'\n" + kTune), "sharding") == "parameters");                         // no comment
}

TEST_CASE("torchtitan: sections of 2024") {
  const io::TrainingConfig config = read("[model]\nname = \"llama3\"\nflavor = \"70B\"\n[training]\nbatch_size = 8\nseq_len = 8192\ndata_parallel_shard_degree = 4\ndata_parallel_replicate_degree = 2\n"
                                         "tensor_parallel_degree = 8\n[experimental]\npipeline_parallel_degree = 2\ncontext_parallel_degree = 1\npipeline_parallel_microbatches = 4\n"
                                         "[float8]\nenable_float8_linear = true\nenable_fsdp_float8_all_gather = true\n[activation_checkpoint]\nmode = \"full\"\n");
  REQUIRE(config.ok);
  CHECK(config.unread.empty());
  CHECK(field(config, "tensor_parallel") == "8");
  CHECK(field(config, "pipeline_parallel") == "2");
  CHECK(field(config, "data_parallel") == "8");
  CHECK(field(config, "shard_group") == "4");
  CHECK(field(config, "fp8") == "gathered");
  CHECK(field(config, "batch") == "2");
  CHECK(field(config, "micro_batches") == "4");
}

TEST_CASE("Axolotl: plugins that switch themselves on, and what trains besides") {
  const std::string listed = kAxolotl + "plugins:\n  - axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin\n  - axolotl.integrations.liger.LigerPlugin\n";
  CHECK(field(read(listed), "loss") == "liger_fused_linear");
  CHECK(field(read(listed + "cut_cross_entropy: false\n"), "loss").empty());
  CHECK(field(read(kAxolotl), "loss").empty());
  CHECK(field(read(kAxolotl + "lora_modules_to_save: [embed_tokens, lm_head]\n"), "modules_to_save") == "embedding_and_head");
  CHECK(refuses(read(kAxolotl + "lora_modules_to_save: [score]\n"), "lora_modules_to_save"));
  CHECK(refuses(read("base_model: meta-llama/Meta-Llama-3-8B\nmicro_batch_size: 1\nunfrozen_parameters: [lm_head.weight]\n"), "unfrozen_parameters"));
  const std::string gemma = "base_model: google/gemma-3-4b-it\nmicro_batch_size: 1\nsequence_len: 2048\nfreeze_mm_modules: true\nunfrozen_parameters: [^model.language_model.*, lm_head.*]\n";
  CHECK(read(gemma).unread.empty());
  CHECK(refuses(read(gemma + "adapter: lora\nlora_r: 8\nlora_target_linear: true\n"), "unfrozen_parameters"));
  CHECK(field(read(kAxolotl + "optimizer: adamw_torch_4bit\n"), "optimizer") == "adamw_4bit");
  CHECK(refuses(read(kAxolotl + "optimizer: came_pytorch\n"), "optimizer"));
  CHECK(read(kAxolotl + "quantize_moe_experts: true\n").unread.empty());
  const std::string expression = "base_model: google/gemma-3-4b-it\nsequence_len: 2048\nmicro_batch_size: 1\nadapter: lora\nlora_r: 16\n"
                                 "lora_target_modules: 'model.language_model.layers.[\\d]+.(mlp|self_attn).(up|down|gate|q|k|v|o)_proj'\n";
  CHECK(field(read(expression), "targets") == "all_linear");
  CHECK(refuses(read(kAxolotl.substr(0, kAxolotl.find("lora_target")) + "lora_target_modules: [q_proj, nobody_knows]\n"), "lora_target_modules"));
}

TEST_CASE("LLaMA-Factory: both schemas, stored weights, other commands") {
  const io::TrainingConfig second = read("model: Qwen/Qwen3-4B\nmodel_class: llm\npeft_config:\n  name: lora\n  r: 16\n  target_modules: all\nkernel_config:\n  name: auto\ndist_config:\n  name: fsdp2\n"
                                         "train_dataset: a.yaml\noutput_dir: o\nmicro_batch_size: 1\ncutoff_len: 2048\nlearning_rate: 1.0e-4\nmax_steps: 10\n");
  REQUIRE(second.ok);
  CHECK(second.format == "llama_factory");
  CHECK(field(second, "model") == "qwen3-4b");
  CHECK(field(second, "rank") == "16");
  CHECK(field(second, "batch") == "1");
  CHECK(field(second, "sharding") == "parameters");
  const std::string first = "stage: sft\nfinetuning_type: lora\nbf16: true\ntemplate: llama3\nper_device_train_batch_size: 1\noutput_dir: o\n";
  CHECK(field(read("model_name_or_path: TechxGenus/Meta-Llama-3-8B-Instruct-AWQ\n" + first), "weight_dtype").starts_with("awq"));
  CHECK(field(read("model_name_or_path: TechxGenus/Meta-Llama-3-8B-Instruct-GPTQ\n" + first), "weight_dtype").starts_with("gptq"));
  CHECK(field(read("model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\n" + first), "weight_dtype").empty());
  CHECK(refuses(read("model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\nuse_asft_loss: true\n" + first), "use_asft_loss"));
  const std::string chat = "model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\ntemplate: llama3\n"; // src/llamafactory/chat, hparams/model_args.py
  CHECK(field(read(chat + "infer_backend: vllm\n"), "task") == "inference");
  CHECK(field(read(chat + "infer_backend: vllm\n"), "profile") == "vllm");
  CHECK(field(read(chat + "infer_backend: vllm\n"), "memory_permille") == "700");
  CHECK(field(read(chat + "infer_backend: huggingface\n"), "profile") == "transformers");
  CHECK(refuses(read(chat + "infer_backend: ktransformers\n"), "infer_backend"));
  CHECK(refuses(read(chat + "infer_backend: huggingface\nexport_dir: merged\n"), "export_dir"));
}

TEST_CASE("LLaMA-Factory: Megatron Core's arguments, Ray's workers, and runs that do not train") {
  const std::string first = "model_name_or_path: Qwen/Qwen3-30B-A3B-Instruct-2507\nstage: sft\nfinetuning_type: full\nbf16: true\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 8\ncutoff_len: 4096\noutput_dir: o\n";
  const std::string mca = first + "do_train: true\npipeline_model_parallel_size: 4\nexpert_model_parallel_size: 2\nuse_distributed_optimizer: true\nrecompute_granularity: full\nmoe_grouped_gemm: true\n";
  const io::TrainingConfig megatron = io::read_training_config(test::catalog(), mca, 16);
  CHECK(megatron.ok);
  CHECK(field(megatron, "profile") == "megatron");
  CHECK(field(megatron, "pipeline_parallel") == "4");
  CHECK(field(megatron, "expert_parallel") == "2");
  CHECK(field(megatron, "data_parallel") == "4");
  CHECK(field(megatron, "sharding") == "optimizer");
  CHECK(field(megatron, "precision") == "master_bf16");
  CHECK(field(megatron, "micro_batches") == "8");
  CHECK(field(read(first + "do_train: true\npipeline_model_parallel_size: 4\n"), "recompute") == "none");
  CHECK(field(read(first + "do_train: true\n"), "profile") == "hf_trainer");
  CHECK(field(read(first + "do_train: true\nuse_ray: true\nray_num_workers: 4\n"), "data_parallel") == "4");
  CHECK(refuses(read(first + "do_predict: true\n"), "do_train"));
  CHECK(refuses(read(first + "do_train: true\nuse_kt: true\n"), "use_kt"));
  CHECK(refuses(read("model: Qwen/Qwen3-4B\npeft_config:\n  name: lora\n  adapter_name_or_path: a\n  export_dir: b\n"), "peft_config.export_dir"));
  CHECK(field(read(kAxolotl + "use_ray: true\nray_num_workers: 4\n"), "data_parallel") == "4");
}

TEST_CASE("TRL: a method without a reference model is told by the recipe's name") {
  const std::string recipe = "model_name_or_path: Qwen/Qwen2.5-1.5B\ndtype: bfloat16\nbeta: 0.05\nmax_length: 1024\nper_device_train_batch_size: 1\n";
  CHECK(field(read(recipe + "output_dir: data/zephyr-orpo\n"), "preference") == "orpo");
  CHECK(field(read(recipe + "output_dir: data/zephyr\n"), "preference") == "dpo");
}

TEST_CASE("NeMo 1: sharded states, autocast and values that point at others") {
  const std::string conf = "trainer:\n  devices: 8\n  num_nodes: 1\n  precision: bf16\nmodel:\n  micro_batch_size: 1\n  global_batch_size: 8\n  tensor_model_parallel_size: 1\n  encoder_seq_length: 4096\n"
                           "  max_position_embeddings: ${.encoder_seq_length}\n  num_layers: 4\n  hidden_size: 512\n  num_attention_heads: 8\n  vocab_size: 32000\n";
  const io::TrainingConfig sharded = read(conf + "  optim:\n    name: distributed_fused_adam\n"), plain = read(conf + "  megatron_amp_O2: False\n  optim:\n    name: fused_adam\n");
  CHECK(field(sharded, "max_context") == "4096");
  CHECK(field(sharded, "sharding") == "optimizer");
  CHECK(field(sharded, "precision") == "master_bf16");
  CHECK(field(plain, "sharding").empty());
  CHECK(field(plain, "precision") == "mixed_bf16");
  CHECK(!read(conf + "inference:\n  greedy: True\n").ok);
}

TEST_CASE("NeMo 1: what else a file of that form trains") {
  const std::string trainer = "trainer:\n  devices: 1\n  precision: bf16\nmodel:\n  micro_batch_size: 1\n  global_batch_size: 8\n  tensor_model_parallel_size: 1\n  encoder_seq_length: 4096\n",
                    shape = "  num_layers: 4\n  hidden_size: 512\n  num_attention_heads: 8\n  ffn_hidden_size: 2048\n", conf = trainer + shape;
  CHECK(field(read(conf + "  vocab_size: 32000\n"), "mlp_bias") == "true"); // bias is True by itself
  const io::TrainingConfig plain = read(conf + "  bias: False\n  qkv_bias: True\n  activation: fast-swiglu\n  bias_activation_fusion: False\n  override_vocab_size: 151936\n  transformer_block_type: pre_ln\n");
  CHECK(plain.ok);
  CHECK(field(plain, "mlp_bias") == "false");
  CHECK(field(plain, "output_bias") == "false");
  CHECK(field(plain, "qkv_bias") == "true");
  CHECK(field(plain, "mlp") == "eager");
  CHECK(field(plain, "vocab_size") == "151936");
  CHECK(field(read(conf + "  tokenizer:\n    library: megatron\n    type: GPT2BPETokenizer\n"), "vocab_size") == "50304");
  CHECK(field(read(conf + "  tokenizer:\n    library: huggingface\n    type: Qwen/Qwen3-8B\n"), "vocab_size") == "151936");

  const io::TrainingConfig mamba = read(conf + "  mamba_ssm_ngroups: 8\n  hybrid_override_pattern: null\n  vocab_size: 256000\n  num_query_groups: 8\n");
  CHECK(mamba.ok);
  CHECK(field(mamba, "config").find("MMMM") != std::string::npos);
  CHECK(field(mamba, "query_heads").empty());
  CHECK(field(mamba, "tied_embeddings") == "false");

  CHECK(refuses(read(conf + "  name: te_gpt_hyena\n  hyena:\n    order: 2\n"), "model.name"));
  CHECK(refuses(read(conf + "  retro:\n    retro_encoder_num_layers: 2\n"), "model.retro.retro_encoder_num_layers"));
  CHECK(refuses(read(conf + "  mcore_bert: False\n  add_pooler: True\n"), "model.mcore_bert"));
  CHECK(refuses(read(trainer + "  tokens_head_bias: True\n"), "model.tokens_head_bias"));
  CHECK(refuses(read(conf + "  logits_soft_cap: 30.0\n"), "model.logits_soft_cap"));
  CHECK(refuses(read(conf + "  transformer_block_type: normformer\n"), "model.transformer_block_type"));
  CHECK(refuses(read(conf + "  mcore_customization_config:\n    parallel_attention: true\n"), "model.mcore_customization_config.parallel_attention"));
  CHECK(refuses(read(conf + "  fsdp: True\n"), "model.fsdp"));
  CHECK(refuses(read(trainer + "export_options:\n  onnx_opset: 17\n"), "export_options.onnx_opset"));
}

TEST_CASE("keys that nobody knows are one note") {
  const io::TrainingConfig config = read(kAxolotl + "zz_first: 1\nzz_second: 2\n");
  CHECK(config.ok);
  const auto notes = std::ranges::count_if(config.issues, [](const Issue& issue) { return issue.message.find("zz_first") != std::string::npos || issue.message.find("zz_second") != std::string::npos; });
  CHECK(notes == 1);
  CHECK(config.unread.size() == 2);
}

TEST_CASE("a module of Python is no broken YAML") {
  const io::TrainingConfig config = read("from torchtitan.config import JobConfig\n\ndef llama3_8b() -> JobConfig:\n    return JobConfig(model=spec(\"8B\"), training={\"seq_len\": 8192})\n");
  REQUIRE(!config.ok);
  REQUIRE(config.issues.size() == 1);
  CHECK(config.issues.front().message.find("Python") != std::string::npos);
  CHECK(!config.issues.front().remedy.empty());
}
