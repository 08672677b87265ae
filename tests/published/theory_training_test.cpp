// Training in Megatron-LM: worked figures for models of its functional tests, last pipeline rank, to the byte where the sum of tensors
// is exact and to the stated residual where the test measured more.
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/sharding.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <vector>

using namespace plimsoll;

namespace {

struct Gpt {
  std::int64_t layers, hidden, heads, kv_heads, ffn, vocab, positions;
  bool tied = true;
};

Layer layer_of(const Gpt& gpt) {
  Layer layer;
  layer.attention = {.query_heads = Count{gpt.heads}, .kv_heads = Count{gpt.kv_heads}, .head_dim = Count{gpt.hidden / gpt.heads}, .qkv_bias = true, .output_bias = true};
  layer.mlp = {.intermediate_size = Count{gpt.ffn}, .kind = MlpKind::plain, .bias = true};
  return layer;
}

Architecture architecture_of(const Gpt& gpt) {
  Architecture out;
  out.id = out.name = "gpt";
  out.hidden_size = Count{gpt.hidden};
  out.vocab_size = Count{gpt.vocab};
  out.learned_positions = Count{gpt.positions};
  out.norm = NormKind::layernorm;
  out.tied_embeddings = gpt.tied;
  out.layers.assign(static_cast<std::size_t>(gpt.layers), layer_of(gpt));
  return out;
}

/// As the functional tests run: bf16 with fp32 gradients, dropout, a mask with every micro-batch, workspaces of 32 MiB.
Inputs inputs_of(const Architecture& architecture, std::int64_t context, std::int64_t batch) {
  Inputs inputs;
  inputs.model = make_model(architecture);
  inputs.workload = {.task = Task::pretrain, .context_tokens = context, .batch = batch};
  inputs.strategy.precision = Precision::master_bf16;
  inputs.strategy.sharding = Sharding::optimizer;
  Implementation& code = inputs.implementation;
  code.hidden_dropout = code.attention_dropout = code.attention_mask = true;
  code.workspace_kib = 4096 * 8;
  return inputs;
}

struct Figures {
  Bytes kept, peak;
};

Figures figures_of(const Inputs& inputs, const char* arch) {
  const Scenario scenario = scenario_of(inputs, *test::catalog().profile("megatron", arch, inputs.implementation));
  const Estimate last = estimate_rank(scenario, inputs.strategy.pipeline_parallel - 1);
  Figures figures{last.moments.back().requested, {}};
  for (std::size_t i = 0; i < last.moments.size(); ++i) figures.peak = max(figures.peak, last.moments[i].requested);
  return figures;
}

const Gpt kToy{.layers = 12, .hidden = 512, .heads = 8, .kv_heads = 8, .ffn = 2048, .vocab = 50304, .positions = 1024};
const Gpt kSeven{.layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .ffn = 16384, .vocab = 131584, .positions = 8192, .tied = false};

Inputs toy() {
  Inputs inputs = inputs_of(architecture_of(kToy), 1024, 4);
  inputs.strategy.data_parallel = 8;
  return inputs;
}

Inputs seven() {
  Inputs inputs = inputs_of(architecture_of(kSeven), 8192, 2);
  inputs.strategy.tensor_parallel = 4;
  inputs.strategy.data_parallel = 2;
  return inputs;
}

std::vector<std::int64_t> in_flight(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
  Strategy strategy;
  strategy.pipeline_parallel = stages;
  strategy.virtual_stages = chunks;
  Workload workload;
  workload.micro_batches = micro_batches;
  std::vector<std::int64_t> sums;
  for (std::int64_t rank = 0; rank < stages; ++rank) {
    Count sum;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += micro_batches_in_flight(strategy, workload, rank, chunk);
    sums.push_back(sum.value);
  }
  return sums;
}

} // namespace

TEST_CASE("7B, tensor-parallel 4 of 8 GPUs: 12 bytes per parameter and three workspaces between steps") {
  CHECK(parameters_per_gpu(seven().model, seven().strategy, Stage{seven().model, seven().strategy, seven().workload, 0}) == Count{1'713'299'456});
  // (6 + 12 / 2) bytes per parameter: 20,559,593,472; then two workspaces of cuBLAS and one of Transformer Engine.
  CHECK(figures_of(seven(), "Ampere").kept.value == 20'559'593'472 + 2 * 33'554'432 + 4'194'304);
  CHECK(figures_of(seven(), "Ampere").kept.value == 20'630'896'640); // measured 20,634,103,808: tensors are padded
  CHECK(figures_of(seven(), "Hopper").kept.value == 20'660'257'792); // measured 20,663,519,232
}

TEST_CASE("7B, tensor-parallel 4: the peak on an H100 is 0.01 % below what was measured; FlashAttention keeps one more output per layer") {
  CHECK(figures_of(seven(), "Hopper").peak.value == 57'138'250'752); // measured 57,143,791,616
  CHECK(figures_of(seven(), "Hopper").peak - figures_of(seven(), "Hopper").kept == Bytes{36'477'992'960});
  const Bytes more = (figures_of(seven(), "Ampere").peak - figures_of(seven(), "Ampere").kept) -
                     (figures_of(seven(), "Hopper").peak - figures_of(seven(), "Hopper").kept);
  CHECK(more == Bytes{32 * 2 * 67'108'864LL / 4}); // measured 1,073,739,776
}

TEST_CASE("a toy GPT on 8 GPUs: 7.5 bytes per parameter, and its activations") {
  CHECK(figures_of(toy(), "Hopper").kept.value == 581'486'080); // measured 581,489,664
  CHECK(figures_of(toy(), "Ampere").kept.value == 552'124'928); // measured 552,128,512
  CHECK(figures_of(toy(), "Hopper").peak.value == 581'486'080 + 2'108'981'248LL); // measured 2,690,743,808
}

TEST_CASE("a toy GPT without a fused attention kernel keeps 5 bytes per score with dropout") {
  Inputs inputs = toy();
  inputs.implementation.attention = AttentionKernel::fused_softmax;
  CHECK(figures_of(inputs, "Hopper").peak == Bytes{4'702'160'384}); // measured 4,702,430,720
  CHECK(figures_of(inputs, "Hopper").peak - figures_of(inputs, "Hopper").kept == Bytes{4'120'674'304});
}

TEST_CASE("a toy GPT with full recomputation keeps inputs, and the head decides the peak") {
  Inputs inputs = toy();
  inputs.strategy.recompute = Recompute::full;
  inputs.strategy.sharding = Sharding::none;
  const Figures figures = figures_of(inputs, "Hopper");
  CHECK(figures.peak - figures.kept == Bytes{1'301'315'584}); // measured 1,301,582,336
}

TEST_CASE("interleaved 7B on 4 stages: 29 layers in flight on the last of them") {
  Gpt gpt = kSeven;
  gpt.vocab = 131'200;
  Inputs inputs = inputs_of(architecture_of(gpt), 8192, 1);
  inputs.strategy.pipeline_parallel = 4;
  inputs.strategy.virtual_stages = 8;
  inputs.strategy.data_parallel = 2;
  inputs.workload.micro_batches = 4;
  CHECK(parameters_per_gpu(inputs.model, inputs.strategy, Stage{inputs.model, inputs.strategy, inputs.workload, 3}) == Count{1'947'066'368});
  CHECK(figures_of(inputs, "Ampere").peak == Bytes{60'487'204'864}); // measured 60,489,064,448
}

TEST_CASE("15B with sequence parallelism: activations are 0.9 % below what was measured") {
  // The rest is one more tensor of key size per layer, which the partial rotary embedding makes: 32 × 4,194,304.
  Architecture architecture = architecture_of({.layers = 32, .hidden = 6144, .heads = 48, .kv_heads = 8, .ffn = 24576, .vocab = 256'000, .positions = 0, .tied = false});
  for (Layer& layer : architecture.layers) layer.attention.qkv_bias = layer.attention.output_bias = layer.mlp.bias = false;
  Inputs inputs = inputs_of(architecture, 4096, 4);
  inputs.strategy.tensor_parallel = 8;
  inputs.strategy.sequence_parallel = true;
  inputs.implementation.hidden_dropout = inputs.implementation.attention_dropout = false;
  const Figures figures = figures_of(inputs, "Hopper");
  constexpr std::int64_t kMeasured = 14'888'394'752, kRotary = 32 * 4'194'304LL;
  const std::int64_t rest = kMeasured - kRotary - (figures.peak - figures.kept).value;
  INFO(rest);
  CHECK(std::llabs(rest) < 70'000'000);
}

TEST_CASE("micro-batches in flight, rank by rank") {
  using Sums = std::vector<std::int64_t>;
  CHECK(in_flight(8, 1, 32) == Sums{8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(in_flight(8, 2, 16) == Sums{23, 21, 19, 17, 15, 13, 11, 9});
  CHECK(in_flight(4, 8, 4) == Sums{32, 32, 31, 29});
}

TEST_CASE("Mixtral 8x7B on the last of 4 stages: experts have fewer replicas than the rest") {
  Architecture architecture = architecture_of({.layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .ffn = 14336, .vocab = 256'000, .positions = 0, .tied = false});
  architecture.norm = NormKind::rmsnorm;
  for (Layer& layer : architecture.layers) {
    layer.attention.qkv_bias = layer.attention.output_bias = false;
    layer.mlp = {};
    layer.moe = {.experts = Count{8}, .per_token = Count{2}, .expert_size = Count{14336}};
  }
  Inputs inputs = inputs_of(architecture, 4096, 1);
  inputs.strategy.tensor_parallel = 2;
  inputs.strategy.pipeline_parallel = 4;
  inputs.strategy.expert_parallel = 4;
  inputs.strategy.expert_tensor_parallel = 2;
  inputs.strategy.data_parallel = 16;
  const Stage last{inputs.model, inputs.strategy, inputs.workload, 3};
  CHECK(parameters_per_gpu(inputs.model, inputs.strategy, last) == Count{2'101'678'080});
  Count experts;
  for (const ModelTensor& part : inputs.model.tensors)
    if (is_routed(part.tensor.kind)) experts += last.held(*inputs.model.group_of(part)) * elements_per_gpu(part.tensor, inputs.strategy);
  CHECK(experts == Count{1'409'286'144});
  const Scenario scenario = scenario_of(inputs, *test::catalog().profile("megatron", "Hopper", inputs.implementation));
  const Estimate estimate = estimate_rank(scenario, 3);
  const MomentUse& kept = estimate.moments.back();
  Bytes states;
  for (Part part : {Part::weights, Part::gradients, Part::optimizer}) states += kept.parts[static_cast<std::size_t>(part)];
  CHECK(states == Bytes{17'357'220'864}); // measured with workspaces 17,703,632,896
}
