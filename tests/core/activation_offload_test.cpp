// Inputs of layers that wait in the host's memory: Llama 2 7B, 32 layers of 4096 tokens x 4096 channels in bf16. One is at work and one on its way.
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

io::Answer trained(const std::string& more) {
  return test::answer_to("model=llama-2-7b&device=h200&task=finetune&context_tokens=4096&precision=bf16&recompute=" + more);
}

Nanoseconds part_of(const io::Answer& answer, TimePart part) { return step_time(answer.scenario).parts[static_cast<std::size_t>(part)].expected; }

} // namespace

TEST_CASE("The host has the inputs of all layers but two") {
  CHECK(trained("full").estimate.host == Bytes{0});
  CHECK(trained("offloaded").estimate.host == Bytes{30LL * 4096 * 4096 * 2});
}

// Two times 1 GiB at some 50 GB/s take 40 ms; the passes of 4096 tokens take far longer.
TEST_CASE("What the passes hide costs no time") {
  CHECK(part_of(trained("offloaded"), TimePart::offload) == Nanoseconds{0});
  CHECK(step_time(trained("offloaded").scenario).total.expected == step_time(trained("full").scenario).total.expected);
}
