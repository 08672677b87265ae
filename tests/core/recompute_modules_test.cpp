// Modules of a layer that run again, or whose inputs wait in the host's memory: DeepSeek V2 Lite, tensor by tensor. One GPU trains 4096 tokens
// in bf16: latent attention of 16 heads with 192 and 128 channels from vectors of 512, 26 layers of experts of 1408 channels, 6 for each token,
// and shared ones of 2816, and one dense layer of 10,944.
#include "method/moments/visit.hpp"
#include "plimsoll/method/compute.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kTokens = 4096, kHidden = 2048, kExperts = 26, kLayers = 27, kRows = 6 * kTokens;

io::Answer trained(const std::string& more) {
  return test::answer_to("model=deepseek-v2-lite&device=h200&task=pretrain&profile=megatron&precision=master_bf16&context_tokens=4096&batch=1&" + more);
}
io::Answer again(const std::string& modules, const std::string& more = "") { return trained("recompute=selective&recompute_modules=" + modules + more); }

/// What layers keep at the end of the forward pass.
std::int64_t activations(const io::Answer& answer) {
  const Scenario& scenario = answer.scenario;
  std::int64_t sum = 0;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  moments::visit_layer_activations(scenario, stage, moments::heaviest_group(scenario, stage), [&](moments::Lifetime block, Part, const Term& term) {
    if (block == moments::Lifetime::layers) sum += term.amount;
  });
  return sum;
}

} // namespace

TEST_CASE("a module that runs again keeps nothing of what it made") {
  const std::int64_t core = activations(again("core_attn"));
  CHECK(core - activations(again("moe_act")) == kExperts * kRows * 1408 * 2);                                  // what last maps read
  CHECK(core - activations(again("layernorm")) == (kLayers + kExperts) * kTokens * kHidden * 2);               // every first norm, and the routers'
  CHECK(core - activations(again("shared_experts")) == kExperts * kTokens * 3 * 2816 * 2);                     // gate, up, product
  CHECK(core - activations(again("mlp")) == kTokens * (3 * 10'944 * 2 + kHidden * 2));                         // and what its norm gave it
  CHECK(core - activations(again("mla_up_proj")) == kLayers * kTokens * 2 * (16 * 192 + 16 * 192 + 16 * 128 + 16 * 128 + 512));
  CHECK(activations(again("moe")) < activations(again("shared_experts,moe_act")));
  CHECK(activations(again("core_attn,moe_act")) == activations(again("moe_act")));                             // a fused kernel keeps no scores
}

TEST_CASE("what runs again is counted in the step") {
  const auto recomputed = [](const std::string& modules) { return token_work(again(modules).scenario).recomputed.value; };
  const std::int64_t mlp = 2 * 3 * 2048LL * 10'944, shared = 2 * 3 * 2048LL * 2816 * kExperts, routed = 2 * 2048LL * (6 * 3 * 1408 + 64) * kExperts;
  CHECK(recomputed("layernorm") == 0);
  CHECK(recomputed("mlp") == mlp);
  CHECK(recomputed("shared_experts") == shared);
  CHECK(recomputed("moe") == shared + routed);
  CHECK(recomputed("mla_up_proj") == 2LL * kLayers * (2048 * 16 * 192 + 512 * (16 * 128 + 16 * 128)));
  const auto seconds = [](const io::Answer& answer) { return step_time(answer.scenario).total.expected; };
  CHECK(seconds(again("moe")) > seconds(again("moe_act")));
  CHECK(seconds(again("moe_act")) > seconds(trained("recompute=none")));
  CHECK(seconds(trained("recompute=full")) > seconds(again("moe")));
}

TEST_CASE("inputs of modules wait in the host's memory, but for two layers'") {
  const io::Answer none = trained("recompute=none"), away = trained("recompute=none&offload_modules=core_attn,attn_proj,expert_fc1");
  const std::int64_t attention = kTokens * (2 * (16 * 192 + 16 * 192 + 16 * 128 + 16 * 128) + 4 * 16), experts = kRows * kHidden * 2;
  CHECK(away.estimate.host.value - none.estimate.host.value == (kLayers - 2) * attention + (kExperts - 2) * experts);
  CHECK(activations(none) - activations(away) == (kLayers - 2) * attention + (kExperts - 2) * experts);
  const io::Answer dropped = again("mla_up_proj", "&offload_modules=core_attn"); // what is computed again is not moved
  CHECK(dropped.estimate.host == none.estimate.host);
}

TEST_CASE("what cannot run again or leave is refused") {
  const auto refused = [](const std::string& query, std::string_view field) {
    const io::Answer answer = io::answer_query(test::catalog(), query);
    for (const Issue& issue : answer.issues)
      if (issue.field == field && issue.severity == Severity::error && !issue.remedy.empty()) return true;
    return false;
  };
  CHECK(refused("model=llama-3-8b&device=h200&task=pretrain&profile=pytorch&recompute=selective&recompute_modules=mlp", "recompute_modules"));
  CHECK(refused("model=llama-3-8b&device=h200&task=pretrain&profile=torchtitan&offload_modules=core_attn", "offload_modules"));
  CHECK(refused("model=llama-3-8b&device=h200&task=pretrain&profile=megatron&recompute=selective&recompute_modules=mla_up_proj", "recompute_modules"));
  CHECK(refused("model=deepseek-v2-lite&device=h200&task=pretrain&profile=megatron&offload_modules=attn_proj", "offload_modules"));
}
