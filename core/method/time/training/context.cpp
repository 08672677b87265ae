// Context parallelism: what goes around, and what a ring's steps cost beside it. A step is a kernel of its own over a part of the sequence, whose
// result is joined with those before it, while keys and values of the next are on their way.
#include "method/time/training/parts.hpp"

#include "method/sharding/fleet.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kMicroBatches{"micro_batches", "", "of a step", "micro_batches"};

constexpr Formula kContext{[] { return FormulaText{
    .id = "time.context_parallel",
    .label = "Context parallelism",
    .unit = "ns",
    .text = "micro_batches * max(ceil_div(traffic * 1000000000000, rate * share) + messages * message - window, 0)",
    .citation = "ring_attention",
    .basis = Basis::published,
    .symbols = {{kMicroBatches,
                 {"traffic", "bytes", "of a stage's layers in one micro-batch, the backward pass twice the forward pass", "context_parallel"},
                 {"rate", "bytes/s", "of the links within a node; where the group is larger, of its network adapters in a node", "gpus_per_node"},
                 {"share", "thousandths", "of that rate that collectives reach", ""},
                 {"messages", "", "one after the other: of a ring, one less than it has members forward, as many as members backward, in each layer", "context_method"},
                 {"message", "ns", "before the first byte of one", ""},
                 {"window", "ns", "of attention that hides what goes around", "context_method"}}}}; }};

// Around the kernels of a ring's steps, of 16 bits: the first part becomes the output in 32 bits (6 bytes), is cast (6) and its queries' gradients
// are copied (4): 16 for each channel of a GPU's own tokens. Each later step, of which half have half of the queries: a part joins the output (10
// bytes), gradients are added (6), or halves of queries, outputs and their gradients are copied: 16. Keys and values are halved and summed: 8.
constexpr Formula kMerge{[] { return FormulaText{
    .id = "time.context_parallel.merge",
    .label = "Joining the parts of context parallelism",
    .unit = "ns",
    .text = "micro_batches * ceil_div((16 * outputs + 8 * keys_values) * 1000000000000, memory * share)",
    .citation = "te_context_parallel",
    .basis = Basis::published,
    .symbols = {{kMicroBatches,
                 {"outputs", "numbers", "that attention makes in all steps of the ring, in a stage's layers", "context_parallel"},
                 {"keys_values", "numbers", "that come around", ""},
                 {"memory", "bytes/s", "of the device", "device"},
                 {"share", "thousandths", "of that", ""}}}}; }};

// A kernel of attention takes blocks of queries, each of which begins and ends once: in a ring, once in every step. Of the steps after the first, half
// have all queries and half have half of them. Two multiplications forward and five backward, each of two FLOP.
constexpr Formula kStarts{[] { return FormulaText{
    .id = "time.context_parallel.starts",
    .label = "Beginning attention anew with every part of context parallelism",
    .unit = "ns",
    .text = "micro_batches * ceil_div((21 * queries + 6 * heads * exponential) * keys * 1000000000000, 4 * rate * share)",
    .citation = "te_context_parallel",
    .basis = Basis::assumed,
    .symbols = {{kMicroBatches,
                 {"queries", "numbers", "and values of them, of a GPU's own tokens in a stage's layers, for each step of the ring after the first", "context_parallel"},
                 {"heads", "", "of those queries", "query_heads"},
                 {"exponential", "FLOP", "that the matrix units would do during one", "device"},
                 {"keys", "tokens", "that a block's beginning and end cost", ""},
                 {"rate", "FLOP/s", "of the device's data sheet in 16 bits", "device"},
                 {"share", "thousandths", "of that rate that the attention kernel reaches", "attention"}}}}; }};

} // namespace

Term context_parallel(const Scenario& scenario, const ContextWork& work, Nanoseconds attention) noexcept {
  const RingShape ring = ring_of(Ring::context, scenario.strategy);
  const Count passes{3}, exchanges{8}; // a ring's backward pass sends gradients too; Ulysses: four exchanges forward, four backward
  const Count tokens = token_share(scenario.workload, scenario.strategy).inside, micro_batches{scenario.workload.micro_batches};
  const ContextMethod method = scenario.strategy.context_method;
  const bool by_heads = method == ContextMethod::ulysses, around = method == ContextMethod::ring;
  const Bytes bytes = residual_bytes(scenario);
  const Bytes traffic = by_heads ? exchanges * ring_traffic(tokens * (stage_layers(Count{static_cast<std::int64_t>(scenario.model.pattern.size())}, scenario.strategy) *
                                                                      (scenario.model.hidden_size * bytes)),
                                                            ring.members)
                                 : passes * ((ring.members - Count{1}) * (tokens * (work.keys_values * bytes)));
  const Count messages = work.layers * (by_heads ? exchanges : around ? Count{2} * ring.members - Count{1} : passes);
  const Nanoseconds window = around ? attention : Nanoseconds{0};
  const Speed speed = by_heads || around ? exchange_speed(scenario, ring.span) : ring_speed(scenario, ring); // neighbours and pairs go through one adapter each
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const Constant& message = ring.span > Count{scenario.hardware.gpus_per_node} ? efficiency.message_network : efficiency.message_link;
  const auto time = [&](End end) {
    return micro_batches * max(time_of(traffic, speed.rate, share_at(*speed.share, end)) + messages * Nanoseconds{amount_at(message, end)} - window, Nanoseconds{0});
  };
  return timed(kContext, time, {micro_batches.value, traffic.value, speed.rate, speed.share->value, messages.value, message.value, window.value});
}

Term context_merge(const Scenario& scenario, const ContextWork& work) noexcept {
  const Count members = ring_of(Ring::context, scenario.strategy).members, tokens = token_share(scenario.workload, scenario.strategy).inside;
  const Count made = members * (tokens * work.outputs), around = (members - Count{1}) * (tokens * work.keys_values), micro_batches{scenario.workload.micro_batches};
  const Speed memory = memory_speed(scenario);
  const Count bytes = Count{16} * made + Count{8} * around;
  return timed(kMerge, [&](End end) { return micro_batches * time_of(bytes, memory.rate, share_at(*memory.share, end)); }, {micro_batches.value, made.value, around.value, memory.rate, memory.share->value});
}

Term context_starts(const Scenario& scenario, const ContextWork& work) noexcept {
  const Count members = ring_of(Ring::context, scenario.strategy).members, tokens = token_share(scenario.workload, scenario.strategy).inside;
  const Count queries = (members - Count{1}) * (tokens * (work.queries + work.outputs)), heads = (members - Count{1}) * (tokens * work.heads);
  const Count exponential{scenario.profile.efficiency.exponential.value}, micro_batches{scenario.workload.micro_batches};
  const Constant& keys = scenario.profile.efficiency.attention_start;
  const Speed speed = attention_speed(scenario);
  const auto time = [&](End end) {
    return micro_batches * time_of((Count{21} * queries + Count{6} * (heads * exponential)) * Count{amount_at(keys, end)}, (Count{4} * Count{speed.rate}).value, share_at(*speed.share, end));
  };
  Term term = timed(kStarts, time, {micro_batches.value, queries.value, heads.value, exponential.value, keys.value, speed.rate, speed.share->value});
  term.provenance = &keys;
  return term;
}

} // namespace plimsoll::timing
