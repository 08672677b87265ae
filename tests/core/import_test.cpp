// Texts that start programs as one question: what is read of them, what is asked back, what answers change.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

struct File {
  std::string name, text;
};

io::ImportedText import(const std::vector<File>& files, const io::ImportAnswers& answers = {}) {
  std::vector<io::ImportText> texts;
  for (const File& file : files) texts.push_back({file.text, file.name});
  return io::import_texts(test::catalog(), texts, answers);
}

/// What is asked, in order.
std::vector<std::string> asked(const io::ImportedText& imported) {
  std::vector<std::string> fields;
  for (const io::OpenQuestion& question : imported.questions) fields.push_back(question.field);
  return fields;
}

bool has_figure(const io::ImportedText& imported, std::string_view counter, std::string_view value) {
  return std::ranges::any_of(imported.measured, [&](const io::MeasuredFigure& figure) { return figure.counter == counter && figure.value == value; });
}

} // namespace

TEST_CASE("variables that nothing sets are asked for by name, and answered by it") {
  const std::string script = "vllm serve $MODEL --port $PORT --tensor-parallel-size=$TP $EXTRA > log 2>&1 &";
  const io::ImportedText open = import(script);
  CHECK(open.ok);
  CHECK(asked(open) == std::vector<std::string>{"MODEL", "TP", "device"});
  CHECK(field(open, "model").empty());
  const io::ImportedText told = import(script, {.device = "h100-80-sxm", .variables = {{"MODEL", "Qwen/Qwen3-8B"}, {"TP", "2"}}});
  CHECK(asked(told).empty());
  CHECK(field(told, "model") == "qwen3-8b");
  CHECK(field(told, "tensor_parallel") == "2");
  CHECK(field(told, "device") == "h100-80-sxm");
}

TEST_CASE("half a question keeps its model back") {
  const io::ImportedText open = import("vllm serve Qwen/Qwen3-8B --tensor-parallel-size $TP");
  CHECK(asked(open) == std::vector<std::string>{"TP", "device"});
  CHECK(field(open, "model").empty());
}

TEST_CASE("a model that the catalogue does not have is asked for, and a config.json beside the line answers") {
  const io::ImportedText open = import("vllm serve nobody/Made-This-1B -tp 2");
  CHECK(asked(open) == std::vector<std::string>{"model", "device"});
  CHECK(field(open, "model").empty());
  io::ImportAnswers answers;
  answers.model.set("model", "custom");
  answers.model.set("config", "{}");
  CHECK(field(import("vllm serve nobody/Made-This-1B -tp 2", answers), "config") == "{}");
}

TEST_CASE("several commands are listed for choice; the same one on two nodes is one") {
  const std::string two = "vllm serve Qwen/Qwen3-8B -tp 2\nvllm serve Qwen/Qwen3-32B -tp 4\n";
  const io::ImportedText open = import(two);
  REQUIRE(open.commands.size() == 2);
  CHECK(open.commands[1].line == 2);
  CHECK(open.commands[1].purpose == "serving");
  CHECK(asked(open).front() == "command");
  CHECK(field(open, "model").empty());
  CHECK(field(import(two, {.command = 2}), "model") == "qwen3-32b");
  CHECK_FALSE(import(two, {.command = 3}).ok);
  CHECK(import("vllm serve Qwen/Qwen3-8B --node-rank 0\nvllm serve Qwen/Qwen3-8B --node-rank 1\n").commands.empty());
}

TEST_CASE("of a file whose name only running the script tells, what decides it is asked") {
  const std::string script = "CAPABILITY=$(nvidia-smi --query-gpu=compute_cap)\nif [ \"$CAPABILITY\" = 10.0 ]; then FILE=new.yaml; else FILE=old.yaml; fi\nvllm serve Qwen/Qwen3-8B --config $FILE\n";
  CHECK(asked(import(script)).front() == "CAPABILITY");
  CHECK(asked(import(script, {.variables = {{"CAPABILITY", "10.0"}}})).front() == "new.yaml");
}

TEST_CASE("of several commands for one model the first is read, and the others are named by what sets them apart") {
  const std::string three = "for TP in 2 4 8; do vllm serve Qwen/Qwen3-8B -tp $TP; done\n";
  const io::ImportedText open = import(three);
  REQUIRE(open.ok);
  CHECK(open.commands.size() == 3);
  CHECK(field(open, "model") == "qwen3-8b");
  CHECK(field(open, "tensor_parallel") == "2");
  REQUIRE(asked(open).front() == "command");
  CHECK(open.questions.front().text == "Which of the commands: 1 vLLM (2), 2 vLLM (4), 3 vLLM (8)? Number 1 is read.");
  CHECK(field(import(three, {.command = 3}), "tensor_parallel") == "8");
}

TEST_CASE("what evaluates, generates, converts or downloads is no training and no launch") {
  for (const char* text : {"torchrun --nproc_per_node 4 examples/multimodal/run_text_generation.py --num-layers 32 --hidden-size 4096 --micro-batch-size 1",
                           "python tools/checkpoint/convert.py --num-layers 32 --hidden-size 4096 --micro-batch-size 1",
                           "python -m torch.distributed.launch tasks/msdp/main.py --num-layers 24 --hidden-size 1024 --micro-batch-size 4", "docker pull vllm/vllm-openai:latest"}) {
    CAPTURE(text);
    const io::ImportedText made = import(text);
    CHECK_FALSE(made.ok);
    REQUIRE_FALSE(made.issues.empty());
  }
  CHECK(import("lm_eval --model hf\nvllm serve Qwen/Qwen3-8B").ok);
}

TEST_CASE("a training command is read with the file that it names and that of its launcher") {
  const std::string line = "accelerate launch --config_file zero3.yaml --num_processes 8 sft.py --model_name_or_path meta-llama/Meta-Llama-3-8B --max_length 2048 --bf16";
  const io::ImportedText alone = import(line);
  CHECK(asked(alone).front() == "zero3.yaml");
  CHECK(field(alone, "model").empty());
  const std::string zero3 = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: 4\n";
  const io::ImportedText both = import({{"run.sh", line}, {"zero3.yaml", zero3}});
  CHECK(both.ok);
  CHECK(field(both, "model") == "llama-3-8b");
  CHECK(field(both, "sharding") == "parameters");
  CHECK(field(both, "data_parallel") == "8"); // the command's number wins over the file's
  CHECK(field(both, "preference") == "none");
  CHECK(field(both, "context_tokens") == "2048");
}

TEST_CASE("Accelerate's files that come with TRL need not be given") {
  const auto line = [](const std::string& file, const std::string& more) {
    return "accelerate launch --config_file " + file + more + " sft.py --model_name_or_path meta-llama/Meta-Llama-3-8B --max_length 2048 --bf16 --per_device_train_batch_size 1";
  };
  const auto value = [](const io::ImportedText& imported, const char* field) {
    const std::string* const text = imported.request.find(field);
    return text == nullptr ? std::string{} : *text;
  };
  const io::ImportedText zero = import(line("examples/accelerate_configs/deepspeed_zero3.yaml", " --num_processes 32"));
  CHECK(value(zero, "sharding") == "parameters");
  CHECK(value(zero, "data_parallel") == "32");
  CHECK(value(import(line("trl/accelerate_configs/fsdp2.yaml", "")), "data_parallel") == "8");
  CHECK(asked(import(line("my/accelerate_configs/deepspeed_zero3.yaml", ""))).front() == "my/accelerate_configs/deepspeed_zero3.yaml");
  CHECK(asked(import(line("examples/accelerate_configs/mine.yaml", ""))).front() == "examples/accelerate_configs/mine.yaml");
}

TEST_CASE("a script that is not known trains the model that it is given") {
  const io::ImportedText made = import("accelerate launch --num_processes 4 distil.py --model_name_or_path meta-llama/Meta-Llama-3-8B --student_layers 12");
  CHECK(field(made, "model") == "llama-3-8b");
  CHECK(field(made, "data_parallel") == "4");
  CHECK(std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.severity == Severity::warning && issue.message.starts_with("What distil.py trains by itself is not known here"); }));
}

TEST_CASE("a configuration that the script itself writes is read") {
  const io::ImportedText made = import("LEN=4096\ncat > q.yaml <<EOF\nbase_model: meta-llama/Meta-Llama-3-8B\nadapter: qlora\nload_in_4bit: true\nlora_r: 32\nsequence_len: $LEN\nmicro_batch_size: 2\nEOF\n"
                                       "CUDA_VISIBLE_DEVICES=0,1 axolotl train q.yaml\n");
  CHECK(made.format == "axolotl");
  CHECK(field(made, "context_tokens") == "4096");
  CHECK(field(made, "rank") == "32");
  CHECK(field(made, "data_parallel") == "2");
}

TEST_CASE("GPUs in all become replicas of what the file says one takes") {
  const std::string megatron = "torchrun pretrain_gpt.py --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 4 "
                               "--global-batch-size 64 --tensor-model-parallel-size 2 --bf16";
  const io::ImportedText made = import(megatron, {.gpus = 8, .vocab = "gpt2"});
  CHECK(field(made, "data_parallel") == "4");
  CHECK(field(made, "vocab_size") == "50432"); // 50257 padded to 128 x 2, as Megatron-LM does
  const std::string axolotl = "base_model: meta-llama/Meta-Llama-3-8B\nsequence_len: 4096\nmicro_batch_size: 2\n";
  CHECK(asked(import(axolotl)) == std::vector<std::string>{"device", "gpus"});
  CHECK(field(import(axolotl, {.gpus = 8}), "data_parallel") == "8");
  CHECK_FALSE(import(axolotl, {.vocab = "no such"}).ok);
  CHECK_FALSE(import(axolotl, {.device = "no-such"}).ok);
}

TEST_CASE("containers: manifests of Kubernetes, Compose, values of production-stack, Modelfiles") {
  const io::ImportedText pod = import("kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: a\n        image: vllm/vllm-openai:v0.9\n        args: [--model, Qwen/Qwen3-8B, "
                                      "--tensor-parallel-size, \"$(TP)\"]\n        env:\n        - {name: TP, value: \"4\"}\n---\nkind: Service\n");
  CHECK(field(pod, "model") == "qwen3-8b");
  CHECK(field(pod, "tensor_parallel") == "4"); // $(NAME) stands for what env gives the container
  const io::ImportedText compose = import("services:\n  llm:\n    image: lmsysorg/sglang\n    command: python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2\n    ports: [\"1:1\"]\n");
  CHECK(field(compose, "profile") == "sglang");
  CHECK(field(compose, "tensor_parallel") == "2");
  const std::string values = "servingEngineSpec:\n  modelSpec:\n  - name: a\n    repository: vllm/vllm-openai\n    modelURL: Qwen/Qwen2.5-14B-Instruct\n    vllmConfig: {dtype: half, tensorParallelSize: 4, "
                             "maxModelLen: 8192, gpuMemoryUtilization: 0.9}\n";
  CHECK(field(import(values), "tensor_parallel") == "4");
  CHECK(field(import(values), "memory_permille") == "900");
  CHECK_FALSE(import("servingEngineSpec:\n  modelSpec:\n  - {name: a, enabled: false, modelURL: Qwen/Qwen3-8B}\n").ok);
  CHECK(field(import("FROM qwen3:8b\nPARAMETER num_ctx 16384\nSYSTEM hello\n"), "context_tokens") == "16384");
  CHECK(field(import("FROM qwen3:8b\nPARAMETER num_ctx 16384\n"), "profile") == "ollama");
  CHECK_FALSE(import("FROM ubuntu\nRUN apt-get update\n").ok);
}

TEST_CASE("options of an engine in a file beside it") {
  const std::string line = "trtllm-serve Qwen/Qwen3-8B --tp_size 2 --extra_llm_api_options extra.yml";
  CHECK(asked(import(line)).front() == "extra.yml");
  const io::ImportedText both = import({{"run.sh", line}, {"extra.yml", "tensor_parallel_size: 4\nkv_cache_config:\n  free_gpu_memory_fraction: 0.8\n  dtype: fp8\n"}});
  CHECK(field(both, "tensor_parallel") == "4"); // the file wins
  CHECK(field(both, "memory_permille") == "800");
  CHECK(field(both, "kv_dtype") == "fp8");
  CHECK(asked(import("cat > extra.yml <<EOF\nenable_attention_dp: $DP_ATTENTION\nEOF\n" + line)).front() == "DP_ATTENTION"); // its caller sets it
  const io::ImportedText vllm = import({{"run.sh", "vllm serve Qwen/Qwen3-8B --config c.yaml --max-model-len 4096"}, {"c.yaml", "max-model-len: 8192\ntensor-parallel-size: 2\n"}});
  CHECK(field(vllm, "context_tokens") == "4096"); // the command wins
  CHECK(field(vllm, "tensor_parallel") == "2");
}

TEST_CASE("logs of engines: how they were started and what they measured") {
  // vllm/v1/worker/gpu_worker.py, kv_cache_utils.py
  const io::ImportedText vllm = import("INFO 07-01 api_server.py:1395] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192, 'tensor_parallel_size': 2}\n"
                                       "INFO gpu_model_runner.py:1801] Model loading took 7.6320 GiB and 2.1 seconds\nINFO gpu_worker.py:232] Available KV cache memory: 60.50 GiB\n"
                                       "INFO kv_cache_utils.py:716] GPU KV cache size: 881,056 tokens\nINFO kv_cache_utils.py:720] Maximum concurrency for 8,192 tokens per request: 107.55x\n");
  CHECK(vllm.kind == "log");
  CHECK(field(vllm, "model") == "qwen3-8b");
  CHECK(field(vllm, "context_tokens") == "8192");
  CHECK(field(vllm, "tensor_parallel") == "2");
  CHECK(has_figure(vllm, "kv_tokens", "881056"));
  CHECK(has_figure(vllm, "weights", "8194797601"));
  CHECK(has_figure(vllm, "concurrency", "107.55"));
  // sglang/srt/model_executor/model_runner.py, mem_cache/memory_pool.py
  const io::ImportedText sglang = import("[2025-03-08 12:29:01] server_args=ServerArgs(model_path='Qwen/Qwen3-8B', dtype='auto', quantization=None, context_length=None, tp_size=2, mem_fraction_static=0.85)\n"
                                         "[2025-03-08 12:29:21 TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=6.09 GB, mem usage=15.50 GB.\n"
                                         "[2025-03-08 12:29:21 TP0] KV Cache is allocated. #tokens: 46611, K size: 1.50 GB, V size: 1.50 GB\n");
  CHECK(field(sglang, "memory_permille") == "850");
  CHECK(has_figure(sglang, "weights", "16642998272"));
  CHECK(has_figure(sglang, "kv_pool", "3221225472"));
  REQUIRE_FALSE(sglang.measured.empty());
  CHECK(sglang.measured[0].rank == 0);
  // llama.cpp, src/llama-model.cpp and llama-context.cpp
  const io::ImportedText llama = import("llama_model_loader: - kv   2:  general.name str              = Meta Llama 3 8B Instruct\nprint_info: file type   = Q4_K - Medium\n"
                                        "load_tensors: offloaded 33/33 layers to GPU\nload_tensors:   CPU_Mapped model buffer size =   281.81 MiB\nload_tensors:        CUDA0 model buffer size =  4155.50 MiB\n"
                                        "llama_context: n_seq_max     = 4\nllama_context: n_ctx         = 16384\nllama_context: n_ubatch      = 512\nllama_kv_cache:      CUDA0 KV buffer size =  2048.00 MiB\n"
                                        "llama_context:      CUDA0 compute buffer size =   560.00 MiB\n");
  CHECK(field(llama, "model") == "llama-3-8b");
  CHECK(field(llama, "weight_dtype") == "q4_k_m");
  CHECK(field(llama, "context_tokens") == "4096");
  CHECK(field(llama, "batch") == "4");
  CHECK(has_figure(llama, "weights", "4357357568"));
  CHECK(has_figure(llama, "kv_cache", "2147483648"));
  CHECK(has_figure(llama, "workspace", "587202560"));
}

TEST_CASE("logs of training: Megatron-LM, torchtitan, torchtune, the Trainer") {
  const io::ImportedText megatron = import("------------------------ arguments ------------------------\n  hidden_size ..................................... 1024\n  num_attention_heads ............................. 16\n"
                                           "  num_layers ...................................... 24\n  seq_length ...................................... 2048\n  micro_batch_size ................................ 4\n"
                                           "  tensor_model_parallel_size ...................... 2\n  world_size ...................................... 8\n  padded_vocab_size ............................... 50432\n"
                                           "  bf16 ............................................ True\n  num_experts ..................................... None\n"
                                           "[Rank 0] (after 2 iterations) memory (MB) | allocated: 4000.5 | max allocated: 9000.5 | reserved: 9500.0 | max reserved: 9600.0\n"
                                           " iteration       10/     100 | elapsed time per iteration (ms): 1234.5 |\n");
  CHECK(field(megatron, "layers") == "24");
  CHECK(field(megatron, "tensor_parallel") == "2");
  CHECK(field(megatron, "data_parallel") == "4");
  CHECK(has_figure(megatron, "allocated", "9437708288"));
  CHECK(has_figure(megatron, "reserved", "10066329600"));
  CHECK(has_figure(megatron, "step_time_s", "1.2345"));
  const io::ImportedText titan = import("[titan] - root - INFO - step:  1  loss: 12.2  memory: 33.50GiB(35.28%)  tps: 1,234  mfu: 12.3%\n[titan] step: 10  loss: 9.1  memory: 40.00GiB(42.10%)  tps: 7,000  mfu: 40%\n");
  CHECK(has_figure(titan, "reserved", "35970351104"));
  CHECK(has_figure(titan, "reserved", "42949672960"));
  CHECK(has_figure(titan, "tokens_per_s_per_gpu", "7000"));
  CHECK(asked(titan).front() == "model");
  const io::ImportedText tune = import("Step 1 | loss:1.5 lr:0.0003 tokens_per_second_per_gpu:1200.5 peak_memory_active:18.5 peak_memory_alloc:18.0 peak_memory_reserved:19.25\n");
  CHECK(has_figure(tune, "allocated", "19327352832"));
  CHECK(has_figure(tune, "reserved", "20669530112"));
  const io::ImportedText trainer = import("***** Running training *****\n  Instantaneous batch size per device = 4\n  Total train batch size (w. parallel, distributed & accumulation) = 64\n  Gradient Accumulation steps = 8\n");
  CHECK(field(trainer, "batch") == "4");
  CHECK(field(trainer, "micro_batches") == "8");
  CHECK(field(trainer, "data_parallel") == "2");
}

TEST_CASE("Megatron Bridge: the model stands in the recipe's name, and scripts have options of their own") {
  const io::ImportedText adapters = import("./scripts/training/train.sh --nodes 2 --gpus-per-node 8 --recipe qwen3_30b_a3b_peft_8gpu_h100_bf16_config --mode lora --seq_length 2048 train.micro_batch_size=1 "
                                           "train.global_batch_size=16 model.expert_model_parallel_size=8");
  CHECK(adapters.ok);
  CHECK(field(adapters, "model") == "qwen3-30b-a3b");
  CHECK(field(adapters, "task") == "finetune");
  CHECK(field(adapters, "method") == "lora");
  CHECK(field(adapters, "targets") == "all_linear");
  CHECK(field(adapters, "data_parallel") == "16");
  CHECK(field(adapters, "context_tokens") == "2048");
  const io::ImportedText brief = import("python scripts/performance/run_script.py -m llama -mr llama31_405b -ng 256 -c fp8_cs -tp 4 -pp 8 -mb 1 -gb 256 -sl 8192");
  CHECK(field(brief, "model") == "llama-3.1-405b");
  CHECK(field(brief, "tensor_parallel") == "4");
  CHECK(field(brief, "pipeline_parallel") == "8");
  CHECK(field(brief, "data_parallel") == "8");
  CHECK(field(brief, "micro_batches") == "32");
  CHECK(field(brief, "precision") == "master_bf16");
  CHECK(field(brief, "fp8") == "compute");
}

TEST_CASE("Megatron Bridge: what recipes and their scripts say by themselves") {
  const std::string run = "torchrun --nproc_per_node 8 run_recipe.py --recipe llama31_8b_pretrain_config train.micro_batch_size=1 model.seq_length=4096 ";
  CHECK(field(import(run), "sharding") == "optimizer");
  CHECK(field(import(run + "ddp.use_distributed_optimizer=False"), "sharding").empty());
  CHECK(field(import(run + "ddp.use_megatron_fsdp=True"), "sharding") == "parameters");
  CHECK(field(import(run + "ddp.use_megatron_fsdp=True ddp.data_parallel_sharding_strategy=optim_grads"), "sharding") == "gradients");
  CHECK(field(import("torchrun --nproc_per_node 1 run_recipe.py --recipe llama31_8b_pretrain_config"), "sharding").empty()); // one GPU keeps everything
  CHECK(!import(run + "model.freeze_language_model=True").ok);
  CHECK(field(import("torchrun --nproc_per_node 8 run_recipe.py --recipe qwen3_vl_8b_sft_config model.freeze_vision_model=False"), "train_towers") == "true");
  const io::ImportedText script = import("python scripts/performance/setup_experiment.py --model_recipe_name llama31_405b --num_gpus 128 --use_megatron_fsdp true --activation_offload_layers 95 --recompute_num_layers 8 --tensor_model_parallel_size 2");
  CHECK(field(script, "sharding") == "parameters");
  CHECK(field(script, "activation_offload") == "kept");
  CHECK(field(script, "offload_layers") == "95");
  CHECK(field(script, "recompute") == "block");
  CHECK(field(script, "recompute_layers") == "8");
}

// NVIDIA-NeMo/Megatron-Bridge, examples/model_verification_cards: folded texts are one line each.
TEST_CASE("a report's steps are read by the commands that started them") {
  const std::string step = "  command: >\n    ./scripts/training/train.sh --nodes 64 --gpus-per-node 4\n    --recipe qwen3_235b_a22b_pretrain_256gpu_gb300_fp8mx_config\n    --mode pretrain --seq_length 4096\n";
  const io::ImportedText one = import("title: card\nperformance:\n" + step);
  CHECK(field(one, "model") == "qwen3-235b-a22b");
  CHECK(field(one, "context_tokens") == "4096");
  CHECK(import("first:\n" + step + "second:\n" + step).commands.empty()); // the same twice
  const io::ImportedText mixed = import("torchrun run_recipe.py --recipe llama3_8b_pretrain_config --virtual_pipeline_model_parallel_size None --expert_tensor_parallel_size 1 logger.log_throughput=True");
  CHECK(mixed.ok);
  CHECK(field(mixed, "virtual_stages").empty());
}

// src/megatron/bridge/recipes/qwen/h100/qwen3_moe.py: 94 layers, and embedding and loss as one each.
TEST_CASE("a recipe whose layers the stages do not divide counts embedding and loss") {
  const io::ImportedText made = import("torchrun --nproc_per_node 8 --nnodes 16 run_recipe.py --recipe qwen3_235b_a22b_pretrain_config --pipeline_model_parallel_size 4 --virtual_pipeline_model_parallel_size 12");
  CHECK(field(made, "embedding_in_split") == "true");
  CHECK(field(made, "loss_in_split") == "true");
  const io::ImportedText even = import("torchrun --nproc_per_node 8 --nnodes 16 run_recipe.py --recipe qwen3_235b_a22b_pretrain_config --pipeline_model_parallel_size 2");
  CHECK(field(even, "embedding_in_split").empty());
  // recipes/deepseek/h100/deepseek_v3.py: 4 layers in each of 16 stages, and 1 in the last
  const io::ImportedText laid = import("torchrun --nproc_per_node 8 --nnodes 32 scripts/performance/custom_setup_experiment.py --model_recipe_name deepseek_v3 --num_gpus 256 --pipeline_model_parallel_size 16 --expert_model_parallel_size 8 --compute_dtype fp8_cs");
  CHECK(field(laid, "model") == "deepseek-v3-671b");
  CHECK(field(laid, "first_stage_layers") == "4");
  CHECK(field(laid, "last_stage_layers") == "1");
  CHECK(field(laid, "fp8") == "compute");
  CHECK(field(import("python scripts/performance/setup_experiment.py --model_name gpt_oss --model_size 120b --num_gpus 64 --compute_dtype bf16"), "model") == "gpt-oss-120b");
}

TEST_CASE("Primus: an experiment names a model's file, and changes defaults of the program that it drives") {
  const std::string head = "work_group: amd\nmodules:\n  pre_trainer:\n    framework: ";
  const io::ImportedText megatron = import(head + "megatron\n    config: pre_trainer.yaml\n    model: ${PRIMUS_MODEL:llama3.1_8B}.yaml\n    overrides:\n      micro_batch_size: 2\n      global_batch_size: 128\n"
                                                  "      seq_length: ${PRIMUS_SEQ_LENGTH:4096}\n      tensor_model_parallel_size: 2\n      fp8: hybrid\n",
                                           {.gpus = 8});
  CHECK(megatron.ok);
  CHECK(field(megatron, "model") == "llama-3.1-8b");
  CHECK(field(megatron, "context_tokens") == "4096");
  CHECK(field(megatron, "tensor_parallel") == "2");
  CHECK(field(megatron, "sequence_parallel") == "true");
  CHECK(field(megatron, "precision") == "master_bf16");
  CHECK(field(megatron, "sharding") == "optimizer");
  CHECK(field(megatron, "fp8") == "compute");
  CHECK(field(megatron, "fused_gradient_accumulation") == "true");
  CHECK(field(megatron, "attention_mask") == "true");
  const std::string llama = "megatron\n    model: llama3.1_8B.yaml\n    overrides:\n      seq_length: 4096\n";
  const io::ImportedText unfused = import(head + llama + "      gradient_accumulation_fusion: false\n      create_attention_mask_in_dataloader: false\n      bias_swiglu_fusion: false\n");
  CHECK(field(unfused, "fused_gradient_accumulation") == "false");
  CHECK(field(unfused, "attention_mask").empty());
  CHECK(field(unfused, "mlp") == "eager");
  const std::string lora = "modules:\n  post_trainer:\n    framework: megatron\n    config: sft_trainer.yaml\n    model: llama2_70B.yaml\n    overrides:\n      seq_length: 4096\n      micro_batch_size: 1\n      enable_packed_sequences: true\n"
                           "      use_packed_attention: true\n      lora:\n        enabled: true\n        dim: 16\n        alpha: 32\n        dropout: 0.0\n";
  const io::ImportedText adapters = import(lora + "        target_modules:\n          - linear_qkv\n          - linear_proj\n");
  CHECK(adapters.ok);
  CHECK(field(adapters, "task") == "finetune");
  CHECK(field(adapters, "method") == "lora");
  CHECK(field(adapters, "rank") == "16");
  CHECK(field(adapters, "targets") == "attention");
  CHECK(field(adapters, "batching") == "packed");
  CHECK(field(import(lora), "targets") == "all_linear");
  CHECK(field(import("modules:\n  post_trainer:\n    framework: megatron\n    config: sft_trainer.yaml\n    model: llama3.1_8B.yaml\n    overrides:\n      seq_length: 4096\n      lora:\n        enabled: false\n        dim: 8\n"), "method") == "full");
  CHECK(!import(head + "megatron\n    model: mamba_370M.yaml\n    overrides:\n      seq_length: 2048\n").ok); // Megatron Core's, in another shape
  const io::ImportedText shape = import(head + "megatron\n    model: deepseek_v2_lite.yaml\n    overrides:\n      seq_length: 4096\n      multi_latent_attention: false\n");
  CHECK(!shape.ok); // another model than its file's
  const io::ImportedText titan = import(head + "torchtitan\n    model: llama3.1_405B-fp8.yaml\n    overrides:\n      training:\n        local_batch_size: 2\n      activation_checkpoint:\n        mode: full\n");
  CHECK(field(titan, "model") == "llama-3.1-405b");
  CHECK(field(titan, "profile") == "torchtitan");
  CHECK(field(titan, "recompute") == "full");
  CHECK(field(titan, "fp8") == "compute");
  CHECK(field(import(head + "torchtitan\n    model: deepseek_v3_16b-fp8.yaml\n    overrides:\n      training:\n        local_batch_size: 2\n"), "model") == "deepseek-v2-lite-16b");
  CHECK(field(import(head + "torchtitan\n    model: llama4_17Bx128E.yaml\n    overrides:\n      training:\n        local_batch_size: 2\n"), "model") == "llama-4-maverick-402b-a17b");
  CHECK(field(import(head + "megatron\n    model: llama4_17B16E.yaml\n    overrides:\n      seq_length: 4096\n"), "model") == "llama-4-scout-109b-a17b");
  CHECK(!import(head + "maxtext\n    model: llama2_7B.yaml\n    overrides:\n      steps: 5\n").ok);
}

TEST_CASE("models are found by the names that the catalogue has for them") {
  CHECK(field(import("ollama run llama3.2"), "model") == "llama-3.2-3b"); // without a tag it is the latest
  const io::ImportedText pulled = import("OLLAMA_CONTEXT_LENGTH=16384 ollama serve &\nollama pull llama3.2\nollama run llama3.2\n");
  CHECK(field(pulled, "model") == "llama-3.2-3b");
  CHECK(field(pulled, "context_tokens") == "16384");
  CHECK(pulled.commands.empty());
  CHECK(field(import("base_model: mistralai/Devstral-Small-2507\nsequence_len: 2048\nmicro_batch_size: 1\n"), "model") == "devstral-small-24b");
  CHECK(field(import("model_name_or_path: alignment-handbook/zephyr-7b-sft-full\nper_device_train_batch_size: 1\nmax_length: 1024\nbeta: 0.1\n"), "model") == "mistral-7b-v0.1");
}

TEST_CASE("a script that a line writes and another one starts is followed") {
  const io::ImportedText read = import("worker=$(cat <<EOM\n  nice -10 python scripts/performance/run_script.py --model_family_name qwen --model_recipe_name qwen3_235b_a22b --num_gpus 64 --seq_length 4096 \\\n"
                                       "    --micro_batch_size 1 --global_batch_size 64 --pipeline_model_parallel_size 4\nEOM\n)\necho \"$worker\" > worker.sh\nchmod 777 worker.sh\n"
                                       "torchrun --nproc-per-node=4 --nnodes=16 --no-python bash worker.sh\n");
  CHECK(field(read, "model") == "qwen3-235b-a22b");
  CHECK(field(read, "pipeline_parallel") == "4");
  CHECK(field(read, "data_parallel") == "16");
}
