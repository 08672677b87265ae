// Megatron-LM's files: layers that are not alike, layouts, the environment, what does not train.
#include "files/training/megatron_values.hpp"
#include "files/training/yaml.hpp"
#include "plimsoll/files/training_config.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::io::configs;

namespace {

io::TrainingConfig read(std::string_view text, std::int64_t gpus = 0) { return io::read_training_config(test::catalog(), text, gpus); }

std::string field(const io::TrainingConfig& config, std::string_view name) {
  const std::string* const text = config.request.find(name);
  return text == nullptr ? "" : *text;
}

/// A test case as Megatron-LM keeps them, with those arguments besides.
std::string yaml(std::string_view more) {
  return "ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\n  NVTE_ALLOW_NONDETERMINISTIC_ALGO: 0\n  CUBLAS_WORKSPACE_CONFIG: :4096:8\n  PYTORCH_CUDA_ALLOC_CONF: expandable_segments:True\nMODEL_ARGS:\n  --hidden-size: 512\n  --num-attention-heads: 8\n"
         "  --micro-batch-size: 4\n  --global-batch-size: 32\n  --seq-length: 1024\n  --max-position-embeddings: 1024\n  --bf16: true\n  --vocab-file: a/vocab.json\n  --merge-file: a/merges.txt\n" +
         std::string{more};
}

bool estimates(const io::TrainingConfig& config) {
  io::Request request = config.request;
  request.set("device", "h100-80-sxm");
  return config.ok && io::answer(test::catalog(), request).ok;
}

} // namespace

TEST_CASE("small languages in Megatron-LM's arguments") {
  CHECK(marks_of("([0]*3+[1]*2)") == std::vector<int>{0, 0, 0, 1, 1});
  CHECK(marks_of("[0,1]*2") == std::vector<int>{0, 1, 0, 1});
  CHECK(marks_of("([1]*2+[0])*2") == std::vector<int>{1, 1, 0, 1, 1, 0});
  for (const char* broken : {"", "3", "[0]*", "[2]", "([0]", "[0]*99999999", "[0]*9999+[1]*9999", "[0];[1]", "((((((((((((((((((((([0])"}) {
    INFO(broken);
    CHECK(!marks_of(broken));
  }
  using Chunks = std::vector<std::string>;
  CHECK(chunks_of_layout("Et*3|(tt|)*2mL") == Chunks{"Ettt", "tt", "tt", "mL"});
  CHECK(chunks_of_layout("Et*2\\|\\(tt\\|\\)*2L") == Chunks{"Ett", "tt", "tt", "L"}); // as a shell's escapes leave it
  for (const char* broken : {"", "(tt|", "t*0", "xyz", "t*99999", "tt)"}) CHECK(!chunks_of_layout(broken));
  CHECK(workspace_kib(":4096:8") == 32768);
  CHECK(workspace_kib(":4096:2:16:8") == 8320);
  for (const char* broken : {"4096:8", ":4096", ":a:b", ":4096:8:"}) CHECK(!workspace_kib(broken));
  const auto pattern = hybrid_pattern("M-M*|M-E/*E/*E");
  REQUIRE(pattern);
  CHECK(pattern->layers == "M-M*M-E");
  CHECK(pattern->chunks == std::vector<std::size_t>{4, 3});
  CHECK(pattern->predicted == "*E");
  CHECK(pattern->depths == 2);
  CHECK(!hybrid_pattern("MM/*E/EE"));
  CHECK(pattern_of_ratios(10, 0.2, 0) == "MMM*MM*MMM"); // hybrid_layer_allocation.py, pattern_from_ratios
  CHECK(pattern_of_ratios(4, 0, 0) == "MMMM");
  CHECK(pattern_of_ratios(4, 0.9, 0.9).empty());
}

TEST_CASE("a hybrid stack is read letter by letter") {
  const io::TrainingConfig config = read(yaml("  --hybrid-layer-pattern: M-M*M-ME/*E\n  --num-experts: 8\n  --moe-ffn-hidden-size: 256\n  --mamba-state-dim: 64\n  --position-embedding-type: none\n"));
  REQUIRE(config.ok);
  CHECK(field(config, "layers") == "8");
  CHECK(field(config, "config").find("\"hybrid_override_pattern\":\"M-M*M-ME\"") != std::string::npos);
  CHECK(field(config, "ssm_heads") == "16"); // twice the width in heads of 64
  CHECK(field(config, "ssm_state_size") == "64");
  CHECK(field(config, "experts") == "8");
  CHECK(field(config, "prediction_layers") == "1");
  CHECK(field(config, "learned_positions").empty());
  CHECK(estimates(config));
  CHECK(!read(yaml("  --hybrid-layer-pattern: M-MXM\n")).ok);
  CHECK(read(yaml("  --num-layers: 10\n  --hybrid-attention-ratio: 0.2\n")).request.find("config")->find("MMM*MM*MMM") != std::string::npos);
}

TEST_CASE("latent attention, experts in some layers, prediction depths") {
  const io::TrainingConfig config = read(yaml("  --num-layers: 6\n  --multi-latent-attention: true\n  --kv-lora-rank: 512\n  --qk-layernorm: true\n  --num-experts: 8\n  --moe-layer-freq: ([0]*2+[1]*4)\n"
                                              "  --moe-ffn-hidden-size: 256\n  --mtp-num-layers: 1\n  --swiglu: true\n  --position-embedding-type: rope\n"));
  REQUIRE(config.ok);
  CHECK(field(config, "kv_lora_rank") == "512");
  CHECK(field(config, "q_lora_rank") == "0");
  CHECK(field(config, "kv_heads").empty());
  CHECK(field(config, "dense_layers") == "2");
  CHECK(field(config, "prediction_layers") == "1");
  CHECK(estimates(config));
  const io::TrainingConfig every = read(yaml("  --num-layers: 4\n  --num-experts: 4\n  --moe-layer-freq: 2\n"));
  CHECK(field(every, "config").find("[1,0,1,0]") != std::string::npos);
  CHECK(estimates(every));
  CHECK(!read(yaml("  --num-layers: 4\n  --num-experts: 4\n  --moe-layer-freq: ([0]*3+[1]*4)\n")).ok); // not one mark for each layer
}

TEST_CASE("activations, kernels, environment and vocabulary") {
  const io::TrainingConfig config = read(yaml("  --num-layers: 4\n"));
  CHECK(field(config, "workspace_kib") == "32768");
  CHECK(field(config, "deterministic") == "true");
  CHECK(field(config, "expandable_segments") == "on");
  CHECK(field(config, "attention_mask") == "true");
  CHECK(field(config, "vocab_size") == "50304"); // 50257 of GPT-2, padded to 128
  CHECK(field(config, "mlp").empty());
  CHECK(field(read(yaml("  --num-layers: 4\n  --no-create-attention-mask-in-dataloader: true\n")), "attention_mask").empty());
  CHECK(field(read(yaml("  --num-layers: 4\n  --no-bias-gelu-fusion: true\n")), "mlp") == "eager");
  CHECK(field(read(yaml("  --num-layers: 4\n  --squared-relu: true\n")), "mlp") == "eager");
  CHECK(field(read(yaml("  --num-layers: 4\n  --quick-geglu: true\n")), "mlp_kind") == "gated");
  CHECK(field(read(yaml("  --num-layers: 4\n  --transformer-impl: local\n")), "attention") == "fused_softmax");
  CHECK(field(read(yaml("  --num-layers: 4\n  --tensor-model-parallel-size: 4\n")), "vocab_size") == "50688");
}

TEST_CASE("grouped experts of Transformer Engine's fuser multiply, activate and quantise in one kernel in MXFP8") {
  const std::string experts = "  --num-layers: 4\n  --num-experts: 4\n  --swiglu: true\n  --moe-grouped-gemm: true\n  --fp8-format: e4m3\n  --use-transformer-engine-op-fuser: true\n";
  const auto with = [&](const std::string& recipe, bool by_environment) {
    std::string text = yaml(experts + "  --fp8-recipe: " + recipe + "\n");
    if (by_environment) text.insert(text.find("MODEL_ARGS:"), "  NVTE_CUTEDSL_FUSED_GROUPED_MLP: 1\n");
    return read(text);
  };
  const auto says_otherwise = [](const io::TrainingConfig& config) {
    return std::ranges::any_of(config.unread, [](const std::string& key) { return key.find("use-transformer-engine-op-fuser") != std::string::npos; });
  };
  CHECK(field(with("mxfp8", true), "experts_kernel") == "in_products");
  CHECK(!says_otherwise(with("mxfp8", true)));
  for (const io::TrainingConfig& config : {with("mxfp8", false), with("tensorwise", true)}) {
    CHECK(field(config, "experts_kernel").empty());
    CHECK(says_otherwise(config));
  }
}

TEST_CASE("layouts of a pipeline") {
  const std::string four = "  --num-layers: 8\n  --pipeline-model-parallel-size: 4\n";
  const io::TrainingConfig alike = read(yaml(four + "  --pipeline-model-parallel-layout: Ett|tt|tt|ttL\n"));
  CHECK(field(alike, "chunk_layers").empty());
  const io::TrainingConfig ends = read(yaml(four + "  --pipeline-model-parallel-layout: Et|ttt|ttt|tL\n"));
  CHECK(field(ends, "first_stage_layers") == "1");
  CHECK(field(ends, "last_stage_layers") == "1");
  const io::TrainingConfig uneven = read(yaml(four + "  --pipeline-model-parallel-layout: Ettt|t|ttt|tL\n"));
  CHECK(field(uneven, "chunk_layers") == "3,1,3,1");
  CHECK(estimates(uneven));
  const io::TrainingConfig interleaved = read(yaml(four + "  --pipeline-model-parallel-layout: Et|t|t|t|t|t|t|tL\n"));
  CHECK(field(interleaved, "virtual_stages") == "2");
  CHECK(!read(yaml(four + "  --pipeline-model-parallel-layout: Ett|tt|ttttL\n")).ok); // three chunks on four stages
}

TEST_CASE("GPUs that are told divide among replicas, instances and micro-batches") {
  const std::string text = yaml("  --num-layers: 4\n  --use-distributed-optimizer: true\n  --num-distributed-optimizer-instances: 2\n  --tensor-model-parallel-size: 2\n");
  const io::TrainingConfig told = read(text, 8), untold = read(text);
  CHECK(field(told, "data_parallel") == "4");
  CHECK(field(told, "shard_group") == "2");
  CHECK(field(told, "micro_batches") == "2");
  CHECK(!told.asks_gpus);
  CHECK(untold.asks_gpus);
  CHECK(std::ranges::any_of(untold.issues, [](const Issue& issue) { return issue.field == "shard_group"; }));
  CHECK(!read(text, 7).ok);
  CHECK(field(read(yaml("  --num-layers: 4\n  --use-distributed-optimizer: true\n"), 1), "sharding") == "none"); // one GPU keeps everything
}

// megatron/training/arguments.py: --fp8-recipe delayed, tensorwise, blockwise or mxfp8; --fp4-format e2m1 with NVFP4's scales.
TEST_CASE("recipes of 8 and 4 bits are read") {
  const auto with = [](const std::string& more) { return read(yaml("  --num-layers: 4\n" + more)); };
  CHECK(field(with("  --fp8-format: hybrid\n"), "fp8_recipe") == "delayed");
  CHECK(field(with("  --fp8-format: hybrid\n  --fp8-recipe: tensorwise\n"), "fp8_recipe").empty());
  CHECK(field(with("  --fp8-format: e4m3\n  --fp8-recipe: blockwise\n"), "fp8_recipe") == "block");
  CHECK(field(with("  --fp8-format: e4m3\n  --fp8-recipe: mxfp8\n"), "fp8_recipe") == "mxfp8");
  CHECK(field(with("  --fp4-format: e2m1\n"), "fp8_recipe") == "nvfp4");
  CHECK(field(with("  --fp4-format: e2m1\n"), "fp8") == "compute");
  CHECK(!with("  --fp8-format: hybrid\n  --fp8-recipe: own\n").ok);
}

TEST_CASE("what trains no such model is refused with the reason") {
  for (const char* line : {"--inference-max-requests: 8", "--prompts: a", "--perform-rl-step: true", "--export-kd-cfg: a.yaml", "--fine-grained-activation-offloading: true", "--fine-grained-activation-offloading: true\n  --offload-modules: [mixer]",
                           "--use-torch-fsdp2: true", "--fp32-residual-connection: true", "--encoder-num-layers: 12", "--decoder-seq-length: 128", "--tokenizer-type: BertWordPieceLowerCase",
                           "--retro-project-dir: a", "--main-grads-dtype: bf16", "--exp-avg-dtype: fp8", "--recompute-granularity: selective\n  --recompute-modules: [mhc]", "--hidden-size: wide",
                           "--experimental-attention-variant: dsa", "--optimizer: lion", "--fp4-param-gather: true"}) {
    INFO(line);
    const io::TrainingConfig config = read(yaml("  --num-layers: 4\n  " + std::string{line} + "\n"));
    CHECK(config.format == "megatron");
    CHECK(!config.ok);
    CHECK(std::ranges::any_of(config.issues, [](const Issue& issue) { return issue.severity == Severity::error && !issue.field.empty() && !issue.remedy.empty(); }));
  }
  CHECK(read(yaml("  --num-layers: 4\n  --main-grads-dtype: fp32\n  --use-precision-aware-optimizer: true\n  --recompute-granularity: selective\n  --recompute-modules: [core_attn]\n")).ok);
}

TEST_CASE("layers that leave the device are read, and the part of modules that does") {
  const auto with = [](const std::string& more) { return read(yaml("  --num-layers: 4\n" + more)); };
  const io::TrainingConfig layers = with("  --cpu-offloading: true\n  --cpu-offloading-num-layers: 3\n");
  CHECK(layers.ok);
  CHECK(field(layers, "activation_offload") == "kept");
  CHECK(field(layers, "offload_layers") == "3");
  CHECK(field(with("  --cpu-offloading: true\n"), "activation_offload").empty()); // of no layer
  CHECK(field(with("  --fine-grained-activation-offloading: true\n  --offload-modules: [core_attn]\n  --activation-offload-fraction: 0.5\n"), "offload_layers") == "2");
}

// megatron/core/transformer/transformer_config.py, recompute_modules: without a list the core of attention; docs, fine_grained_activation_offloading.md.
TEST_CASE("modules that run again or leave the device are read") {
  const auto with = [](const std::string& more) { return read(yaml("  --num-layers: 4\n" + more)); };
  const std::string selective = "  --recompute-granularity: selective\n";
  CHECK(field(with(selective), "recompute_modules").empty());
  CHECK(field(with(selective + "  --recompute-modules: \"[mlp moe_act]\"\n"), "recompute_modules") == "mlp,moe_act");
  CHECK(field(with(selective + "  --recompute-modules: [layernorm, moe]\n"), "recompute_modules") == "layernorm,moe");
  CHECK(field(with(selective + "  --recompute-modules: []\n"), "recompute") == "none");
  CHECK(field(with("  --recompute-modules: [mlp]\n"), "recompute_modules").empty());
  CHECK(field(with("  --moe-layer-recompute: true\n"), "recompute_modules") == "moe");
  CHECK(field(with("  --fine-grained-activation-offloading: true\n  --offload-modules: core_attn\n"), "offload_modules") == "core_attn");
  CHECK(field(with("  --offload-modules: core_attn\n"), "offload_modules").empty());
}

TEST_CASE("what hides the exchange with experts, and what nothing has to launch, is read from Megatron-LM's arguments") {
  const auto with = [](const std::string& more) { return read(yaml("  --num-layers: 4\n  --num-experts: 8\n  --expert-model-parallel-size: 4\n" + more), 8); };
  CHECK(field(with(""), "expert_overlap").empty());
  CHECK(field(with("  --overlap-moe-expert-parallel-comm: true\n"), "expert_overlap") == "true");
  CHECK(field(with("  --moe-token-dispatcher-type: flex\n"), "dispatch") == "once");
  CHECK(field(with("  --moe-token-dispatcher-type: alltoall\n"), "dispatch") == "all_to_all");
  CHECK(field(with("  --cuda-graph-impl: none\n"), "training_graphs").empty());
  CHECK(field(with("  --cuda-graph-impl: transformer_engine\n"), "training_graphs") == "layers");
  CHECK(field(with("  --cuda-graph-impl: full_iteration\n"), "training_graphs") == "iteration");
  CHECK(field(read(yaml("  --num-layers: 4\n  --overlap-moe-expert-parallel-comm: true\n")), "expert_overlap").empty()); // no GPUs divide experts
}

TEST_CASE("anchors of YAML are followed, and merged where << asks for it") {
  const ParsedTree tree = parse_yaml("a: &base {x: 1, y: [1, 2]}\nb: *base\nc:\n  <<: *base\n  x: 2\n");
  REQUIRE(tree.ok);
  CHECK(tree.value["b"]["x"] == io::Json(1));
  CHECK(tree.value["c"]["x"] == io::Json(2));
  CHECK(tree.value["c"]["y"] == io::Json::array({1, 2}));
  CHECK(tree.duplicates.empty());
  CHECK(!parse_yaml("a: *nothing\n").ok);
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"; // each ten times the one before
  for (int i = 1; i < 9; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", *a" : "*a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  CHECK(!parse_yaml(bomb).ok);
  CHECK(read("MODEL_ARGS: &BASE\n  --num-layers: 4\n  --hidden-size: 512\n  --num-attention-heads: 8\n  --seq-length: 1024\nOTHER_ARGS: *BASE\n").ok);
}
