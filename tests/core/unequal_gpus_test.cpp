// GPUs that get layers one after the other and differ. Llama 3 8B in Q8_0: 32 layers and a head are 33 parts; llama.cpp gives part i of them to the
// first GPU whose share of the whole reaches beyond i / 33.
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

io::Answer served(const std::string& more) {
  io::Answer answer = io::answer_query(test::catalog(), "model=llama-3-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q8_0&context_tokens=8192&pipeline_parallel=2&" + more);
  io::add_footprint(answer);
  return answer;
}

using Layers = std::vector<std::int64_t>;
Layers layers_of(const std::string& more) { return served(more).scenario.strategy.chunk_layers; }
std::string each(std::int64_t first, std::int64_t second) { return "usable_each=" + std::to_string(first * kGiB) + "," + std::to_string(second * kGiB); }

} // namespace

TEST_CASE("layers are divided in proportion, the head along as one more") {
  CHECK(layers_of("") == Layers{17, 15});
  CHECK(layers_of("tensor_split=1,1") == Layers{17, 15});
  CHECK(layers_of("tensor_split=3,1") == Layers{25, 7});   // 24.75 of 33
  CHECK(layers_of("tensor_split=750,250") == Layers{25, 7});
  CHECK(layers_of("tensor_split=1,3") == Layers{9, 23});   // 8.25
  CHECK(layers_of(each(24, 12)) == Layers{22, 10});        // by memory: 22 of 33
  CHECK(layers_of(each(24, 12) + "&tensor_split=1,1") == Layers{17, 15});
  CHECK(layers_of("tensor_split=1,1&gpu_layers=17") == Layers{25, 7}); // the host's 16 first, then 17 parts: 9 and 8
}

TEST_CASE("the GPU that is full first decides") {
  const io::Answer fits = served(each(24, 4)), tight = served(each(24, 4) + "&tensor_split=1,1"), larger = served(each(24, 12) + "&tensor_split=1,1");
  REQUIRE(fits.ok);
  CHECK(larger.judgement.holds());
  CHECK_FALSE(tight.judgement.holds());
  CHECK(tight.estimate.rank == 1);
  CHECK(tight.estimate.usable == Bytes{4 * kGiB});
  CHECK(tight.footprint->usable == Bytes{4 * kGiB});
}

TEST_CASE("a split that holds is a remedy") {
  const io::Answer tight = served(each(24, 4) + "&tensor_split=1,1");
  const auto remedy = std::ranges::find(tight.remedies, "tensor_split", &io::Remedy::field);
  REQUIRE(remedy != tight.remedies.end());
  CHECK(remedy->flag == "--tensor-split " + remedy->value);
  CHECK(served(each(24, 4) + "&tensor_split=" + remedy->value).judgement.holds());
}

TEST_CASE("lists that are not of these GPUs are refused") {
  const auto field = [](const std::string& more) {
    const io::Answer answer = served(more);
    return answer.ok || answer.issues.empty() ? std::string{} : answer.issues.front().field;
  };
  CHECK(field("tensor_split=1,1,1") == "tensor_split");
  CHECK(field("usable_each=8589934592") == "usable_each");
  CHECK(field("tensor_split=0,0") == "tensor_split");
  CHECK(field("tensor_split=100,1") == "tensor_split");
}

TEST_CASE("--tensor-split is read and written") {
  const auto read = [](const std::string& split, std::string_view name) {
    const io::CommandLine line = io::read_command_line(test::catalog(), "llama-server -m Meta-Llama-3-8B-Q8_0.gguf -ngl 99 " + split);
    const std::string* const text = line.request.find(name);
    return text == nullptr ? "" : *text;
  };
  CHECK(read("-ts 3,1", "tensor_split") == "3,1");
  CHECK(read("-ts 0.6,0.4", "tensor_split") == "600,400");
  CHECK(read("--tensor-split 1/2/1", "tensor_split") == "1,2,1");
  CHECK(read("-ts 1,1", "tensor_split").empty());
  CHECK(read("-ts 1,1", "pipeline_parallel") == "2");
  CHECK(io::export_command_line(test::catalog(), served("tensor_split=3,1"), "llama_cpp").text.find("--tensor-split 3,1") != std::string::npos);
}
