// Plans of layouts whose best the whole process refuses, modules that run again, and chunks that are written out.
#include "plans.hpp"

#include "method/sharding/fleet.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::check_opens;
using test::plan_for;

TEST_CASE("where the whole process refuses the best plan of a layout, another of the layout stands") {
  for (const char* layout : {"model=qwen3-30b-a3b&device=h100-80-sxm&gpus=16&tensor_parallel=1&expert_parallel=8", "model=llama-3-8b&device=a100-40-sxm&gpus=8&tensor_parallel=2&expert_parallel=1"}) {
    const io::PlanAnswer answer = plan_for(std::string{layout} + "&task=pretrain&profile=megatron&context_tokens=4096&pipeline_parallel=1&context_parallel=1&global_batch=128&train_tokens=1000000000&top=1");
    INFO(layout);
    CHECK(answer.too_tight > 0);
    REQUIRE(answer.best.size() == 1);
    check_opens(answer.best.front());
  }
}

TEST_CASE("one plan of each layout is listed, and none is better than one before it") {
  const io::PlanAnswer answer = plan_for("model=qwen3-30b-a3b&device=h100-80-sxm&gpus=16&task=pretrain&profile=megatron&context_tokens=4096&global_batch=256&train_tokens=1000000000&top=12");
  REQUIRE(answer.best.size() == 12);
  std::vector<std::uint64_t> layouts;
  for (std::size_t i = 0; i < answer.best.size(); ++i) {
    CHECK(std::ranges::find(layouts, answer.best[i].planned.layout()) == layouts.end());
    layouts.push_back(answer.best[i].planned.layout());
    if (i > 0) CHECK(answer.best[i - 1].planned.time <= answer.best[i].planned.time);
    check_opens(answer.best[i]);
  }
}

TEST_CASE("layers of chunks that are written out are those of published recipes") {
  Strategy strategy;
  const auto layers = [&](std::int64_t of, std::int64_t stages, std::int64_t chunks) {
    strategy.pipeline_parallel = stages;
    strategy.virtual_stages = chunks;
    const WrittenLayers written = written_layers(of, strategy);
    return std::vector{written.first, written.each, written.last};
  };
  using L = std::vector<std::int64_t>;
  // Megatron-Bridge, recipes of DeepSeek V3 and Kimi K2 (61 layers) and Moonlight (27).
  CHECK(layers(61, 4, 1) == L{16, 16, 13});
  CHECK(layers(61, 8, 1) == L{8, 8, 5});
  CHECK(layers(61, 16, 1) == L{4, 4, 1});
  CHECK(layers(61, 4, 4) == L{4, 4, 1});
  CHECK(layers(61, 2, 8) == L{4, 4, 1});
  CHECK(layers(61, 8, 4) == L{1, 2, 0});
  CHECK(layers(27, 4, 1) == L{7, 7, 6});
  CHECK(layers(27, 2, 2) == L{7, 7, 6});
  // Stages that divide them, with or without embedding and loss; chunks that would stay empty.
  for (const auto& [of, stages, chunks] : {std::tuple{80, 4, 3}, std::tuple{94, 8, 5}, std::tuple{61, 16, 3}, std::tuple{61, 1, 1}}) CHECK(layers(of, stages, chunks) == L{0, 0, 0});
}

TEST_CASE("DeepSeek V3 is planned with the layout, experts and modules that its published runs have") {
  const std::string question = "model=deepseek-v3-671b&device=gb200&gpus=256&task=pretrain&profile=megatron&fp8=compute&context_tokens=4096&global_batch=2048&train_tokens=1000000000&pipeline_parallel=4&virtual_stages=4"
                               "&expert_parallel=64&tensor_parallel=1&context_parallel=1&top=1";
  const io::PlanAnswer answer = plan_for(question + "&recompute=selective&recompute_modules=mla_up_proj");
  REQUIRE(answer.best.size() == 1);
  const io::PlannedWay& way = answer.best.front();
  check_opens(way);
  CHECK(way.query.find("chunk_layers=4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C4%2C1") != std::string::npos);
  CHECK(way.query.find("recompute_modules=mla_up_proj") != std::string::npos);
  CHECK(way.text.find("4 chunks of 4 layers, 4 in the first, 1 in the last") != std::string::npos);
  CHECK(way.text.find("recompute some modules: latent up-projections") != std::string::npos);
  const std::string json = io::plan_json(answer);
  CHECK(json.find(R"("chunk_layers":"4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,1")") != std::string::npos);
  CHECK(json.find(R"("recompute_modules":"mla_up_proj")") != std::string::npos);
  const std::string line = io::export_training_config(test::catalog(), test::answer_to(way.query), "megatron").text;
  INFO(line);
  CHECK(line.find("(tttt|)*14tL") != std::string::npos);
  CHECK(line.find("--num-virtual-stages") == std::string::npos); // which goes with the layout
  CHECK(line.find("# chunk_layers") == std::string::npos);       // nothing is lost
  CHECK(line.find("# virtual_stages") == std::string::npos);
  // Chunks that a question states are no others, and go nowhere else.
  const io::PlanAnswer stated = plan_for(question + "&recompute=full&chunk_layers=1,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4");
  REQUIRE(stated.best.size() == 1);
  CHECK(stated.best.front().query.find("chunk_layers=1%2C4%2C4") != std::string::npos);
  check_opens(stated.best.front());
  const io::PlanAnswer two = plan_for("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&gpus=16&global_batch=64&train_tokens=1000000000&chunk_layers=17,15&top=40");
  REQUIRE_FALSE(two.best.empty());
  for (const io::PlannedWay& one : two.best) CHECK(one.query.find("chunk_layers=17%2C15") != std::string::npos);
}

TEST_CASE("modules that framework or model have not are refused, not passed over") {
  for (const char* more : {"profile=torchtitan&model=llama-3-8b&recompute_modules=layernorm", "profile=megatron&model=llama-3-8b&recompute_modules=mla_up_proj"}) {
    const io::PlanAnswer answer = plan_for(std::string{"device=h100-80-sxm&gpus=8&task=pretrain&recompute=selective&"} + more);
    INFO(more);
    CHECK(!answer.ok);
    CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::error && issue.field == "recompute_modules" && !issue.remedy.empty(); }));
  }
}

TEST_CASE("experts stay whole where tensor groups divide the rest and that is faster") {
  const std::string question = "model=qwen3-235b-a22b&device=h100-80-sxm&gpus=256&task=pretrain&profile=megatron&context_tokens=4096&global_batch=1024&train_tokens=1000000000&tensor_parallel=2&pipeline_parallel=8&expert_parallel=16"
                               "&context_parallel=1&top=1";
  const auto best_of = [&](const std::string& more) {
    const io::PlanAnswer answer = plan_for(question + more);
    REQUIRE(answer.best.size() == 1);
    check_opens(answer.best.front());
    return answer.best.front();
  };
  const io::PlannedWay either = best_of(""), divided = best_of("&expert_tensor_parallel=0"), whole = best_of("&expert_tensor_parallel=1");
  CHECK(either.planned.time == std::min(divided.planned.time, whole.planned.time));
  CHECK(whole.text.find("experts 16, each whole") != std::string::npos);
  CHECK(whole.query.find("expert_tensor_parallel=1") != std::string::npos);
  CHECK(divided.query.find("expert_tensor_parallel") == std::string::npos);
}

TEST_CASE("what tensor groups send runs beside multiplications, and is said and stated otherwise") {
  const std::string question = "model=llama-3-70b&device=h100-80-sxm&gpus=64&task=pretrain&profile=megatron&context_tokens=4096&global_batch=1024&train_tokens=1000000000&tensor_parallel=4&pipeline_parallel=4&top=1";
  const io::PlanAnswer answer = plan_for(question), apart = plan_for(question + "&communication_overlap=false"), alone = plan_for(question + "&sequence_parallel=false");
  REQUIRE((answer.best.size() == 1 && apart.best.size() == 1 && alone.best.size() == 1));
  for (const io::PlanAnswer* one : {&answer, &apart, &alone}) check_opens(one->best.front());
  CHECK(answer.best.front().query.find("communication_overlap=true") != std::string::npos);
  CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::note && issue.field == "communication_overlap"; }));
  CHECK(answer.best.front().planned.time < apart.best.front().planned.time);
  // megatron/training/arguments.py: tp_comm_overlap asks for sequence_parallel.
  for (const io::PlanAnswer* one : {&apart, &alone}) CHECK(one->best.front().query.find("communication_overlap") == std::string::npos);
  CHECK(io::export_training_config(test::catalog(), test::answer_to(answer.best.front().query), "megatron").text.find("--tp-comm-overlap") != std::string::npos);
}
