// Recipes that change others, and lines that name more than one model: what is read, and what is asked.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

std::string first_asked(const io::ImportedText& imported) { return imported.questions.empty() ? "" : imported.questions.front().field; }

} // namespace

TEST_CASE("a recipe that is not called by its model trains the one of its checkpoint, on the tasks that sbatch was told") {
  const std::string script = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\nsrun bash -c \"python scripts/training/run_recipe.py --recipe omni_squad_peft_config --mode lora "
                             "checkpoint.pretrained_checkpoint=/models/Qwen3-30B-A3B/iter_0000000 train.global_batch_size=16 train.micro_batch_size=1 model.tensor_model_parallel_size=2 "
                             "model.expert_model_parallel_size=8 model.seq_length=4096\"\n";
  const io::ImportedText made = import(script);
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-30b-a3b");
  CHECK(field(made, "data_parallel") == "8");
  CHECK(field(made, "micro_batches") == "2");
  CHECK(field(made, "expert_tensor_parallel") == "1");
  // a task that starts others by itself does not say how many
  const io::ImportedText one = import("#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=8\naxolotl train --base_model Qwen/Qwen3-8B --sequence_len 2048 --micro_batch_size 1\n");
  CHECK(field(one, "data_parallel").empty());
}

TEST_CASE("TRL's simple self-distillation generates with the model that trains, and keeps no reference") {
  const io::ImportedText made = import("python examples/scripts/ssd.py --model_name_or_path Qwen/Qwen3-4B-Instruct-2507 --prompt_column question --per_device_train_batch_size 1 "
                                       "--max_prompt_length 1024 --max_completion_length 4096 --bf16");
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-4b-2507");
  CHECK(field(made, "preference") == "grpo");
  CHECK(field(made, "group_size") == "1");
  CHECK(field(made, "kl_reference") == "false");
  CHECK(field(made, "rollout_engine") == "shared");
  CHECK(field(made, "context_tokens") == "5120");
}

TEST_CASE("a draft model that the catalogue lacks leaves the estimate of the model, and says so") {
  const io::ImportedText made = import("vllm serve Qwen/Qwen3-8B --speculative-config '{\"model\": \"somebody/qwen3-8b-assistant\", \"num_speculative_tokens\": 4}'");
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "draft_model").empty());
  CHECK(std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.field == "draft_model" && issue.severity == Severity::warning; }));
}

TEST_CASE("NeMo RL: what a recipe does not say is as the base has it") {
  const std::string recipe = "defaults: ../../grpo_math_1B.yaml\ngrpo:\n  num_generations_per_prompt: 8\ncheckpointing:\n  checkpoint_dir: x\npolicy:\n  model_name: meta-llama/Llama-3.1-8B-Instruct\n"
                             "  max_total_sequence_length: 4096\n  train_micro_batch_size: 1\n  dtensor_cfg:\n    tensor_parallel_size: 2\n    activation_checkpointing: true\ncluster:\n  gpus_per_node: 8\n  num_nodes: 2\n";
  const io::ImportedText read = import(recipe);
  CHECK(read.ok);
  CHECK(field(read, "model") == "llama-3.1-8b");
  CHECK(field(read, "preference") == "grpo");
  CHECK(field(read, "group_size") == "8");
  CHECK(field(read, "data_parallel") == "8");
  CHECK(field(read, "recompute") == "full");
  CHECK(field(read, "rollout_engine") == "sleeping");
  CHECK(first_asked(import("defaults: ./other.yaml\ncheckpointing:\n  save_period: 1\npolicy:\n  train_micro_batch_size: 1\ncluster:\n  gpus_per_node: 8\n")) == "./other.yaml");
  const std::size_t at = recipe.find("  max_total");
  const auto with = [&](const std::string& optimizer) { return import(recipe.substr(0, at) + "  optimizer:\n    name: " + optimizer + "\n" + recipe.substr(at)).ok; };
  CHECK(with("torch.optim.AdamW"));
  CHECK(!with("transformer_engine.pytorch.optimizers.fused_adam.FusedAdam")); // whose states have formats of their own
  CHECK(first_asked(import("defaults: other.yaml\ndata_plane:\n  enabled: true\n")) == "other.yaml");
  CHECK(first_asked(import("defaults: [other.yaml]\ncheckpointing:\n  save_period: 1\npolicy:\n  train_micro_batch_size: 1\ncluster:\n  gpus_per_node: 8\n")) == "other.yaml");
  // the model stands in the file that the recipe changes; what the recipe says counts
  const std::string base = "defaults: ../../grpo_math_1B.yaml\ngrpo:\n  num_generations_per_prompt: 4\ncheckpointing:\n  enabled: true\npolicy:\n  model_name: Qwen/Qwen3-8B\n  max_total_sequence_length: 2048\n  train_micro_batch_size: 4\ncluster:\n  gpus_per_node: 8\n  num_nodes: 2\n";
  const std::string change = "defaults: ./other.yaml\ngrpo:\n  num_generations_per_prompt: 32\ncheckpointing:\n  enabled: false\npolicy:\n  train_micro_batch_size: 1\n";
  const std::vector<io::ImportText> both{{change, "change.yaml"}, {base, "other.yaml"}};
  const io::ImportedText changed = io::import_texts(test::catalog(), both);
  CHECK(changed.ok);
  CHECK(field(changed, "model") == "qwen3-8b");
  CHECK(field(changed, "group_size") == "32");
  CHECK(field(changed, "batch") == "1");
  CHECK(field(changed, "context_tokens") == "2048");
}

// examples/configs/dpo.yaml and sft.yaml: their sequences are not packed, and Megatron's workers divide by two for DPO.
TEST_CASE("NeMo RL: what a recipe does not say is as the file has it that it changes") {
  const auto recipe = [](const std::string& base, const std::string& policy) {
    return "defaults: ../../" + base + ".yaml\n" + base + ":\n  max_num_steps: 20\ncheckpointing:\n  enabled: false\npolicy:\n  model_name: meta-llama/Llama-3.1-8B-Instruct\n" + policy + "cluster:\n  gpus_per_node: 8\n  num_nodes: 4\n";
  };
  const std::string megatron = "  train_global_batch_size: 256\n  train_micro_batch_size: 1\n  dtensor_cfg:\n    enabled: false\n  megatron_cfg:\n    enabled: true\n    pipeline_model_parallel_size: 2\n";
  const io::ImportedText dpo = import(recipe("dpo", megatron));
  CHECK(dpo.ok);
  CHECK(field(dpo, "tensor_parallel") == "2");
  CHECK(field(dpo, "sequence_parallel") == "true");
  CHECK(field(dpo, "data_parallel") == "8");
  CHECK(field(dpo, "micro_batches") == "32");
  CHECK(field(dpo, "context_tokens") == "1024");
  CHECK(field(dpo, "batching") == "padded");
  const io::ImportedText sft = import(recipe("sft", ""));
  CHECK(field(sft, "tensor_parallel").empty());
  CHECK(field(sft, "batch") == "1");
  CHECK(field(sft, "batching") == "padded");
  CHECK(field(sft, "data_parallel") == "32");
}

// hiyouga/LLaMA-Factory, src/llamafactory/v1/config/training_args.py and core/base_trainer.py.
TEST_CASE("LLaMA-Factory's second schema: its optimizers, and what is on by itself") {
  const std::string file = "model: Qwen/Qwen3-0.6B\nmodel_class: llm\ndist_config:\n  name: fsdp2\nmicro_batch_size: 1\ncutoff_len: 2048\n";
  const io::ImportedText plain = import(file);
  CHECK(field(plain, "optimizer") == "adamw_foreach");
  CHECK(field(plain, "recompute") == "full");
  CHECK(field(import(file + "optim_config:\n  name: muon\n  wd: 0.1\n"), "optimizer") == "muon");
  CHECK_FALSE(import(file + "optim_config:\n  name: other\n").ok);
  CHECK(field(import(file + "enable_activation_checkpointing: false\n"), "recompute") == "none");
  CHECK(field(plain, "precision") == "sharded_bf16");
  CHECK(field(import(file + "bf16: false\n"), "precision") == "fp32");
  CHECK(field(import("model: Qwen/Qwen3-0.6B\nmodel_class: llm\ntrain_dataset: x.yaml\nmicro_batch_size: 1\ncutoff_len: 2048\n"), "precision") == "fp32"); // no autocast
  const io::ImportedText divided = import(file + "flash_attn: flash_attention_2\ncp_mode: ulysses\ncp_size: 2\nbatching_strategy: padding_free\n");
  CHECK(field(divided, "context_parallel") == "2");
  CHECK(field(divided, "context_method") == "ulysses");
  CHECK(field(divided, "attention") == "flash");
  CHECK(field(divided, "batching") == "padding_free");
}

TEST_CASE("llamafactory-cli chat and api serve what their file names, which is asked for") {
  const std::string line = "llamafactory-cli chat examples/inference/qwen3.yaml";
  CHECK(first_asked(import(line)) == "examples/inference/qwen3.yaml");
  const std::vector<io::ImportText> both{{line, "run.sh"}, {"model_name_or_path: Qwen/Qwen3-4B-Instruct-2507\ntemplate: qwen3_nothink\ninfer_backend: vllm\n", "qwen3.yaml"}};
  const io::ImportedText made = io::import_texts(test::catalog(), both, {});
  CHECK(field(made, "task") == "inference");
  CHECK(field(made, "model") == "qwen3-4b-2507");
  CHECK(field(made, "profile") == "vllm");
  CHECK(field(import("llamafactory-cli api --model_name_or_path Qwen/Qwen3-8B --template qwen3 --infer_backend vllm --vllm_maxlen 8192"), "context_tokens") == "8192");
}

TEST_CASE("q_proj to down_proj by name are not all linear maps of a model with linear attention") {
  const auto targets = [](const std::string& model, const std::string& names) {
    return field(import("base_model: " + model + "\nadapter: lora\nsequence_len: 2048\nmicro_batch_size: 1\nlora_r: 32\nbf16: true\nlora_target_modules: [" + names + "]\n"), "targets");
  };
  const std::string seven = "q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj";
  CHECK(targets("Qwen/Qwen3.5-9B", seven) == "q,k,v,o,gate,up,down");
  CHECK(targets("Qwen/Qwen3-8B", seven) == "all_linear");
  CHECK(targets("Qwen/Qwen3.5-9B", seven + ", in_proj_qkv, in_proj_z, out_proj") == "all_linear");
}

TEST_CASE("what a run printed is no log where a script keeps it in comments") {
  const io::ImportedText made = import("NPROC_PER_NODE=2 swift sft --model Qwen/Qwen3-8B --tuner_type lora --max_length 4096\n# {'loss': 2.93, 'grad_norm': 2.4, 'epoch': 0.06, 'train_speed(iter/s)': 0.118837}\n# {'train_runtime': 79.7064, 'train_steps_per_second': 0.201}\n");
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "method") == "lora");
  CHECK(made.measured.empty());
}

// NVIDIA/Megatron-LM, megatron/core/transformer/transformer_block.py: block recomputes so many layers of a stage.
TEST_CASE("no layers of a stage by block are none") {
  const std::string line = "python pretrain_gpt.py --num-layers 8 --hidden-size 1024 --num-attention-heads 8 --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 1 --bf16 --padded-vocab-size 32000 --recompute-granularity full --recompute-method ";
  CHECK(field(import(line + "block --recompute-num-layers 0"), "recompute") == "none");
  CHECK(field(import(line + "block --recompute-num-layers 2"), "recompute") == "block");
  CHECK(field(import(line + "uniform --recompute-num-layers 1"), "recompute") == "full");
}

TEST_CASE("swift infer: every process has an engine of its own") {
  const std::string line = "swift infer --model Qwen/Qwen3-8B --infer_backend vllm --vllm_max_model_len 8192";
  CHECK(field(import("NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1 " + line), "data_parallel") == "2");
  CHECK(field(import(line), "data_parallel").empty());
}

TEST_CASE("NeMo RL: engines on nodes of their own are as many steps ahead as answers may be old") {
  const std::string recipe = "defaults: ../../grpo_math_1B.yaml\ncheckpointing:\n  checkpoint_dir: x\npolicy:\n  model_name: meta-llama/Llama-3.1-8B-Instruct\n  max_total_sequence_length: 4096\n  train_micro_batch_size: 1\n"
                             "  generation:\n    colocated:\n      enabled: false\n      resources:\n        num_nodes: 1\n        gpus_per_node: 8\ncluster:\n  gpus_per_node: 8\n  num_nodes: 3\ngrpo:\n  num_prompts_per_step: 64\n";
  const std::string ahead = "  async_grpo:\n    enabled: true\n    max_trajectory_age_steps: 8\n    in_flight_weight_updates: ";
  const io::ImportedText flies = import(recipe + ahead + "true\n");
  CHECK(flies.ok);
  CHECK(field(flies, "rollout_gpus") == "8");
  CHECK(field(flies, "data_parallel") == "16");
  CHECK(field(flies, "rollout_ahead") == "8");
  CHECK(field(import(recipe + ahead + "false\n"), "rollout_ahead") == "1"); // all answers end before new weights come
  CHECK(field(import(recipe), "rollout_ahead").empty());
  CHECK(field(import(recipe + "loss_fn:\n  force_on_policy_ratio: true\n"), "policy_logprobs") == "false");
  CHECK(field(import(recipe + "  seq_logprob_error_threshold: 2\nloss_fn:\n  force_on_policy_ratio: true\n"), "policy_logprobs").empty());
}

TEST_CASE("NeMo RL: adapters, and experts that DTensor's workers divide") {
  const auto recipe = [](const std::string& section) {
    return "sft:\n  seed: 1\ncheckpointing:\n  enabled: true\npolicy:\n  model_name: Qwen/Qwen3-30B-A3B\n  train_micro_batch_size: 1\n  max_total_sequence_length: 2048\n" + section + "cluster:\n  gpus_per_node: 8\n  num_nodes: 1\n";
  };
  const io::ImportedText lora = import(recipe("  dtensor_cfg:\n    enabled: true\n    lora_cfg:\n      enabled: true\n      dim: 16\n      match_all_linear: true\n      dropout: 0.0\n"));
  CHECK(lora.ok);
  CHECK(field(lora, "method") == "lora");
  CHECK(field(lora, "rank") == "16");
  CHECK(field(lora, "targets") == "all_linear");
  CHECK(field(lora, "adapter_dropout").empty());
  const io::ImportedText megatron = import(recipe("  megatron_cfg:\n    enabled: true\n    peft:\n      enabled: true\n      dim: 128\n      target_modules: [linear_qkv]\n"));
  CHECK(field(megatron, "targets") == "qkv");
  CHECK_FALSE(import(recipe("  dtensor_cfg:\n    lora_cfg:\n      enabled: true\n      exclude_modules: ['*.gate']\n")).ok);
  CHECK(field(import(recipe("  dtensor_cfg:\n    enabled: true\n    expert_parallel_size: 8\n")), "expert_parallel") == "8");
}

TEST_CASE("a document is read by the commands in its blocks of code") {
  const std::string markdown = "# Serving Qwen3\n\nvllm serve is what you need: see below.\n\n## Install\n\n```bash\nuv pip install vllm\nexport MODEL=Qwen/Qwen3-8B\n```\n\n- one GPU\n\n  ```console\n  $ vllm serve $MODEL --max-model-len 8192 \\\n"
                               "      --max-num-seqs 4\n  ```\n\n```python\nimport vllm\n```\n";
  const io::ImportedText made = import(markdown);
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "context_tokens") == "8192");
  CHECK(field(made, "max_sequences") == "4");
  const io::ImportedText two = import(markdown + "~~~sh\nvllm serve Qwen/Qwen3-32B --tensor-parallel-size 2\n~~~\n");
  CHECK(std::ranges::any_of(two.questions, [](const io::OpenQuestion& question) { return question.field == "command"; }));
  const io::ImportedText rst = import("Serving\n=======\n\n.. code-block:: bash\n   :caption: start\n\n   python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2\n\nThat is all.\n");
  CHECK(rst.ok);
  CHECK(field(rst, "tensor_parallel") == "2");
  const io::ImportedText none = import("# Notes\n\nNothing: here\n\n```bash\ncurl http://localhost:8000\n```\n");
  CHECK_FALSE(none.ok);
  CHECK(std::ranges::any_of(none.issues, [](const Issue& issue) { return issue.message.find("document") != std::string::npos; }));
}

TEST_CASE("fences inside a configuration are its text, and a script that writes a document runs itself") {
  const io::ImportedText config = import("base_model: Qwen/Qwen3-8B\nadapter: lora\nlora_r: 8\nsequence_len: 2048\nmicro_batch_size: 1\nchat_template_jinja: |\n  ```\n  {{ messages }}\n  ```\ndatasets:\n  - path: a\n    type: alpaca\n");
  CHECK(field(config, "model") == "qwen3-8b");
  CHECK(config.kind == "training_config");
  const io::ImportedText script = import("#!/bin/bash\ncat > README.md <<EOF\n```bash\nvllm serve Qwen/Qwen3-32B\n```\nEOF\nvllm serve Qwen/Qwen3-8B\n");
  CHECK(field(script, "model") == "qwen3-8b");
}

TEST_CASE("GPUs that NCCL keeps from each other's memory exchange through the host in training as in serving") {
  const std::string train = "torchrun --nproc_per_node 4 pretrain_gpt.py --use-mcore-models --tensor-model-parallel-size 4 --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 "
                            "--max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 8 --bf16 --vocab-size 32000";
  CHECK(field(import(train), "gpu_link").empty());
  CHECK(field(import("NCCL_P2P_DISABLE=1 " + train), "gpu_link") == "host");
  CHECK(field(import("NCCL_P2P_DISABLE=0 " + train), "gpu_link").empty());
  CHECK(field(import("#!/bin/bash\nexport NCCL_P2P_DISABLE=1\nexport NCCL_IB_DISABLE=1\n" + train + "\n"), "gpu_link") == "host");
  CHECK(field(import("#!/bin/bash\nexport NCCL_P2P_DISABLE=1\n" + train + " --log-interval 10\nexport NCCL_P2P_DISABLE=0\n"), "gpu_link") == "host");
  CHECK(field(import("#!/bin/bash\nexport NCCL_P2P_DISABLE=1\nNCCL_P2P_DISABLE=0 " + train + "\n"), "gpu_link").empty());
  CHECK(field(import("#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=2\nexport NCCL_P2P_DISABLE=1\nsrun llamafactory-cli train --model_name_or_path Qwen/Qwen3-8B --stage sft "
                     "--finetuning_type lora --cutoff_len 4096 --per_device_train_batch_size 1 --output_dir out\n"),
              "gpu_link") == "host");
  CHECK(field(import("docker run --gpus all -e NCCL_P2P_DISABLE=1 -v $PWD:/work nvcr.io/nvidia/pytorch:25.04-py3 " + train), "gpu_link") == "host");
  CHECK(field(import("NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=1 accelerate launch --num_processes 2 examples/scripts/dpo.py --model_name_or_path Qwen/Qwen3-4B --per_device_train_batch_size 1 "
                     "--max_length 2048 --bf16"),
              "gpu_link") == "host");
  CHECK(field(import("NCCL_P2P_DISABLE=1 accelerate launch --num_processes 2 my_train.py --model_name_or_path Qwen/Qwen3-4B"), "gpu_link") == "host"); // whatever it runs
  CHECK(first_asked(import("NCCL_P2P_DISABLE=$NO_PEERS " + train)) == "NO_PEERS");
}

TEST_CASE("TRL's server is vLLM's, by the same options") {
  const io::ImportedText served = import("CUDA_VISIBLE_DEVICES=0,1,2,3 trl vllm-serve --model Qwen/Qwen2.5-7B --tensor_parallel_size 4 --gpu_memory_utilization 0.8 --vllm_model_impl transformers\n");
  CHECK(served.ok);
  CHECK(field(served, "model") == "qwen2.5-7b");
  CHECK(field(served, "task") == "inference");
  CHECK(field(served, "profile") == "vllm");
  CHECK(field(served, "tensor_parallel") == "4");
  CHECK(field(served, "memory_permille") == "800");
  const io::ImportedText beside = import("accelerate launch --num_processes 8 train_grpo.py --server_ip 10.0.0.1 &\ntrl vllm-serve --model Qwen/Qwen2.5-72B --tensor_parallel_size 8 &\nwait\n");
  CHECK(beside.commands.empty()); // the server answers for the training
  CHECK(field(beside, "task") == "finetune");
}

TEST_CASE("members of an option's object, one by one, are the object") {
  const io::ImportedText drafts = import("vllm serve zai-org/GLM-4.5 -tp 8 --speculative-config.method mtp --speculative_config.num_speculative_tokens=3 --limit-mm-per-prompt.video 0\n");
  CHECK(field(drafts, "draft_tokens") == "3");
  CHECK(field(drafts, "predicts_drafts") == "true");
  CHECK(std::ranges::none_of(drafts.issues, [](const Issue& issue) { return issue.severity == Severity::warning; }));
  CHECK(field(import("vllm serve Qwen/Qwen2.5-VL-7B-Instruct --limit-mm-per-prompt.image 2"), "images") == "2");
}

TEST_CASE("commands with options that start nothing are no question in words") {
  for (const char* text : {"docker rm $(docker ps -aq --filter ancestor=vllm/vllm-openai:latest)\n", "docker run --gpus all --entrypoint /bin/bash --rm -it vllm/vllm-openai:deploy\n"}) {
    INFO(text);
    CHECK(import(text).kind == "unknown");
    CHECK(import(text).questions.empty());
  }
  CHECK(import("llama 3 8b on 2 h100 with docker").ok);
  CHECK(import("[mcp_servers.web_search]\ncommand = \"uv\"\nargs = [\"run\", \"a.py\"]\nenv = { \"KEY\" = \"x\" }\n").kind == "unknown");
}

TEST_CASE("a script that is not known, whose arguments change what is kept, is no full fine-tuning") {
  const std::string run = "accelerate launch examples/scripts/other.py --model_name_or_path Qwen/Qwen2.5-7B ";
  CHECK(import(run + "--learning_rate 1e-5").ok);
  CHECK(!import(run + "--use_peft --lora_r 16").ok);
  CHECK(!import(run + "--load_in_4bit true").ok);
  CHECK(import(run + "--load_in_4bit false").ok);
}

TEST_CASE("DeepSpeed's configuration behind an option of its own is asked for") {
  const io::ImportedText made = import("deepspeed --num_gpus 2 run_clm.py --model_name_or_path gpt2-large --per_device_train_batch_size 4 --deepspeed --deepspeed_config config/ds.json --output_dir out\n");
  CHECK(std::ranges::any_of(made.questions, [](const auto& question) { return question.field == "config/ds.json"; }));
}

TEST_CASE("production-stack: the chart's template turns LMCache's keys into variables and a connector") {
  const std::string head = "servingEngineSpec:\n  modelSpec:\n  - name: a\n    repository: lmcache/vllm-openai\n    modelURL: Qwen/Qwen3-8B\n    vllmConfig:\n      maxModelLen: 8192\n      maxLoras: 4\n";
  const io::ImportedText kept = import(head + "    lmcacheConfig:\n      enabled: true\n      cpuOffloadingBufferSize: \"60\"\n");
  CHECK(field(kept, "host_cache_bytes") == "64424509440");
  CHECK(field(kept, "lora_slots").empty()); // enableLoRA is not set
  CHECK(field(import(head + "    enableLoRA: true\n"), "lora_slots") == "4");
  CHECK(field(import(head + "    lmcacheConfig:\n      enabled: true\n      enablePD: true\n      kvRole: kv_producer\n"), "disaggregation") == "prefill");
  CHECK(field(import(head + "    lmcacheConfig:\n      enabled: false\n      cpuOffloadingBufferSize: \"60\"\n"), "host_cache_bytes").empty());
}

TEST_CASE("an image that something else names is no program") {
  const io::ImportedText made = import("export MODEL=Qwen/Qwen3-8B\ndocker run --rm -it --gpus all -e MODEL=\"$MODEL\" \\\n  $DOCKER_IMAGE \\\n  bash -c '\n    cat > extra.yml <<EOF\nmax_batch_size: 4\nEOF\n"
                                       "    trtllm-serve \"$MODEL\" --tp_size 2 --extra_llm_api_options extra.yml\n  '\n");
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "tensor_parallel") == "2");
}

TEST_CASE("the comments of a file, or the command that names it, say which of torchtune's recipes runs") {
  const std::string file = "model:\n  _component_: torchtune.models.llama3_1.lora_llama3_1_8b\n  lora_attn_modules: ['q_proj', 'v_proj']\n  lora_rank: 8\ntokenizer:\n  max_seq_len: 2048\nbatch_size: 2\ndtype: bf16\n";
  CHECK(field(import("# tune run lora_finetune_single_device --config x\n" + file), "data_parallel") == "1");
  CHECK(field(import("# tune run lora_finetune_single_device --config x\n" + file), "sharding").empty());
  CHECK(field(import("# tune run --nproc_per_node 2 lora_finetune_distributed --config x\n" + file), "sharding") == "parameters");
  const std::vector<io::ImportText> texts{{"tune run lora_finetune_single_device --config c.yaml", "run.sh"}, {file, "c.yaml"}};
  const io::ImportedText both = io::import_texts(test::catalog(), texts, {});
  CHECK(field(both, "data_parallel") == "1");
  CHECK(field(both, "sharding").empty());
}

TEST_CASE("Ollama starts programs of others with a model of its own") {
  CHECK(field(import("curl -fsSL https://ollama.com/install.sh | sh\nollama launch claude --model qwen3.6\n"), "model") == "qwen3.6-35b-a3b");
  CHECK(field(import("ollama launch codex --model qwen3.6"), "profile") == "ollama");
  CHECK(first_asked(import("ollama launch claude")) == "model");
}

TEST_CASE("LitGPT shards on as many devices as somebody tells") {
  const std::string file = "model_name: tiny-llama-1.1b\nprecision: bf16-mixed\ndevices: auto\ntrain:\n  global_batch_size: 512\n  micro_batch_size: 4\n  max_seq_length: 2048\n  max_tokens: 1000000\neval:\n  interval: 1000\n";
  const io::ImportedText one = import(file, {.gpus = 1}), eight = import(file, {.gpus = 8});
  CHECK(field(one, "sharding").empty());
  CHECK(field(one, "micro_batches") == "128");
  CHECK(field(eight, "sharding") == "parameters");
  CHECK(field(eight, "data_parallel") == "8");
  CHECK(field(eight, "micro_batches") == "16");
}

TEST_CASE("torchtitan's and Primus's accumulation follow from the GPUs that somebody tells") {
  const std::string titan = "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 4\nglobal_batch_size = 64\nseq_len = 4096\n[parallelism]\ndata_parallel_shard_degree = -1\ntensor_parallel_degree = 2\n";
  CHECK(import(titan).ok); // asked, not refused
  CHECK(field(import(titan, {.gpus = 16}), "data_parallel") == "8");
  CHECK(field(import(titan, {.gpus = 16}), "micro_batches") == "2");
  CHECK(!import(titan, {.gpus = 14}).ok);
  const io::ImportedText primus = import("work_group: amd\nmodules:\n  pre_trainer:\n    framework: megatron\n    model: llama3.1_8B.yaml\n    overrides:\n      seq_length: 4096\n      micro_batch_size: 2\n      global_batch_size: 32\n", {.gpus = 8});
  CHECK(field(primus, "data_parallel") == "8");
  CHECK(field(primus, "micro_batches") == "2");
}

TEST_CASE("DeepSpeed's accumulation follows from the GPUs that somebody tells") {
  const std::string file = R"({"train_batch_size": 96, "train_micro_batch_size_per_gpu": 3, "zero_optimization": {"stage": 1}, "fp16": {"enabled": true}})";
  CHECK(field(import(file), "data_parallel").empty());
  const io::ImportedText told = import(file, {.gpus = 8});
  CHECK(field(told, "data_parallel") == "8");
  CHECK(field(told, "micro_batches") == "4");
}
