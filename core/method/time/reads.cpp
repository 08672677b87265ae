#include "method/time/reads.hpp"

#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/kernels/experts.hpp"
#include "method/moments/visit_tuning.hpp"
#include "plimsoll/method/kernels.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

/// sink(TensorKind, const LayerGroup*, Bytes): what multiplications read. Towers and prediction layers have no part in decoding.
template <class Sink> void visit_read(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const Model& model = scenario.model;
  const bool is_head = model.tied_embeddings && stage.has_head() && model.has_head;
  TensorKind kind{};
  const auto wanted = [&](TensorKind of) {
    kind = of;
    if (of == TensorKind::embedding) return is_head;
    if (of == TensorKind::head) return stage.has_head();
    return in_language_model(of) && of != TensorKind::positions;
  };
  moments::visit_stored(scenario, stage, wanted, [&](const Term& term) {
    if (kind != TensorKind::embedding) return sink(kind, term.group, term.bytes());
    if (term.tensor != nullptr) return sink(kind, term.group, term.tensor->active_rows > Count{0} ? Bytes{0} : term.bytes());
    const Bytes each = scenario.weights.formats.front().parts.front().bytes; // without the tables that are only looked up
    sink(kind, term.group, vocab_share(model, scenario.strategy) * (model.hidden_size * each));
  });
}

} // namespace

Count met_experts(const Moe& moe, Count tokens) noexcept {
  constexpr double kAll = 1'000'000.0;
  const Count choices = moe.experts + moe.zero_experts;
  if (moe.per_token >= choices || choices <= Count{0}) return Count{static_cast<std::int64_t>(kAll)};
  double missed = 1.0;
  double factor = 1.0 - static_cast<double>(moe.per_token.value) / static_cast<double>(choices.value);
  for (std::int64_t left = tokens.value; left > 0; left /= 2) { // the power, squaring
    if (left % 2 != 0) missed *= factor;
    factor *= factor;
  }
  return Count{static_cast<std::int64_t>((1.0 - missed) * kAll + 0.5)};
}

const ModelTensor* experts_of(const Model& model, std::size_t group) noexcept {
  const auto found = std::ranges::find_if(model.tensors, [&](const ModelTensor& part) { return part.group == group && part.tensor.kind == TensorKind::experts && part.tensor.matrix; });
  return found == model.tensors.end() ? nullptr : &*found;
}

Count met_experts(const Scenario& scenario, std::size_t group, Count tokens) noexcept {
  const Moe& moe = scenario.model.groups[group].moe;
  const ServingTimes* const times = scenario.profile.inference.times;
  const ModelTensor* const experts = experts_of(scenario.model, group);
  if (times == nullptr || times->kernels == nullptr || experts == nullptr) return met_experts(moe, tokens);
  const auto real = [](Count count) { return static_cast<double>(count.value); };
  const double here = std::max(1.0, real(copies_per_gpu(experts->tensor, scenario.strategy)));
  const kernels::Liking liking = kernels::liking_of(real(moe.experts), std::max(1.0, real(moe.experts) / here), real(moe.per_token), static_cast<int>(times->step.imbalance));
  constexpr double kAll = 1'000'000.0;
  return Count{kernels::whole_part(std::min(1.0, kernels::load_of(liking, real(tokens)).met / here) * kAll)};
}

Bytes dense_weights(const Scenario& scenario, const Stage& stage, Phase phase) noexcept {
  Bytes total;
  visit_read(scenario, stage, [&](TensorKind kind, const LayerGroup* group, Bytes bytes) {
    const bool rests = phase == Phase::step && group != nullptr && group->encoder;
    if (kind != TensorKind::experts && !rests) total += bytes;
  });
  return total;
}

Bytes expert_weights(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  Bytes total;
  visit_read(scenario, stage, [&](TensorKind kind, const LayerGroup* of, Bytes bytes) {
    if (kind == TensorKind::experts && of == &group) total += bytes;
  });
  return total;
}

Bytes read_by(const Scenario& scenario, const Stage& stage, Count tokens) noexcept {
  constexpr Count kMillion{1'000'000};
  Bytes bytes = dense_weights(scenario, stage);
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group))
      bytes += Bytes{ceil_div(met_experts(group.moe, sequences_at_experts(tokens, scenario.strategy)) * Count{expert_weights(scenario, stage, group).value}, kMillion).value};
  return bytes;
}

Count tokens_read(const Scenario& scenario, const LayerGroup& group, Count context) noexcept {
  const Attention& attention = group.attention;
  const bool windowed = attention.query_heads > Count{0} && attention.pattern != AttentionPattern::full;
  const Count tokens = windowed ? min(attention.window, context) : ceil_div(context, max(attention.compression, Count{1}));
  return windowed ? tokens : cached_tokens(tokens, scenario.serving);
}

CacheRead cache_read(const Scenario& scenario, const LayerGroup& group) noexcept {
  return {tokens_read(scenario, group, Count{scenario.workload.context_tokens}), memory::kv_cache_of_layer(scenario, group)};
}

Count layers_of(const Scenario& scenario, const Stage& stage, Phase phase) noexcept {
  Count layers;
  for (const LayerGroup& group : scenario.model.groups)
    if (phase == Phase::prompt || !group.encoder) layers += stage.held(group);
  return layers;
}

Strategy without_host(const Strategy& strategy) noexcept {
  Strategy whole = without_stages(strategy);
  leave_host(whole);
  return whole;
}

} // namespace plimsoll::timing
