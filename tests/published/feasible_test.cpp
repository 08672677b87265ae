// Every published configuration that ran must be found by a search for a plan: what its row states holds, what it does not tell is
// searched. Rows of whole jobs tell the model, the device and the number of GPUs; rows of benchmarks tell degrees and batch as well.
#include "json.hpp"
#include "scenarios.hpp"

#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace plimsoll;
using Row = io::Json;

namespace {

std::string text_of_file(const std::string& name) {
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/corpus/" + name};
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::int64_t number(const Row& row, const char* key) { return row.contains(key) && row.at(key).is_number_integer() ? row.at(key).get<std::int64_t>() : 0; }
bool tells(const Row& row, const char* key) { return row.contains(key) && !row.at(key).is_null() && row.at(key) != ""; }

std::int64_t entry(const io::Request& request, const char* name) {
  const std::string* const text = request.find(name);
  return text != nullptr ? std::stoll(*text) : 1;
}

/// The row's scenario as a question: without what stands in for what the row does not tell.
io::Request question_of(const Row& row, const std::string& scenario) {
  Issues issues;
  io::Request request = io::request_from_query(scenario, issues);
  for (const char* job : {"train_tokens", "dataset_tokens", "epochs", "typical_job"}) request.erase(job);
  std::int64_t sequences = number(row, "batch_tokens") / (request.find("context_tokens") != nullptr ? entry(request, "context_tokens") : 4096);
  if (tells(row, "parallelism")) {
    if (sequences == 0) sequences = entry(request, "data_parallel") * entry(request, "micro_batches") * entry(request, "batch");
    if (!tells(row, "recompute")) request.erase("recompute"), request.erase("recompute_layers");
    if (!tells(row, "micro_batch")) request.erase("batch");
  } else { // a whole job: Megatron-LM stands in for whatever ran it
    for (const char* layout : {"data_parallel", "tensor_parallel", "sequence_parallel", "pipeline_parallel", "sharding", "batch", "micro_batches", "recompute", "recompute_layers", "regime"})
      request.erase(layout);
    request.set("profile", "megatron");
    request.set("virtual_stages", "1");
  }
  const std::int64_t gpus = number(row, "n_gpus");
  constexpr std::int64_t kEach = 8; // sequences of each GPU, where nobody tells the batch
  request.set("gpus", std::to_string(gpus));
  request.set("global_batch", std::to_string(sequences > 0 ? sequences : kEach * gpus));
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

TEST_CASE("a search finds a plan for every published run, but for models whose shape is not published") {
  const std::string text = text_of_file("training-runs.json");
  const io::Prices prices;
  std::map<std::string, Row> rows;
  for (const Row& row : test::parsed(text)) rows.emplace(row.at("id").get<std::string>(), row);
  std::set<std::string> seen, infeasible;
  int found = 0;
  for (const io::Comparison& one : io::compare(text).rows) {
    const Row& row = rows.at(one.id);
    if (!one.modelled || !one.measured || one.scenario.empty() || number(row, "n_gpus") == 0 || !seen.insert(one.scenario).second) continue;
    io::PlanSession session{test::catalog(), prices, question_of(row, one.scenario)};
    session.finish();
    const io::PlanAnswer answer = session.answer();
    if (!answer.best.empty()) {
      ++found;
      continue;
    }
    infeasible.insert(one.id);
    std::printf("%s, %s on %lld x %s:%s\n", one.id.c_str(), row.at("model").get<std::string>().c_str(), static_cast<long long>(number(row, "n_gpus")),
                row.at("gpu").get<std::string>().c_str(), reason_of(answer).c_str());
    INFO(one.id << ":" << reason_of(answer));
    CHECK(has_invented_shape(one));
  }
  std::printf("%d published runs found feasible, %zu not\n", found, infeasible.size());
  CHECK(found >= 150);
}

TEST_CASE("measured runs of which everything is told fit the devices that they ran on") {
  for (const char* name : {"measured-h200.json"}) {
    std::set<std::string> seen;
    for (const io::Comparison& row : io::compare(text_of_file(name)).rows) {
      if (!row.modelled || !row.measured || row.scenario.empty() || !seen.insert(row.scenario).second) continue;
      io::Answer answer = io::answer_query(test::catalog(), row.scenario);
      INFO(row.id << " " << row.scenario);
      REQUIRE(answer.ok);
      io::add_footprint(answer);
      CHECK(answer.footprint->fits);
    }
    CHECK(seen.size() > 3);
  }
}
