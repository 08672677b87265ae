// Norms, residual sums, activations, rotary positions, casts and the loss do little arithmetic: memory bandwidth decides.
#include "method/time/training/parts.hpp"

#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr std::string_view kText = "micro_batches * ceil_div(ceil_div(channels * bytes * tokens, gpus) * 1000000000000, memory * share)";

constexpr FormulaText formula_of(std::string_view id, std::string_view label, std::string_view channels, std::string_view bytes, std::string_view citation) {
  return {.id = id,
          .label = label,
          .unit = "ns",
          .text = kText,
          .citation = citation,
          .basis = Basis::measured,
          .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                       {"channels", "channels", channels, ""},
                       {"bytes", "bytes", bytes, ""},
                       {"tokens", "tokens", "of one micro-batch", "batch"},
                       {"gpus", "GPUs", "that divide the model and its sequences", ""},
                       {"memory", "bytes/s", "of the device", "device"},
                       {"share", "thousandths", "of that", ""}}}};
}

constexpr std::string_view kTouched = "read and written for each, forward and backward";
constexpr Formula kFormulas[] = {
    {[] { return formula_of("time.elementwise.layers", "Elementwise and norm kernels", "of all layers' inputs", kTouched, "llm_foundry_benchmarks"); }},
    {[] { return formula_of("time.elementwise.logits", "Loss", "of the vocabulary", kTouched, "llm_foundry_benchmarks"); }},
    {[] { return formula_of("time.elementwise.routed", "Token permutation and activations of experts", "of the rows that go to experts, and of the experts: together one where experts are as wide as the model", kTouched,
               "megatron_bridge_performance"); }},
    {[] { return formula_of("time.recompute.elementwise", "Recomputed elementwise kernels", "of the inputs of layers that run again",
               "read and written for each in the forward pass, a third of both passes", "checkpointing"); }},
    {[] { return formula_of("time.elementwise.adapters", "Thin matrices beside maps", "in and out of the maps that have some", kTouched, "lora_traffic"); }},
};

const Constant& bytes_of(const TrainingEfficiency& efficiency, Traffic traffic) noexcept {
  switch (traffic) {
    case Traffic::logits: return efficiency.logit_bytes;
    case Traffic::routed: return efficiency.routed_bytes;
    case Traffic::adapters: return efficiency.adapter_bytes;
    case Traffic::layers:
    case Traffic::layers_again: break;
  }
  return efficiency.elementwise_bytes;
}

} // namespace

Term elementwise(const Scenario& scenario, Traffic traffic, Count channels) noexcept {
  const Constant& constant = bytes_of(scenario.profile.efficiency, traffic);
  const Count micro_batches{scenario.workload.micro_batches}, tokens = sequence_tokens(scenario.workload);
  const Speed memory = memory_speed(scenario);
  const auto bytes = [&](End end) {
    const Count both{amount_at(constant, end)};
    return traffic == Traffic::layers_again ? ceil_div(both, Count{3}) : both;
  };
  const auto time = [&](End end) {
    const Count touched = micro_batch_share(channels * bytes(end), scenario.workload, scenario.strategy);
    return micro_batches * time_of(touched, memory.rate, share_at(*memory.share, end));
  };
  Term term = timed(kFormulas[static_cast<std::size_t>(traffic)], time,
                    {micro_batches.value, channels.value, bytes(End::expected).value, tokens.value, gpus_of_a_replica(scenario.strategy).value, memory.rate, memory.share->value});
  if (traffic != Traffic::layers_again) term.provenance = &constant;
  return term;
}

} // namespace plimsoll::timing
