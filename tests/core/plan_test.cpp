// What the search touches, and what borders make of questions about plans.
#include "allocations.hpp"
#include "json.hpp"
#include "plans.hpp"
#include "scenarios.hpp"

#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"
#include "questions/plan/searched.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const io::Prices& prices() {
  static const io::Prices kPrices = io::Prices::load(test::catalog());
  return kPrices;
}

io::PlanAnswer plan_for(const std::string& query, unsigned threads = 1) {
  Issues issues;
  io::PlanSession session{test::catalog(), prices(), io::request_from_query(query, issues), issues};
  session.finish(threads);
  return session.answer();
}

const std::string kQuestion = "model=llama-3-8b&task=finetune&device=h100-80-sxm&profile=deepspeed&gpus=8&global_batch=64&dataset_tokens=100000000";

} // namespace

TEST_CASE("a strategy is judged without touching the heap") {
  const io::Answer answer = test::answer_to("model=gemma-2-9b&task=pretrain&device=h100-80-sxm&profile=megatron&precision=master_bf16");
  PlanQuestion question;
  question.variants.push_back({answer.inputs, answer.scenario.profile, {{8, Money{1'000'000}}}});
  question.axes.emplace_back();
  question.axes.front().tensor_parallel = {1, 2, 4, 8};
  question.axes.front().shardings = {{Sharding::none}, {Sharding::optimizer}};
  question.global_batch = 64;
  question.exhaustive = true;
  question.budget = Money{1}; // judges memory, time and cost of every one, and keeps none
  const auto allocations = [&](std::int64_t recomputes, std::int64_t& tried) {
    question.axes.front().recomputes.clear();
    for (std::int64_t n = 1; n <= recomputes; ++n) question.axes.front().recomputes.push_back({Recompute::block, n});
    const std::uint64_t before = test::allocations();
    const Plan found = plan(question);
    const std::uint64_t after = test::allocations();
    CHECK(found.counts.dropped[static_cast<std::size_t>(Dropped::budget)] > recomputes);
    tried = found.counts.tried;
    return after - before;
  };
  std::int64_t few = 0, many = 0;
  const std::uint64_t for_few = allocations(2, few), for_many = allocations(40, many);
  CHECK(many == 20 * few);
  CHECK(for_many == for_few);
}

TEST_CASE("refusing a strategy does not touch the heap either") {
  const io::Answer answer = test::answer_to("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&precision=master_bf16");
  PlanQuestion question;
  question.variants.push_back({answer.inputs, answer.scenario.profile, {{64, Money{1'000'000}}}});
  question.axes.emplace_back();
  question.axes.front().pipeline_parallel = {4};
  question.axes.front().batch = {1, 2, 4};
  question.axes.front().shardings = {{Sharding::none}, {Sharding::optimizer}};
  question.global_batch = 64;
  question.exhaustive = true;
  const auto allocations = [&](std::int64_t schedules, std::int64_t& refused) {
    question.axes.front().schedules.clear();
    for (std::int64_t n = 0; n < schedules; ++n) question.axes.front().schedules.push_back({PipelineSchedule::one_f_one_b, 9 + n, false}); // chunks of eight layers
    const std::uint64_t before = test::allocations();
    const Plan found = plan(question);
    const std::uint64_t after = test::allocations();
    CHECK(found.counts.held == 0);
    refused = found.counts.dropped[static_cast<std::size_t>(Dropped::invalid)];
    return after - before;
  };
  std::int64_t few = 0, many = 0;
  const std::uint64_t for_few = allocations(2, few), for_many = allocations(60, many);
  CHECK(few > 0);
  CHECK(many == 30 * few);
  CHECK(for_many == for_few);
}

TEST_CASE("what a question states is kept, and the plans are scenarios that fit") {
  const io::PlanAnswer answer = plan_for(kQuestion + "&recompute=full&top=4");
  REQUIRE(answer.ok);
  CHECK(answer.done);
  CHECK(answer.tokens == 100'000'000);
  CHECK(answer.global_batch == 64);
  REQUIRE(!answer.best.empty());
  CHECK(answer.best.size() <= 4);
  for (const io::PlannedWay& way : answer.best) {
    INFO(way.query);
    const io::Answer there = test::check_opens(way);
    CHECK(there.inputs.strategy.recompute == Recompute::full);
    CHECK(there.estimate.gpus == Count{8});
    CHECK(there.inputs.workload.batch * there.inputs.workload.micro_batches * there.inputs.strategy.data_parallel == 64);
    const std::optional<io::DeploymentOption> work = io::way_of(there);
    REQUIRE(work);
    CHECK(cost::billed_seconds(way.planned.time).count() == work->seconds);
  }
}

TEST_CASE("every field that a search varies keeps the value that a question states") {
  struct Stated {
    std::string_view field, value, beside;
  };
  // On 16 GPUs; `beside` is what makes the value possible.
  constexpr Stated kStated[] = {
      {"tensor_parallel", "2", ""},
      {"sequence_parallel", "false", "tensor_parallel=2"},
      {"pipeline_parallel", "4", ""},
      {"context_parallel", "2", ""},
      {"expert_parallel", "2", "model=qwen3-30b-a3b"}, {"expert_tensor_parallel", "1", "model=qwen3-30b-a3b&tensor_parallel=2&expert_parallel=4"},
      {"batch", "2", ""},
      {"pipeline_schedule", "gpipe", "pipeline_parallel=2"},
      {"virtual_stages", "2", "pipeline_parallel=4"},
      {"embedding_in_split", "true", "pipeline_parallel=8&model=llama-3.1-405b&gpus=512&loss_in_split=true"},
      {"loss_in_split", "false", "pipeline_parallel=4"},
      {"first_stage_layers", "6", "pipeline_parallel=4&last_stage_layers=6"},
      {"last_stage_layers", "5", "pipeline_parallel=4&first_stage_layers=7"},
      {"sharding", "optimizer", "tensor_parallel=4"},
      {"reshard_after_forward", "false", "sharding=parameters&profile=torchtitan"},
      {"shard_group", "4", "sharding=parameters&profile=torchtitan"},
      {"secondary_group", "4", "sharding=parameters&profile=deepspeed"},
      {"offload", "optimizer", "sharding=parameters&profile=deepspeed"},
      {"recompute", "selective", ""},
      {"recompute_layers", "2", "recompute=full&profile=deepspeed"}, {"recompute_modules", "layernorm,mlp", "recompute=selective"}, {"chunk_layers", "9,8,8,7", "pipeline_parallel=4"},
      {"dispatch", "all_gather", "model=qwen3-30b-a3b&expert_parallel=4"},
      {"expert_overlap", "true", "model=qwen3-30b-a3b&expert_parallel=4&pipeline_parallel=1"}, {"communication_overlap", "false", "tensor_parallel=2"},
  };
  for (const io::SearchedField& searched : io::searched_fields()) {
    INFO(searched.field);
    CHECK((searched.keep == nullptr || std::ranges::find(kStated, searched.field, &Stated::field) != std::ranges::end(kStated)));
  }
  for (const Stated& stated : kStated) {
    io::Request request;
    Issues issues;
    const std::string query = "model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&gpus=16&global_batch=64&train_tokens=1000000000&" +
                              std::string{stated.beside} + "&" + std::string{stated.field} + "=" + std::string{stated.value};
    const io::Request stated_twice = io::request_from_query(query, issues);
    for (const io::Entry& entry : stated_twice.entries()) request.set(entry.name, entry.text); // the later one counts
    io::PlanSession session{test::catalog(), prices(), request, {}};
    session.finish(1);
    const io::PlanAnswer answer = session.answer();
    INFO(query << (answer.issues.empty() ? "" : " " + answer.issues.front().message));
    CHECK(!answer.best.empty());
    for (const io::PlannedWay& way : answer.best) {
      INFO(way.query);
      CHECK(io::value_text(test::answer_to(way.query), *find_field(stated.field)) == stated.value);
    }
  }
}

TEST_CASE("groups that no sharding has are refused") {
  const io::PlanAnswer answer = plan_for(kQuestion + "&sharding=none&shard_group=4");
  CHECK(!answer.ok);
  REQUIRE(!answer.issues.empty());
  CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.field == "shard_group" && issue.severity == Severity::error; }));
}

TEST_CASE("a deadline and a budget leave out what is too late or too expensive") {
  const io::PlanAnswer any = plan_for(kQuestion + "&objective=headroom");
  REQUIRE(!any.best.empty());
  const Nanoseconds fastest = any.front.front().planned.time;
  CHECK(any.best.front().planned.time > fastest);
  const std::string hours = std::to_string(fastest.value / 3'600'000'000'000 + 1);
  const io::PlanAnswer in_time = plan_for(kQuestion + "&objective=headroom&deadline=" + hours);
  REQUIRE(!in_time.best.empty());
  for (const io::PlannedWay& way : in_time.best) CHECK(way.planned.time.value <= (fastest.value / 3'600'000'000'000 + 1) * 3'600'000'000'000);
  const io::PlanAnswer cheap = plan_for(kQuestion + "&budget=0.01");
  CHECK(cheap.best.empty());
  CHECK(cheap.counts.dropped[static_cast<std::size_t>(Dropped::budget)] > 0);
  CHECK(!cheap.issues.empty());
}

TEST_CASE("threads make no difference") {
  const std::string one = io::plan_json(plan_for(kQuestion + "&profile=torchtitan&gpus=8,16", 1));
  CHECK(io::plan_json(plan_for(kQuestion + "&profile=torchtitan&gpus=8,16", 3)) == one);
}

TEST_CASE("devices, methods and optimizers are compared") {
  const io::PlanAnswer answer = plan_for("model=llama-3-8b&task=finetune&profile=deepspeed&gpus=1&compare_devices=rtx4090,h100-80-sxm&compare_methods=full,lora,qlora&objective=headroom");
  REQUIRE(answer.ok);
  CHECK(answer.setups.size() == 6);
  REQUIRE(!answer.best.empty());
  CHECK(answer.best.front().query.find("device=h100-80-sxm") != std::string::npos);
  CHECK(answer.best.front().query.find("weight_dtype=nf4") != std::string::npos);
}

TEST_CASE("precisions are compared, and fp8 is one of them") {
  const io::PlanAnswer answer = plan_for("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&gpus=8&tensor_parallel=1&batch=1&context_parallel=1&pipeline_parallel=1"
                                         "&global_batch=64&compare_precisions=bf16,master_bf16,fp8&top=3");
  REQUIRE(answer.ok);
  CHECK(answer.setups.size() == 3);
  REQUIRE(!answer.best.empty());
  CHECK(answer.best.front().query.find("fp8=compute") != std::string::npos); // twice as fast at multiplying
  CHECK(!plan_for(kQuestion + "&compare_precisions=octal").ok);
}

TEST_CASE("questions that cannot be searched are issues with a remedy") {
  for (const char* query : {"model=nothing", "task=inference", "gpus=none", "gpus=8&objective=beauty", "budget=-1", "deadline=soon", "global_batch=0", "preference=ppo&task=finetune",
                            "compare_devices=abacus", "device=abacus"}) {
    INFO(query);
    const io::PlanAnswer answer = plan_for(query);
    CHECK(!answer.ok);
    REQUIRE(has_errors(answer.issues));
    for (const Issue& issue : answer.issues) CHECK(!issue.remedy.empty());
    CHECK(!test::parsed(io::plan_json(answer)).at("ok").get<bool>());
  }
}

TEST_CASE("the plan's JSON has what its comment says") {
  io::PlanTexts texts{test::catalog(), R"({"model": "llama-3-8b", "task": "pretrain", "gpus": 8, "profile": "deepspeed", "exhaustive": true})", true};
  while (texts.advance(100)) CHECK(test::parsed(texts.progress_json()).at("of").get<int>() > 0);
  const auto json = test::parsed(texts.answer_json());
  CHECK(json.at("progress").at("done").get<bool>());
  std::int64_t dropped = 0;
  for (const auto& row : json.at("counts").at("dropped")) dropped += row.at("strategies").get<std::int64_t>();
  CHECK(json.at("counts").at("tried").get<std::int64_t>() == dropped + json.at("counts").at("held").get<std::int64_t>());
  CHECK(json.at("fleets").at(0).at("gpus") == 8);
  for (const auto& plan : json.at("best")) {
    CHECK(plan.at("process_bytes").get<std::int64_t>() > 0);
    CHECK(plan.at("time").at("ns").get<std::int64_t>() > 0);
  }
  for (const char* broken : {"", "[]", "{\"gpus\": {}}", "{\"gpus\": \"1e9\"}", "null"}) {
    io::PlanTexts refused{test::catalog(), broken, true};
    CHECK(!test::parsed(refused.answer_json()).at("issues").empty());
  }
}

TEST_CASE("ways of serving hold, are ranked as asked, and nothing on the front is beaten") {
  const std::string question = "model=llama-3-70b&task=inference&profile=vllm&context_tokens=8192&gpus=4,8&device=h100-80-sxm";
  for (const char* objective : {"throughput", "cost", "latency", "headroom", "gpus"}) {
    INFO(objective);
    Issues issues;
    const io::ServingPlan plan = io::plan_serving(test::catalog(), prices(), io::request_from_query(question + "&objective=" + objective, issues));
    REQUIRE(plan.ok);
    std::int64_t refused = 0;
    for (std::size_t i = 1; i < plan.refused.size(); ++i) refused += plan.refused[i];
    CHECK(plan.tried == plan.held + refused);
    REQUIRE(plan.best.size() > 2);
    for (std::size_t i = 0; i < plan.best.size(); ++i) {
      const io::ServedWay& way = plan.best[i];
      io::Answer there = test::answer_to(way.query);
      io::add_footprint(there);
      CHECK(there.judgement.holds());
      CHECK(there.footprint->process.expected == way.needs);
      CHECK(there.estimate.gpus == Count{way.gpus});
      CHECK(there.judgement.pool.sequences >= Count{way.batch});
      CHECK(speed(there.scenario).total.expected == way.rate);
      if (i == 0) continue;
      const io::ServedWay& better = plan.best[i - 1];
      switch (plan.objective) {
        case io::ServingObjective::throughput: CHECK(better.rate >= way.rate); break;
        case io::ServingObjective::cost: CHECK(better.per_million <= way.per_million); break;
        case io::ServingObjective::latency: CHECK(better.sequence_rate >= way.sequence_rate); break;
        case io::ServingObjective::headroom: CHECK(better.headroom >= way.headroom); break;
        case io::ServingObjective::gpus: CHECK(better.gpus <= way.gpus); break;
      }
    }
    for (const io::ServedWay& one : plan.front)
      for (const io::ServedWay& other : plan.front)
        CHECK((&one == &other || one.rate < other.rate || one.sequence_rate < other.sequence_rate || one.per_million > other.per_million));
  }
}

TEST_CASE("a least rate leaves out what is slower, and broken serving questions are issues") {
  Issues issues;
  const auto ask = [&](const std::string& rest) {
    return io::plan_serving(test::catalog(), prices(), io::request_from_query("model=llama-3-8b&profile=vllm&device=h100-80-sxm&gpus=1" + rest, issues));
  };
  const io::ServingPlan any = ask(""), fast = ask("&least_rate=100.5");
  CHECK(any.tried == fast.tried);
  CHECK(fast.too_slow > 0);
  for (const io::ServedWay& way : fast.front) CHECK(way.sequence_rate >= Count{100'500});
  for (const char* broken : {"&gpus=none", "&objective=beauty", "&least_rate=fast", "&device=abacus", "&compare_devices=abacus"}) {
    INFO(broken);
    const io::ServingPlan plan = ask(broken);
    CHECK(!plan.ok);
    CHECK(has_errors(plan.issues));
    CHECK(plan.best.empty());
  }
}

TEST_CASE("ways of serving differ in engine, stages and experts, and steps of any size find the same") {
  Issues issues;
  const io::Request request = io::request_from_query("model=mixtral-8x7b&compare_engines=vllm,sglang&device=h100-80-sxm&gpus=8&weight_dtype=bf16&kv_dtype=bf16&top=1000&context_tokens=4096", issues);
  const io::ServingPlan whole = io::plan_serving(test::catalog(), prices(), request);
  REQUIRE(whole.ok);
  CHECK(whole.done);
  CHECK(whole.setups == 2);
  const auto some = [&](auto&& is) { return std::ranges::any_of(whole.best, is); };
  CHECK(some([](const io::ServedWay& way) { return way.engine == "vllm"; }));
  CHECK(some([](const io::ServedWay& way) { return way.engine == "sglang"; }));
  CHECK(some([](const io::ServedWay& way) { return way.pipeline_parallel > 1; }));
  CHECK(some([](const io::ServedWay& way) { return way.expert_parallel > 1; }));
  CHECK(some([](const io::ServedWay& way) { return way.shares_experts; }));
  CHECK(some([](const io::ServedWay& way) { return way.replicas > 1 && !way.shares_experts; }));
  for (const io::ServedWay& way : whole.best) {
    INFO(way.query);
    CHECK(way.tensor_parallel * way.pipeline_parallel * way.replicas == way.gpus);
    io::Answer there = test::answer_to(way.query);
    io::add_footprint(there);
    CHECK(there.profile_id == way.engine);
    CHECK(there.estimate.gpus == Count{way.gpus});
    CHECK(there.judgement.holds());
    CHECK(there.footprint->process.expected == way.needs);
    CHECK(there.inputs.strategy.expert_parallel == way.expert_parallel);
  }
  io::ServingPlanSession session{test::catalog(), prices(), request};
  std::int64_t tried = 0;
  int steps = 0;
  for (; session.advance(7); ++steps) {
    const io::ServingPlan partial = session.answer();
    CHECK(partial.tried >= tried);
    tried = partial.tried;
  }
  CHECK(steps > 10);
  CHECK(io::serving_plan_json(session.answer()) == io::serving_plan_json(whole));
  io::ServingPlanSession stated{test::catalog(), prices(), io::request_from_query("model=mixtral-8x7b&profile=vllm&device=h100-80-sxm&gpus=8&pipeline_parallel=2&expert_parallel=4&batch=8", issues)};
  while (stated.advance(1000)) {}
  REQUIRE(!stated.answer().best.empty());
  for (const io::ServedWay& way : stated.answer().best) CHECK((way.pipeline_parallel == 2 && way.expert_parallel == 4 && way.batch == 8));
}

TEST_CASE("the largest model, the fewest GPUs and the cheapest instance hold, and those before them do not") {
  const auto solved = [](const std::string& query, Goal goal, const char* field) {
    Issues issues;
    return io::solve(test::catalog(), io::request_from_query(query, issues), {goal, field});
  };
  const io::Solved model = solved("model=qwen2.5-7b&device=a100-80-sxm&profile=vllm&context_tokens=4096", Goal::largest, "model");
  REQUIRE(model.answer);
  CHECK(test::answer_to(model.query).inputs.model.id == model.answer->value);
  const auto published = [](const std::string& id) { return io::record_of(*test::catalog().find_model(id)).parameters; };
  CHECK(published(model.answer->value) > published("qwen2.5-7b"));
  REQUIRE(model.next);
  CHECK(published(model.next->value) >= published(model.answer->value));
  const io::Solved gpus = solved("model=llama-3-8b&task=finetune&device=a100-80-sxm&profile=torchtitan&context_tokens=2048", Goal::smallest, "gpus");
  REQUIRE(gpus.answer);
  CHECK(test::answer_to(gpus.query).estimate.gpus == Count{std::stoll(gpus.answer->value)});
  REQUIRE(gpus.next);
  CHECK(2 * std::stoll(gpus.next->value) == std::stoll(gpus.answer->value));
  const io::Solved instance = solved("model=llama-3-8b&profile=vllm&context_tokens=8192", Goal::smallest, "instance");
  REQUIRE(instance.answer);
  const auto row = std::ranges::find(prices().rows(), instance.answer->value, &io::PriceRow::id);
  REQUIRE(row != prices().rows().end());
  CHECK(test::answer_to(instance.query).inputs.hardware.id == row->gpu);
  CHECK(test::answer_to(instance.query).estimate.gpus == row->gpus);
  for (const io::PriceRow& other : prices().rows()) { // alone on one of its GPUs it would hold the whole model
    if (other.kind != io::PriceKind::on_demand || other.hourly <= Money{0} || other.hourly >= row->hourly || other.gpus > Count{1}) continue;
    INFO(other.id);
    io::Answer there = io::answer_query(test::catalog(), "model=llama-3-8b&profile=vllm&context_tokens=8192&device=" + other.gpu);
    if (!there.ok) continue;
    io::add_footprint(there);
    CHECK(!(there.footprint->fits && there.judgement.pool.sequences >= Count{1}));
  }
  CHECK(!solved("model=llama-3-8b", Goal::largest, "instance").answer);
  CHECK(!solved("model=llama-3-8b", Goal::smallest, "model").answer);
}

TEST_CASE("ways of serving under a stated load: prompts take their time, and first tokens keep the limit") {
  Issues issues;
  const auto planned = [&](const std::string& rest) {
    return io::plan_serving(test::catalog(), prices(), io::request_from_query("model=qwen3-32b&profile=vllm&device=h100-80-sxm&gpus=4&weight_dtype=bf16&objective=throughput" + rest, issues));
  };
  const std::string lengths = "&prompt_tokens=4000&answer_tokens=200";
  const io::ServingPlan decoding = planned("&context_tokens=4200"), loaded = planned(lengths), limited = planned(lengths + "&most_first_token=1");
  REQUIRE(!decoding.best.empty());
  REQUIRE(!loaded.best.empty());
  REQUIRE(!limited.best.empty());
  CHECK(loaded.best.front().rate < decoding.best.front().rate); // twenty tokens are read for each that is written
  CHECK(limited.best.front().rate <= loaded.best.front().rate);
  for (const io::ServedWay& way : limited.best) CHECK(way.first_token <= Nanoseconds{1'000'000'000});
  // The link of a way states its load: asked again, it says the same.
  const io::ServedWay& best = limited.best.front();
  const io::Answer again = io::answer(test::catalog(), io::request_from_query(best.query, issues));
  REQUIRE(again.ok);
  CHECK(again.scenario.workload.traffic.concurrency == best.batch * best.replicas);
  CHECK(steady_load(again.scenario).first_token.mean == best.first_token);
  // Of so many requests a second the answers are 200 tokens each: no way that gives fewer, and no more of them are paid for.
  const io::ServingPlan rated = planned(lengths + "&request_rate=2&price_per_gpu_hour=2");
  REQUIRE(!rated.best.empty());
  CHECK(rated.too_slow > loaded.too_slow);
  CHECK(std::ranges::all_of(rated.best, [](const io::ServedWay& way) { return way.rate >= Count{400'000} && way.per_million == Money{5'555'556}; })); // 8 dollars an hour over 1.44 million
}
