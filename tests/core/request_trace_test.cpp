// Traces as they were published: units and columns of each, and what is no trace.
#include "plimsoll/files/request_trace.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

std::string read(const char* text) { return io::read_request_trace(text).text; }

std::string refused(const char* text) {
  const io::RequestTrace trace = io::read_request_trace(text);
  return trace.issues.empty() ? "" : trace.issues.front().message;
}

} // namespace

TEST_CASE("traces are read in the units in which they were published") {
  CHECK(read("0,1000,200\n350,80,500\n") == "0,1000,200,350,80,500");
  CHECK(read("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 23:59:59.9799600,374,44\r\n2023-11-17 00:00:01.0319600,396,109\r\n") == "0,374,44,1052,396,109"); // Azure
  CHECK(read("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n118,GPT-4,417,276,693,x\n") ==
        "0,472,18,113000,417,276"); // BurstGPT: what failed has no answer
  CHECK(read(R"({"timestamp": 0, "input_length": 6755, "output_length": 500, "hash_ids": [0, 1]}
{"timestamp": 3052, "input_length": 7234, "output_length": 794, "hash_ids": [0, 28]})") == "0,6755,500,3052,7234,794"); // Mooncake
  CHECK(read(R"({"request_id": "bench-1", "input_toks": 1034, "output_toks": 769, "arrival_time": 1777142838.6237123}
{"request_id": "bench-0", "input_toks": 2358, "output_toks": 531, "arrival_time": 1777142838.338653})") == "0,2358,531,285,1034,769"); // LLMServingSim
}

TEST_CASE("what is no trace is refused by its line") {
  CHECK(refused("0,1000\n").find("Line 1") != std::string::npos);
  CHECK(refused("when,prompt_tokens,answer_tokens\n0,10,10\n").find("when the request arrives") != std::string::npos);
  CHECK(refused("timestamp,prompt_tokens\n0,10\n").find("answer") != std::string::npos);
  CHECK(refused("0,10,10\n{\"timestamp\": \n").find("Line 2") != std::string::npos);
  CHECK(refused("").find("no request") != std::string::npos);
}
