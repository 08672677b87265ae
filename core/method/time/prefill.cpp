// A prompt is read in passes of prefill_tokens. Each pass multiplies its tokens with all weights, which takes longer than reading them
// unless it is short; attention's core grows with what stands before. Agrawal et al., Sarathi-Serve, 2024 (arXiv 2403.02310), section 3.
#include "method/memory/layers.hpp"
#include "method/time/link.hpp"
#include "method/time/pass_terms.hpp"
#include "method/time/reads.hpp"
#include "method/time/reductions.hpp"
#include "method/time/terms.hpp"
#include "method/time/towers.hpp"
#include "method/time/visit.hpp"
#include "method/time/work.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of the prompt, without whole pages that the engine has of its beginning", "shared_tokens"};

constexpr Formula kWork{[] { return FormulaText{.id = "time.prefill.work", .label = "Multiplying", .unit = "ns",
                        .text = "floor_div(2000000000000 * (tokens * work + head) + rate * share, 2 * rate * share)", .citation = "sarathi", .basis = Basis::assumed,
                        .symbols = {{kTokens,
                                     {"work", "FLOP", "of one token in the layers on one GPU, attention to the tokens before it among them", ""},
                                     {"head", "FLOP", "of the output head for the last token", ""},
                                     kFlops, kShare}}}; }};

constexpr Formula kReads{[] { return FormulaText{.id = "time.prefill.weights", .label = "Reading weights", .unit = "ns",
                         .text = "floor_div(2000000000000 * (passes * bytes) + rate * share, 2 * rate * share)", .citation = "sarathi", .basis = Basis::measured,
                         .symbols = {{{"passes", "passes", "over the prompt", "prefill_tokens"}, kBytes, kRate, kShare}}}; }};

constexpr Formula kHost{[] { return FormulaText{.id = "time.prefill.host", .label = "The host reads its layers", .unit = "ns",
                        .text = "floor_div(2000000000 * (passes * bytes) + rate, 2 * rate)", .citation = "sarathi", .basis = Basis::assumed,
                        .symbols = {{{"passes", "passes", "over the prompt", "prefill_tokens"},
                                     {"bytes", "bytes", "of weights that the host keeps", "gpu_layers"},
                                     {"rate", "bytes/s", "at which a host reads its memory", "profile"}}}}; }};

constexpr Formula kCopies{[] { return FormulaText{.id = "time.prefill.copies", .label = "What the host keeps is copied to the GPU", .unit = "ns",
                          .text = "floor_div(2000000000000 * (passes * bytes) + rate * share, 2 * rate * share)", .citation = "llama_cpp_copies", .basis = Basis::assumed,
                          .symbols = {{{"passes", "passes", "over the prompt", "prefill_tokens"},
                                       {"bytes", "bytes", "of weights that the host keeps", "gpu_layers"},
                                       {"rate", "bytes/s", "of the device's link to its host, by its data sheet", "device"},
                                       kShare}}}; }};

/// Tokens that one pass takes of a prompt.
Count pass_of(const Scenario& scenario, Count tokens) noexcept { return min(tokens, max(Count{scenario.workload.prefill_tokens}, Count{1})); }

/// Whether the GPU multiplies with what the host keeps, which is worth its way where many tokens share it.
bool copies(const Scenario& scenario, Count pass) noexcept {
  const std::int64_t least = scenario.profile.inference.copied_pass.value;
  return least > 0 && pass >= Count{least} && scenario.hardware.rates.host > 0 && uses_host(scenario.strategy);
}

Term prompt_work(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  const Count all{scenario.workload.context_tokens}, cached = cached_prompt_tokens(scenario), tokens = all - cached;
  const Strategy passed = copies(scenario, pass_of(scenario, tokens)) ? without_host(scenario.strategy) : without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  const Count head = head_work(scenario, stage);
  // What is cached is looked at, and looks at nothing itself.
  const Count looks = all * context_work(scenario, stage) - (cached > Count{0} ? cached * context_work(scenario, stage, cached) : Count{0});
  const Count work = layer_work(scenario, stage) + Count{looks.value / max(tokens, Count{1}).value};
  const std::int64_t rate = multiply_rate(scenario, efficiency);
  const Constant& share = efficiency.compute_share;
  return timed(kWork, (tokens * work + head).value, rate, share, {tokens.value, work.value, head.value, rate, share.value});
}

/// One prompt alone, kernel by kernel: whole passes, at the mean of what stands before them, and the last one. In a pipeline a pass begins when
/// the one before it has left the first stage.
void visit_passes(const PassModel& model, const Scenario& scenario, TermSink sink, void* into) {
  const Count cached = cached_prompt_tokens(scenario), tokens = Count{scenario.workload.context_tokens} - cached, pass = pass_of(scenario, tokens);
  const Count passes = ceil_div(tokens, pass), whole = passes - Count{1}, last = tokens - whole * pass;
  const auto real = [](Count count) { return static_cast<double>(count.value); };
  const double before = real(cached), ahead = in_one_pass(real(whole), scenario.strategy);
  const PassTimes each = model.at({.prompts = 1, .fresh = real(pass), .before = before + std::max(0.0, real(whole) - 1) * real(pass) / 2});
  PassTimes sum = model.at({.prompts = 1, .fresh = real(last), .before = before + real(whole * pass), .finished = 1});
  for (const auto part : {&PassTimes::matrices, &PassTimes::attention, &PassTimes::experts, &PassTimes::recurrences, &PassTimes::communication, &PassTimes::short_kernels})
    sum.*part += ahead * each.*part;
  visit_pass(model, Phase::prompt, sum, passes, Count{1}, sink, into);
  const Strategy passed = without_stages(scenario.strategy);
  if (const Term read = link_reads(scenario, Stage{scenario.model, passed, scenario.workload, 0}, passes, pass); read.amount != 0) sink(into, read);
}

/// A prompt that its own server reads.
void visit_reading(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into) {
  const auto some = [&](const Term& term) {
    if (term.amount != 0) sink(into, term);
  };
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  visit_towers(scenario, efficiency, sink, into);
  if (const std::optional<PassModel> model = PassModel::of(scenario); model && model->measured()) return visit_passes(*model, scenario, sink, into);
  const Count tokens = Count{scenario.workload.context_tokens} - cached_prompt_tokens(scenario), pass = pass_of(scenario, tokens);
  const Count passes = ceil_div(tokens, pass);
  const std::int64_t memory = scenario.hardware.rates.memory;
  const Term multiplied = prompt_work(scenario, efficiency);
  const Constant& reached = is_quantised(scenario.weights) ? efficiency.quantised_share : efficiency.plain_share;
  const Bytes bytes = read_by(scenario, stage, pass);
  const Term read = timed(kReads, (passes * bytes).value, memory, reached, {passes.value, bytes.value, memory, reached.value});
  some(multiplied.amount > read.amount ? multiplied : read);
  if (uses_host(scenario.strategy)) {
    const Strategy everything = without_host(scenario.strategy);
    const Stage whole{scenario.model, everything, scenario.workload, 0};
    const Bytes left = read_by(scenario, whole, pass) - bytes;
    const std::int64_t link = scenario.hardware.rates.host;
    const Constant& share = scenario.profile.inference.copy_share;
    if (copies(scenario, pass)) some(timed(kCopies, (passes * left).value, link, share, {passes.value, left.value, link, share.value}));
    else some(at_rate(kHost, (passes * left), {passes.value, left.value, efficiency.host_rate.value}, efficiency.host_rate));
  }
  some(link_reads(scenario, stage, passes, pass));
  const Count layers = layers_of(scenario, stage);
  some(launches(passes, layers, efficiency.layer_ns));
  visit_waits(scenario, stage, efficiency, passes, tokens, some);
}

} // namespace

void visit_prefill(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into) {
  if (scenario.serving.disaggregation == Disaggregation::none) return visit_reading(scenario, efficiency, sink, into);
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  Bytes each = cached_token(scenario, stage);
  if (reads_apart(scenario.strategy)) {
    Scenario reading = scenario;
    reading.strategy = prefill_strategy(scenario.strategy);
    visit_reading(reading, efficiency, sink, into);
    each = max(each, cached_token(reading, Stage{reading.model, reading.strategy, reading.workload, 0})); // the side with fewer GPUs has the more to send
  } else {
    visit_reading(scenario, efficiency, sink, into);
  }
  sink(into, cache_transfer(scenario, each, Count{scenario.workload.context_tokens}));
}

} // namespace plimsoll::timing
