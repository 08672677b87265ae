// Every published configuration that ran must be found by a search for a plan.
#include "corpus.hpp"

#include "plimsoll/method/sharding.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

std::int64_t entry(const io::Request& request, const char* name) {
  const std::string* const text = request.find(name);
  return text != nullptr ? std::stoll(*text) : 1;
}

/// A benchmark's scenario as a question: how many GPUs and sequences there were, not how they were used. Recomputation is left to the
/// search, as most rows do not tell it.
io::Request question_of(const std::string& scenario) {
  Issues issues;
  io::Request request = io::request_from_query(scenario, issues);
  const Scenario whole = io::answer_query(test::catalog(), scenario).scenario;
  for (const char* left : {"train_tokens", "dataset_tokens", "epochs", "typical_job", "recompute", "recompute_layers", "chunk_layers"}) request.erase(left);
  request.set("gpus", std::to_string(gpu_count(whole.strategy).value));
  request.set("global_batch", std::to_string(entry(request, "data_parallel") * entry(request, "micro_batches") * entry(request, "batch")));
  request.set("objective", "headroom");
  request.set("top", "1");
  return request;
}

std::string reason_of(const io::PlanAnswer& answer) {
  std::string text;
  for (const Issue& issue : answer.issues)
    if (issue.severity == Severity::error) text += " " + issue.message;
  for (std::size_t i = 0; i < kDropped; ++i)
    if (answer.counts.dropped[i] > 0) text += " " + std::string{text_of(static_cast<Dropped>(i)).label} + ": " + std::to_string(answer.counts.dropped[i]);
  if (answer.too_tight > 0) text += " without room for the allocator's segments: " + std::to_string(answer.too_tight);
  return text;
}

/// Where nobody published the shape, heads and layers stand in for it: 33, 41 or 71 heads leave nothing to divide.
bool has_invented_shape(const io::Comparison& row) {
  return std::ranges::any_of(row.assumed, [](const std::string& sentence) { return sentence.starts_with("A decoder with heads of 128 channels"); });
}

} // namespace

TEST_CASE("a search finds a plan for every published benchmark, but for models whose shape is not published") {
  const io::Prices prices;
  std::set<std::string> seen, infeasible;
  int found = 0;
  for (const io::Comparison& one : test::corpus("training-runs").rows) {
    if (one.metric != "tokens_per_s_per_gpu" || !one.modelled || !one.measured || !seen.insert(one.scenario).second) continue;
    io::PlanSession session{test::catalog(), prices, question_of(one.scenario)};
    session.finish();
    const io::PlanAnswer answer = session.answer();
    if (!answer.best.empty()) {
      ++found;
      continue;
    }
    infeasible.insert(one.id);
    std::printf("%s, %s:%s\n", one.id.c_str(), one.scenario.c_str(), reason_of(answer).c_str());
    INFO(one.id << ":" << reason_of(answer));
    CHECK((has_invented_shape(one) || one.scenario.find("tpu") != std::string::npos)); // of TPU runs the rows tell no layout
  }
  std::printf("%d published benchmarks found feasible, %zu not\n", found, infeasible.size());
  CHECK(found >= 100);
}

TEST_CASE("measured runs of which everything is told fit the devices that they ran on") {
  std::set<std::string> seen;
  for (const io::Comparison& row : test::corpus("measured-h200").rows) {
    if (!row.modelled || !row.measured || row.scenario.empty() || !seen.insert(row.scenario).second) continue;
    io::Answer answer = io::answer_query(test::catalog(), row.scenario);
    INFO(row.id << " " << row.scenario);
    REQUIRE(answer.ok);
    io::add_footprint(answer);
    CHECK(answer.footprint->fits);
  }
  CHECK(seen.size() > 200);
}
