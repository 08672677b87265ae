#include "plimsoll/method/validate.hpp"

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/fields.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

Inputs valid() {
  Inputs inputs;
  inputs.model = *io::import_custom_model().model;
  inputs.hardware.usable_bytes = std::int64_t{24} << 30;
  return inputs;
}

/// The only issue, or a failure.
Issue only_issue(const Inputs& inputs) {
  const Issues issues = validate(inputs);
  REQUIRE(issues.size() == 1);
  CHECK(!issues.front().message.empty());
  CHECK(!issues.front().remedy.empty());
  return issues.front();
}

} // namespace

TEST_CASE("default inputs are valid") { CHECK(validate(valid()).empty()); }

TEST_CASE("every integer field is refused just outside its range, by its name") {
  for (const Field& field : fields()) {
    if (field.kind != FieldKind::integer || field.topic == Topic::model) continue; // facts of models: see answer_test, huggingface_test
    for (std::int64_t value : {field.min - 1, field.max + 1}) {
      Inputs inputs = valid();
      field.set(inputs, value);
      INFO(field.name << " = " << value);
      CHECK(only_issue(inputs).field == field.name);
    }
  }
}

TEST_CASE("GPUs that cannot split the heads are refused") {
  Inputs inputs = valid();
  inputs.strategy.tensor_parallel = 64; // 32 query heads
  CHECK(only_issue(inputs).field == "tensor_parallel");
}

TEST_CASE("a context beyond a position table is an error, beyond what the model was made for a warning") {
  Inputs inputs = valid();
  inputs.workload.context_tokens = 10'000;
  CHECK(only_issue(inputs).severity == Severity::warning);
  inputs.model.learned_positions = Count{1024};
  CHECK(only_issue(inputs).severity == Severity::error);
}
