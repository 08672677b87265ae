// What is searched beside an answer goes on between frames: how long a frame may have to wait for it, of each search.
//
//   bench_slices [--json] [--smoke-test]
//
// A step is what the app asks for between two looks at the clock, a slice the steps of a frame. Each search is done three times, and each of its steps counts with the shortest of
// its times, because a machine that does other work makes some slow and none too fast. Exit status 1 when a search ends with nothing; the times decide nothing.
#include "options.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/curve.hpp"
#include "plimsoll/questions/devices.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/results/api.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace plimsoll;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr const char* kServe = "model=llama-3-8b&device=rtx4090&batch=4&profile=vllm";
constexpr const char* kTrain = "model=llama-3-8b&device=h100-80-sxm&task=finetune&data_parallel=8&sharding=parameters";
constexpr const char* kOverload = "model=llama-3.1-405b&device=h100-80-sxm&task=finetune";
constexpr const char* kPipeline = "model=llama-3.1-405b&device=h100-80-sxm&task=pretrain&tensor_parallel=8&pipeline_parallel=14&data_parallel=4&profile=megatron";
constexpr const char* kMixture = "model=deepseek-v3&device=h200-141-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=16&expert_parallel=8&data_parallel=8&first_stage_layers=4&last_stage_layers=1&profile=megatron";

constexpr std::int64_t kAtOnce = 500; ///< strategies, as app and page ask for them
constexpr double kSlice = 5;           ///< milliseconds after which they begin no step more

struct Measured {
  std::vector<double> steps; ///< milliseconds each
  bool found = true;
};

/// The times of `next` until it says that nothing is left.
template <class Step> Measured walk(Step&& next) {
  Measured measured;
  for (bool more = true; more;) {
    const auto start = Clock::now();
    more = next();
    measured.steps.push_back(Milliseconds{Clock::now() - start}.count());
  }
  return measured;
}

struct Tools {
  io::Catalog catalog = io::Catalog::load();
  io::Prices prices = io::Prices::load(catalog);

  io::Request request(const char* query) const {
    Issues issues;
    return io::request_from_query(query, issues);
  }
};

Measured plan(const Tools& tools, const char* query) {
  io::PlanSession session{tools.catalog, tools.prices, tools.request(query)};
  Measured measured = walk([&] { return session.advance(kAtOnce); });
  measured.found = !session.answer().best.empty();
  return measured;
}
/// What was found so far, in words: what the app asks for some times a second.
Measured words_of_plan(const Tools& tools, const char* query) {
  io::PlanSession session{tools.catalog, tools.prices, tools.request(query)};
  io::PlanAnswer told = session.answer();
  int until_told = 0;
  Measured measured;
  for (bool more = true; more;) {
    more = session.advance(kAtOnce);
    if (more && ++until_told % 100 != 0) continue;
    const auto start = Clock::now();
    told = session.answer(std::move(told));
    measured.steps.push_back(Milliseconds{Clock::now() - start}.count());
  }
  measured.found = !told.best.empty();
  return measured;
}
Measured serving_plan(const Tools& tools, const char* query) {
  io::ServingPlanSession session{tools.catalog, tools.prices, tools.request(query)};
  Measured measured = walk([&] { return session.advance(1); });
  measured.found = !session.answer().best.empty();
  return measured;
}
Measured advice(const Tools& tools, const char* query) {
  io::Answer asked = io::answer_query(tools.catalog, query);
  io::add_footprint(asked);
  io::AdviceSession session{tools.catalog, std::move(asked)};
  Measured measured = walk([&] { return session.advance(); });
  measured.found = session.advice().ok;
  return measured;
}
Measured growth(const Tools& tools, const char* query) {
  io::CurveAdviceSession session{tools.catalog, io::answer_query(tools.catalog, query), "context_tokens"};
  Measured measured = walk([&] { return session.advance(); });
  measured.found = !session.curve().lines.empty();
  return measured;
}
Measured devices(const Tools& tools, const char* query) {
  io::DevicesSession session{tools.catalog, tools.prices, io::answer_query(tools.catalog, query), "2026-01-01"};
  Measured measured = walk([&] { return session.advance(); });
  measured.found = !session.choices().empty();
  return measured;
}
Measured load(const Tools& tools, const char* query) {
  io::LoadSession session{tools.catalog, tools.prices, tools.request(query), {.first_token_ms = 2000, .per_token_ms = 100}};
  Measured measured = walk([&] { return session.advance(); });
  measured.found = session.report().ok;
  return measured;
}

struct Row {
  const char* id;
  const char* what;
  Measured (*search)(const Tools&, const char*);
  const char* query;
  double slice = kSlice; ///< 0: one step in each frame
};

constexpr Row kRows[] = {
    {"plan_8b", "plan, 8B on 8 GPUs, DeepSpeed", plan, "model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=deepspeed&gpus=8"},
    {"plan_70b", "plan, 70B on 64 GPUs, Megatron-LM", plan, "model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=megatron&gpus=64"},
    {"plan_405b", "plan, 405B on 512 GPUs, torchtitan", plan, "model=llama-3.1-405b&task=pretrain&device=h100-80-sxm&context_tokens=8192&profile=torchtitan&gpus=512"},
    {"plan_671b", "plan, DeepSeek-V3 on 512 GPUs, Megatron-LM", plan, "model=deepseek-v3&task=pretrain&device=h200-141-sxm&context_tokens=4096&profile=megatron&gpus=512"},
    {"words_70b", "plan in words, 70B on 64 GPUs, Megatron-LM", words_of_plan, "model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=megatron&gpus=64"},
    {"serving_plan_8b", "plan of serving, 8B", serving_plan, "model=llama-3-8b&profile=vllm&gpus=1,2,4,8"},
    {"serving_plan_671b", "plan of serving, DeepSeek-V3", serving_plan, "model=deepseek-v3&device=h200-141-sxm&gpus=8,16"},
    {"advice_serve", "advice, 8B serving", advice, kServe},
    {"advice_train", "advice, 8B on 8 GPUs", advice, kTrain},
    {"advice_overload", "advice, 405B on one GPU", advice, kOverload},
    {"advice_pipeline", "advice, 405B in 3-D", advice, kPipeline},
    {"advice_mixture", "advice, DeepSeek-V3 in 4-D", advice, kMixture},
    {"growth_serve", "curve, 8B serving", growth, kServe},
    {"growth_train", "curve, 8B on 8 GPUs", growth, kTrain},
    {"growth_overload", "curve, 405B on one GPU", growth, kOverload},
    {"growth_pipeline", "curve, 405B in 3-D", growth, kPipeline},
    {"growth_mixture", "curve, DeepSeek-V3 in 4-D", growth, kMixture},
    {"devices_serve", "devices, 8B serving", devices, kServe},
    {"devices_pipeline", "devices, 405B in 3-D", devices, kPipeline},
    {"load_serve", "load, 8B", load, "model=llama-3-8b&device=h100-80-sxm&profile=vllm&concurrency=16&prompt_tokens=1024&output_tokens=256", 0},
};

/// The longest of the slices that the steps make.
double longest_slice(const std::vector<double>& steps, double until) {
  double longest = 0, slice = 0;
  for (const double step : steps) {
    slice += step;
    longest = std::max(longest, slice);
    if (slice >= until) slice = 0;
  }
  return longest;
}

/// Each step with the shortest of its times.
Measured search(const Tools& tools, const Row& row, int times) {
  Measured best = row.search(tools, row.query);
  for (int i = 1; i < times; ++i) {
    const Measured again = row.search(tools, row.query);
    best.found = best.found && again.found && again.steps.size() == best.steps.size();
    for (std::size_t k = 0; k < std::min(best.steps.size(), again.steps.size()); ++k) best.steps[k] = std::min(best.steps[k], again.steps[k]);
  }
  return best;
}

} // namespace

int main(int argc, char** argv) {
  const auto options = bench::read_options(argc, argv, "bench_slices");
  if (!options) return 2;
  const auto [json, smoke] = *options;
  const Tools tools;
  bool good = true;
  if (json) std::printf("{\"platform\":\"%s\",\"version\":\"%s\",\"rows\":[", PLIMSOLL_BENCH_PLATFORM, std::string{io::version()}.c_str());
  else std::printf("%-48s %8s %12s %12s %12s %12s\n", PLIMSOLL_BENCH_PLATFORM, "steps", "median ms", "longest ms", "slice ms", "all ms");
  bool first = true;
  for (const Row& row : kRows) {
    if (smoke && &row != kRows) continue;
    Measured one = search(tools, row, smoke ? 1 : 3);
    good = good && one.found;
    if (!one.found) std::fprintf(stderr, "%s: nothing was found\n", row.id);
    const double slice = longest_slice(one.steps, row.slice);
    double all = 0;
    for (const double step : one.steps) all += step;
    std::ranges::sort(one.steps);
    const double median = one.steps[one.steps.size() / 2], longest = one.steps.back();
    if (json)
      std::printf("%s\n{\"id\":\"slices.%s\",\"what\":\"%s\",\"steps\":%zu,\"median_ns\":%.0f,\"longest_ns\":%.0f,\"slice_ns\":%.0f}", first ? "" : ",", row.id, row.what, one.steps.size(), median * 1e6, longest * 1e6,
                  slice * 1e6);
    else std::printf("%-48s %8zu %12.3f %12.3f %12.3f %12.1f\n", row.what, one.steps.size(), median, longest, slice, all);
    std::fflush(stdout);
    first = false;
  }
  if (json) std::printf("\n]}\n");
  return good ? 0 : 1;
}
