#include "method/time/draft.hpp"

#include "method/memory/layers.hpp"
#include "method/moments/visit_tuning.hpp"
#include "method/time/reads.hpp"
#include "method/time/reductions.hpp"
#include "method/time/terms.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

constexpr Formula kReads{[] { return FormulaText{.id = "time.draft.reads", .label = "Drafting reads", .unit = "ns",
                         .text = "floor_div(2000000000000 * (passes * bytes) + rate * share, 2 * rate * share)", .citation = "speculative_decoding", .basis = Basis::assumed,
                         .symbols = {{{"passes", "passes", "of the drafter in one step: one for each draft token, or one for all", "draft_tokens"},
                                      {"bytes", "bytes", "that one pass reads on a GPU: the drafter, the head that it borrows, and its cache", "drafter"},
                                      kRate, kShare}}}; }};

constexpr Formula kEagleReads{[] {
  FormulaText formula = kReads.written();
  formula.citation = "eagle";
  return formula;
}};

constexpr Formula kMedusaReads{[] {
  FormulaText formula = kReads.written();
  formula.citation = "medusa";
  return formula;
}};

const Formula& reads_of(Drafter drafter) noexcept {
  switch (drafter) {
    case Drafter::eagle:
    case Drafter::eagle3: return kEagleReads;
    case Drafter::medusa: return kMedusaReads;
    case Drafter::model:
    case Drafter::ngram: break;
  }
  return kReads;
}

constexpr Formula kLaunches{[] { return FormulaText{.id = "time.draft.layers", .label = "Drafting passes through layers", .unit = "ns", .text = "passes * layers * each",
                            .citation = "speculative_decoding", .basis = Basis::assumed,
                            .symbols = {{{"passes", "passes", "of the drafter in one step", "draft_tokens"}, kLayers,
                                         {"each", "ns", "of a layer in a pass over few tokens, whatever it reads", "profile"}}}}; }};

// Leviathan et al., equation 1, in thousandths.
constexpr Formula kRateOf{[] { return FormulaText{.id = "fact.tokens_per_second", .label = "Tokens per second", .unit = "thousandths of tokens/s",
                          .text = "floor_div(1000000000 * sequences * accepted, time)", .citation = "speculative_decoding", .basis = Basis::assumed,
                          .symbols = {{kSequences,
                                       {"accepted", "thousandths", "of tokens that a step gives each: (1 - a^(n + 1)) / (1 - a) with acceptance a and n draft tokens", "acceptance_rate"},
                                       {"time", "ns", "of a step", ""}}}}; }};

const AuxiliaryModel* drafter_of(const Scenario& scenario) noexcept {
  const auto at = std::ranges::find(scenario.auxiliary_models, Role::draft, &AuxiliaryModel::role);
  return at == scenario.auxiliary_models.end() ? nullptr : &*at;
}

/// What one pass of a drafter reads, and the layers that it passes.
struct Pass {
  Bytes bytes;
  Count layers;
};

/// Weights of the head, or of the token table where this is the head.
Bytes head_bytes(const Scenario& scenario, const Stage& stage) noexcept {
  Bytes total;
  const bool tied = scenario.model.tied_embeddings;
  moments::visit_stored(scenario, stage, [&](TensorKind kind) { return kind == (tied ? TensorKind::embedding : TensorKind::head); },
                        [&](const Term& term) { total += term.bytes(); });
  return total;
}

Pass pass_of_companion(const Scenario& scenario, const AuxiliaryModel& draft, Count sequences) noexcept {
  const Scenario& own = draft.scenario;
  const Strategy passed = without_stages(own.strategy);
  const Stage stage{own.model, passed, own.workload, 0};
  Pass pass;
  // In 16 bits, as its memory is counted.
  parameters::each_held(own.model, passed, stage, [&](const KindCount& of, Count numbers) {
    if (in_language_model(of.kind) && of.kind != TensorKind::embedding && of.kind != TensorKind::positions && !is_routed(of.kind)) pass.bytes += numbers * Bytes{2};
    if (of.kind == TensorKind::embedding && own.model.tied_embeddings && own.model.has_head) pass.bytes += numbers * Bytes{2};
  });
  for (const LayerGroup& group : own.model.groups) {
    if (memory::has_experts(group)) {
      constexpr Count kMillion{1'000'000};
      const Count all{expert_weights(own, stage, group).value};
      pass.bytes += Bytes{ceil_div(all * met_experts(group.moe, sequences), kMillion).value};
    }
    const CacheRead cache = cache_read(own, group);
    pass.bytes += sequences * (stage.held(group) * (cache.tokens * cache.per_token));
  }
  pass.layers = layers_of(own, stage);
  if (scenario.serving.drafter == Drafter::eagle) { // its head is the model's
    const Strategy whole = without_stages(scenario.strategy);
    pass.bytes += head_bytes(scenario, Stage{scenario.model, whole, scenario.workload, 0});
  }
  return pass;
}

/// A prediction layer with the experts that the tokens meet, and the model's head.
Pass pass_of_prediction(const Scenario& scenario, Count sequences) noexcept {
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  Bytes dense, experts;
  moments::visit_stored(scenario, stage, [](TensorKind kind) { return kind == TensorKind::prediction; }, [&](const Term& term) { dense += term.bytes(); });
  moments::visit_stored(scenario, stage, [](TensorKind kind) { return kind == TensorKind::prediction_experts; }, [&](const Term& term) { experts += term.bytes(); });
  Pass pass{dense + head_bytes(scenario, stage), prediction_layers(scenario.model)};
  constexpr Count kMillion{1'000'000};
  for (const LayerGroup& group : scenario.model.prediction)
    if (memory::has_experts(group)) {
      pass.bytes += Bytes{ceil_div(met_experts(group.moe, sequences) * Count{experts.value}, kMillion).value};
      break;
    }
  return pass;
}

} // namespace

bool drafts(const Scenario& scenario) noexcept {
  const Serving& serving = scenario.serving;
  return serving.draft_tokens > 0 && (serving.predicts_drafts || serving.drafter != Drafter::model || drafter_of(scenario) != nullptr);
}

TokenRate accepted_tokens(const Scenario& scenario) noexcept {
  if (!drafts(scenario)) return {Count{1000}, Count{1000}, Count{1000}};
  const std::int64_t stated = scenario.serving.acceptance_permille;
  const Constant& assumed = scenario.profile.inference.acceptance;
  const auto tokens = [&](std::int64_t permille) {
    constexpr double kThousandths = 1000.0;
    const double chance = static_cast<double>(permille) / kThousandths;
    double power = 1.0, sum = 1.0;
    for (std::int64_t i = 0; i < scenario.serving.draft_tokens; ++i) power *= chance, sum += power;
    return Count{static_cast<std::int64_t>(sum * kThousandths + 0.5)};
  };
  if (stated > 0) return {tokens(stated), tokens(stated), tokens(stated)};
  return {tokens(assumed.value), tokens(assumed.low), tokens(assumed.high)};
}

void visit_draft(const Scenario& scenario, const Efficiency& efficiency, Count of_replica, TermSink into_sink, void* into) noexcept {
  if (!drafts(scenario) || scenario.serving.drafter == Drafter::ngram) return;
  const Count sequences = sequences_in_pass(of_replica, scenario.strategy);
  const AuxiliaryModel* const auxiliary = drafter_of(scenario);
  const bool own = auxiliary != nullptr && !scenario.serving.predicts_drafts;
  const Pass pass = own ? pass_of_companion(scenario, *auxiliary, sequences) : pass_of_prediction(scenario, sequences);
  const Count passes{scenario.serving.drafter == Drafter::medusa ? 1 : scenario.serving.draft_tokens};
  const std::int64_t rate = scenario.hardware.rates.memory;
  const Constant& share = efficiency.plain_share;
  const auto some = [&](const Term& term) {
    if (term.amount != 0) into_sink(into, term);
  };
  Term read = timed(reads_of(scenario.serving.drafter), (passes * pass.bytes).value, rate, share, {passes.value, pass.bytes.value, rate, share.value});
  read.provenance = nullptr; // the drafter's source stands for it
  some(read);
  some(repeated(kLaunches, passes * pass.layers, efficiency.layer_ns, {passes.value, pass.layers.value, efficiency.layer_ns.value}));
}

Term accepted_per_second(Count sequences, const TokenRate& accepted, std::int64_t time, std::int64_t low, std::int64_t high) noexcept {
  const auto rate = [&](Count thousandths, std::int64_t taken) {
    return Count{thousandths_per_second((sequences * thousandths).value, Nanoseconds{taken}).value / 1000};
  };
  Term term = make_term(kRateOf, rate(accepted.expected, time), {sequences.value, accepted.expected.value, time});
  term.low = rate(accepted.low, high).value;
  term.high = rate(accepted.high, low).value;
  return term;
}

} // namespace plimsoll::timing
