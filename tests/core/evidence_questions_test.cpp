// Rows of evidence that are questions: asked as a user would, and answered with the number that was measured of them.
#include "scenarios.hpp"

#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <string>

using namespace plimsoll;

namespace {

const std::string kServe = "model=llama-3-8b&device=h100-80-sxm&profile=vllm&task=inference&context_tokens=8192&batch=4";
const std::string kTrain = "model=llama-3-8b&device=h100-80-sxm&profile=megatron&task=pretrain&tensor_parallel=2&pipeline_parallel=4&data_parallel=2&micro_batches=8";

io::Accuracy of(const std::string& query, const std::string& figures, const std::string& more = "") {
  return io::compare(test::catalog(), R"([{"id": "a", "group": "g", "query": ")" + query + R"(", "measured": [)" + figures + "]" + more + "}]");
}

io::Comparison one(const std::string& query, const std::string& figure, const std::string& more = "") { return of(query, figure, more).rows.at(0); }

} // namespace

TEST_CASE("a figure is compared with the number that the answer has") {
  io::Answer answer = test::answer_to(kServe);
  io::add_footprint(answer);
  const io::Comparison process = one(kServe, R"({"counter": "process", "value": 80000000000, "unit": "bytes"})");
  CHECK(process.modelled);
  CHECK(process.predicted == answer.footprint->process.expected.value);
  CHECK(process.low <= process.predicted);
  CHECK(process.high >= process.predicted);
  CHECK(process.measured == 80'000'000'000);
  CHECK(process.memory == "process");
  CHECK(process.id == "a");
  CHECK(process.group == "g");
  CHECK(process.scenario == io::canonical_query(answer));
  CHECK(one(kServe, R"({"counter": "kv_tokens", "value": 1, "unit": "tokens"})").predicted == answer.judgement.pool.tokens.value);
  CHECK(one(kServe, R"({"counter": "parameters", "value": 8030261248, "unit": "parameters"})").predicted == 8'030'261'248);
  const io::Comparison rate = one(kServe, R"({"counter": "tokens_per_s", "value": 129.5, "unit": "tokens/s"})");
  CHECK(rate.decimals == 3);
  CHECK(rate.measured == 129'500);
}

TEST_CASE("a figure says of which rank, step and moment it is") {
  const io::Answer answer = test::answer_to(kTrain);
  const auto predicted = [](const std::string& more) {
    const io::Comparison row = one(kTrain, R"({"counter": "allocated", "value": 1, "unit": "bytes")" + more + "}");
    INFO(row.reason);
    CHECK(row.modelled);
    return row.predicted;
  };
  const std::int64_t fullest = predicted(""), last = predicted(R"(, "rank": "last")");
  CHECK(predicted(R"(, "rank": )" + std::to_string(answer.estimate.rank)) == fullest);
  CHECK(predicted(R"(, "rank": 3)") == last);
  CHECK(last < fullest);
  CHECK(predicted(R"(, "step": "first")") < fullest);
  CHECK(predicted(R"(, "moment": "between_steps", "rank": "last")") == estimate_rank(answer.scenario, 3).moments[7].requested.value);
  for (const char* wrong : {R"(, "rank": 4)", R"(, "rank": -1)", R"(, "rank": "middle")", R"(, "moment": "dawn")", R"(, "step": "second")"})
    CHECK(!one(kTrain, R"({"counter": "allocated", "value": 1, "unit": "bytes")" + std::string{wrong} + "}").modelled);
}

TEST_CASE("a component of the answer, and the difference of two") {
  const std::string figure = R"({"counter": "component", "part": "memory.loss", "moment": "loss_backward", "value": 1, "unit": "bytes")";
  const std::string once = "model=llama-3-8b&device=h100-80-sxm&profile=pytorch&task=finetune", twice = once + "&vocab_size=256512";
  const std::int64_t small = one(once, figure + "}").predicted, large = one(twice, figure + "}").predicted;
  CHECK(small > 0);
  CHECK(large > small);
  const io::Comparison difference = one(twice, figure + R"(, "minus": ")" + once + "\"}");
  CHECK(difference.predicted == large);
  CHECK(difference.explained == -small);
}

TEST_CASE("what nobody asks, or cannot be asked, has a reason and no number") {
  const std::string figure = R"({"counter": "process", "value": 1, "unit": "bytes"})";
  CHECK(one("batch=4", figure).reason == "Which model? None is named.");
  CHECK(one(kServe + "&operator=x", figure).reason.find("not an input") != std::string::npos);
  CHECK(one(kServe, R"({"counter": "colour", "value": 1, "unit": "bytes"})").reason.find("colour") != std::string::npos);
  CHECK(one(kServe, R"({"counter": "process", "value": 1, "unit": "GiB"})").reason.find("GiB") != std::string::npos);
  CHECK(one(kServe, R"({"counter": "process", "value": 1, "unit": "bytes", "colour": 1})").reason.find("colour") != std::string::npos);
  CHECK(one(kServe, "3").reason.find("object") != std::string::npos);
  const io::Accuracy none = io::compare(test::catalog(), R"([{"id": "b", "not_covered": "No query says it.", "measured": [{"counter": "process", "value": 7, "unit": "bytes"}]}])");
  REQUIRE(none.rows.size() == 1);
  CHECK(none.rows[0].reason == "No query says it.");
  CHECK(none.rows[0].measured == 7);
  CHECK(!none.rows[0].modelled);
}

TEST_CASE("rows stand in an array, or one in a line") {
  const std::string row = R"({"id": "a", "query": ")" + kServe + R"(", "measured": [{"counter": "parameters", "value": 1, "unit": "parameters"}]})";
  CHECK(io::compare(test::catalog(), row + "\n" + row + "\n\n").rows.size() == 2);
  CHECK(io::compare(test::catalog(), "[" + row + ", " + row + "]").rows.size() == 2);
  const io::Accuracy damaged = io::compare(test::catalog(), row + "\n{\"id\": \n" + row + "\n");
  CHECK(damaged.rows.size() == 2);
  REQUIRE(damaged.issues.size() == 1);
  CHECK(damaged.issues[0].field == "line 2");
}

TEST_CASE("a row may be asked by its files and its launch line") {
  const std::string yaml = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nmixed_precision: bf16\nnum_processes: 8\nfsdp_config:\n  fsdp_sharding_strategy: FULL_SHARD\n";
  const std::string config = R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 256})";
  const io::RowFiles beside = [&](const std::string& path) -> std::optional<io::RowFile> {
    if (path == "fsdp.yaml") return io::RowFile{.name = path, .bytes = yaml, .size = yaml.size()};
    if (path == "configs/config.json") return io::RowFile{.name = "config.json", .bytes = config, .size = config.size()};
    return std::nullopt;
  };
  const auto row = [&](const std::string& question) {
    return io::compare(test::catalog(), "[{" + question + R"(, "measured": [{"counter": "parameters", "value": 1, "unit": "parameters"}]}])", beside).rows.at(0);
  };

  const io::Comparison served = row(R"("launch": "vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192", "answers": {"device": "h100-80-sxm"})");
  CHECK(served.reason.empty());
  CHECK(served.predicted == 8'030'261'248);
  CHECK(served.scenario.find("profile=vllm") != std::string::npos);

  const io::Comparison together = row(R"("files": ["configs/config.json", "fsdp.yaml"], "answers": {"device": "a100-80-sxm", "context_tokens": 128, "batch": 3})");
  CHECK(together.reason.empty());
  CHECK(together.scenario.find("batch=3") != std::string::npos);
  CHECK(together.scenario.find("data_parallel=8") != std::string::npos);
  const io::Comparison alone = row(R"("files": ["configs/config.json"], "answers": {"device": "a100-80-sxm"})");
  CHECK(alone.reason.empty());
  CHECK(alone.predicted == together.predicted);

  CHECK(row(R"("files": ["missing.yaml"])").reason.find("missing.yaml") != std::string::npos);
  CHECK(row(R"("files": [])").reason.find("model") != std::string::npos);
  CHECK(!row(R"("launch": "vllm serve meta-llama/Meta-Llama-3-8B", "answers": {"device": "h100-80-sxm", "no_such_input": 3})").reason.empty());
  CHECK(!row(R"("launch": "ls -l")").modelled);
  const io::Comparison open = row(R"("launch": "vllm serve meta-llama/Meta-Llama-3-8B")");
  CHECK(!open.assumed.empty());
  const std::string text = R"([{"files": ["fsdp.yaml"], "measured": [{"counter": "parameters", "value": 1, "unit": "parameters"}]}])";
  CHECK(!io::compare(test::catalog(), text).rows.at(0).modelled); // nobody gives files
}
