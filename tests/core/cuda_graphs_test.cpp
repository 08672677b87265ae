// CUDA graphs: how many sizes vLLM captures, and what they take of its budget. Counts of graphs are those of its own log lines,
// "Profiling CUDA graph memory: PIECEWISE=51 (largest=512), FULL=35 (largest=256)" (vllm-project/vllm, pull request 39559) and
// "PIECEWISE=35 (largest=256), FULL=19 (largest=128)"; "PIECEWISE=11 (largest=64), FULL=7 (largest=32)"; "PIECEWISE=5 (largest=16), FULL=4".
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kMebi = 1 << 20;

/// The component of that id; one of 0 bytes where there is none.
Component find(const Component& part, const std::string& id) {
  if (part.id == id) return part;
  for (const Component& inner : part.parts)
    if (Component found = find(inner, id); !found.id.empty()) return found;
  return {};
}

io::Answer served(const std::string& more) {
  return test::answer_to("model=llama-3.1-8b&device=rtx4090&task=inference&profile=vllm&weight_dtype=awq_4bit_g128" + more);
}

Component graphs_of(const io::Answer& answer) { return find(explain(answer.scenario, answer.estimate).memory, "memory.runtime.graphs"); }
std::int64_t bytes_of(const std::string& more) { return graphs_of(served(more)).amount; }

} // namespace

TEST_CASE("vLLM captures as many graphs as its log says") {
  struct Row {
    int sequences, graphs;
  };
  for (const Row row : {Row{256, 51 + 35}, Row{128, 35 + 19}, Row{32, 11 + 7}, Row{8, 5 + 4}, Row{512, 51 + 51}, Row{1, 2 + 1}})
    CHECK(bytes_of("&max_sequences=" + std::to_string(row.sequences)) == 256 * kMebi + (row.graphs - 1) * 2 * kMebi);
  CHECK(bytes_of("&max_sequences=256&largest_graph=16") == 256 * kMebi + (5 + 5 - 1) * 2 * kMebi);
}

TEST_CASE("Without graphs the cache has their memory") {
  const io::Answer with = served(""), without = served("&cuda_graphs=off");
  CHECK(graphs_of(without).amount == 0);
  CHECK(without.judgement.pool.bytes.expected - with.judgement.pool.bytes.expected == Bytes{bytes_of("")});
}

// Until 0.21 the budget knew nothing of them (vllm-project/vllm, pull request 30515).
TEST_CASE("Older versions take graphs beside the budget") {
  const auto older = [](const std::string& more) { return test::answer_to("model=llama-3.1-8b&device=h100-80-sxm&task=inference&profile=vllm_0_11" + more); };
  CHECK(graphs_of(older("")).amount > 0);
  CHECK(older("").judgement.pool.bytes.expected == older("&cuda_graphs=off").judgement.pool.bytes.expected);
}

// 0.78, 0.73 and 0.64 GiB of 86 graphs, 0.37 of 54, 0.61 of 9: its log lines "Estimated CUDA graph memory".
TEST_CASE("Logs of CUDA graphs lie within the range") {
  struct Row {
    int sequences;
    double gibi;
  };
  for (const Row row : {Row{256, 0.78}, Row{256, 0.73}, Row{256, 0.64}, Row{128, 0.37}, Row{8, 0.61}}) {
    const Component graphs = graphs_of(served("&max_sequences=" + std::to_string(row.sequences)));
    const auto measured = static_cast<std::int64_t>(row.gibi * 1024) * kMebi;
    CHECK(graphs.low <= measured);
    CHECK(measured <= graphs.high);
  }
}
