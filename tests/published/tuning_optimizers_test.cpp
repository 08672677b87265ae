// Optimizer states of what trains beside frozen weights, tensor by tensor: figures worked out by hand from bitsandbytes' rules
// (bitsandbytes/optim/optimizer.py at 95f9af30: Optimizer2State.init_state, Optimizer8bit.get_state_buffer). Two states per number; 8 bits
// in blocks of 256 with one fp32 scale, fp32 in tensors of fewer than 4,096 numbers; paged from 100,000 numbers on.
#include "method/moments/visit.hpp"
#include "method/tuning/tensors.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

const std::string kTuned = "model=llama-3-8b&task=finetune&method=";

struct States {
  std::int64_t kept = 0;
  std::int64_t paged = 0;
};

States states_of(const std::string& query) {
  const io::Answer answer = test::answer_to(query);
  const Scenario& scenario = answer.scenario;
  States states;
  moments::visit(scenario, Stage{scenario.model, scenario.strategy, scenario.workload, 0}, [&](moments::Lifetime block, Part part, const Term& term) {
    if (part != Part::optimizer || !term.formula->written().id.ends_with("states")) return;
    (block == moments::Lifetime::managed ? states.paged : states.kept) += term.amount;
  });
  return states;
}

} // namespace

TEST_CASE("LoRA of rank 16 on queries and values of Llama-3-8B: 13,844,480 bytes of 8-bit states, 54,525,952 in fp32") {
  // Per layer three tensors of 65,536 numbers, 2 x (65,536 + 256 x 4) bytes each, and one of 16,384, 2 x (16,384 + 64 x 4).
  CHECK(states_of(kTuned + "lora&optimizer=adamw_8bit").kept == 32 * (3 * 133'120 + 33'280));
  CHECK(states_of(kTuned + "lora&optimizer=adamw_8bit").kept == 13'844'480);
  CHECK(states_of(kTuned + "lora&optimizer=lion_8bit").kept == 13'844'480 / 2);
  CHECK(states_of(kTuned + "lora&optimizer=adamw_fused").kept == 8 * 6'815'744);
  CHECK(states_of(kTuned + "lora&optimizer=paged_adamw").kept == 8 * 6'815'744);
  CHECK(states_of(kTuned + "lora&optimizer=paged_adamw_8bit").kept == 13'844'480); // none is large enough to be paged
  CHECK(states_of(kTuned + "lora&optimizer=paged_adamw_8bit").paged == 0);
}

TEST_CASE("of rank 64, tensors of 262,144 numbers are paged and their scales are not") {
  const States low = states_of(kTuned + "lora&rank=64&weight_dtype=nf4&optimizer=paged_adamw_8bit");
  CHECK(low.paged == 32 * 3 * 2 * 262'144);
  CHECK(low.kept == 32 * (3 * 2 * 1024 * 4 + 133'120)); // and one tensor of 65,536
  const States full = states_of(kTuned + "lora&rank=64&weight_dtype=nf4&optimizer=paged_adamw");
  CHECK(full.paged == 201'326'592);
  CHECK(full.kept == 32 * 8 * 65'536);
}

TEST_CASE("vectors of 4,096 numbers have 8-bit states, of 1,024 numbers fp32") {
  CHECK(states_of(kTuned + "ia3&targets=qv&optimizer=adamw_8bit").kept == 32 * (8'320 + 8'192));
  CHECK(states_of(kTuned + "dora&optimizer=adamw_8bit").kept == 13'844'480 + 32 * (8'320 + 8'192));
  CHECK(states_of(kTuned + "norms&optimizer=adamw_8bit").kept == 65 * 8'320);
  CHECK(states_of(kTuned + "head&optimizer=adamw_8bit").kept == 1'067'089'920);
  CHECK(states_of(kTuned + "lora&frozen_half=down&optimizer=adamw_8bit").kept == 32 * (133'120 + 33'280));
}

TEST_CASE("Adafactor keeps sums of rows and columns of each thin matrix") {
  // q: 16 + 4,096 for A, 4,096 + 16 for B; v: 16 + 4,096 and 1,024 + 16; fp32.
  CHECK(states_of(kTuned + "lora&optimizer=adafactor").kept == 32 * 4 * (3 * 4'112 + 1'040));
}

TEST_CASE("the tensors of a method are the numbers that it counts") {
  const Model model = test::answer_to("model=llama-3-8b&task=finetune").scenario.model;
  for (const tuning::Method& row : tuning::methods()) {
    if (row.beside == nullptr) continue;
    INFO(row.id);
    Tuning tuning{.method = row.method, .rank = 8, .targets = kTargetAllLinear, .vectors = 4};
    tuning::visit_sites(model, tuning, kUnsharded, [&](const tuning::Site& site) {
      Count numbers;
      bool known = true;
      tuning::visit_trained_tensors(tuning, site, [&](const tuning::TrainedTensors& alike) {
        numbers += alike.tensors * (alike.rows * alike.columns);
        known = known && alike.known;
      });
      const Count counted = row.beside(tuning, site);
      if (known) CHECK(numbers == counted);
      CHECK(numbers >= counted);
      CHECK(numbers < counted + site.modules);
    });
  }
}

TEST_CASE("where nobody counted a method's tensors, low-bit states may be as large as fp32 ones") {
  const Component tree = explain_moment(test::answer_to(kTuned + "oft&adapter_blocks=32&optimizer=adamw_8bit").scenario, Moment::optimizer_step);
  const Component* const states = find_component(tree, "memory.optimizer");
  REQUIRE(states != nullptr);
  CHECK(states->low == states->amount);
  CHECK(states->high > 3 * states->amount);
}

TEST_CASE("prediction depths that train have states, tensor by tensor too: Adam in fp32 8 bytes for each of their parameters") {
  Scenario scenario = test::answer_to("model=deepseek-v3-671b&device=b200&task=pretrain&precision=mixed_bf16&optimizer=adamw_forloop").scenario;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  const auto states = [&] {
    Count sum;
    moments::visit_states(scenario, stage, [&](moments::Lifetime, Part, const Term& term) {
      if (term.formula->written().id == "memory.optimizer.states") sum += term.count();
    });
    return sum;
  };
  const Count without = states();
  scenario.model.prediction_depths = Count{1};
  const Count predicting = count_parameters(scenario.model, TensorKind::prediction);
  CHECK(predicting > Count{10'000'000'000});
  CHECK(states() - without == Count{8} * predicting);
}
