// What keys of training configurations become.
#include "files/training/syntax.hpp"
#include "files/training/toml.hpp"
#include "files/training/yaml.hpp"
#include "plimsoll/files/training_config.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

using Fields = std::map<std::string, std::string>;
using io::configs::parse_yaml;

io::TrainingConfig read(std::string_view text) { return io::read_training_config(test::catalog(), text); }

Fields fields_of(std::string_view text) {
  Fields fields;
  const io::TrainingConfig config = read(text);
  for (const io::Entry& entry : config.request.entries()) fields[entry.name] = entry.text;
  return fields;
}

bool assumes(const io::TrainingConfig& config, std::string_view begin) {
  return std::ranges::any_of(config.assumed, [&](const std::string& sentence) { return sentence.starts_with(begin); });
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

} // namespace

// Axolotl 0.18, docs/expert_quantization.qmd.
TEST_CASE("bitsandbytes leaves experts in 16 bits where they are one tensor, and the program does not quantise them itself") {
  const std::string axolotl = "base_model: Qwen/Qwen3-30B-A3B\nadapter: qlora\nload_in_4bit: true\nlora_r: 8\nsequence_len: 2048\nmicro_batch_size: 1\n";
  CHECK(fields_of(axolotl)["weight_dtype"] == "nf4_maps_double_quant");
  CHECK(assumes(read(axolotl), "weight_dtype = nf4_maps_double_quant: transformers"));
  CHECK(fields_of(axolotl + "quantize_moe_experts: true\n")["weight_dtype"] == "nf4_double_quant");
  CHECK(fields_of("model_name_or_path: Qwen/Qwen3-30B-A3B\nuse_peft: true\nload_in_8bit: true\nlora_r: 8\n")["weight_dtype"] == "int8_bnb_maps");
  CHECK(fields_of("model_name_or_path: Qwen/Qwen3-8B\nuse_peft: true\nload_in_4bit: true\nlora_r: 8\n")["weight_dtype"] == "nf4");
  const io::Answer answer = test::answer_to("model=qwen3-30b-a3b&task=finetune&method=lora&device=h100-80-sxm&weight_dtype=nf4_maps_double_quant");
  // 30.53e9 parameters, of which 48 layers x 128 experts x 3 x 2048 x 768 and as many routers in 16 bits: more than 57.9e9 bytes
  CHECK(answer.estimate.moments.back().parts[static_cast<std::size_t>(Part::weights)].value > 57'982'058'496);
  CHECK(answer.estimate.moments.back().parts[static_cast<std::size_t>(Part::weights)].value < 61'000'000'000);
}

TEST_CASE("DeepSpeed") {
  CHECK(fields_of(R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "bf16": {"enabled": true},
      "optimizer": {"type": "AdamW", "params": {"lr": "auto"}}, "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}, "zero_hpz_partition_size": 8}})") ==
        Fields{{"task", "finetune"}, {"profile", "deepspeed"}, {"sharding", "parameters"}, {"secondary_group", "8"}, {"offload", "optimizer"}, {"optimizer", "adamw_fused"},
               {"precision", "master_bf16"}, {"batch", "2"}, {"micro_batches", "4"}, {"data_parallel", "8"}});
  const io::TrainingConfig automatic = read(R"({"bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"}, "train_batch_size": "auto"})");
  CHECK(*automatic.request.find("profile") == "hf_trainer"); // whose buckets follow the model
  CHECK(*automatic.request.find("precision") == "master_bf16");
  CHECK(assumes(automatic, "precision"));
  CHECK(automatic.unread.empty());
  const std::string two = R"({"train_batch_size": 96, "train_micro_batch_size_per_gpu": 3, "fp16": {"enabled": true}})";
  CHECK(!read(two).request.find("data_parallel")); // as many as the launcher starts
  CHECK(read(two).asks_gpus);
  const io::TrainingConfig told = io::read_training_config(test::catalog(), two, 8);
  CHECK(*told.request.find("data_parallel") == "8");
  CHECK(*told.request.find("micro_batches") == "4");
  CHECK(!io::read_training_config(test::catalog(), two, 5).ok);
  CHECK(*io::read_training_config(test::catalog(), R"({"train_batch_size": 96, "fp16": {"enabled": true}, "zero_optimization": {"stage": 1}})", 8).request.find("batch") == "12");
  const io::TrainingConfig wrong = read(R"({"zero_optimization": {"stage": 7, "reduce_bucket_size": 1000}, "train_batch_size": [1]})");
  CHECK(wrong.unread == std::vector<std::string>{"zero_optimization.stage", "zero_optimization.reduce_bucket_size", "train_batch_size"});
}

TEST_CASE("TrainingArguments, with what they are by themselves") {
  const io::TrainingConfig config = read(R"({"output_dir": "o", "learning_rate": 1e-5})");
  CHECK(*config.request.find("batch") == "8");
  CHECK(*config.request.find("precision") == "fp32");
  CHECK(*config.request.find("optimizer") == "adamw_fused");
  for (const char* field : {"batch", "precision", "optimizer"}) CHECK(assumes(config, field));
  CHECK(fields_of(R"({"bf16": true, "per_device_train_batch_size": 2, "gradient_accumulation_steps": 4, "gradient_checkpointing": true, "optim": "paged_adamw_8bit",
      "use_liger_kernel": true})") ==
        Fields{{"task", "finetune"}, {"profile", "hf_trainer"}, {"batch", "2"}, {"micro_batches", "4"}, {"optimizer", "paged_adamw_8bit"}, {"recompute", "full"},
               {"precision", "mixed_bf16"}, {"norms", "fused"}, {"mlp", "fused"}, {"loss", "liger_fused_linear"}});
  const Fields sharded = fields_of(R"({"bf16": true, "per_device_train_batch_size": 1, "fsdp": "hybrid_shard auto_wrap", "fsdp_config": {"fsdp_version": 2}, "optim": "adamw_torch"})");
  CHECK(sharded.at("profile") == "fsdp2");
  CHECK(sharded.at("precision") == "sharded_bf16");
  CHECK(sharded.at("shard_group") == "8");
}

TEST_CASE("Accelerate") {
  CHECK(fields_of("distributed_type: FSDP\nmixed_precision: bf16\nnum_machines: 4\nnum_processes: 32\nfsdp_config:\n  fsdp_sharding_strategy: HYBRID_SHARD_ZERO2\n") ==
        Fields{{"task", "finetune"}, {"profile", "fsdp1"}, {"sharding", "parameters"}, {"reshard_after_forward", "false"}, {"shard_group", "8"}, {"precision", "sharded_bf16"},
               {"method", "full"}, {"data_parallel", "32"}});
  const Fields megatron = fields_of("distributed_type: MEGATRON_LM\nnum_processes: 16\nmegatron_lm_config:\n  megatron_lm_tp_degree: 4\n  megatron_lm_pp_degree: 2\n");
  CHECK(megatron.at("data_parallel") == "2");
}

TEST_CASE("Axolotl") {
  const Fields fields = fields_of("base_model: meta-llama/Meta-Llama-3-8B\nadapter: qlora\nload_in_4bit: true\nlora_r: 32\nlora_target_linear: true\nsequence_len: 4096\n"
                                  "sample_packing: true\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\noptimizer: adamw_bnb_8bit\nbf16: auto\ngradient_checkpointing: offload\n");
  CHECK(fields == Fields{{"task", "finetune"}, {"model", "llama-3-8b"}, {"profile", "hf_trainer"}, {"batch", "2"}, {"micro_batches", "4"}, {"context_tokens", "4096"},
                         {"batching", "packed"}, {"optimizer", "adamw_8bit"}, {"activation_offload", "kept"}, {"precision", "bf16"}, {"targets", "all_linear"}, {"method", "lora"},
                         {"rank", "32"}, {"weight_dtype", "nf4_double_quant"}});
}

// src/axolotl/core/builders/base.py, _configure_gradient_checkpointing, and loaders/model.py, _apply_activation_checkpointing.
TEST_CASE("What Axolotl leaves to the host") {
  const auto with = [](const std::string& more) { return fields_of("base_model: meta-llama/Meta-Llama-3-8B\nsequence_len: 4096\nmicro_batch_size: 1\ngradient_checkpointing: true\n" + more); };
  CHECK(with("activation_offloading: true\n").at("recompute") == "offloaded");
  CHECK(with("activation_offloading: hidden_states\nadapter: lora\n").at("recompute") == "offloaded");
  const Fields adapter = with("activation_offloading: legacy\nadapter: lora\n");
  CHECK(adapter.at("activation_offload") == "kept");
  CHECK(!adapter.contains("recompute"));
}

TEST_CASE("LLaMA-Factory") {
  const io::TrainingConfig config = read("model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\nstage: dpo\nfinetuning_type: lora\nlora_target: q_proj,v_proj\nbf16: true\n"
                                         "per_device_train_batch_size: 1\nquantization_bit: 4\n");
  Fields fields;
  for (const io::Entry& entry : config.request.entries()) fields[entry.name] = entry.text;
  CHECK(fields == Fields{{"task", "finetune"}, {"model", "llama-3-8b"}, {"profile", "hf_trainer"}, {"batch", "1"}, {"optimizer", "adamw_fused"}, {"precision", "bf16"},
                         {"recompute", "full"}, {"adapter_dtype", "fp32"}, {"method", "lora"}, {"rank", "8"}, {"targets", "qv"}, {"preference", "dpo"},
                         {"weight_dtype", "nf4_double_quant"}, {"context_tokens", "2048"}});
  for (const char* field : {"optimizer", "recompute", "rank", "context_tokens"}) CHECK(assumes(config, field));
}

TEST_CASE("TRL") {
  const Fields fields = fields_of("model_name_or_path: Qwen/Qwen2.5-1.5B\ndtype: bfloat16\nnum_generations: 16\nmax_prompt_length: 512\nmax_completion_length: 1024\nbeta: 0.0\n"
                                  "use_vllm: true\nvllm_mode: colocate\nper_device_train_batch_size: 16\noptim: adamw_torch\n");
  CHECK(fields.at("preference") == "grpo");
  CHECK(fields.at("rollout_engine") == "copy");
  CHECK(fields.at("kl_reference") == "false");
  CHECK(fields.at("context_tokens") == "1536");
  CHECK(fields.at("precision") == "bf16");
  CHECK(fields.at("recompute") == "full"); // on by itself
  CHECK(fields.at("optimizer") == "adamw_foreach");
}

TEST_CASE("torchtune") {
  const Fields fields = fields_of("model:\n  _component_: torchtune.models.llama3_1.qlora_llama3_1_8b\n  lora_attn_modules: ['q_proj', 'k_proj', 'v_proj', 'output_proj']\n"
                                  "  apply_lora_to_mlp: True\n  lora_rank: 8\ntokenizer:\n  max_seq_len: 2048\nbatch_size: 2\ndtype: bf16\ncompile: True\n"
                                  "optimizer:\n  _component_: torch.optim.AdamW\n  fused: True\nloss:\n  _component_: torchtune.modules.loss.CEWithChunkedOutputLoss\n"
                                  "enable_activation_checkpointing: True\ntensor_parallel_dim: 2\ndata_parallel_shard_dim: 4\n");
  CHECK(fields == Fields{{"task", "finetune"}, {"profile", "torchtune"}, {"model", "llama-3.1-8b"}, {"method", "lora"}, {"rank", "8"}, {"targets", "all_linear"},
                         {"weight_dtype", "nf4_double_quant"}, {"batch", "2"}, {"context_tokens", "2048"}, {"precision", "bf16"}, {"optimizer", "adamw_fused"}, {"norms", "compiled"},
                         {"mlp", "compiled"}, {"loss", "chunked_compiled"}, {"recompute", "full"}, {"tensor_parallel", "2"}, {"sharding", "parameters"}, {"data_parallel", "4"}});
}

TEST_CASE("torchtitan") {
  const Fields fields = fields_of("[model]\nname = \"llama3\"\nflavor = \"70B\"\nconverters = [\"float8\"]\n[training]\nlocal_batch_size = 8\nglobal_batch_size = 64\nseq_len = 8192\n"
                                  "[parallelism]\ndata_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 2\ntensor_parallel_degree = 8\n"
                                  "[activation_checkpoint]\nmode = \"selective\"\nselective_ac_option = \"op\"\n[float8]\nenable_fsdp_float8_all_gather = true\n");
  CHECK(fields == Fields{{"task", "pretrain"}, {"profile", "torchtitan"}, {"model", "llama-3-70b"}, {"tensor_parallel", "8"}, {"sequence_parallel", "true"}, {"sharding", "parameters"},
                         {"data_parallel", "4"}, {"shard_group", "2"}, {"batch", "8"}, {"micro_batches", "2"}, {"context_tokens", "8192"}, {"recompute", "per_op"},
                         {"precision", "sharded_bf16"}, {"fp8", "gathered"}, {"optimizer", "adamw_fused"}});
}

TEST_CASE("Megatron-LM, with a shell's variables and lists") {
  const Fields fields = fields_of("TP=4\nARGS=(\n  --num-layers 32 --hidden-size 4096 --num-attention-heads 32\n  --group-query-attention --num-query-groups 8 --ffn-hidden-size 14336 --swiglu\n)\n"
                                  "torchrun --nproc_per_node=8 --nnodes 2 pretrain_gpt.py ${ARGS[@]} --tensor-model-parallel-size $TP --pipeline-model-parallel-size 2 --seq-length 8192 \\\n"
                                  "  --micro-batch-size 1 --global-batch-size 64 --bf16 --use-distributed-optimizer --sequence-parallel --num-layers-per-virtual-pipeline-stage 4 --vocab-size 128000");
  CHECK(fields.at("model") == "custom");
  CHECK(fields.at("kv_heads") == "8");
  CHECK(fields.at("vocab_size") == "128000"); // a multiple of 128 times 4 already
  CHECK(fields.at("tensor_parallel") == "4");
  CHECK(fields.at("virtual_stages") == "4");
  CHECK(fields.at("data_parallel") == "2");
  CHECK(fields.at("micro_batches") == "32");
  CHECK(fields.at("sharding") == "optimizer");
  CHECK(fields.at("precision") == "master_bf16");
  CHECK(fields.at("hidden_dropout") == "true"); // a tenth by itself
}

TEST_CASE("NeMo and Megatron Bridge") {
  const Fields fields = fields_of("recipe=llama3_8b_pretrain_config model.tensor_model_parallel_size=2 ++model.context_parallel_size=2 trainer.devices=8 trainer.num_nodes=2 "
                                  "train.micro_batch_size=1 train.global_batch_size=128 ddp.use_distributed_optimizer=True dataset.sequence_length=8192 model.recompute_granularity=selective");
  CHECK(fields.at("model") == "llama-3-8b");
  CHECK(fields.at("data_parallel") == "4");
  CHECK(fields.at("micro_batches") == "32");
  CHECK(fields.at("sharding") == "optimizer");
  CHECK(fields.at("recompute") == "selective");
  CHECK(fields.at("precision") == "master_bf16");
}

TEST_CASE("a list on a line of its own is no section of TOML") {
  const io::TrainingConfig config = read("# tune run lora_finetune_single_device checkpointer.checkpoint_dir=<DIR>\nmodel:\n  _component_: torchtune.models.llama2.lora_llama2_7b\n  lora_rank: 8\ncheckpointer:\n  checkpoint_files:\n"
                                         "    [pytorch_model-00001-of-00002.bin, b.bin]\nbatch_size: 4\n");
  CHECK(config.ok);
  CHECK(config.format == "torchtune");
}

TEST_CASE("what is no training configuration is refused") {
  for (const std::string& text : std::vector<std::string>{"", "{}", "[]", "null", "model_type: llama", "{\"model_type\": \"llama\", \"hidden_size\": 64, \"train_batch_size\": 1}", "vllm serve x --seed 1", "a: [b",
                                 "key=value", "[section]\nkey = 1", std::string(16, '\0')}) {
    INFO(text);
    CHECK(!io::is_training_config(text));
    CHECK(!read(text).ok);
    CHECK(has_errors(read(text).issues));
  }
}

TEST_CASE("scalars are what PyYAML reads") {
  const auto value = [](const std::string& text) { return io::dump(parse_yaml("k: " + text).value["k"]); };
  CHECK(value("yes") == "true");
  CHECK(value("Off") == "false");
  CHECK(value("~") == "null");
  CHECK(value("") == "null");
  CHECK(value("12") == "12");
  CHECK(value("-3") == "-3");
  CHECK(value("1_000") == "1000");
  CHECK(value("0.5") == "0.5");
  CHECK(value("1e-5") == "\"1e-5\""); // a text in YAML 1.1
  CHECK(value("'yes'") == "\"yes\"");
  CHECK(value("[a, 1]") == "[\"a\",1]");
  CHECK(value("&x 5\nl: *x") == "5");
  CHECK(parse_yaml("k: &x 5\nl: *x").value["l"] == 5);
}

TEST_CASE("bombs are refused, and nothing throws") {
  const auto refused = [](const std::string& text) {
    INFO(text.substr(0, 60));
    const io::configs::ParsedTree yaml = parse_yaml("base_model: x\n" + text), toml = io::configs::parse_toml(text);
    CHECK(!yaml.ok);
    CHECK(!yaml.error.empty());
    CHECK(!toml.ok);
    CHECK(!toml.error.empty());
    CHECK(!read("base_model: x\n" + text).ok);
  };
  std::string tenfold = "k0: &k0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 6; ++i) {
    const std::string before = "*k" + std::to_string(i - 1);
    tenfold += "k" + std::to_string(i) + ": &k" + std::to_string(i) + " [" + before + repeated("," + before, 9) + "]\n";
  }
  refused(tenfold);
  refused("k: " + repeated("[", 100'000));
  refused("k: " + repeated("[", 200) + repeated("]", 200));
  refused("k: " + repeated("{a: ", 200) + "1" + repeated("}", 200));
  refused("k:\n  " + repeated("- ", 1000) + "x");
  refused(std::string(io::kMostConfigBytes + 1, 'a'));
  refused("k: *unknown\n");
  refused("a: &a " + std::string(2000, 'x') + "\nb: [*a, *a]\n");
  refused("? [a]\n: b\n");
  refused("k = 99999999999999999999999\n- x");
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "k" + std::to_string(i) + ": 1\n";
  CHECK(!parse_yaml(many).ok);
  CHECK(!io::configs::parse_toml(repeated("a.", 1000) + "b = 1").ok);
  for (const char* const text : {"[{", "[[{", "[=", "[\"a\".{]"}) CHECK(!io::configs::parse_toml(text).ok); // a header without a key
  refused("k: 1\n---\nl: 2\n");
  std::string options = "torchrun pretrain_gpt.py --num-layers 2 --hidden-size 64";
  for (int i = 0; i < 5000; ++i) options += " --x" + std::to_string(i) + " 1";
  CHECK(!read(options).ok);
}

TEST_CASE("a key that stands twice is told of") {
  const auto tells = [](std::string_view text, std::string_view key) {
    const io::TrainingConfig config = read(text);
    return std::ranges::any_of(config.issues, [&](const Issue& issue) { return issue.field == key && issue.message.find("stands twice") != std::string::npos; });
  };
  CHECK(tells("base_model: x\nsequence_len: 1\nsequence_len: 2\n", "sequence_len"));
  CHECK(tells(R"({"zero_optimization": {"stage": 2, "stage": 3}})", "stage"));
  CHECK(!tells(R"({"zero_optimization": {"stage": 2}, "activation_checkpointing": {"stage": 3}})", "stage"));
  CHECK(tells("pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-layers 3", "num-layers"));
  CHECK(tells("model.tensor_model_parallel_size=2 model.micro_batch_size=1 model.tensor_model_parallel_size=4", "model.tensor_model_parallel_size"));
  CHECK(*read("base_model: x\nsequence_len: 1\nsequence_len: 2\n").request.find("context_tokens") == "2");
}
