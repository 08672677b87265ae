// Worked figures from papers, source code and measurements that the first formulas must meet to the byte.
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <functional>

using namespace plimsoll;

namespace {

std::int64_t amount(const Component& tree, const char* id) {
  const Component* found = find_component(tree, id);
  return found == nullptr ? 0 : found->amount;
}

Component tree_at(const std::string& query, Moment moment) { return explain_moment(test::answer_to(query).scenario, moment); }

Bytes total_at(const std::string& query, Moment moment) {
  const Estimate estimate = test::answer_to(query).estimate;
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return estimate.moments[i].total;
  return Bytes{-1};
}

/// What one layer keeps for one token.
std::int64_t per_token_and_layer(const std::string& query) {
  const Component tree = tree_at(query + "&batch=1&context_tokens=1&layers=1", Moment::forward_end);
  return amount(tree, "memory.activations") - amount(tree, "memory.activations.head");
}

const std::string kServe = "model=llama-3-8b&task=inference";
const std::string kTrain = "model=llama-3-8b&task=finetune";

} // namespace

TEST_CASE("Llama-3-8B has 8,030,261,248 parameters, 218,112,000 in a block, 525,336,576 in embedding and head each") {
  const io::Answer answer = test::answer_to(kServe);
  CHECK(answer.facts.parameters == Count{8'030'261'248});
  const Component parameters = explain(answer.scenario, answer.estimate).parameters;
  CHECK(amount(parameters, "parameters.embedding") == 525'336'576);
  CHECK(amount(parameters, "parameters.head") == 525'336'576);
  const Component block = explain(test::answer_to(kServe + "&layers=1").scenario, answer.estimate).parameters;
  CHECK(amount(block, "parameters.attention") + amount(block, "parameters.mlp") + amount(block, "parameters.norms") == 218'112'000);
}

TEST_CASE("KV cache per token: Llama-3-8B 131,072; Llama-3-70B 327,680, 40,960 on each of 8 and of 16 GPUs") {
  const auto per_token = [](const std::string& query) { return test::answer_to(query).facts.kv_cache_per_token; };
  CHECK(per_token(kServe) == Bytes{131'072});
  CHECK(per_token("model=llama-3-70b") == Bytes{327'680});
  CHECK(per_token("model=llama-3-70b&tensor_parallel=8") == Bytes{40'960});
  CHECK(per_token("model=llama-3-70b&tensor_parallel=16") == Bytes{40'960}); // KV heads are copied, not split further
  CHECK(per_token(kServe + "&kv_dtype=fp8") == Bytes{65'536});
  CHECK(amount(tree_at(kServe + "&context_tokens=8192", Moment::decode), "memory.kv_cache") == 1'073'741'824);
}

TEST_CASE("a sliding window of 4,096 with passes of 8,192 keeps at most 50,397,184 bytes per layer and sequence") {
  // vLLM SlidingWindowSpec: min(window - 1 + pass, context) tokens in pages of 16, and one page more.
  const std::string query = "model=mistral-7b-v0.3&layers=1&sliding_layers=1&sliding_window=4096&prefill_tokens=8192&context_tokens=32768";
  CHECK(amount(tree_at(query, Moment::decode), "memory.kv_cache") == 50'397'184);
}

TEST_CASE("the widest tensors of an 8,192-token pass through Llama-3-8B are 905,969,664 bytes") {
  // Three hidden states and three tensors of MLP width, as two logs of vLLM 0.6 grow by the token; two hidden states are 838,860,800.
  CHECK(amount(tree_at(kServe + "&context_tokens=8192", Moment::prefill), "memory.workspace") == 905'969'664);
}

TEST_CASE("pure bf16 AdamW is 8 bytes per parameter, 10 while a foreach step runs; mixed and fp32 are 16") {
  constexpr std::int64_t kParameters = 8'030'261'248;
  CHECK(test::answer_to(kTrain).facts.states_per_parameter == Bytes{8});
  CHECK(test::answer_to(kTrain + "&precision=mixed_bf16").facts.states_per_parameter == Bytes{16});
  CHECK(test::answer_to(kTrain + "&precision=fp32").facts.states_per_parameter == Bytes{16});
  const auto states = [](const std::string& query) {
    const Component tree = tree_at(query, Moment::optimizer_step);
    // The fused step counts steps on the GPU, in a block of 512 bytes for each of 291 tensors; the published figure leaves them out.
    CHECK(amount(tree, "memory.optimizer.step_scalars") == (query.find("fused") == std::string::npos ? 0 : 291 * 512));
    return amount(tree, "memory.weights") + amount(tree, "memory.gradients") + amount(tree, "memory.optimizer") -
           amount(tree, "memory.optimizer.step_scalars");
  };
  CHECK(states(kTrain + "&optimizer=adamw_fused") == 8 * kParameters);
  CHECK(states(kTrain + "&optimizer=adamw_fused") == 64'242'089'984);
  CHECK(states(kTrain + "&optimizer=adamw_foreach") == 80'302'612'480);
}

TEST_CASE("autocast holds a bf16 copy of every matrix of Llama-3-8B: 15,009,316,864 bytes") {
  const Component tree = tree_at(kTrain + "&precision=mixed_bf16", Moment::loss_backward);
  std::int64_t copies = 0;
  const std::function<void(const Component&)> walk = [&](const Component& component) {
    if (component.id.starts_with("memory.weights.autocast_copies")) copies += component.amount;
    for (const Component& part : component.parts) walk(part);
  };
  walk(tree);
  CHECK(copies == 15'009'316'864);
}

TEST_CASE("one layer keeps 200,840 bytes per token in bf16, 241,792 and its norm statistics under autocast") {
  CHECK(per_token_and_layer(kTrain) == 200'840);
  CHECK(per_token_and_layer(kTrain + "&precision=mixed_bf16") == 241'792 + 2 * 4);
  // Llama-3.2-3B: the same rule at another size.
  CHECK(per_token_and_layer("model=custom&hidden_size=3072&query_heads=24&kv_heads=8&head_dim=128&intermediate_size=8192&layers=28&vocab_size=128256&task=finetune") == 131'176);
}

TEST_CASE("logits and loss of 8,192 tokens and 128,256 words: 10 bytes forward and 2 of the former step's logits, 14 backward") {
  const std::string query = kTrain + "&context_tokens=8192";
  CHECK(amount(tree_at(query, Moment::forward_end), "memory.loss") == 12'608'077'824);
  CHECK(amount(tree_at(query, Moment::loss_backward), "memory.loss") == 14'709'424'128);
}

TEST_CASE("full recomputation keeps 8,192 bytes per token and layer: 2.15 GB of 32 layers at 8,192 tokens") {
  const Component tree = tree_at(kTrain + "&context_tokens=8192&recompute=full", Moment::loss_backward);
  CHECK(amount(tree, "memory.activations.checkpoints") == 32LL * 8192 * 8192);
}

TEST_CASE("DDP keeps a second copy of all gradients, in the second step the first one's buckets too; one GPU none") {
  const Component tree = tree_at(kTrain + "&data_parallel=8", Moment::optimizer_step);
  CHECK(amount(tree, "memory.buffers.replicas") == 2 * 8'030'261'248);
  CHECK(amount(tree, "memory.buffers.former_replicas") == 2 * 8'030'261'248);
  CHECK(amount(tree_at(kTrain + "&data_parallel=8", Moment::between_steps), "memory.buffers") == 2 * 8'030'261'248);
  CHECK(amount(tree_at(kTrain, Moment::optimizer_step), "memory.buffers") == 0);
}

TEST_CASE("full fine-tuning of Llama-3.2-3B, 3,072 tokens: predicted 36.08e9, reserved 38.87e9 in PEFT's comparison") {
  // PEFT method_comparison, MetaMathQA, full fine-tuning: 6 P + 28 layers x 131,176 x 3,072 + 14 x 3,072 x 128,256 bytes at the
  // loss backward, before the allocator's reserve. Ours adds the head's input, context and workspaces.
  const std::string query = "model=custom&hidden_size=3072&layers=28&query_heads=24&kv_heads=8&head_dim=128&intermediate_size=8192"
                            "&vocab_size=128256&tied_embeddings=true&task=finetune&batch=4&context_tokens=768&device=h100-80-sxm";
  CHECK(test::answer_to(query).facts.parameters == Count{3'212'749'824});
  const Component tree = tree_at(query, Moment::loss_backward);
  const std::int64_t formula = 6LL * 3'212'749'824 + 28LL * 131'176 * 3072 + 14LL * 3072 * 128'256;
  CHECK(tree.amount - amount(tree, "memory.activations.head") - amount(tree, "memory.runtime") -
            amount(tree, "memory.optimizer.step_scalars") ==
        formula);
  CHECK(total_at(query, Moment::loss_backward) == test::answer_to(query).estimate.at_peak().total);
}

TEST_CASE("latent attention caches one vector: DeepSeek-V3 70,272 bytes per token, on every GPU of eight") {
  const auto per_token = [](const std::string& query) { return test::answer_to(query).facts.kv_cache_per_token; };
  CHECK(per_token("model=deepseek-v3&device=h200-141-sxm") == Bytes{70'272});
  CHECK(per_token("model=deepseek-v3&device=h200-141-sxm&tensor_parallel=8") == Bytes{70'272});
  // ik_llama.cpp logs 2,196.00 MiB for 32,768 tokens.
  CHECK(amount(tree_at("model=deepseek-v3&context_tokens=32768", Moment::decode), "memory.kv_cache") == 2196LL << 20);
}

TEST_CASE("KV caches that engines log: Qwen3-235B 6,016 MiB at 32,768 tokens; Llama-3.1-405B 516,096 bytes per token") {
  CHECK(amount(tree_at("model=qwen3-235b-a22b&context_tokens=32768", Moment::decode), "memory.kv_cache") == 6016LL << 20);
  CHECK(test::answer_to("model=qwen3-235b-a22b&tensor_parallel=4").facts.kv_cache_per_token == Bytes{48'128});
  CHECK(test::answer_to("model=llama-3.1-405b").facts.kv_cache_per_token == Bytes{516'096});
}

TEST_CASE("a recurrent state has one size: Mamba-2 2.7B 169,836,544 bytes per sequence, whatever the length") {
  for (const char* context : {"1", "1000", "2048"}) {
    const Component tree = tree_at(std::string{"model=mamba-2-2.7b&context_tokens="} + context, Moment::decode);
    CHECK(amount(tree, "memory.kv_cache") == 169'836'544);
  }
}

TEST_CASE("a hybrid grows with its full-attention layers alone: Qwen3-Next caches in 12 of 48") {
  const Facts facts = test::answer_to("model=qwen3-next-80b-a3b").facts;
  CHECK(facts.kv_cache_per_token == Bytes{12 * 2 * 2 * 256 * 2});
}

TEST_CASE("a token of DeepSeek-V3 meets 37,552,297,472 of its 671,026,419,200 parameters") {
  const Facts facts = test::answer_to("model=deepseek-v3").facts;
  CHECK(facts.parameters == Count{671'026'419'200});
  CHECK(facts.active_parameters == Count{37'552'297'472});
}

TEST_CASE("an encoder caches nothing and has no logits") {
  const Component tree = tree_at("model=bert-base-uncased&context_tokens=512", Moment::prefill);
  CHECK(amount(tree, "memory.kv_cache") == 0);
  CHECK(amount(tree, "memory.workspace.logits") == 0);
}

TEST_CASE("a decoder that attends to an encoder caches both: T5 small, 6 layers of 512 channels twice") {
  const Facts facts = test::answer_to("model=t5-small&context_tokens=512").facts;
  CHECK(facts.kv_cache_per_token == Bytes{6 * 2 * 512 * 2});
  const Component tree = tree_at("model=t5-small&context_tokens=512", Moment::decode);
  CHECK(amount(tree, "memory.kv_cache") == 2LL * 512 * (6 * 2 * 512 * 2));
}
