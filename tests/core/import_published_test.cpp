// Files as people publish them: notebooks, pages of manuals, servers that swap models, a launcher's file with a second one. What their programs
// make of them is read, or asked for.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

io::ImportedText import_all(const std::vector<io::ImportText>& texts, const io::ImportAnswers& answers = {}) { return io::import_texts(test::catalog(), texts, answers); }

bool is_asked(const io::ImportedText& imported, std::string_view field) {
  return std::ranges::any_of(imported.questions, [&](const io::OpenQuestion& question) { return question.field == field; });
}

bool is_refused(const io::ImportedText& imported, std::string_view field) {
  return !imported.ok && std::ranges::any_of(imported.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
}

/// A cell whose lines stand in a list.
std::string cell(const std::string& source, const std::string& printed = "") {
  std::string lines;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size() - 1);
    std::string line;
    for (const char c : source.substr(at, end - at)) line += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    lines += (lines.empty() ? "\"" : ", \"") + line + "\\n\"";
    at = end + 1;
  }
  const std::string outputs = printed.empty() ? "" : R"({"output_type": "stream", "text": [")" + printed + R"(\n"]})";
  return R"({"cell_type": "code", "source": [)" + lines + R"(], "outputs": [)" + outputs + "]}";
}

std::string notebook(const std::vector<std::string>& cells) {
  std::string all = R"({"cells": [{"cell_type": "markdown", "source": ["# Train"]})";
  for (const std::string& each : cells) all += ", " + each;
  return all + R"(], "nbformat": 4, "metadata": {}})";
}

const std::string kLoad = "from unsloth import FastLanguageModel\nmax_seq_length = 2048 # any\nload_in_4bit = True\nmodel, tokenizer = FastLanguageModel.from_pretrained(\n"
                          "    model_name = \"unsloth/Qwen2.5-14B-Instruct\",\n    max_seq_length = max_seq_length,\n    dtype = None,\n    load_in_4bit = load_in_4bit,\n)\n";
const std::string kAdapt = "model = FastLanguageModel.get_peft_model(\n    model,\n    r = 32,\n    target_modules = [\"q_proj\", \"k_proj\", \"v_proj\", \"o_proj\", \"gate_proj\", \"up_proj\", \"down_proj\",],\n"
                           "    lora_dropout = 0,\n    use_gradient_checkpointing = \"unsloth\",\n)\n";
const std::string kTrain = "trainer = SFTTrainer(\n    model = model,\n    train_dataset = dataset,\n    max_seq_length = max_seq_length,\n    packing = False,\n    args = SFTConfig(\n"
                           "        per_device_train_batch_size = 1,\n        gradient_accumulation_steps = 4,\n        fp16 = not is_bfloat16_supported(),\n        learning_rate = 2e-4,\n        optim = \"paged_adamw_8bit\",\n    ),\n)\n";

} // namespace

TEST_CASE("a notebook that trains with Unsloth is its calls, and what it printed is measured") {
  const io::ImportedText made = import(notebook({cell("%%capture\n!pip install unsloth\n"), cell(kLoad), cell(kAdapt), cell(kTrain), cell("print(used)\n", "Peak reserved memory = 13.24 GB.")}));
  CHECK(made.ok);
  CHECK(made.format == "unsloth");
  CHECK(field(made, "profile") == "unsloth");
  CHECK(field(made, "model") == "qwen2.5-14b");
  CHECK(field(made, "weight_dtype") == "nf4_double_quant");
  CHECK(field(made, "method") == "lora");
  CHECK(field(made, "rank") == "32");
  CHECK(field(made, "targets") == "all_linear");
  CHECK(field(made, "recompute") == "offloaded");
  CHECK(field(made, "context_tokens") == "2048");
  CHECK(field(made, "batch") == "1");
  CHECK(field(made, "micro_batches") == "4");
  CHECK(field(made, "optimizer") == "paged_adamw_8bit");
  CHECK(field(made, "preference") == "none");
  CHECK(field(made, "data_parallel") == "1");
  REQUIRE(made.measured.size() == 1);
  CHECK(made.measured[0].counter == "reserved");
  CHECK(made.measured[0].value == "14216341750");
  CHECK(made.unread.empty());
}

TEST_CASE("a script that trains with Unsloth: weights in 16 bits, modules that train whole, and what does not run") {
  const io::ImportedText made = import("from unsloth import FastLanguageModel\nif False:\n    model = FastLanguageModel.from_pretrained(\"lora_model\")\n"
                                       "model, tokenizer = FastLanguageModel.from_pretrained(\"unsloth/Llama-3.2-3B\", load_in_4bit = False, max_seq_length = 1024)\n"
                                       "model = FastLanguageModel.get_peft_model(model, r = 8, target_modules = [\"q_proj\", \"v_proj\", \"embed_tokens\", \"lm_head\"], use_gradient_checkpointing = True)\n"
                                       "trainer = UnslothTrainer(model = model, args = UnslothTrainingArguments(per_device_train_batch_size = 2))\n");
  CHECK(made.ok);
  CHECK(field(made, "model") == "llama-3.2-3b");
  CHECK(field(made, "weight_dtype") == "bf16");
  CHECK(field(made, "targets") == "qv");
  CHECK(field(made, "modules_to_save") == "embedding_and_head");
  CHECK(field(made, "recompute") == "full");
  CHECK(field(made, "context_tokens") == "1024");
}

TEST_CASE("Unsloth: what only running the script tells is no estimate, nor is an engine on the weights that train") {
  CHECK(is_refused(import(kLoad + "model = FastLanguageModel.get_peft_model(model, r = choose())\ntrainer = SFTTrainer(model = model)\n"), "adapter.r"));
  CHECK(is_refused(import("from unsloth import FastLanguageModel\nmodel, tokenizer = FastLanguageModel.from_pretrained(\"unsloth/Llama-3.2-3B\", fast_inference = True)\n" + kAdapt +
                          "trainer = GRPOTrainer(model = model, reward_funcs = [score], args = GRPOConfig(num_generations = 4))\n"),
                   "load.fast_inference"));
  const io::ImportedText other = import("import torch\n\n[x for x in range(3)]\nprint(torch.cuda.is_available(), {1: 2})\n");
  REQUIRE(!other.issues.empty());
  CHECK(other.issues[0].message.find("Python") != std::string::npos);
  const io::ImportedText empty = import(notebook({cell("print(1)\n")}));
  CHECK(!empty.ok);
  CHECK(empty.issues[0].message.find("notebook") != std::string::npos);
}

// unsloth/models/loader.py, _utils.py (get_moe_target_parameters); unsloth_zoo/tiled_mlp.py.
TEST_CASE("Unsloth: what the estimate has no input for is said, or is no estimate") {
  const auto with = [](const std::string& model, const std::string& load, const std::string& maps) {
    return import("from unsloth import FastLanguageModel\nmodel, tokenizer = FastLanguageModel.from_pretrained(\"" + model + "\"" + load + ")\n" +
                  "model = FastLanguageModel.get_peft_model(model, r = 8, target_modules = [" + maps + "])\ntrainer = SFTTrainer(model = model)\n");
  };
  CHECK(is_refused(with("unsloth/Qwen3-4B", ", qat_scheme = \"int4\"", "\"q_proj\""), "load.qat_scheme"));
  CHECK(is_refused(with("unsloth/Qwen3-4B", ", unsloth_tiled_mlp = True", "\"q_proj\""), "load.unsloth_tiled_mlp"));
  CHECK(with("unsloth/Qwen3-4B", ", unsloth_tiled_mlp = False", "\"q_proj\"").ok);
  CHECK(is_refused(with("LiquidAI/LFM2-1.2B", "", "\"q_proj\", \"embed_tokens\""), "adapter.target_modules"));
  const auto warns = [](const io::ImportedText& made) { return std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.field == "targets"; }); };
  CHECK(warns(with("unsloth/Qwen3-30B-A3B", "", "\"q_proj\", \"gate_proj\", \"up_proj\"")));
  CHECK(!warns(with("unsloth/Qwen3-30B-A3B", "", "\"q_proj\", \"v_proj\"")));
  CHECK(!warns(with("unsloth/Qwen3-4B", "", "\"q_proj\", \"gate_proj\"")));
}

TEST_CASE("what a script starts behind \"--\" is the command, and a model alone is no question") {
  const std::string trains = "accelerate launch --num_processes 8 trl/scripts/dpo.py --model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 1 --max_length 4096 --bf16\n";
  CHECK(field(import("python mason.py --cluster ai2/jupiter ai2/ceres --gpus 8 -- " + trains), "context_tokens") == "4096");
  CHECK(field(import("uv run python mason.py --gpus 8 -- source setup.sh \\&\\& " + trains), "batch") == "1");
  const io::ImportedText own = import("python own.py --model_name_or_path Qwen/Qwen3-8B --max_seq_length 4096\n");
  CHECK(!own.ok);
  CHECK(!import("accelerate launch --num_processes 2 own.py --model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 4 --max_seq_length 1536 --bf16 --use_peft --peft_lora_r 8\n").ok);
  CHECK(!import("deepspeed own.py --model_name_or_path lmsys/vicuna-13b-v1.5 --tune_mm_mlp_adapter True --per_device_train_batch_size 32 --model_max_length 2048 --bf16 True\n").ok); // haotian-liu/LLaVA
  CHECK(import("deepspeed own.py --model_name_or_path lmsys/vicuna-13b-v1.5 --tune_mm_mlp_adapter False --per_device_train_batch_size 32 --model_max_length 2048 --bf16 True\n").ok);
  const io::ImportedText container = import("docker create --gpus all --name x vllm/vllm-openai:v0.15.1 --model Qwen/Qwen3-8B --max-model-len 8192\n");
  CHECK(field(container, "context_tokens") == "8192");
}

TEST_CASE("a file for vLLM's --config is what it starts") {
  const std::string file = "# for one card\nmodel: \"Qwen/Qwen3-8B\"\ntrust-remote-code: true\nmax-model-len: 16384\nmax-num-seqs: 4\n";
  const io::ImportedText made = import_all({{file, "my config.yaml"}});
  CHECK(made.ok);
  CHECK(field(made, "profile") == "vllm");
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "context_tokens") == "16384");
  CHECK(field(import_all({{"docker create --gpus all vllm/vllm-openai:latest vllm serve --config /workspace/config.yaml\n", "run.sh"}, {file, "config.yaml"}}), "max_sequences") == "4");
  CHECK(!import_all({{"model: x\nlength: 3\n", "a.yaml"}}).ok);
}

// alibaba/Pai-Megatron-Patch, toolkits/model_checkpoints_convertor and examples/chatglm.
TEST_CASE("a script's name says what it is for") {
  const std::string sizes = " --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 4 --vocab-size 50304\n";
  CHECK(is_refused(import("torchrun --nproc_per_node 1 hf2megablocks_qwen.py" + sizes), ""));
  CHECK(import("torchrun --nproc_per_node 8 finetune_megatron_chatglm.py" + sizes).ok);
}

// Megatron-LM 2.4 and 2.5, megatron/arguments.py; deepspeedai/Megatron-DeepSpeed.
TEST_CASE("Megatron-LM's earlier names of recomputation") {
  const std::string line = "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 4 --vocab-size 50304 ";
  CHECK(field(import(line + "--checkpoint-activations\n"), "recompute") == "full");
  CHECK(field(import(line + "--checkpoint-activations --checkpoint-num-layers 2\n"), "recompute_layers") == "2");
  CHECK(field(import(line + "--activations-checkpoint-method block --activations-checkpoint-num-layers 3\n"), "recompute") == "block");
  CHECK(field(import(line), "recompute").empty());
}

TEST_CASE("lines of a notebook's shell are commands") {
  const io::ImportedText made = import(notebook({cell("!pip install vllm\n"), cell("import os\n!vllm serve Qwen/Qwen3-8B --max-model-len 8192\n")}));
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "context_tokens") == "8192");
}

TEST_CASE("a page is its blocks: options of its commands are not one configuration") {
  const std::string page = "Convert:\n```\npython tools/checkpoint/convert.py --model-type GPT --loader mixtral_hf --saver mcore\n```\nGenerate:\n```\ntorchrun --nproc_per_node 2 tools/run_text_generation_server.py "
                           "--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --micro-batch-size 1 --seq-length 1024 --max-position-embeddings 32768 --bf16\n```\n";
  CHECK(!import_all({{page, "README.md"}}).ok);
}

TEST_CASE("a page that starts nothing shows the file that does") {
  const std::string manifest = "```yaml\ntype: service\nname: serve\ncommands:\n  - vllm serve Qwen/Qwen3-8B --max-model-len 8192\nport: 8000\n```\n";
  const io::ImportedText served = import_all({{"# Serve\n" + manifest + "Then:\n```bash\ndstack apply -f x.yml\n```\n", "page.md"}});
  CHECK(field(served, "model") == "qwen3-8b");
  CHECK(field(served, "context_tokens") == "8192");
  const std::string config = "```yaml\nbase_model: Qwen/Qwen3-8B\nsequence_len: 2048\nmicro_batch_size: 1\nadapter: lora\nlora_r: 8\nlora_target_linear: true\n```\n";
  CHECK(field(import_all({{config, "page.md"}}), "model") == "qwen3-8b");
  const io::ImportedText started = import_all({{config + "```sh\naxolotl train own.yml\n```\n", "page.md"}});
  CHECK(field(started, "model") == "qwen3-8b"); // the file that the page shows is the one that its command names
  CHECK(field(started, "rank") == "8");
  CHECK(!import_all({{config + "or\n" + config, "page.md"}}).ok); // of two, nobody says which
}

TEST_CASE("programs on top of Megatron-LM are none of its pre-training") {
  const std::string arguments = "--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --vocab-size 128256 --bf16 ";
  CHECK(import("torchrun --nproc_per_node 8 pretrain_gpt.py " + arguments).ok);
  CHECK(is_refused(import("python3 train.py " + arguments + "--actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-batch-size 32 --hf-checkpoint /models/x"), "actor-num-nodes"));
  CHECK(is_refused(import("torchrun --nproc_per_node 8 pretrain_gpt.py " + arguments + "--deepspeed --zero-stage 3 --deepspeed_config ds.json"), "deepspeed"));
}

TEST_CASE("what another file says is asked for, and read where it is there") {
  const std::string launcher = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: configs/ds.json\nmixed_precision: bf16\nnum_processes: 4\nnum_machines: 1\n";
  CHECK(is_asked(import(launcher), "configs/ds.json"));
  const io::ImportedText both = import_all({{launcher, "accelerate.yaml"}, {R"({"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2})", "ds.json"}});
  CHECK(both.ok);
  CHECK(!is_asked(both, "configs/ds.json"));
  CHECK(field(both, "sharding") == "parameters");
  CHECK(field(both, "batch") == "2");
  CHECK(field(both, "data_parallel") == "4");
  CHECK(is_asked(import("model_name_or_path: Qwen/Qwen2-7B-Instruct\nstage: sft\nfinetuning_type: full\ntemplate: qwen\ncutoff_len: 1024\nper_device_train_batch_size: 1\nbf16: true\ndeepspeed: PATH-TO-CONFIG\n"), "PATH-TO-CONFIG"));
}

TEST_CASE("LLaMA-Factory: what trains one block at a time, between others or on some tokens is no full tuning") {
  const std::string file = "model_name_or_path: Qwen/Qwen2-7B-Instruct\nstage: sft\nfinetuning_type: full\ntemplate: qwen\ncutoff_len: 1024\nper_device_train_batch_size: 1\npure_bf16: true\n";
  CHECK(import(file).ok);
  CHECK(is_refused(import(file + "use_badam: true\nbadam_mode: layer\n"), "use_badam"));
  CHECK(is_refused(import(file + "mixture_of_depths: convert\n"), "mixture_of_depths"));
}

TEST_CASE("TRL: Liger by its earlier name, and parameters that a file of Spectrum chooses") {
  const std::string file = "model_name_or_path: meta-llama/Llama-3.1-8B\ndataset_name: x\nmax_seq_length: 1024\npacking: true\nbf16: true\ntorch_dtype: bfloat16\nper_device_train_batch_size: 8\n";
  CHECK(field(import(file + "use_liger: true\n"), "loss") == "liger_fused_linear");
  CHECK(is_refused(import(file + "spectrum_config_path: parameters.yaml\n"), "spectrum_config_path"));
}

TEST_CASE("verl until February 2025: micro-batches of all replicas together") {
  const std::string before = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=1024 data.max_prompt_length=512 data.max_response_length=1024 "
                             "actor_rollout_ref.model.path=Qwen/Qwen2-7B-Instruct actor_rollout_ref.actor.ppo_mini_batch_size=256 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8 trainer.nnodes=1 ";
  const io::ImportedText made = import(before + "actor_rollout_ref.actor.ppo_micro_batch_size=128 actor_rollout_ref.rollout.log_prob_micro_batch_size=256");
  CHECK(made.ok);
  CHECK(field(made, "batch") == "16");       // 128 over 8
  CHECK(field(made, "micro_batches") == "10"); // 256 prompts of 5 answers over 8, by 16
  CHECK(field(made, "scoring_batch") == "32");
  CHECK(field(made, "kl_reference") == "true"); // there was always one
  const io::ImportedText own = import(before + "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4");
  CHECK(field(own, "batch") == "4");
  CHECK(field(own, "kl_reference") == "false");
}

TEST_CASE("scripts of somebody's own: the program is guessed by options, whatever their variables say, and not where most are its own") {
  const io::ImportedText open = import("#!/bin/bash\nif [ $1 = a ]; then LAYERS=32; elif [ $1 = b ]; then LAYERS=64; fi\nOPTIONS=\"--num-layers $LAYERS --hidden-size 4096 --seq-length 4096\"\n"
                                       "CMD=\"torchrun --nproc_per_node 8 pretrain_own.py $OPTIONS\"\neval $CMD\n");
  CHECK(open.name == "Megatron-LM");
  CHECK(std::ranges::any_of(open.questions, [](const io::OpenQuestion& question) { return question.answer == "set"; }));
  const std::string common = " --model_name_or_path Qwen/Qwen2.5-7B --beta 0.0 --max_length 4096 --per_device_train_batch_size 1 --gradient_checkpointing ";
  const io::ImportedText other = import("python grpo_fast.py" + common + "--num_unique_prompts_rollout 128 --num_samples_per_prompt_rollout 16 --stop_strings x --total_episodes 100 --ground_truths_key g --vllm_num_engines 4 --num_learners_per_node 8");
  CHECK(field(other, "model") == "qwen2.5-7b");
  CHECK(field(other, "preference").empty());
  const io::ImportedText flags = import("torchrun --nproc_per_node 8 finetune.py --model_name_or_path Qwen/Qwen-7B --data_path x.json --bf16 True --output_dir o --per_device_train_batch_size 2 --model_max_length 2048 --lazy_preprocess True");
  CHECK(field(flags, "context_tokens") == "2048");
  CHECK(is_refused(import("torchrun --nproc_per_node 8 finetune.py --model_name_or_path Qwen/Qwen2-7B --bf16 True --output_dir o --per_device_train_batch_size 2 --use_lora True"), "use_lora"));
}

TEST_CASE("recipes of Megatron Bridge by the function that makes them, over a file that others change") {
  const std::string run = "dataset:\n  seq_length: 4096\ntrain:\n  global_batch_size: 8\n  micro_batch_size: 1\nmodel:\n  tensor_model_parallel_size: 4\n";
  const io::ImportedText tuned = import("recipe:\n  name: qwen3_8b_peft_config\n" + run);
  CHECK(field(tuned, "task") == "finetune");
  CHECK(field(tuned, "method") == "lora");
  CHECK(field(tuned, "model") == "qwen3-8b");
  const io::ImportedText whole = import("recipe:\n  _target_: megatron.bridge.recipes.qwen.qwen3_8b_sft_config\n" + run);
  CHECK(field(whole, "task") == "finetune");
  CHECK(field(whole, "model") == "qwen3-8b");
  const io::ImportedText experts = import("recipe:\n  name: qwen3_30b_a3b_pretrain_config\n" + run + "  expert_model_parallel_size: 8\n  expert_tensor_parallel_size: 1\n");
  CHECK(field(experts, "expert_tensor_parallel") == "1");
  CHECK(field(experts, "data_parallel") == "2"); // 8 GPUs hold all experts
  const std::string changes = "defaults: default.yaml\ntrain:\n  global_batch_size: 16\nmodel:\n  tensor_model_parallel_size: 2\nlogger:\n  log_interval: 1\n";
  CHECK(is_asked(import(changes), "default.yaml"));
  const io::ImportedText both = import_all({{changes, "tiny.yaml"}, {"recipe:\n  _target_: megatron.bridge.recipes.qwen.qwen3_8b_sft_config\n" + run, "default.yaml"}});
  CHECK(field(both, "model") == "qwen3-8b");
  CHECK(field(both, "tensor_parallel") == "2");
  CHECK(is_refused(import("name: megatron_clip\ntrainer:\n  devices: 1\n  num_nodes: 1\nmodel:\n  micro_batch_size: 32\n  global_batch_size: 32\n  vision:\n    patch_dim: 16\n"), "model.vision.patch_dim"));
  CHECK(!import("kind: Deployment\nspec:\n  containers:\n    - image: vllm/vllm-openai\n      args: [--model, {{ .Values.model }}]\n").ok);
  CHECK(import("{{- if .Values.x }}\nkind: Deployment\n{{- end }}\n").issues.at(0).message.find("template") != std::string::npos);
}

TEST_CASE("scripts with a loop of their own share keys with TRL, and are not its") {
  const io::ImportedText made = import("model_name_or_path: meta-llama/Llama-3.1-8B\nuse_flash_attn: true\ntokenizer_name: x\nuse_slow_tokenizer: false\nmax_seq_length: 4096\nper_device_train_batch_size: 1\n"
                                       "gradient_accumulation_steps: 2\nwith_tracking: true\n");
  CHECK(is_refused(made, "with_tracking"));
}

TEST_CASE("keys without a value say nothing") {
  const std::string file = "base_model: Qwen/Qwen3-8B\nsequence_len: 2048\nmicro_batch_size: 1\nbf16: auto\ndeepspeed:\n";
  for (const char* none : {"fsdp:\nfsdp_config:\n", "fsdp: []\n", "fsdp: false\nfsdp_config: {}\n"}) {
    const io::ImportedText made = import(file + none);
    CHECK(made.ok);
    CHECK(field(made, "profile") == "hf_trainer");
    CHECK(field(made, "sharding").empty());
  }
  CHECK(field(import(file + "fsdp:\n  - full_shard\n  - auto_wrap\n"), "profile") == "fsdp1");
}

TEST_CASE("llama-swap starts a server for each model, with its macros") {
  const std::string file = "healthCheckTimeout: 300\nmacros:\n  server: >\n    /app/llama-server --port ${PORT}\n  large: \"--ctx-size 16384\"\nmodels:\n  \"one\":\n    env:\n      - \"CUDA_VISIBLE_DEVICES=0\"\n"
                           "    cmd: |\n      ${server}\n      # weights\n      --model /models/Qwen2.5-7B-Instruct-Q4_K_M.gguf\n      ${large} -ngl 99\n";
  const io::ImportedText made = import(file);
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen2.5-7b");
  CHECK(field(made, "weight_dtype") == "q4_k_m");
  CHECK(field(made, "context_tokens") == "16384");
  CHECK(field(made, "gpu_layers") == "99");
}

TEST_CASE("dstack's variables: those of a list, and the GPUs that it asks for") {
  const io::ImportedText made = import("type: service\nname: serve\nenv:\n  - HF_TOKEN\n  - MODEL=openai/gpt-oss-120b\ncommands:\n  - |\n    vllm serve $MODEL \\\n      --tensor-parallel $DSTACK_GPUS_NUM\nport: 8000\nresources:\n  gpu: MI300X:8\n");
  CHECK(made.ok);
  CHECK(field(made, "model") == "gpt-oss-120b");
  CHECK(field(made, "tensor_parallel") == "8"); // the beginning of --tensor-parallel-size alone
  CHECK(field(made, "device") == "mi300x");
}

TEST_CASE("LMDeploy: a proxy serves no model, and drafts are its options'") {
  CHECK(!import("lmdeploy serve proxy --server-name 0.0.0.0 --server-port 8000").ok);
  const io::ImportedText made = import("lmdeploy serve api_server Qwen/Qwen3.5-35B-A3B --backend pytorch --tp 2 --speculative-algorithm qwen3_5_mtp --speculative-num-draft-tokens 4 --logprobs-mode raw_logprobs");
  CHECK(made.ok);
  CHECK(field(made, "predicts_drafts") == "true");
  CHECK(field(made, "draft_tokens") == "4");
  CHECK(made.unread.empty());
}

TEST_CASE("an engine's line with an open variable, and a tag behind a name that nobody knows") {
  const io::ImportedText open = import("lmdeploy serve api_server ${{ matrix.model }} --tp ${{matrix.tp}}");
  CHECK(is_asked(open, "matrix.model"));
  CHECK(is_asked(open, "matrix.tp"));
  const io::ImportedText told = import("lmdeploy serve api_server ${{ matrix.model }} --tp 2", {.variables = {{"matrix.model", "Qwen/Qwen3-8B"}}});
  CHECK(field(told, "model") == "qwen3-8b");
  CHECK(field(import("ollama run hf.co/somebody/Own-Model-GGUF:Q8_0"), "weight_dtype") == "q8_0");
  const io::ImportedText image = import("ARG VERSION=v1\nFROM vllm/vllm-openai:v0.10.0 AS base\nENV MODEL=Qwen/Qwen3-8B\nRUN pip install x \\\n  # why\n  y\nENTRYPOINT [\"python3\", \"-m\", \"vllm.entrypoints.openai.api_server\"]\n"
                                       "CMD [\"--model\", \"Qwen/Qwen3-8B\", \"--max-model-len\", \"4096\"]\n");
  CHECK(image.ok);
  CHECK(field(image, "model") == "qwen3-8b");
  CHECK(field(image, "context_tokens") == "4096");
  const io::ImportedText dockerfile = import("FROM python:3.12 AS base\nRUN pip install x | awk '/Version: /{print}'\n\nRUN echo \"a: b\" && \\\n  echo c\n");
  CHECK(std::ranges::none_of(dockerfile.issues, [](const Issue& issue) { return issue.message.find("YAML") != std::string::npos; }));
}

TEST_CASE("what only looks like a training: an evaluation's task, tokens that are filled in, parameters that alone are adapted, scripts with stages of their own") {
  const io::ImportedText task = import("model: qwen-plus\napi_url: https://example.org/v1\ndataset_dir: data\nwork_dir: out\neval_batch_size: 8\n"); // modelscope/evalscope
  CHECK(task.format != "llama_factory");
  const std::string axolotl = "base_model: meta-llama/Llama-3.2-1B\nsequence_len: 512\nmicro_batch_size: 4\n";
  CHECK(is_refused(import(axolotl + "diffusion:\n  noise_schedule: cosine\n"), "diffusion.noise_schedule"));
  CHECK(is_refused(import(axolotl + "adapter: lora\nlora_target_parameters: [mlp.experts.gate_up_proj]\n"), "lora_target_parameters"));
  const std::string chat = "deepspeed main.py --model_name_or_path meta-llama/Llama-2-7b-hf --per_device_train_batch_size 4 --max_seq_len 512 --gradient_accumulation_steps 1 --deepspeed "; // DeepSpeed-Chat
  CHECK(!is_asked(import(chat), "true"));
  CHECK(!import(chat + "--zero_stage 3 --data_path a --output_dir out").ok);
}

// Labels of GKE's nodes; kubernetes-engine-samples, ai-ml/vllm-tpu.
TEST_CASE("TPUs that a manifest asks for are the device, and no GPU is asked for") {
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  nodeSelector:\n    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n  containers:\n  - name: vllm\n    image: vllm/vllm-tpu\n"
                          "    command: [\"python3\", \"-m\", \"vllm.entrypoints.openai.api_server\"]\n    args: [\"--model=meta-llama/Llama-3.1-8B\", \"--tensor-parallel-size=8\"]\n";
  CHECK(field(import(pod), "device") == "tpu-v6e");
}

TEST_CASE("words behind \"--\" belong to the program") {
  CHECK(is_asked(import("accelerate launch -m axolotl.cli.train -- examples/fft.yaml --debug"), "examples/fft.yaml"));
}
