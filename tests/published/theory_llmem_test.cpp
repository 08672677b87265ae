// LLMem's estimate, as its paper and code write it, on the tensors of our models: what another calculator counts, for comparison.
// Kim et al., LLMem, IJCAI 2024 (arXiv 2404.10933), section 4; taehokim20/LLMem at 3d289b4, size_estimator.py, dp_real.py, tp_real.py.
// It adds what it measures before training starts, and rounds every tensor up to 2 MiB. Norms do not count. Ours is not made of it.
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

struct Llmem {
  Bytes parameters, inputs, outputs, last, gathered;
  Bytes sum() const { return parameters + inputs + outputs + last + gathered; }
};

enum class Division { none, sharded, tensor };

Bytes rounded(Bytes bytes) {
  constexpr Count kPiece{std::int64_t{2} << 20};
  return ceil_div(Count{bytes.value}, kPiece) * Bytes{kPiece.value};
}

/// 16-bit weights, two fp32 states; layers keep their outputs alone, and three tensors of 16-bit logits exist at the loss.
Llmem llmem(const Scenario& scenario, Division division, std::int64_t gpus) {
  const Model& model = scenario.model;
  const Count n{gpus}, others{gpus - 1}, h = model.hidden_size;
  Llmem sum;
  Count layers, tables;
  for (const LayerGroup& group : model.groups) layers += group.layers;
  for (const ModelTensor& part : model.tensors) {
    const TensorKind kind = part.tensor.kind;
    if (kind == TensorKind::norms || kind == TensorKind::final_norm) continue;
    const Count numbers = part.tensor.rows * part.tensor.columns, tensors = part.layers * part.tensor.copies;
    if (kind == TensorKind::embedding || kind == TensorKind::positions) tables += Count{1};
    if (kind == TensorKind::embedding) sum.parameters += rounded(numbers * Bytes{2}); // the head, which shares its table
    const Bytes state = rounded(ceil_div(numbers * Count{4}, n) * Bytes{1});
    const Bytes remote = rounded(ceil_div(Count{rounded(numbers * Bytes{2}).value} * others, n) * Bytes{1});
    sum.parameters += tensors * (Count{2} * state + (division == Division::sharded ? remote : Bytes{0}));
  }
  const Count batch{scenario.workload.batch}, context{scenario.workload.context_tokens};
  const Bytes output = rounded(batch * (context * (h * Bytes{2})));
  sum.inputs = rounded(batch * (context * Bytes{8}));
  sum.outputs = (tables + layers) * output;
  sum.last = rounded(batch * (context * (model.vocab_size * Bytes{2}))) +
             Count{2} * rounded(batch * ((context - Count{1}) * (model.vocab_size * Bytes{2})));
  if (division == Division::tensor)
    sum.gathered = (layers - Count{1}) * rounded(ceil_div(batch * context * h * Count{2} * others, n) * Bytes{1});
  return sum;
}

const std::string kOpt = "model=opt-1.3b&task=finetune&batch=8&context_tokens=512";

} // namespace

TEST_CASE("LLMem on OPT-1.3B, 8 x 512 tokens on one GPU: 13,012,828,160 bytes beside what it measures") {
  const Llmem one = llmem(test::answer_to(kOpt).scenario, Division::none, 1);
  CHECK(one.parameters == Bytes{11'339'300'864});
  CHECK(one.inputs == Bytes{2'097'152});
  CHECK(one.outputs == Bytes{436'207'616}); // 26 x 16 MiB
  CHECK(one.last == Bytes{1'235'222'528});
  CHECK(one.sum() == Bytes{13'012'828'160});
}

TEST_CASE("LLMem on four GPUs: 7,402,946,560 bytes with divided weights, 5,412,749,312 with tensor parallelism") {
  const Scenario scenario = test::answer_to(kOpt).scenario;
  const Llmem sharded = llmem(scenario, Division::sharded, 4), tensor = llmem(scenario, Division::tensor, 4);
  CHECK(sharded.parameters == Bytes{5'729'419'264});
  CHECK(sharded.sum() == Bytes{7'402'946'560});
  CHECK(tensor.parameters == Bytes{3'449'815'040});
  CHECK(tensor.gathered == Bytes{289'406'976});
  CHECK(tensor.sum() == Bytes{5'412'749'312});
}

TEST_CASE("where layers run again we keep what LLMem keeps of them: 16 MiB per layer of OPT-1.3B") {
  const Component tree = explain_moment(test::answer_to(kOpt + "&recompute=full").scenario, Moment::loss_backward);
  const Component* const kept = find_component(tree, "memory.activations.checkpoints");
  REQUIRE(kept != nullptr);
  CHECK(kept->amount == 24LL * (16 << 20));
}
