#include "plimsoll/request/request.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

io::Request read_query(const char* query, std::size_t expected_issues = 0) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  CHECK(issues.size() == expected_issues);
  return request;
}

io::Request read_json(const char* text, std::size_t expected_issues = 0) {
  Issues issues;
  const io::Request request = io::request_from_json(text, issues);
  CHECK(issues.size() == expected_issues);
  return request;
}

} // namespace

TEST_CASE("a query is pairs joined by &, with or without a leading ? or #") {
  for (const char* query : {"model=llama-3-8b&batch=4", "?model=llama-3-8b&batch=4", "#model=llama-3-8b&&batch=4&"}) {
    const io::Request request = read_query(query);
    REQUIRE(request.entries().size() == 2);
    CHECK(*request.find("model") == "llama-3-8b");
    CHECK(*request.find("batch") == "4");
  }
}

TEST_CASE("percent-encoding and + are read as browsers do; broken escapes stand for themselves") {
  CHECK(*read_query("model=a%20b+c%C3%A9").find("model") == "a b c\xC3\xA9");
  CHECK(*read_query("model=100%").find("model") == "100%");
  CHECK(*read_query("model=%zz%4").find("model") == "%zz%4");
  CHECK(read_query("batch").find("batch")->empty());
}

TEST_CASE("a key that stands twice gets an issue and the last value") {
  CHECK(*read_query("batch=1&batch=2", 1).find("batch") == "2");
  CHECK(*read_query("batch=1&batch=1").find("batch") == "1");
}

TEST_CASE("a flood of keys is refused, not waited for") {
  std::string query, json = "{", few = "{";
  for (int i = 0; i < 100'000; ++i) query += "k" + std::to_string(i) + "=1&", json += "\"k" + std::to_string(i) + "\":1,";
  for (int i = 0; i < 1000; ++i) few += "\"k" + std::to_string(i) + "\":1,";
  json.back() = few.back() = '}';
  CHECK(read_query(query.c_str(), 1).entries().size() == io::kMostEntries);
  CHECK(read_json(json.c_str(), 1).entries().empty());
  CHECK(read_json(few.c_str(), 1).entries().size() == io::kMostEntries);
}

TEST_CASE("what a query says survives being written and read again") {
  io::Request request;
  request.set("model", "a b&c=d%é\n");
  request.set("weird key", "");
  Issues issues;
  CHECK(io::request_from_query(io::to_query(request), issues) == request);
  CHECK(issues.empty());
}

TEST_CASE("a JSON object of strings, numbers and booleans is a request") {
  const io::Request request = read_json(R"({"model": "llama-3-8b", "batch": 4, "tied_embeddings": true})");
  CHECK(*request.find("model") == "llama-3-8b");
  CHECK(*request.find("batch") == "4");
  CHECK(*request.find("tied_embeddings") == "true");
}

TEST_CASE("JSON that is no scenario gets issues, never an exception") {
  for (const char* text : {"", "{", "[]", "null", "7", "\"model\"", "{\"batch\": 1e999}"}) {
    INFO(text);
    read_json(text, 1);
  }
  read_json(R"({"model": null, "batch": [1], "device": {"id": "l4"}})", 3);
  CHECK(*read_json(R"({"batch": 4.5})").find("batch") == "4.5");
}

TEST_CASE("a question reads a config where its model is described or a fact of it is changed") {
  for (const char* query : {"model=custom&config={}", "config={}", "model=Custom", "model=llama-3-8b&layers=16", "model=llama-3-8b&architecture=qwen2", "experts=8"}) {
    INFO(query);
    CHECK(io::reads_config(read_query(query)));
  }
  for (const char* query : {"model=llama-3-8b&device=rtx4090", "model=llama-3-8b&weight_dtype=q4_k_m&lora_rank=8", "model=nobody", "device=l4-24", ""}) {
    INFO(query);
    CHECK_FALSE(io::reads_config(read_query(query)));
  }
}
