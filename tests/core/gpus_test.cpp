// A number of GPUs in place of degrees of parallelism.
#include "plimsoll/answer/gpus.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

/// The query after the number is edited to `gpus`.
std::string edited(const char* query, const char* gpus) {
  const io::Catalog catalog = io::Catalog::load();
  Issues issues;
  io::Request request = io::request_from_query(query, issues);
  io::edit_gpus(catalog, request, gpus);
  return io::to_query(request);
}

} // namespace

TEST_CASE("served: tensors within a node, layers over nodes, whatever was stated before") {
  const std::string question = "model=llama-3-70b&device=h100-80-sxm&profile=vllm";
  CHECK(edited(question.c_str(), "4") == question + "&tensor_parallel=4");
  CHECK(edited((question + "&tensor_parallel=2&data_parallel=3").c_str(), "16") == question + "&tensor_parallel=8&pipeline_parallel=2");
  CHECK(edited((question + "&tensor_parallel=8").c_str(), "1") == question);
}

TEST_CASE("trained: what divides a replica stays") {
  const std::string question = "model=llama-3-70b&device=h100-80-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=2";
  CHECK(edited(question.c_str(), "64") == question + "&data_parallel=8");
  CHECK(edited((question + "&data_parallel=8").c_str(), "8") == question);
  CHECK(edited(question.c_str(), "12") == question + "&gpus=12"); // which is answered with the reason
}

TEST_CASE("a number that cannot be divided stays as it was typed, until degrees are stated") {
  const io::Catalog catalog = io::Catalog::load();
  Issues issues;
  io::Request request = io::request_from_query("model=llama-3-70b&device=h100-80-sxm&profile=vllm&tensor_parallel=2", issues);
  io::edit_gpus(catalog, request, "a few");
  io::Answer answer = io::answer(catalog, request);
  CHECK_FALSE(answer.ok);
  REQUIRE(answer.issues.size() == 1);
  CHECK(answer.issues.front().field == "gpus");
  CHECK(io::gpus_state(request, answer).text == "a few");
  io::edit(request, "tensor_parallel", "4");
  answer = io::answer(catalog, request);
  CHECK(answer.ok);
  CHECK(io::gpus_state(request, answer).text == "4");
}
