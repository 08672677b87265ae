// Laws on scenarios that chance makes of the field tables: a few thousand with the other tests, a million with scripts/laws.
//
//   PLIMSOLL_LAWS=1000000        so many scenarios
//   PLIMSOLL_LAWS_FROM=500000    from that one on: each is made of its own number, which a failure tells
#include "catalogue.hpp"
#include "chosen.hpp"
#include "random.hpp"
#include "scenario_laws.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kUsual = 1000; // a few seconds in a debug build with sanitizers

std::int64_t number_of(const char* variable, std::int64_t standard) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::stoll(text) : standard;
}

io::Request scenario(std::int64_t number) {
  fuzz::Random random{static_cast<std::uint64_t>(number)};
  std::string bytes(8 + random.below(64), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.next());
  fuzz::Chooser chooser{bytes};
  return fuzz::chosen_request(chooser, random.below(10));
}

} // namespace

TEST_CASE("laws hold on random scenarios", "[laws]") {
  const std::int64_t from = number_of("PLIMSOLL_LAWS_FROM", 0), count = number_of("PLIMSOLL_LAWS", kUsual);
  std::int64_t answered = 0;
  for (std::int64_t number = from; number < from + count; ++number) {
    const io::Request request = scenario(number);
    const io::Answer answer = io::answer(fuzz::catalog(), request);
    const std::string broken = test::broken_law(fuzz::catalog(), answer);
    INFO("PLIMSOLL_LAWS_FROM=" << number << " PLIMSOLL_LAWS=1: " << io::to_query(request));
    CHECK(broken == "");
    answered += answer.ok ? 1 : 0;
  }
  WARN(answered << " of " << count << " scenarios from " << from << " on are answered, the others refused");
  CHECK((count < 100 || 10 * answered > count)); // a law about what is refused says little
}
