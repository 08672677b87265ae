// Pieces of a step's time by hand.
#include "method/sharding/fleet.hpp"
#include "method/time/training/rate.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace plimsoll;
using timing::time_of;

TEST_CASE("work at a share of a rate, rounded up to a nanosecond") {
  CHECK(time_of(Count{989'400'000'000'000}, 989'400'000'000'000, 1000) == Nanoseconds{1'000'000'000});
  CHECK(time_of(Count{989'400'000'000'000}, 989'400'000'000'000, 500) == Nanoseconds{2'000'000'000});
  CHECK(time_of(Count{1}, 3, 1000) == Nanoseconds{333'333'334});
  CHECK(time_of(Count{0}, 0, 0) == Nanoseconds{0});
  CHECK(time_of(Count{1}, 0, 1000).saturated());
  CHECK(time_of(Count{Count::kMax}, 1, 1).saturated());
}

TEST_CASE("rings pass on all but one of n parts") {
  CHECK(ring_traffic(Bytes{800}, Count{8}) == Bytes{700});
  CHECK(ring_traffic(Bytes{800}, Count{1}) == Bytes{0});
  CHECK(ring_traffic(Bytes{10}, Count{3}) == Bytes{7}); // the largest part decides
}

TEST_CASE("who talks to whom, and how far apart they are") {
  Strategy strategy;
  strategy.tensor_parallel = 4;
  strategy.context_parallel = 2;
  strategy.data_parallel = 8;
  strategy.pipeline_parallel = 2;
  CHECK(ring_of(Ring::tensor, strategy).span == Count{4});
  CHECK(ring_of(Ring::context, strategy).members == Count{2});
  CHECK(ring_of(Ring::context, strategy).span == Count{8});
  CHECK(ring_of(Ring::shards, strategy).members == Count{16});
  CHECK(ring_of(Ring::shards, strategy).span == Count{64});
  CHECK(ring_of(Ring::stages, strategy).span == Count{128});
  strategy.shard_group = 2;
  CHECK(ring_of(Ring::shards, strategy).span == Count{8});
  CHECK(ring_of(Ring::copies, strategy).members == Count{8});
}

TEST_CASE("stages of a pipeline wait (p - 1) / m of their busy time, less when chunks interleave or weight passes fill in") {
  Strategy strategy;
  strategy.pipeline_parallel = 4;
  Workload workload;
  workload.micro_batches = 8;
  const auto waits = [&](std::int64_t busy) {
    const Bubble bubble = bubble_of(strategy, workload);
    return busy * bubble.idle.value / bubble.slots.value;
  };
  CHECK(waits(800) == 300);
  strategy.virtual_stages = 2;
  CHECK(waits(800) == 150);
  strategy.virtual_stages = 1;
  strategy.pipeline_schedule = PipelineSchedule::zb_h1;
  CHECK(waits(800) == 100);
  strategy.pipeline_schedule = PipelineSchedule::zb_h2;
  CHECK(waits(800) == 0);
  strategy.pipeline_schedule = PipelineSchedule::dualpipe;
  CHECK(waits(2400) == 200);
}

TEST_CASE("an all-reduce of gradients in a node: 2 (n - 1) / n of them over the links") {
  // 8,030,261,248 parameters, 2 bytes each; 450 GB/s at 75 %. The host launches nothing: otherwise they hide behind its waiting.
  const io::Answer answer = test::answer_to("model=llama-3-8b&task=pretrain&precision=bf16&device=h100-80-sxm&data_parallel=8&context_tokens=1&training_graphs=layers");
  const StepTime step = step_time(answer.scenario);
  REQUIRE(step.known);
  const double seconds = 2.0 * 7 / 8 * 2 * 8'030'261'248.0 / (450e9 * 0.75);
  const double exposed = static_cast<double>(step.parts[static_cast<std::size_t>(TimePart::data_parallel)].expected.value) * 1e-9;
  CHECK(exposed <= seconds);
  CHECK(exposed > 0.8 * seconds); // one token hides almost nothing
}

TEST_CASE("layers that wait for their weights pay for most of a gather that the passes hide, reduced gradients for little of it") {
  // llm-foundry's table: MPT-13B, two sequences of 2,048 tokens on each of eight A100: 2,262 tokens/s of a GPU; 2,644 if a twentieth were all that it cost.
  const std::string few = "model=custom&task=pretrain&device=a100-80-sxm&profile=fsdp1&precision=bf16&context_tokens=2048&batch=2&micro_batches=3&data_parallel=8&hidden_size=5120&layers=40&query_heads=40&kv_heads=40&"
                          "head_dim=128&intermediate_size=20480&vocab_size=50368&mlp_kind=plain&tied_embeddings=true&sharding=";
  const std::int64_t tokens = step_time(test::answer_to(few + "parameters").scenario).tokens_per_gpu.value / 1000;
  CHECK(tokens > 2'000);
  CHECK(tokens < 2'500);
  const auto exchanged = [&](const char* sharding) { return step_time(test::answer_to(few + sharding).scenario).parts[static_cast<std::size_t>(TimePart::data_parallel)]; };
  CHECK(exchanged("parameters").expected > Count{20} * exchanged("gradients").expected); // three gathers and reductions of a micro-batch against one of a step
  CHECK(exchanged("parameters").low < exchanged("parameters").expected);
}

TEST_CASE("twenty tokens for each parameter") {
  CHECK(chinchilla_tokens(test::answer_to("model=llama-3-8b&task=pretrain").scenario.model) == Count{20 * 8'030'261'248});
}

namespace {

/// Of a step's terms, the one of that id; and all before the pipeline's own.
struct Visited {
  Nanoseconds head, loss, slowest, bubble, busy, waiting;
};
Visited visited(const Scenario& scenario) {
  Visited found;
  timing::visit(scenario, [&](TimePart part, const Term& term) {
    const std::string_view id = term.formula->written().id;
    const Nanoseconds time{term.amount};
    if (id == "time.matrices.head") found.head = time;
    if (id == "time.elementwise.logits") found.loss = time;
    if (id == "time.launches.passes") found.waiting = time;
    if (id == "time.pipeline.uneven") found.slowest = time;
    if (id == "time.pipeline.bubble") found.bubble = time;
    if (part < TimePart::pipeline || id == "time.launches.passes") found.busy += time;
  });
  return found;
}

Visited in_stages(const std::string& more) {
  return visited(test::answer_to("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&precision=master_bf16" + more).scenario);
}

} // namespace

TEST_CASE("stages wait for the largest one") {
  // 12 or 13 layers of the 32 are in the largest of three stages.
  const Visited twelve = in_stages("&pipeline_parallel=3&micro_batches=12&first_stage_layers=12&last_stage_layers=8");
  const Visited thirteen = in_stages("&pipeline_parallel=3&micro_batches=12&first_stage_layers=13&last_stage_layers=8");
  const Nanoseconds ends = twelve.head + twelve.loss;
  REQUIRE(twelve.busy == thirteen.busy);
  CHECK(std::abs((thirteen.slowest - twelve.slowest).value - (twelve.busy - ends).value * 3 / 32) <= 2);
  CHECK(std::abs(twelve.slowest.value - ((twelve.busy - ends).value * 36 / 32 - twelve.busy.value)) <= 2);
}

TEST_CASE("the last stage has output head and loss too: all wait for it, unless it has fewer layers") {
  // Of what four even stages take for head and loss on average, three more are the last one's.
  const Visited even = in_stages("&pipeline_parallel=4&micro_batches=8");
  CHECK(even.head > Nanoseconds{0});
  CHECK(even.waiting == Nanoseconds{0});
  CHECK(std::abs((even.slowest - Count{3} * (even.head + even.loss)).value) <= 4);
  // 18 layers without a head take longer than 14 with one, 24 longer still.
  const auto split = [](const char* ends) {
    return in_stages(std::string("&pipeline_parallel=2&micro_batches=8") + ends);
  };
  CHECK(split("&last_stage_layers=14").slowest < split("").slowest);
  CHECK(split("&last_stage_layers=8").slowest > split("&last_stage_layers=14").slowest);
}

TEST_CASE("stepping on the host takes what has been published, within its range") {
  // Ren et al., ZeRO-Offload, 2021: 2.57 s for 10 billion parameters on one GPU. gist.github.com/chenyaofo/d4cd6a20ab4b95cb3a49491747e2139a:
  // 64 sequences of LLaMA-7B on 8 A800 at 4.19 a second without and 1.81 with an offloaded optimizer, ZeRO-2: 20 s more a step.
  const auto optimizer = [](const std::string& query) {
    return step_time(test::answer_to(query + "&task=finetune&profile=deepspeed&precision=master_bf16&offload=optimizer").scenario).parts[static_cast<std::size_t>(TimePart::optimizer)];
  };
  const TimeRange one = optimizer("model=gemma-2-9b&device=v100-32-sxm"); // 9.24 billion
  CHECK(one.low < Nanoseconds{2'570'000'000});
  CHECK(one.high > Nanoseconds{2'570'000'000});
  const TimeRange eight = optimizer("model=llama-7b&device=a800-80&data_parallel=8&sharding=gradients");
  CHECK(eight.low < Nanoseconds{20'000'000'000});
  CHECK(eight.high > Nanoseconds{19'000'000'000});
  CHECK(eight.expected < Nanoseconds{20'000'000'000});
  // One GPU or eight: the host steps all parameters of the node.
  const TimeRange alone = optimizer("model=llama-7b&device=a800-80");
  CHECK(std::abs(alone.expected.value - eight.expected.value) < 10'000'000);
  const StepTime device = step_time(test::answer_to("model=llama-7b&device=a800-80&task=finetune&profile=deepspeed&precision=master_bf16").scenario);
  CHECK(alone.expected > Nanoseconds{10 * device.parts[static_cast<std::size_t>(TimePart::optimizer)].expected.value});
}

TEST_CASE("experts that GPUs divide among them are reduced by the GPUs that hold the same ones, each through its own adapter") {
  Strategy strategy;
  strategy.data_parallel = 64;
  strategy.expert_parallel = 8;
  const RingShape ring = expert_shards_ring(strategy);
  CHECK(ring.members == Count{8});
  CHECK(ring.span == Count{64});
  CHECK(members_in_node(ring, 8) == Count{1}); // where all eight GPUs of a node are in the ring of what is not divided
  CHECK(members_in_node(ring_of(Ring::shards, strategy), 8) == Count{8});

  // Eight GPUs of a node hold an expert each: nobody else on the node has the same, and gradients of experts need the network.
  const std::string query = "model=gpt-oss-120b&task=pretrain&device=b200&profile=megatron&sharding=optimizer&data_parallel=";
  const auto exposed = [&](const std::string& rest) {
    const io::Answer answer = test::answer_to(query + rest);
    REQUIRE(answer.ok);
    return step_time(answer.scenario).parts[static_cast<std::size_t>(TimePart::data_parallel)].expected;
  };
  const Nanoseconds apart = exposed("16&expert_parallel=8"), alone = exposed("8&expert_parallel=8");
  const io::Answer answer = test::answer_to(query + "16&expert_parallel=8");
  const Count experts = expert_parameters_per_gpu(answer.scenario.model, answer.scenario.strategy, Stage{answer.scenario.model, answer.scenario.strategy, answer.scenario.workload, 0});
  CHECK(experts == Count{std::int64_t{36} * 16 * (3 * 2880 * 2880 + 3 * 2880)}); // layers, experts of a GPU, their maps and biases
  // Half of fp32 gradients and of weights in 16 bits, at 50 GB/s of the one adapter, of which collectives reach 0.8.
  const Nanoseconds sent = time_of(Bytes{experts.value * 6 / 2}, 50'000'000'000, 800);
  CHECK(apart - alone > Nanoseconds{sent.value / 2});
  CHECK(apart < sent + alone + Nanoseconds{sent.value / 2});
}

TEST_CASE("experts on a narrower vector are sent that vector") {
  const io::Answer answer = test::answer_to("model=nemotron-3-super-120b-a12b&task=pretrain&device=b200&profile=megatron&sharding=optimizer&data_parallel=8&expert_parallel=8&context_tokens=4096&batch=1");
  REQUIRE(answer.ok);
  Count rows;
  for (const LayerGroup& group : answer.scenario.model.groups) {
    rows += group.layers * group.moe.per_token;
    if (group.moe.per_token > Count{0}) CHECK(group.moe.latent_size < answer.scenario.model.hidden_size);
    if (group.moe.per_token > Count{0}) CHECK(group.moe.latent_size == Count{1024});
  }
  const Bytes one{(rows * Count{4096 * 1024 * 2}).value / 8 * 7};
  CHECK(step_time(answer.scenario).parts[static_cast<std::size_t>(TimePart::experts)].expected == time_of(Count{4} * one, 900'000'000'000, 750));
}

TEST_CASE("a GPU waits for the host where it has less to do in a pass than the host has to launch") {
  // 12 layers on two stages: 6 × 3 passes, a backward one counted twice; 5 ms of the host for three of them (Megatron-LM on A100): 30 ms.
  const std::string small = "model=custom&hidden_size=512&layers=12&query_heads=8&kv_heads=8&head_dim=64&intermediate_size=2048&vocab_size=51200&task=pretrain&device=a100-80-sxm&profile=megatron"
                            "&pipeline_parallel=2&micro_batches=4&batch=4&context_tokens=1024";
  const StepTime step = step_time(test::answer_to(small).scenario), graphs = step_time(test::answer_to(small + "&training_graphs=layers").scenario);
  REQUIRE(step.known);
  const auto part = [](const StepTime& of, TimePart which) { return of.parts[static_cast<std::size_t>(which)].expected; };
  const Nanoseconds busy = part(step, TimePart::matrices) + part(step, TimePart::attention) + part(step, TimePart::elementwise);
  const Nanoseconds waiting{4 * (30'000'000 - busy.value / 4)};
  REQUIRE(waiting > Nanoseconds{0});
  CHECK(part(step, TimePart::launches) - part(graphs, TimePart::launches) == waiting);
  // What nobody launches in time, other stages wait for too: 1 / 4 of four micro-batches.
  CHECK(visited(test::answer_to(small).scenario).bubble - visited(test::answer_to(small + "&training_graphs=layers").scenario).bubble == Nanoseconds{waiting.value / 4});
  // A GPU that is busy all the time waits for nobody.
  const std::string large = "model=llama-3-70b&task=pretrain&device=a100-80-sxm&profile=megatron&tensor_parallel=8&pipeline_parallel=4&micro_batches=16&context_tokens=8192";
  CHECK(step_time(test::answer_to(large).scenario).total.expected == step_time(test::answer_to(large + "&training_graphs=layers").scenario).total.expected);
}

TEST_CASE("what runs again makes no step faster, where a GPU waits for the host but would not if all took as long as it may") {
  const std::string query = "model=deepseek-v2-lite-16b&device=h100-80-sxm&profile=megatron&task=finetune&method=lora&weight_dtype=nf4&precision=master_bf16&context_tokens=2048&data_parallel=2"
                            "&batch=2&micro_batches=24&sharding=parameters";
  const StepTime step = step_time(test::answer_to(query).scenario), again = step_time(test::answer_to(query + "&recompute=selective").scenario);
  CHECK(again.parts[static_cast<std::size_t>(TimePart::launches)].expected > Nanoseconds{100'000'000});
  CHECK(again.total.expected >= step.total.expected);
  for (const TimeRange& part : again.parts) CHECK((part.low <= part.expected && part.expected <= part.high));
}

TEST_CASE("graphs of layers leave the kernels of experts to the host, those of an iteration none") {
  const std::string experts = "model=qwen3-30b-a3b&task=pretrain&device=h100-80-sxm&profile=megatron&data_parallel=8&expert_parallel=8&expert_tensor_parallel=1&batch=1&micro_batches=8&context_tokens=512";
  const auto waits = [&](const std::string& graphs) { return step_time(test::answer_to(experts + graphs).scenario).parts[static_cast<std::size_t>(TimePart::launches)].expected; };
  CHECK(waits("&training_graphs=layers") < waits(""));
  CHECK(waits("&training_graphs=iteration") < waits("&training_graphs=layers"));
  CHECK(test::answer_to(experts + "&training_graphs=true").scenario.implementation.training_graphs == TrainingGraphs::layers); // as earlier versions wrote it
}

TEST_CASE("interleaved stages send while they compute, where the program does") {
  const auto sent = [](const std::string& more) {
    Nanoseconds time;
    timing::visit(test::answer_to("model=llama-3-70b&task=pretrain&device=h100-80-sxm&tensor_parallel=8&pipeline_parallel=4&micro_batches=16&context_tokens=8192" + more).scenario,
                  [&](TimePart, const Term& term) { if (term.formula->written().id == "time.pipeline.messages") time = Nanoseconds{term.amount}; });
    return time;
  };
  CHECK(sent("&profile=megatron") > Nanoseconds{0});
  CHECK(sent("&profile=megatron&virtual_stages=5") == Nanoseconds{0});
  CHECK(sent("&profile=torchtitan&virtual_stages=5") > Nanoseconds{0});
}

TEST_CASE("the parts of a context ring are joined in memory; heads that are exchanged leave none") {
  const auto joined = [](const std::string& more) {
    double bytes = 0;
    const io::Answer answer = test::answer_to("model=llama-2-70b&task=pretrain&device=b200&profile=megatron&context_tokens=8192" + more);
    timing::visit(answer.scenario, [&](TimePart, const Term& term) {
      if (term.formula->written().id == "time.context_parallel.merge")
        bytes = static_cast<double>(term.amount) * 1e-9 * static_cast<double>(answer.scenario.hardware.rates.memory) * static_cast<double>(answer.scenario.profile.efficiency.memory.value) / 1000;
    });
    return bytes;
  };
  // 80 layers, 64 heads and 8 of keys and values, of 128 each: 16 bytes for each output, 8 for each key and value that seven of eight steps bring.
  const double expected = 80.0 * (16 * 8192 * 64 * 128 + 8 * 7 * 1024 * 2 * 8 * 128);
  CHECK(std::abs(joined("&context_parallel=8") - expected) < 1e-3 * expected);
  CHECK(std::abs(joined("&context_parallel=8&tensor_parallel=2") - expected / 2) < 1e-3 * expected);
  CHECK(joined("&context_parallel=8&context_method=ulysses") == 0);
}

namespace {

/// A symbol of the formula in a step of Llama 2 70B on 8,192 tokens; -1 where the step has no such term.
std::int64_t in_ring(const std::string& more, std::string_view id, std::string_view symbol) {
  std::int64_t value = -1;
  timing::visit(test::answer_to("model=llama-2-70b&task=pretrain&device=b200&profile=megatron&context_tokens=8192" + more).scenario, [&](TimePart, const Term& term) {
    if (term.formula->written().id != id) return;
    for (std::size_t i = 0; i < kMaxSymbols; ++i)
      if (term.formula->written().symbols[i].name == symbol) value = term.values[i];
  });
  return value;
}

} // namespace

TEST_CASE("each step of a context ring begins attention anew, sends a message, and is launched") {
  // 80 layers; seven steps forward and eight backward wait for a neighbour (Transformer Engine's loop), in NVSwitch or over the network.
  CHECK(in_ring("&context_parallel=8", "time.context_parallel", "messages") == 80 * 15);
  CHECK(in_ring("&context_parallel=8", "time.context_parallel", "message") == 12'000);
  CHECK(in_ring("&context_parallel=16", "time.context_parallel", "message") == 20'000);
  CHECK(in_ring("&context_parallel=8&context_method=ulysses", "time.context_parallel", "messages") == 80 * 8);
  // Queries and outputs of 64 heads of 128, of 1,024 tokens, in seven more kernels.
  CHECK(in_ring("&context_parallel=8", "time.context_parallel.starts", "queries") == std::int64_t{80} * 7 * 1024 * 2 * 64 * 128);
  CHECK(in_ring("&context_parallel=8&context_method=all_gather", "time.context_parallel.starts", "queries") == -1);
  // Three passes of 80 layers, seven steps after the first in each; captured passes launch none.
  const std::string small = "&context_parallel=8&tensor_parallel=8";
  CHECK(in_ring(small, "time.launches.passes", "ring") == 3 * 80 * 7);
  CHECK(in_ring(small + "&context_method=ulysses", "time.launches.passes", "ring") == 0);
  CHECK(in_ring(small + "&training_graphs=layers", "time.launches.passes", "ring") <= 0);
}

TEST_CASE("prediction layers that train multiply, each with logits of its own, before the loss") {
  // DeepSeek V3: latent attention, the router, eight experts and a shared one, two widths to one, the head; and keys of half of 4,096 tokens on average.
  const std::int64_t matrices = 187'105'280 + 7168 * 256 + std::int64_t{9} * 3 * 7168 * 2048 + std::int64_t{2} * 7168 * 7168 + std::int64_t{129'280} * 7168;
  const auto step = [](const std::string& more) { return test::answer_to("device=h100-80-sxm&task=pretrain&profile=megatron&data_parallel=64&expert_parallel=64&model=" + more).scenario; };
  const auto work = [&](const std::string& more) { return timing::gpu_work(step(more)).model().value; };
  const std::string deepseek = "deepseek-v3-671b&context_tokens=4096", nemotron = "nemotron-3-super-120b-a12b&context_tokens=8192";
  CHECK(work(deepseek + "&trains_prediction=true") - work(deepseek) == 4096 * (6 * matrices + std::int64_t{6} * 128 * (192 + 128) * 2048));
  // Megatron-Bridge's tables, FLOP by Megatron-LM's own count: 249.1 to 249.6 GFLOP of a token "w/o MTP", 259.7 to 260.6 with it; 84.3 to 85.2 of Nemotron 3 Super, which predicts two.
  CHECK(std::abs(static_cast<double>(work(deepseek)) / 4096 / 249.4e9 - 1) < 0.01);
  CHECK(std::abs(static_cast<double>(work(deepseek + "&trains_prediction=true")) / 4096 / 260.1e9 - 1) < 0.01);
  CHECK(std::abs(static_cast<double>(work(nemotron + "&prediction_layers=2&trains_prediction=true")) / 8192 / 84.8e9 - 1) < 0.015);
  CHECK(step_time(step(deepseek + "&trains_prediction=true")).total.expected > step_time(step(deepseek)).total.expected);
}

TEST_CASE("small models wait for the launches of a ring's steps") {
  // Megatron-LM, gpt3_mcore_te_tp2_pp2_cp2: 0.405 s on GB200, 0.302 s on H100 (tests/corpus/megatron.json); 0.322 and 0.259 s as if a ring's steps took no launches.
  // Nothing was fitted: a step's launches are 13 of a layer's 48 by the source.
  const std::string question = "model=custom&task=pretrain&hidden_size=512&vocab_size=50432&max_context=1024&learned_positions=1024&norm=layernorm&tied_embeddings=true&mlp_kind=plain&mlp_bias=true"
                               "&layers=12&query_heads=8&kv_heads=8&head_dim=64&qkv_bias=true&output_bias=true&intermediate_size=2048&precision=master_bf16&gradient_dtype=fp32&tensor_parallel=2"
                               "&pipeline_parallel=2&context_parallel=2&sequence_parallel=true&optimizer=adamw_fused&data_parallel=1&context_tokens=1024&batch=4&micro_batches=8&profile=megatron&device=";
  const auto seconds = [&](const std::string& device) { return static_cast<double>(step_time(test::answer_to(question + device).scenario).total.expected.value) * 1e-9; };
  CHECK(std::abs(seconds("gb200") / 0.405 - 1) < 0.05);
  CHECK(std::abs(seconds("h100-80-sxm") / 0.302 - 1) < 0.10);
}

TEST_CASE("passes of two micro-batches that hide each other's exchange take the host longer") {
  // Megatron-Bridge 26.02.01, Qwen3 30B-A3B in fp8 on 16 H100: 9,058 tokens/s of a GPU (tests/corpus/bridge-training.json); 12,124 as if the host took no longer.
  const std::string measured = "model=qwen3-30b-a3b&device=h100-80-sxm&task=pretrain&profile=megatron&micro_batches=128&fp8=compute&expert_parallel=8&expert_tensor_parallel=1&data_parallel=8&pipeline_parallel=2&"
                               "virtual_stages=12&sharding=optimizer&dispatch=once&expert_overlap=true";
  const std::int64_t tokens = step_time(test::answer_to(measured).scenario).tokens_per_gpu.value / 1000;
  CHECK(tokens > 8'150);
  CHECK(tokens < 9'960);
}

TEST_CASE("a device that was measured in 16 bits reaches the same share of its rate in 8") {
  // stas00/ml-engineering: 668.4 of MI300X and 784.9 TFLOP/s of MI325X, whose data sheets have the same rates.
  const auto layers = [](const std::string& device) {
    return step_time(test::answer_to("model=llama-2-70b&task=finetune&profile=megatron&method=lora&context_tokens=8192&fp8=parameters&data_parallel=8&sharding=optimizer&device=" + device).scenario)
        .parts[static_cast<std::size_t>(TimePart::matrices)].expected;
  };
  CHECK(std::abs(static_cast<double>(layers("mi300x").value) / static_cast<double>(layers("mi325x").value) / (784.9 / 668.4) - 1) < 0.01);
}

TEST_CASE("a token goes to each of its experts, to every GPU, or once to each node") {
  const auto traffic = [](const std::string& more) {
    return step_time(test::answer_to("model=qwen3-235b-a22b&task=pretrain&device=h100-80-sxm&profile=megatron&expert_tensor_parallel=1&data_parallel=128&context_tokens=4096&" + more).scenario)
        .parts[static_cast<std::size_t>(TimePart::experts)].expected;
  };
  CHECK(traffic("expert_parallel=64&dispatch=all_to_all") == traffic("expert_parallel=64"));
  // Of eight nodes, seven others: each has any of the eight experts with a probability of 1 - (7/8)^8, 4.6 in all, where 7.9 experts are on other GPUs.
  const double share = static_cast<double>(traffic("expert_parallel=64&dispatch=once").value) / static_cast<double>(traffic("expert_parallel=64").value);
  CHECK(std::abs(share - 7 * (1 - std::pow(7.0 / 8, 8)) / (8 * 63.0 / 64)) < 0.002);
  CHECK(traffic("expert_parallel=8&dispatch=once") < traffic("expert_parallel=8"));
  CHECK(traffic("expert_parallel=4&dispatch=all_gather") < traffic("expert_parallel=4")); // four GPUs hold eight experts of every token
  CHECK(traffic("expert_parallel=2&dispatch=once") <= traffic("expert_parallel=2&dispatch=all_gather"));
}

TEST_CASE("an exchange with experts that overlaps waits for no more than another micro-batch's passes leave of it") {
  const std::string experts = "model=qwen3-235b-a22b&task=pretrain&device=h100-80-sxm&profile=megatron&pipeline_parallel=2&data_parallel=32&expert_parallel=32&expert_tensor_parallel=1&batch=1&context_tokens=4096";
  const auto exchange = [&](const std::string& more) { return step_time(test::answer_to(experts + more).scenario).parts[static_cast<std::size_t>(TimePart::experts)].expected; };
  const Nanoseconds alone = exchange("&micro_batches=32"), beside = exchange("&micro_batches=32&expert_overlap=true");
  CHECK(beside < alone);
  CHECK(beside.value >= alone.value * 179 / 1000); // the exchange takes 20 of 132 multiprocessors from the passes
  CHECK(exchange("&micro_batches=1&expert_overlap=true") == exchange("&micro_batches=1")); // there is no other micro-batch
}
