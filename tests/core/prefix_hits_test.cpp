// A prompt whose beginning the engine has already read.
#include "method/time/work.hpp"
#include "plimsoll/method/speed.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

const std::string kEngine = "model=llama-3-8b&device=h100-80-sxm&profile=vllm&context_tokens=8192&batch=32";

Speed speed_of(const std::string& more) { return speed(test::answer_to(kEngine + more).scenario); }
Count cached(const std::string& query) { return timing::cached_prompt_tokens(test::answer_to(query).scenario); }

} // namespace

TEST_CASE("whole pages of a shared beginning are not read again, the last token is") {
  CHECK(cached(kEngine) == Count{0});
  CHECK(cached(kEngine + "&shared_tokens=4096") == Count{4096});
  CHECK(cached(kEngine + "&shared_tokens=4100") == Count{4096}); // pages of 16 tokens
  CHECK(cached(kEngine + "&shared_tokens=8192") == Count{8176});
  CHECK(cached(kEngine + "&shared_tokens=4096&shared_by=1") == Count{0});
  CHECK(cached("model=qwen3.5-27b&device=h100-80-sxm&profile=vllm&shared_tokens=4096") == Count{0}); // states of linear attention
}

TEST_CASE("the first token comes as much earlier as there is less to multiply") {
  const std::int64_t whole = speed_of("").first_token.expected.value, half = speed_of("&shared_tokens=4096").first_token.expected.value,
                     nothing = speed_of("&shared_tokens=8192").first_token.expected.value;
  CHECK(half > whole / 2); // the second half looks at the first one
  CHECK(half < whole * 6 / 10);
  CHECK(nothing < whole / 20);
}
