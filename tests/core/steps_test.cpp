// Values as people try them one after the other.
#include "plimsoll/request/steps.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

std::string next(const char* field, const char* text, io::Step step) {
  const Field* const found = find_field(field);
  REQUIRE(found != nullptr);
  return io::next_value(*found, text, step).value_or("-");
}

} // namespace

TEST_CASE("what doubles goes from one power of two to the next") {
  CHECK(next("context_tokens", "8192", io::Step::up) == "16384");
  CHECK(next("context_tokens", "8192", io::Step::down) == "4096");
  CHECK(next("context_tokens", "6000", io::Step::up) == "8192");
  CHECK(next("context_tokens", "6000", io::Step::down) == "4096");
  CHECK(next("context_tokens", "32k", io::Step::up) == "65536");
  CHECK(next("batch", "1", io::Step::up) == "2");
  CHECK(next("batch", "1", io::Step::down) == "-");
  CHECK(next("tensor_parallel", "3", io::Step::down) == "2");
  CHECK(next("train_tokens", "0", io::Step::up) == "1");
  CHECK(next("train_tokens", "1", io::Step::down) == "0");
}

TEST_CASE("facts of a model and shares go in small steps") {
  CHECK(next("layers", "32", io::Step::up) == "33");
  CHECK(next("memory_fraction", "0.9", io::Step::up) == "0.91");
  CHECK(next("memory_fraction", "1", io::Step::up) == "-");
}

TEST_CASE("every number field goes from its least to its most and stays within") {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer) continue;
    INFO(field.name);
    const std::string least = text_of(field, field.min), most = text_of(field, field.max);
    CHECK_FALSE(io::next_value(field, most, io::Step::up));
    CHECK_FALSE(io::next_value(field, least, io::Step::down));
    CHECK(io::next_value(field, least, io::Step::up));
    CHECK(io::next_value(field, most, io::Step::down));
  }
}

TEST_CASE("what is no number has no next one") {
  CHECK(next("batch", "many", io::Step::up) == "-");
  CHECK(next("batch", "", io::Step::up) == "-");
  CHECK(next("model", "llama-3-8b", io::Step::up) == "-");
}
