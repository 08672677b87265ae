// {"kind", "world", …}: one rank of many, tests/measure/ranks.py.
#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"

#include <array>

namespace plimsoll::io::accuracy::training_steps {

namespace {

enum class Kind : unsigned char { fsdp2, ddp, tp };
constexpr Choice<Kind> kKinds[] = {{"fsdp2", Kind::fsdp2}, {"ddp", Kind::ddp}, {"tp", Kind::tp}};
constexpr Choice<bool> kHalf[] = {{"fp32", false}, {"bf16", true}};
constexpr Choice<bool> kBackends[] = {{"fake", false}, {"nccl", true}};

/// MixedPrecisionPolicy(param_dtype, reduce_dtype): without them, everything stays in the weights' format; gradients are reduced as
/// they are computed (torch/distributed/fsdp, fully_shard).
void read_policy(const Place& ranks) {
  Regime& regime = ranks.into.inputs.strategy.regime;
  const bool half_weights = regime == Regime::bf16;
  const bool half = choice(ranks, "param_dtype", half_weights ? "bf16" : "fp32", kHalf);
  const bool half_reduced = choice(ranks, "reduce_dtype", half ? "bf16" : "fp32", kHalf);
  if (half_weights && !half) return ranks.decline("param_dtype", "fp32 copies of bf16 weights are not covered");
  if (half != half_reduced && half_weights) return ranks.decline("reduce_dtype", "another format than that of the gradients is covered beside fp32 weights only");
  if (!half && half_reduced) return ranks.decline("reduce_dtype", "gradients of fp32 that are reduced in 16 bits are not covered");
  if (half_weights || !half) return;
  if (autocasts(regime)) return ranks.decline("param_dtype", "16-bit copies under autocast are not covered");
  if (half_reduced) return ranks.decline("reduce_dtype", "gradients reduced in 16 bits beside fp32 weights are not covered");
  regime = Regime::sharded_bf16;
}

void read_fsdp(const Place& ranks, std::int64_t world) {
  Strategy& strategy = ranks.into.inputs.strategy;
  strategy.data_parallel = world;
  strategy.sharding = Sharding::parameters;
  strategy.reshard_after_forward = ranks.truth("reshard", true);
  ranks.into.profile = "fsdp2";
  read_policy(ranks);
}

void read_ddp(const Place& ranks, std::int64_t world) {
  // A single replica fills buckets like any other; one that has nobody to exchange with has none in the estimate.
  ranks.into.inputs.strategy.data_parallel = std::max<std::int64_t>(world, 2);
  if (world == 1) ranks.into.assumed.push_back("Two replicas: the one that ran fills buckets as any of several does.");
  if (ranks.truth("bucket_view", false)) ranks.decline("bucket_view", "gradients that are views of buckets are not covered");
}

} // namespace

void read_ranks(const Json& row, const Place& scenario) {
  MeasuredRow& into = scenario.into;
  const Json& strategy = member(row, "strategy");
  const Place degrees{strategy, "strategy", into};
  for (const char* key : {"pp", "cp", "ep"})
    if (degrees.size(key, 1) != 1) degrees.decline(key, "not covered");
  const Json& object = scenario.at("ranks");
  if (object.is_null()) return;
  if (!object.is_object()) return scenario.decline("ranks", "no object");
  const Place ranks{object, "scenario.ranks", into};
  static constexpr std::array<std::string_view, 7> kKnown{"kind", "world", "backend", "bucket_view", "param_dtype", "reduce_dtype", "reshard"};
  ranks.refuse_others(kKnown);
  if (scenario.word("run", "train") == "trainer") return scenario.decline("ranks", "the harness does not hand them to Trainer");
  if (ranks.at("world").is_null()) ranks.decline("world", "missing");
  choice(ranks, "backend", "fake", kBackends); // buffers of the group's own are outside the allocator
  const std::int64_t world = ranks.size("world", 1);
  switch (choice(ranks, "kind", "", kKinds)) {
    case Kind::fsdp2: return read_fsdp(ranks, world);
    case Kind::ddp: return read_ddp(ranks, world);
    case Kind::tp: into.inputs.strategy.tensor_parallel = world; return;
  }
}

} // namespace plimsoll::io::accuracy::training_steps
