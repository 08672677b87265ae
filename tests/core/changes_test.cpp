// What to change where it does not fit, and what breaks it first where it does.
#include "json.hpp"
#include "scenarios.hpp"

#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace plimsoll;

namespace {

io::FitAdvice advice_for(const std::string& query) {
  Issues issues;
  return io::advise(test::catalog(), io::request_from_query(query, issues));
}

const std::string kTooLarge = "model=llama-3-8b&task=finetune&device=h100-80-sxm&context_tokens=4096&data_parallel=4&profile=deepspeed&precision=master_bf16";

} // namespace

TEST_CASE("every change that is advised makes the scenario fit, and saves what it says") {
  for (const std::string& query : {kTooLarge, std::string{"model=llama-3-70b&device=a100-80-sxm&profile=vllm"}, std::string{"model=llama-3-8b&task=finetune&device=rtx4090"}}) {
    INFO(query);
    io::Answer before = test::answer_to(query);
    io::add_footprint(before);
    const io::FitAdvice advice = advice_for(query);
    REQUIRE(advice.ok);
    CHECK(!advice.fits);
    CHECK(advice.limits.empty());
    CHECK(advice.needs == before.footprint->process.expected);
    REQUIRE(!advice.changes.empty());
    CHECK(advice.tried > static_cast<std::int64_t>(advice.changes.size()));
    for (const io::TriedChange& change : advice.changes) {
      INFO(change.query);
      io::Answer after = test::answer_to(change.query);
      io::add_footprint(after);
      CHECK(after.footprint->fits);
      CHECK(after.footprint->process.expected == change.needs);
      CHECK(change.saved == advice.needs - change.needs);
      CHECK(change.headroom == after.footprint->headroom);
      CHECK(change.gpus == after.estimate.gpus);
    }
  }
}

TEST_CASE("what asks the least of people comes first, then the fewest changes, and the cheapest in time") {
  const io::FitAdvice advice = advice_for(kTooLarge);
  for (std::size_t i = 1; i < advice.changes.size(); ++i) {
    const io::TriedChange &first = advice.changes[i - 1], &second = advice.changes[i];
    CHECK(first.burden <= second.burden);
    if (first.burden != second.burden) continue;
    CHECK(first.changes.size() <= second.changes.size());
    if (first.changes.size() == second.changes.size() && first.burden != io::Burden::precision && first.gpu_time_permille > 0 && second.gpu_time_permille > 0)
      CHECK(first.gpu_time_permille <= second.gpu_time_permille);
  }
  CHECK(advice.changes.front().burden == io::Burden::setting);
}

TEST_CASE("a little too much is mended by a little less, not by another GPU") {
  const io::FitAdvice advice = advice_for("model=llama-3.1-8b&device=rtx4090&profile=vllm&batch=8");
  REQUIRE(!advice.changes.empty());
  CHECK(advice.changes.front().burden <= io::Burden::little_less);
  const auto device = std::ranges::find(advice.changes, io::Burden::device, &io::TriedChange::burden);
  CHECK(std::all_of(device, advice.changes.end(), [](const io::TriedChange& change) { return change.burden == io::Burden::device; }));
}

TEST_CASE("the user's own card is kept while anything on it fits") {
  const io::FitAdvice advice = advice_for("model=qwen3-32b&device=rtx4090&context_tokens=32768");
  REQUIRE(advice.changes.size() > 2);
  for (std::size_t i = 0; i < 3; ++i) CHECK(advice.changes[i].query.find("device=rtx4090") != std::string::npos);
}

TEST_CASE("a framework that shards is proposed where this one repeats everything: QLoRA of 70B on two cards of 48 GB") {
  const io::FitAdvice advice = advice_for("model=llama-3.3-70b&device=a6000&task=finetune&method=lora&weight_dtype=nf4&gpus=2");
  REQUIRE(!advice.changes.empty());
  CHECK(advice.changes.front().query.find("device=a6000") != std::string::npos);
  CHECK(advice.changes.front().gpus == Count{2});
  CHECK(advice.changes.front().headroom > Bytes{0});
}

TEST_CASE("pairs are of changes that do not suffice alone") {
  const io::FitAdvice advice = advice_for(kTooLarge);
  std::vector<std::string> alone;
  for (const io::TriedChange& change : advice.changes)
    if (change.changes.size() == 1) alone.push_back(change.changes.front().text);
  for (const io::TriedChange& change : advice.changes)
    if (change.changes.size() > 1)
      for (const io::InputChange& part : change.changes) CHECK(std::ranges::find(alone, part.text) == alone.end());
}

TEST_CASE("where no two changes suffice, more are put together") {
  const io::FitAdvice advice = advice_for("model=llama-3-70b&task=pretrain&device=a100-40-sxm&data_parallel=64&profile=deepspeed&precision=mixed_bf16&context_tokens=8192&batch=8");
  REQUIRE(advice.ok);
  REQUIRE(!advice.changes.empty());
  CHECK(advice.changes.front().changes.size() > 2);
}

TEST_CASE("the limits of a scenario that fits hold, and the step beyond does not") {
  const std::string query = "model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora&tensor_parallel=2&data_parallel=4&sharding=parameters";
  const io::FitAdvice advice = advice_for(query);
  REQUIRE(advice.ok);
  CHECK(advice.fits);
  CHECK(advice.changes.empty());
  REQUIRE(advice.limits.size() >= 4);
  for (std::size_t i = 1; i < advice.limits.size(); ++i)
    if (!advice.limits[i - 1].beyond.empty() && !advice.limits[i].beyond.empty()) CHECK(advice.limits[i - 1].room_permille <= advice.limits[i].room_permille);
  for (const io::InputLimit& limit : advice.limits) {
    INFO(limit.field);
    io::Answer last = test::answer_to(test::with(query, limit.field, limit.last));
    io::add_footprint(last);
    CHECK(last.footprint->fits);
    if (limit.beyond.empty()) continue;
    io::Answer beyond = test::answer_to(test::with(query, limit.field, limit.beyond));
    io::add_footprint(beyond);
    CHECK(!beyond.footprint->fits);
    CHECK(beyond.footprint->process.expected >= limit.needs); // by its tensors alone where those do not fit
    CHECK(limit.needs > last.footprint->requested.expected);
  }
}

TEST_CASE("a scenario with errors gets no advice but its issues") {
  const io::FitAdvice advice = advice_for("model=no-such-model");
  CHECK(!advice.ok);
  CHECK(has_errors(advice.issues));
  CHECK(advice.changes.empty());
  const auto json = test::parsed(io::advice_json(test::catalog(), "{\"model\": \"llama-3-8b\", \"batch\": [1]}", true));
  CHECK(json.at("issues").size() == 1);
}

TEST_CASE("sensitivity tells what each input moves, the largest first, and shares of all uncertainties") {
  Issues issues;
  const std::string query = "model=llama-3-8b&task=finetune&device=h100-80-sxm&method=lora&context_tokens=4096&batch=2";
  const io::Sensitivity moves = io::sensitivity(test::catalog(), io::request_from_query(query, issues));
  REQUIRE(moves.ok);
  REQUIRE(moves.inputs.size() > 10);
  const io::Answer before = test::answer_to(query);
  bool batch = false;
  for (std::size_t i = 0; i < moves.inputs.size(); ++i) {
    const io::InputMove& move = moves.inputs[i];
    if (i > 0) CHECK(std::abs(move.change.value) <= std::abs(moves.inputs[i - 1].change.value));
    if (i % 7 == 0) CHECK(test::answer_to(test::with(query, move.field, move.to)).estimate.at_peak().total - before.estimate.at_peak().total == move.change);
    batch = batch || (move.field == "batch" && move.from == "2" && move.to == "4" && move.change > Bytes{0});
  }
  CHECK(batch);
  std::int64_t shares = 0;
  for (const io::UncertaintyMove& move : moves.uncertainties) shares += move.share_permille;
  CHECK(shares >= 990);
  CHECK(shares <= 1010);
  CHECK(!test::parsed(io::sensitivity_json(test::catalog(), "model=nothing", false)).at("ok").get<bool>());
}
