// A decode step reads all weights that its tokens meet and each sequence's cache, and multiplies each weight with as many tokens as there
// are sequences; whichever takes longer hides the other. Pope et al., Efficiently Scaling Transformer Inference, 2022 (arXiv 2211.05102),
// section 2; Williams et al., Roofline, 2009. In a pipeline a token meets the stages one after the other while as many groups of
// sequences are under way: a step takes what one group takes through all of them. What kernels reach of the data sheet's rates is data: core/catalog/data/efficiency/inference.json.
// Of engines whose kernels are measured a step is one pass of the model that answers under load (load/pass.cpp).
#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/time/draft.hpp"
#include "method/time/link.hpp"
#include "method/time/pass_terms.hpp"
#include "method/time/reads.hpp"
#include "method/time/reductions.hpp"
#include "method/time/terms.hpp"
#include "method/time/visit.hpp"
#include "method/time/work.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kWeights{[] { return FormulaText{.id = "time.decode.weights", .label = "Reading weights", .unit = "ns", .text = "floor_div(2000000000000 * bytes + rate * share, 2 * rate * share)",
                           .citation = "efficient_inference", .basis = Basis::measured, .symbols = {{kBytes, kRate, kShare}}}; }};

constexpr Formula kExperts{[] { return FormulaText{.id = "time.decode.experts", .label = "Reading experts", .unit = "ns",
                           .text = "floor_div(2000000000000 * ceil_div(bytes * met, 1000000) + rate * share, 2 * rate * share)", .citation = "efficient_inference", .basis = Basis::measured,
                           .symbols = {{{"bytes", "bytes", "of all experts on one GPU", ""},
                                        {"met", "millionths", "of them that at least one token of the step meets: 1 - (1 - chosen / experts)^tokens", "batch"},
                                        kRate, kShare}}}; }};

constexpr Formula kCache{[] { return FormulaText{.id = "time.decode.cache", .label = "Reading the cache", .unit = "ns",
                         .text = "floor_div(2000000000000 * (sequences * layers * tokens * cached) + rate * share, 2 * rate * share)", .citation = "efficient_inference", .basis = Basis::measured,
                         .symbols = {{kSequences, kLayers,
                                      {"tokens", "tokens", "of a sequence that the layer attends to", "context_tokens"},
                                      {"cached", "bytes", "of one of them in one layer", "kv_dtype"},
                                      kRate, kShare}}}; }};

// Every step reads the state and writes the next one.
constexpr Formula kState{[] { return FormulaText{.id = "time.decode.state", .label = "Reading and writing recurrent states", .unit = "ns", .text = "floor_div(2000000000000 * (2 * bytes) + rate * share, 2 * rate * share)",
                         .citation = "efficient_inference", .basis = Basis::measured,
                         .symbols = {{{"bytes", "bytes", "of states of all sequences on one GPU", "batch"}, kRate, kShare}}}; }};

constexpr Formula kWork{[] { return FormulaText{.id = "time.decode.work", .label = "Multiplying", .unit = "ns", .text = "floor_div(2000000000000 * (sequences * work) + rate * share, 2 * rate * share)",
                        .citation = "efficient_inference", .basis = Basis::assumed,
                        .symbols = {{{"sequences", "tokens", "in one step: of each sequence one, and the draft tokens that are checked", "batch"}, {"work", "FLOP", "of one token on one GPU", ""},
                                     {"rate", "FLOP/s", "of the device's matrix units, by its data sheet; of packed blocks in int8, less what scaling each of them takes", "device"}, kShare}}}; }};

constexpr Formula kHost{[] { return FormulaText{.id = "time.decode.host", .label = "The host reads its layers", .unit = "ns",
                        .text = "floor_div(2000000000 * bytes + rate, 2 * rate)", .citation = "efficient_inference", .basis = Basis::assumed,
                        .symbols = {{{"bytes", "bytes", "of weights and cache that the host keeps", "gpu_layers"},
                                     {"rate", "bytes/s", "at which a host reads its memory", "profile"}}}}; }};

constexpr Formula kRateOf{[] { return FormulaText{.id = "fact.tokens_per_second", .label = "Tokens per second", .unit = "thousandths of tokens/s",
                          .text = "floor_div(1000000000000 * tokens, time)", .citation = "efficient_inference", .basis = Basis::measured,
                          .symbols = {{{"tokens", "tokens", "that come of it", "batch"}, {"time", "ns", "that it takes", ""}}}}; }};

/// Passes on what takes any time.
struct Some {
  TermSink sink;
  void* into;
  void operator()(const Term& term) const {
    if (term.amount != 0) sink(into, term);
  }
};

/// Thousandths of the device's rates.
struct Shares {
  const Constant& weights;
  const Constant& cache;
  const Constant& state;
  const Constant& work;
};

Shares shares_of(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  return {is_quantised(scenario.weights) ? efficiency.quantised_share : efficiency.plain_share, efficiency.cache_share, efficiency.plain_share,
          efficiency.compute_share};
}

/// Tokens that one step takes of so many sequences: a pass checks the drafts of each, and gives one more.
Count tokens_of_step(const Scenario& scenario, Count sequences) noexcept {
  return drafts(scenario) ? sequences * Count{scenario.serving.draft_tokens + 1} : sequences;
}

/// Experts that tokens meet where all are liked as much.
auto evenly(const Scenario& scenario) noexcept {
  return [&scenario](std::size_t group, Count tokens) { return met_experts(scenario.model.groups[group].moe, tokens); };
}

/// `met_by`: of a group and so many tokens, millionths of the experts.
template <class Met, class Sink> void visit_reads(const Scenario& scenario, const Stage& stage, const Shares& shares, Count sequences, Met&& met_by, Sink&& sink) {
  const std::int64_t rate = scenario.hardware.rates.memory;
  const Constant& share = shares.weights;
  const Bytes dense = dense_weights(scenario, stage, Phase::step);
  sink(timed(kWeights, dense.value, rate, share, {dense.value, rate, share.value}));
  for (std::size_t at = 0; at < scenario.model.groups.size(); ++at) {
    const LayerGroup& group = scenario.model.groups[at];
    const Count layers = stage.held(group);
    if (memory::has_experts(group)) {
      constexpr Count kMillion{1'000'000};
      const Count bytes{expert_weights(scenario, stage, group).value}, met = met_by(at, sequences_at_experts(tokens_of_step(scenario, sequences), scenario.strategy));
      sink(in_group(timed(kExperts, ceil_div(bytes * met, kMillion).value, rate, share, {bytes.value, met.value, rate, share.value}), group));
    }
    const CacheRead cache = cache_read(scenario, group);
    const Constant& attends = shares.cache;
    sink(in_group(timed(kCache, (sequences * layers * cache.tokens * cache.per_token).value, rate, attends,
                        {sequences.value, layers.value, cache.tokens.value, cache.per_token.value, rate, attends.value}),
                  group));
    if (group.cross.query_heads > Count{0} && layers > Count{0}) {
      const Count seen = scenario.model.encoder_sequence(Count{scenario.workload.context_tokens});
      const Bytes each{memory::cross_kv_cache(scenario, group, Count{1}, Count{1}).amount / max(seen, Count{1}).value};
      Term read = in_group(timed(kCache, (sequences * layers * seen * each).value, rate, attends, {sequences.value, layers.value, seen.value, each.value, rate, attends.value}), group);
      read.variant = "cross";
      sink(read);
    }
    if (!memory::recurs(group)) continue;
    const Bytes state = memory::recurrent_state(scenario, group, layers, sequences).bytes();
    sink(in_group(timed(kState, (Count{2} * state).value, rate, shares.state, {state.value, rate, shares.state.value}), group));
  }
}

template <class Sink> void visit_host(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count sequences, Sink&& sink) {
  if (!uses_host(scenario.strategy)) return;
  const Strategy everything = without_host(scenario.strategy);
  const Stage whole{scenario.model, everything, scenario.workload, 0};
  constexpr Count kMillion{1'000'000};
  Bytes bytes = dense_weights(scenario, whole, Phase::step) - dense_weights(scenario, stage, Phase::step);
  for (const LayerGroup& group : scenario.model.groups) {
    if (memory::has_experts(group)) {
      const Bytes left = expert_weights(scenario, whole, group) - expert_weights(scenario, stage, group);
      bytes += Bytes{ceil_div(met_experts(group.moe, sequences_at_experts(tokens_of_step(scenario, sequences), scenario.strategy)) * Count{left.value}, kMillion).value};
    }
    const CacheRead cache = cache_read(scenario, group);
    bytes += sequences * ((whole.held(group) - stage.held(group)) * (cache.tokens * cache.per_token));
  }
  sink(at_rate(kHost, bytes, {bytes.value, efficiency.host_rate.value}, efficiency.host_rate));
}

bool is_decided_by_work(Nanoseconds reads, const Term& work) noexcept { return Nanoseconds{work.amount} > reads; }

Term work_of(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, const Constant& share, Count sequences) noexcept {
  const Count tokens = tokens_of_step(scenario, sequences);
  const std::int64_t rate = multiply_rate(scenario, efficiency);
  if (rate <= 0) return {}; // not published: as if there were no end to it
  const Count work = layer_work(scenario, stage, Phase::step) + head_work(scenario, stage);
  return timed(kWork, (tokens * work).value, rate, share, {tokens.value, work.value, rate, share.value});
}

} // namespace

void visit_decode(const Scenario& scenario, const Efficiency& efficiency, Count of_replica, TermSink into_sink, void* into) {
  const Some sink{into_sink, into};
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  if (const std::optional<PassModel> model = PassModel::of(scenario); model && model->measured()) {
    const PassTimes times = model->at({.decoding = static_cast<double>(of_replica.value), .context = static_cast<double>(scenario.workload.context_tokens)});
    visit_pass(*model, Phase::step, times, Count{1}, sequences_in_pass(of_replica, scenario.strategy), into_sink, into);
    sink(link_reads(scenario, stage, Count{1}, tokens_of_step(scenario, of_replica)));
    return visit_draft(scenario, efficiency, of_replica, into_sink, into);
  }
  const Shares shares = shares_of(scenario, efficiency);
  const Count sequences = sequences_in_pass(of_replica, scenario.strategy);
  Nanoseconds reads;
  visit_reads(scenario, stage, shares, sequences, evenly(scenario), [&](const Term& term) { reads += Nanoseconds{term.amount}; });
  const Term multiplied = work_of(scenario, stage, efficiency, shares.work, sequences);
  if (is_decided_by_work(reads, multiplied)) sink(multiplied);
  else visit_reads(scenario, stage, shares, sequences, evenly(scenario), sink);
  visit_host(scenario, stage, efficiency, sequences, sink);
  sink(link_reads(scenario, stage, Count{1}, tokens_of_step(scenario, sequences)));
  const Count layers = layers_of(scenario, stage, Phase::step), once{1};
  sink(launches(once, layers, efficiency.layer_ns));
  sink(sequences_apart(sequences, efficiency.sequence_ns));
  visit_waits(scenario, stage, efficiency, once, tokens_of_step(scenario, sequences), sink);
  visit_draft(scenario, efficiency, of_replica, into_sink, into);
}

bool multiplies_longer(const Scenario& scenario, const Efficiency& efficiency, Count of_replica) noexcept {
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  const Shares shares = shares_of(scenario, efficiency);
  const Count sequences = sequences_in_pass(of_replica, scenario.strategy);
  Nanoseconds reads;
  visit_reads(scenario, stage, shares, sequences, evenly(scenario), [&](const Term& term) { reads += Nanoseconds{term.amount}; });
  return is_decided_by_work(reads, work_of(scenario, stage, efficiency, shares.work, sequences));
}

Nanoseconds decode_floor(const Scenario& scenario, const Efficiency& efficiency, Count of_replica) noexcept {
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  const Count sequences = sequences_in_pass(of_replica, scenario.strategy);
  Constant whole;
  whole.value = whole.low = whole.high = 1000;
  Nanoseconds reads;
  visit_reads(scenario, stage, {whole, whole, whole, whole}, sequences, [&](std::size_t group, Count tokens) { return met_experts(scenario, group, tokens); }, [&](const Term& term) { reads += Nanoseconds{term.amount}; });
  return max(reads, Nanoseconds{work_of(scenario, stage, efficiency, whole, sequences).amount});
}

Term tokens_per_second(Count tokens, std::int64_t time, std::int64_t low, std::int64_t high) noexcept {
  const auto rate = [&](std::int64_t taken) { return thousandths_per_second(tokens.value, Nanoseconds{taken}); };
  Term term = make_term(kRateOf, rate(time), {tokens.value, time});
  term.low = rate(high).value;
  term.high = rate(low).value;
  return term;
}

} // namespace plimsoll::timing
