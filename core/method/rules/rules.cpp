// Which rules people would use for a task, and what each is compared with.
#include "plimsoll/method/rules.hpp"

#include "method/explain/tree.hpp"
#include "method/rules/formulas.hpp"
#include "plimsoll/method/compute.hpp"

#include <initializer_list>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::string_view kWhole = "Memory of one GPU at its peak", kStates = "Weights, gradients and optimizer states of one GPU, when they are most";

constexpr std::string_view kAlone = "How GPUs divide the model, activations, buffers, and what CUDA and the allocator take.";

std::int64_t of_parts(const Estimate& estimate, std::initializer_list<Part> parts) noexcept {
  Bytes sum;
  for (const Part part : parts) sum += estimate.at_peak().parts[static_cast<std::size_t>(part)];
  return sum.value;
}

/// Gradients come and go with the moments: what there is of all states at once.
std::int64_t most_states(const Estimate& estimate) noexcept {
  Bytes most;
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) {
    const auto& parts = estimate.moments[i].parts;
    const auto of = [&](Part part) { return parts[static_cast<std::size_t>(part)]; };
    most = max(most, of(Part::weights) + of(Part::gradients) + of(Part::optimizer));
  }
  return most.value;
}

/// `amount` for 1000 of `whole`. Divides first where the product would leave the range.
std::int64_t permille_of(std::int64_t amount, std::int64_t whole) noexcept {
  if (whole <= 0) return 0;
  const Count scaled = Count{1000} * Count{amount};
  if (!scaled.saturated()) return (scaled + Count{whole / 2}).value / whole;
  return whole >= 1000 ? amount / (whole / 1000) : 0;
}

class List {
public:
  explicit List(const Estimate& estimate) : estimate_(estimate) {}

  void add(const Term& term, std::string_view against, std::int64_t ours, std::string_view leaves_out) {
    rules_.push_back({component_of(term), against, ours, permille_of(term.amount, ours), leaves_out});
  }
  void add_whole(const Term& term, std::string_view leaves_out) { add(term, kWhole, estimate_.at_peak().total.value, leaves_out); }

  std::vector<RuleOfThumb> take() { return std::move(rules_); }

private:
  const Estimate& estimate_;
  std::vector<RuleOfThumb> rules_;
};

void add_serving(const Scenario& scenario, const Estimate& estimate, List& list) {
  list.add(rules::weights(scenario), "Weights of one GPU", of_parts(estimate, {Part::weights}),
           "How GPUs divide the model; scales of quantised weights, and tensors that keep more bits. People take it for the whole, which also holds "
           "the KV cache, activations, and what CUDA and the engine take.");
  list.add_whole(rules::serving(scenario), "The context: a fifth of the weights stands for a KV cache of any length and any number of sequences.");
  list.add(rules::kv_cache(scenario), "KV cache of one GPU", of_parts(estimate, {Part::kv_cache}),
           "Grouped-query and latent attention, windows, layers without attention, caches in 8 bits, pages, and how GPUs divide it.");
}

void add_full_training(const Scenario& scenario, const Estimate& estimate, List& list) {
  const std::int64_t states = most_states(estimate);
  list.add(rules::eight_bytes(scenario), kStates, states, "fp32 copies and states: it holds where everything is kept in 16 bits. And activations, as all rules by the parameter.");
  list.add(rules::sixteen_bytes(scenario), kStates, states, kAlone);
  list.add(rules::eighteen_bytes(scenario), kStates, states, kAlone);
  list.add_whole(rules::twenty_four_bytes(scenario), "What activations depend on: batch, context, recomputation, kernels. Other optimizers and number formats.");
  if (scenario.strategy.sharding != Sharding::none)
    list.add(rules::zero(scenario), kStates, states, "Tensor and pipeline parallelism, buffers of the exchange, parameters that are gathered while they are used, padding.");
}

void add_training(const Scenario& scenario, const Estimate& estimate, List& list) {
  if (is_frozen(scenario))
    list.add_whole(rules::weights(scenario), "Adapters with their states, activations, which fine-tuning keeps in full for frozen weights too, and what is dequantised on the way.");
  else
    add_full_training(scenario, estimate, list);
  if (!scenario.model.groups.empty() && scenario.model.groups.front().attention.query_heads > Count{0})
    list.add(rules::activations(scenario), "Activations of one GPU at its peak", of_parts(estimate, {Part::activations}),
             "Fused attention, which keeps no softmax; gated MLPs, grouped-query attention, experts; recomputation; how GPUs divide layers and tokens; the logits.");
  const TokenWork work = token_work(scenario);
  list.add(convention_work(WorkConvention::six_n, work_figures(scenario)), "Operations of a token, forward and backward", work.model.value,
           "Attention to other tokens, which grows with the context; embedding tables, which are looked up, not multiplied; frozen weights.");
}

} // namespace

std::vector<RuleOfThumb> rules_of_thumb(const Scenario& scenario, const Estimate& estimate) {
  List list{estimate};
  if (trains(scenario.workload.task)) add_training(scenario, estimate, list);
  else add_serving(scenario, estimate, list);
  return list.take();
}

} // namespace plimsoll
