// Answers beside each other: differences and shares of the first.
#include "plimsoll/questions/compare.hpp"

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

io::Answer answer_to(const std::string& query) {
  io::Answer answer = test::answer_to(query);
  io::add_footprint(answer);
  return answer;
}

const io::ComparedRow& row_of(const std::vector<io::ComparedRow>& rows, std::string_view id) {
  const auto at = std::ranges::find(rows, id, &io::ComparedRow::id);
  REQUIRE(at != rows.end());
  return *at;
}

} // namespace

TEST_CASE("twice the batch is twice the cache, and says so in bytes and per cent") {
  const io::Answer first = answer_to("model=llama-3-8b&device=h100-80-sxm&batch=4"), other = answer_to("model=llama-3-8b&device=h100-80-sxm&batch=8");
  const io::Answer* const answers[] = {&first, &other};
  const std::vector<io::ComparedRow> rows = io::compare(answers);
  const io::ComparedRow& cache = row_of(rows, "memory.kv_cache");
  CHECK(cache.cells[0].text == "4.00 GiB");
  CHECK(cache.cells[0].difference.empty());
  CHECK(cache.cells[1].text == "8.00 GiB");
  CHECK(cache.cells[1].difference == "+4.00 GiB");
  CHECK(cache.cells[1].share == "+100.0 %");
  const io::ComparedRow& weights = row_of(rows, "memory.weights");
  CHECK(weights.cells[1].difference.empty());
  CHECK(weights.cells[1].share.empty());
  CHECK(row_of(rows, "headroom").cells[1].difference.starts_with("-"));
  CHECK(io::differing_inputs(test::catalog(), first, other) == "batch 8 sequences");
  CHECK(io::differing_inputs(test::catalog(), first, first) == "the same question");
  const io::Answer model = answer_to("model=llama-3-70b&device=h100-80-sxm&batch=4&layers=40");
  CHECK(io::differing_inputs(test::catalog(), first, model) == "model Llama 3 70B, layers 40"); // its other facts go with it
}

TEST_CASE("what only one answer has is not known of the other") {
  const io::Answer first = answer_to("model=llama-3-8b&device=h100-80-sxm"), other = answer_to("model=llama-3-8b&device=h100-80-sxm&task=pretrain");
  const io::Answer* const answers[] = {&first, &other};
  const std::vector<io::ComparedRow> rows = io::compare(answers);
  const io::ComparedRow& mfu = row_of(rows, "fact.mfu");
  CHECK(!mfu.cells[0].known);
  CHECK(mfu.cells[1].known);
  CHECK(mfu.cells[1].difference.empty());
}

TEST_CASE("an answer with errors has no numbers, and none at all is no row") {
  const io::Answer broken = io::answer(test::catalog(), [] {
    io::Request request;
    request.set("model", "no-such-model");
    return request;
  }());
  const io::Answer* const answers[] = {&broken};
  CHECK(io::compare(answers).empty());
  CHECK(io::compare({}).empty());
}

TEST_CASE("questions as text: what differs, each number's difference, and null where there is none") {
  const std::string queries[] = {"model=llama-3-8b&device=h100-80-sxm&batch=4", "model=llama-3-8b&device=h100-80-sxm&batch=8", "model=llama-3-8b&batch=many"};
  const std::string text = io::compare_json(test::catalog(), queries);
  CHECK(text.starts_with(R"({"ok":true,"issues":[],"questions":[{"query":)"));
  CHECK(text.find(R"("device":"H100 SXM5 80GB","differs":"batch 8 sequences"})") != text.npos);
  CHECK(text.find(R"({"query":"model=llama-3-8b&batch=many","ok":false,)") != text.npos);
  CHECK(text.find(R"("cells":[{"amount":4294967296,"text":"4.00 GiB","difference":"","share":""},)"
                  R"({"amount":8589934592,"text":"8.00 GiB","difference":"+4.00 GiB","share":"+100.0 %"},null]})") != text.npos);
}

TEST_CASE("no question, and more than fit beside each other, are refused with the remedy") {
  const std::vector<std::string> none, many(io::kMostCompared + 1, "model=llama-3-8b");
  CHECK(io::compare_json(test::catalog(), none).find("Compare from 1 to 9 questions.") != std::string::npos);
  CHECK(io::compare_json(test::catalog(), many).starts_with(R"({"ok":false,"issues":[{"severity":"error","field":"","message":"10 questions were given.")"));
}
