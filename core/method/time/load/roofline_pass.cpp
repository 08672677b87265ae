#include "method/time/load/roofline_pass.hpp"

#include "method/kernels/gpu.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/time/efficiency.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/reads.hpp"
#include "method/time/reductions.hpp"
#include "method/time/work.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

double real(Count count) noexcept { return static_cast<double>(count.value); }
double real(Bytes bytes) noexcept { return static_cast<double>(bytes.value); }

/// So many thousandths of a rate.
double reached(std::int64_t rate, const Constant& share) noexcept { return std::max(1.0, static_cast<double>(rate) * static_cast<double>(share.value) / 1000); }

} // namespace

std::optional<RooflinePass> RooflinePass::of(const Scenario& scenario) {
  const Efficiency* const efficiency = efficiency_of(scenario.profile.inference, scenario.hardware);
  const Rates& rates = scenario.hardware.rates;
  if (efficiency == nullptr || rates.memory <= 0 || multiply_rate(scenario, *efficiency) <= 0) return std::nullopt;
  RooflinePass pass;
  pass.scenario_ = &scenario;
  pass.efficiency_ = efficiency;
  const Strategy passed = without_stages(scenario.strategy), everything = without_host(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0}, whole{scenario.model, everything, scenario.workload, 0};
  pass.dense_ = real(dense_weights(scenario, stage, Phase::step));
  pass.dense_left_ = real(dense_weights(scenario, whole, Phase::step)) - pass.dense_;
  for (std::size_t at = 0; at < scenario.model.groups.size(); ++at) {
    const LayerGroup& group = scenario.model.groups[at];
    if (memory::has_experts(group)) {
      const double bytes = real(expert_weights(scenario, stage, group));
      pass.routed_.push_back({at, bytes, real(expert_weights(scenario, whole, group)) - bytes});
    }
    const double per_token = real(memory::kv_cache_of_layer(scenario, group)), held = real(stage.held(group));
    pass.cached_.push_back({&group, per_token * held, per_token * (real(whole.held(group)) - held)});
    if (memory::recurs(group)) pass.states_ += real(memory::recurrent_state(scenario, group, stage.held(group), Count{1}).bytes());
  }
  pass.work_ = real(layer_work(scenario, stage, Phase::step));
  pass.all_work_ = real(layer_work(scenario, whole, Phase::step));
  pass.head_ = real(head_work(scenario, stage));
  pass.weights_rate_ = reached(rates.memory, is_quantised(scenario.weights) ? efficiency->quantised_share : efficiency->plain_share);
  pass.cache_rate_ = reached(rates.memory, efficiency->cache_share);
  pass.state_rate_ = reached(rates.memory, efficiency->plain_share);
  pass.flop_ = reached(multiply_rate(scenario, *efficiency), efficiency->compute_share);
  pass.host_rate_ = std::max(1.0, static_cast<double>(efficiency->host_rate.value));
  if (rates.host > 0) pass.copy_rate_ = reached(rates.host, scenario.profile.inference.copy_share);
  pass.layers_ = real(layers_of(scenario, stage, Phase::step));
  pass.piece_ = static_cast<double>(std::max<std::int64_t>(scenario.workload.prefill_tokens, 1));
  constexpr Count kTokens{1000};
  const auto waits = [&](Count passes, Count tokens) {
    double ns = 0;
    visit_waits(scenario, stage, *efficiency, passes, tokens, [&](const Term& term) { ns += real(term.count()); });
    return ns;
  };
  pass.wait_ = waits(Count{1}, Count{0});
  pass.wait_token_ = waits(Count{0}, kTokens) / real(kTokens);
  return pass;
}

double RooflinePass::met(const Routed& routed, double tokens) const noexcept {
  constexpr double kMillion = 1e6;
  const Count all = sequences_at_experts(Count{std::max<std::int64_t>(1, kernels::whole_part(tokens + 0.5))}, scenario_->strategy);
  return real(met_experts(scenario_->model.groups[routed.group].moe, all)) / kMillion;
}

void RooflinePass::add(const Mix& mix, double positions, PassTimes& times) const noexcept {
  const double decoded = mix.decoding * positions, prompts = mix.prompts * mix.fresh, tokens = decoded + prompts;
  if (tokens <= 0) return;
  const double pieces = std::max(1.0, static_cast<double>(kernels::whole_part((tokens + piece_ - 1) / piece_))), each = tokens / pieces;
  const std::int64_t least = scenario_->profile.inference.copied_pass.value;
  const bool copies = uses_host(scenario_->strategy) && least > 0 && each >= static_cast<double>(least) && copy_rate_ > 0;
  double weights = dense_, left = dense_left_, cache = 0, cache_left = 0;
  for (const Routed& routed : routed_) {
    const double share = met(routed, each);
    weights += share * routed.bytes;
    left += share * routed.left;
  }
  for (const Cached& cached : cached_) {
    const double seen = real(tokens_read(*scenario_, *cached.group, Count{kernels::whole_part(mix.context)}));
    cache += mix.decoding * seen * cached.per_token;
    cache_left += mix.decoding * seen * cached.left;
  }
  const double reads = kernels::ns_of(pieces * weights, weights_rate_) + kernels::ns_of(cache, cache_rate_) + kernels::ns_of((mix.decoding + mix.prompts) * 2 * states_, state_rate_);
  double work = tokens * (copies ? all_work_ : work_) + (decoded + mix.finished) * head_;
  if (prompts > 0) { // what is cached is looked at, and looks at nothing itself
    const Strategy passed = copies ? without_host(scenario_->strategy) : without_stages(scenario_->strategy);
    const Stage stage{scenario_->model, passed, scenario_->workload, 0};
    const auto looks = [&](double context) { return context < 1 ? 0.0 : context * real(context_work(*scenario_, stage, Count{kernels::whole_part(context)})); };
    work += mix.prompts * (looks(mix.before + mix.fresh) - looks(mix.before));
  }
  times.matrices += std::max(reads, kernels::ns_of(work, flop_));
  times.short_kernels += pieces * layers_ * static_cast<double>(efficiency_->layer_ns.value);
  times.communication += pieces * wait_ + tokens * wait_token_;
  times.host += (mix.decoding + mix.finished) * static_cast<double>(efficiency_->sequence_ns.value);
  if (!uses_host(scenario_->strategy)) return;
  if (copies) times.link += kernels::ns_of(pieces * left, copy_rate_);
  else times.host += kernels::ns_of(pieces * left, host_rate_);
  times.host += kernels::ns_of(cache_left, host_rate_);
}

} // namespace plimsoll::timing
