// How long a search for a plan takes: full fine-tuning of Llama 3 70B on 64 H100 at 8,192 tokens, everything that its framework can do.
//
//   bench_plan [--json] [--smoke-test]
//
// Exit status 1 when the search finds nothing or judging allocates; the times decide nothing.
#include "allocations.hpp"
#include "options.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/results/api.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

using namespace plimsoll;

struct Row {
  const char* id;
  const char* what;
  const char* query;
  bool smoke = false; ///< small enough for a smoke test
};

// The second asks for every number of GPUs up to 512 too, so that there are more than a million strategies.
constexpr Row kRows[] = {
    {"llama_3_8b_8_gpus", "Llama 3 8B, pre-training on 8 GPUs, DeepSpeed", "model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=deepspeed&gpus=8", true},
    {"llama_3_70b_64_gpus_torchtitan", "Llama 3 70B, full fine-tuning on 64 GPUs, torchtitan", "model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=torchtitan&gpus=64"},
    {"llama_3_70b_64_gpus_megatron", "the same, Megatron-LM", "model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=megatron&gpus=64"},
    {"llama_3_70b_to_512_gpus", "the same, torchtitan, 64, 128, 256 and 512 GPUs", "model=llama-3-70b&task=finetune&device=h100-80-sxm&context_tokens=8192&profile=torchtitan&gpus=64,128,256,512"},
};

struct Measured {
  PlanCounts counts;
  double seconds = 0;
  double allocations = 0; ///< per strategy
  bool found = false;
};

Measured measure(const io::Catalog& catalog, const io::Prices& prices, const std::string& query) {
  Issues issues;
  io::PlanSession session{catalog, prices, io::request_from_query(query, issues), issues};
  const std::uint64_t before = test::allocations();
  const auto start = std::chrono::steady_clock::now();
  while (!session.progress().done() && session.advance(1'000'000)) {}
  const auto took = std::chrono::steady_clock::now() - start;
  const std::uint64_t after = test::allocations();
  Measured measured;
  const io::PlanAnswer answer = session.answer();
  measured.counts = answer.counts;
  measured.seconds = std::chrono::duration<double>(took).count();
  measured.allocations = static_cast<double>(after - before) / static_cast<double>(answer.counts.tried > 0 ? answer.counts.tried : 1);
  measured.found = !answer.best.empty();
  return measured;
}

} // namespace

int main(int argc, char** argv) {
  const auto options = bench::read_options(argc, argv, "bench_plan");
  if (!options) return 2;
  const auto [json, smoke] = *options;
  const io::Catalog catalog = io::Catalog::load();
  const io::Prices prices = io::Prices::load(catalog);
  bool good = true, first = true;
  if (json) std::printf("{\"platform\":\"%s\",\"version\":\"%s\",\"rows\":[", PLIMSOLL_BENCH_PLATFORM, std::string{io::version()}.c_str());
  else std::printf("%-56s %12s %10s %10s %14s %12s\n", PLIMSOLL_BENCH_PLATFORM, "strategies", "hold", "seconds", "ns/strategy", "allocations");
  for (const Row& row : kRows)
    for (const bool exhaustive : {false, true}) {
      if (smoke && !row.smoke) continue;
      const Measured one = measure(catalog, prices, row.query + std::string{exhaustive ? "&exhaustive=true" : ""});
      good = good && one.found && one.allocations < 1;
      const double each = one.seconds * 1e9 / static_cast<double>(one.counts.tried > 0 ? one.counts.tried : 1);
      const std::string what = std::string{row.what} + (exhaustive ? ", exhaustive" : "");
      if (json)
        std::printf("%s\n{\"id\":\"%s%s\",\"what\":\"%s\",\"strategies\":%lld,\"held\":%lld,\"seconds\":%.4f,\"ns_per_strategy\":%.1f,\"allocations_per_strategy\":%.4f}", first ? "" : ",",
                    row.id, exhaustive ? "_exhaustive" : "", what.c_str(), static_cast<long long>(one.counts.tried), static_cast<long long>(one.counts.held), one.seconds, each, one.allocations);
      else
        std::printf("%-56s %12lld %10lld %10.3f %14.0f %12.3f\n", what.c_str(), static_cast<long long>(one.counts.tried), static_cast<long long>(one.counts.held), one.seconds, each, one.allocations);
      first = false;
    }
  if (json) std::printf("\n]}\n");
  return good ? 0 : 1;
}
