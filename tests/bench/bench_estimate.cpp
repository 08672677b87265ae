// How long an estimate takes, and whether it touches the heap. README.md says how to read it.
//
//   bench_estimate [--json] [--smoke-test]
//
// A footprint is timed twice: as people get it, and with its replays apart, so that one run says what sharing them saves.
//
// Exit status 1 when estimate() allocates or a scenario of ours has errors; the times decide nothing.
#include "measure.hpp"
#include "options.hpp"
#include "plimsoll/results/api.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace plimsoll;
using namespace plimsoll::bench;

struct Case {
  const char* id;
  const char* what;
  const char* query;
};

constexpr Case kCases[] = {
    {"llama_3_8b_inference", "Llama 3 8B, inference", "model=llama-3-8b"},
    {"llama_3_8b_finetune_8_gpus", "Llama 3 8B, fine-tuning, tensor 2 x data 4",
     "model=llama-3-8b&task=finetune&tensor_parallel=2&data_parallel=4"},
    {"llama_3_1_405b_3d", "Llama 3.1 405B, 126 layers, pre-training, tensor 2 x pipeline 2 x data 2",
     "model=llama-3.1-405b&task=pretrain&tensor_parallel=2&pipeline_parallel=2&data_parallel=2&micro_batches=8"},
    {"gemma_2_9b_inference", "Gemma 2 9B (two layer groups), inference", "model=gemma-2-9b"},
    {"gemma_2_9b_finetune", "Gemma 2 9B (two layer groups), fine-tuning", "model=gemma-2-9b&task=finetune"},
};

struct Row {
  std::string id;
  std::string what;
  bool must_not_allocate = false;
  Measurement measurement;
};

volatile std::int64_t sink = 0;    // a result that nobody reads would not be computed

template <class Call> Row row(const char* function, const Case& scenario, bool must_not_allocate, const Effort& effort, Call&& call) {
  return {std::string{function} + "." + scenario.id, std::string{function} + "(): " + scenario.what, must_not_allocate,
          measure(effort, call)};
}

/// False when a scenario that should be valid is not: the numbers would mean nothing.
bool run(const Effort& effort, std::vector<Row>& rows) {
  const io::Catalog catalog = io::Catalog::load();
  for (const Case& scenario : kCases) {
    const io::Answer answer = io::answer_query(catalog, scenario.query);
    if (!answer.ok) {
      std::fprintf(stderr, "%s: %s\n", scenario.query, answer.issues.front().message.c_str());
      return false;
    }
    rows.push_back(row("estimate", scenario, true, effort, [&] { sink = estimate(answer.scenario).headroom.value; }));
  }
  for (const Case& scenario : kCases) {
    rows.push_back(row("answer", scenario, false, effort,
                       [&] { sink = io::answer_query(catalog, scenario.query).estimate.headroom.value; }));
  }
  for (const Case& scenario : kCases) {
    const io::Answer answer = io::answer_query(catalog, scenario.query);
    const AllocatorSettings settings{.expandable_segments = answer.scenario.profile.runtime.expandable_segments};
    const auto time = [&](const char* what, Replays replays) {
      rows.push_back(row(what, scenario, false, effort, [&] { sink = footprint(answer.scenario, answer.estimate.rank, settings, replays).headroom.value; }));
    };
    time("footprint", Replays::shared);
    time("footprint_apart", Replays::apart);
  }
  rows.push_back({"catalog_load", "Catalog::load()", false,
                  measure(effort, [] { sink = static_cast<std::int64_t>(io::Catalog::load().models().size()); })});
  return true;
}

void print_json(const std::vector<Row>& rows) {
  std::printf("{\"platform\":\"%s\",\"version\":\"%s\",\"rows\":[", PLIMSOLL_BENCH_PLATFORM, std::string{io::version()}.c_str());
  for (const Row& row : rows) {
    std::printf("%s\n{\"id\":\"%s\",\"what\":\"%s\",\"median_ns\":%.1f,\"fastest_ns\":%.1f,\"calls_per_batch\":%llu,"
                "\"allocations_per_call\":%.2f}",
                &row == rows.data() ? "" : ",", row.id.c_str(), row.what.c_str(), row.measurement.median_ns,
                row.measurement.fastest_ns, static_cast<unsigned long long>(row.measurement.calls_per_batch),
                row.measurement.allocations_per_call);
  }
  std::printf("\n]}\n");
}

void print_table(const std::vector<Row>& rows) {
  std::printf("%-62s %13s %13s %12s\n", PLIMSOLL_BENCH_PLATFORM, "median ns", "fastest ns", "allocations");
  for (const Row& row : rows)
    std::printf("%-62s %13.0f %13.0f %12.1f\n", row.what.c_str(), row.measurement.median_ns, row.measurement.fastest_ns,
                row.measurement.allocations_per_call);
}

bool heap_untouched(const std::vector<Row>& rows) {
  bool untouched = true;
  for (const Row& row : rows) {
    if (!row.must_not_allocate || row.measurement.allocations_per_call == 0) continue;
    std::fprintf(stderr, "%s allocates %.1f times per call; it must not at all\n", row.what.c_str(), row.measurement.allocations_per_call);
    untouched = false;
  }
  return untouched;
}

} // namespace

int main(int argc, char** argv) {
  const auto options = read_options(argc, argv, "bench_estimate");
  if (!options) return 2;
  const Effort effort = options->smoke_test ? kSmokeTest : Effort{};
  std::vector<Row> rows;
  if (!run(effort, rows)) return 1;
  options->json ? print_json(rows) : print_table(rows);
  return heap_untouched(rows) ? 0 : 1;
}
