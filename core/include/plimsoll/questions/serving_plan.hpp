#pragma once
// Which way of serving: engine, weight format, cache format, how GPUs divide the model (tensor, pipeline, experts), replicas and
// concurrency. Every way is tried: they are few.
// "model=llama-3-70b&device=h100-80-sxm&profile=vllm&gpus=8&least_rate=20": what the scenario states of these holds.

#include "plimsoll/method/solve.hpp"
#include "plimsoll/questions/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Entries besides the fields of a scenario; gpus, compare_devices, top, kind and cloud mean what they mean in plan_keys().
std::span<const PlanKey> serving_plan_keys() noexcept;

/// Whether a question about a plan is one about ways of serving: its task says so. Without a task it is about training.
bool plans_serving(const Request& request);

enum class ServingObjective : unsigned char { throughput, cost, latency, headroom, gpus };
inline constexpr std::size_t kServingObjectives = 5;
std::string_view name_of(ServingObjective objective) noexcept;
std::optional<ServingObjective> serving_objective_of(std::string_view name) noexcept; ///< nothing where no objective has that name

struct ServedWay {
  std::string device;
  std::string engine;               ///< id of the profile
  std::string weights, cache;       ///< weight_dtype and kv_dtype
  std::int64_t gpus = 1, tensor_parallel = 1, pipeline_parallel = 1, replicas = 1; ///< the last three multiply to the first
  std::int64_t expert_parallel = 1; ///< GPUs that each keep whole experts; 1: each has a part of every expert
  bool shares_experts = false;      ///< data-parallel attention: replicas divide the experts among them
  std::int64_t batch = 1;           ///< sequences of one replica at once
  std::string query;
  std::string text;
  Bytes needs, headroom;            ///< of the fullest GPU's process
  bool timed = false;               ///< false: the engine's speed on the device is not known; the rest is 0 then
  Count rate, sequence_rate;        ///< thousandths of a token per second: of all replicas, and of one sequence
  Nanoseconds first_token;          ///< 0 where not known
  Money per_million;                ///< tokens of answers; 0 where nobody asks a price
  const PriceRow* price = nullptr;  ///< whose price it is; null where it is the user's own, or there is none
};

struct ServingPlan {
  Issues issues;
  bool ok = false;
  ServingObjective objective = ServingObjective::throughput;
  bool done = false;                     ///< nothing is left to try; until then the rest stands for what was tried so far
  std::size_t setups = 0, of = 0;        ///< combinations of device and engine: done, and all
  std::int64_t tried = 0, held = 0;
  std::array<std::int64_t, kVerdicts> refused{}; ///< by Verdict
  std::int64_t too_slow = 0;             ///< hold, and miss least_rate or most_first_token
  std::vector<ServedWay> best;           ///< best first; of equal formats, GPUs and replicas the best concurrency alone
  std::vector<ServedWay> front;          ///< that none beats in tokens per second, price and rate of a sequence at once; fastest first
};

/// Why ways do not hold, as people read it: "Does not fit". "" for Verdict::holds.
std::string_view label_of(Verdict verdict) noexcept;

/// A search in steps. `catalog` and `prices` must outlive it. Never throws on any request.
class ServingPlanSession {
public:
  ServingPlanSession(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried = {});
  ~ServingPlanSession();
  ServingPlanSession(ServingPlanSession&&) noexcept;
  ServingPlanSession& operator=(ServingPlanSession&&) noexcept;

  /// About so many ways more, or the next formats: milliseconds. False when all is done, or the question has errors.
  bool advance(std::int64_t ways);
  /// What was found so far.
  ServingPlan answer() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole search. Never throws on any request.
ServingPlan plan_serving(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried = {});

/// {"ok", "issues", "objective", "progress": {"setups", "of", "done"}, "counts": {"tried", "held", "too_slow", "refused": {verdict: n},
/// "dropped": [{"id", "label", "ways"}]}, "best": [way], "front": [way]}. A way: "query", "text", "device", "engine", "gpus", "weight_dtype",
/// "kv_dtype", "tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel_attention", "replicas", "batch", "needs_bytes",
/// "headroom_bytes", and where they are known "rate", "sequence_rate", "first_token", "per_million_tokens".
std::string serving_plan_json(const ServingPlan& plan);
/// From the texts that the borders give; `prices` as in CostTexts.
std::string serving_plan_json(const Catalog& catalog, std::string_view question, bool is_json, std::string_view prices = {});

} // namespace plimsoll::io
