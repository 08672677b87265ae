#pragma once
// Which way of serving: weight format, cache format, GPUs of a replica, replicas and concurrency. Every way is tried: they are few.
// "model=llama-3-70b&device=h100-80-sxm&profile=vllm&gpus=8&least_rate=20": what the scenario states of these holds.

#include "plimsoll/io/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Entries besides the fields of a scenario; gpus, compare_devices, top, kind and cloud mean what they mean in plan_keys().
std::span<const PlanKey> serving_plan_keys() noexcept;

enum class ServingObjective : unsigned char { throughput, cost, latency, headroom, gpus };
inline constexpr std::size_t kServingObjectives = 5;
std::string_view name_of(ServingObjective objective) noexcept;
std::optional<ServingObjective> serving_objective_of(std::string_view name) noexcept; ///< nothing where no objective has that name

struct ServedWay {
  std::string device;
  std::string weights, cache;       ///< weight_dtype and kv_dtype
  std::int64_t gpus = 1, tensor_parallel = 1, replicas = 1;
  std::int64_t batch = 1;           ///< sequences of one replica at once
  std::string query;
  std::string text;
  Bytes needs, headroom;            ///< of the fullest GPU, by the estimate
  bool timed = false;               ///< false: the engine's speed on the device is not known; the rest is 0 then
  Count rate, sequence_rate;        ///< thousandths of a token per second: of all replicas, and of one sequence
  Nanoseconds first_token;          ///< 0 where not known
  Money per_million;                ///< tokens of answers; 0 where nobody asks a price
};

struct ServingPlan {
  Issues issues;
  bool ok = false;
  ServingObjective objective = ServingObjective::throughput;
  std::int64_t tried = 0, held = 0;
  std::array<std::int64_t, 5> refused{}; ///< by Verdict
  std::int64_t too_slow = 0;             ///< hold, and miss least_rate or most_first_token
  std::vector<ServedWay> best;           ///< best first; of equal formats, GPUs and replicas the best concurrency alone
  std::vector<ServedWay> front;          ///< that none beats in tokens per second, price and rate of a sequence at once; fastest first
};

/// Never throws on any request.
ServingPlan plan_serving(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried = {});

/// {"ok", "issues", "objective", "counts": {"tried", "held", "too_slow", "refused": {verdict: n}}, "best": [way], "front": [way]}.
std::string serving_plan_json(const ServingPlan& plan);
/// From the texts that the borders give; `prices` as in CostTexts.
std::string serving_plan_json(const Catalog& catalog, std::string_view question, bool is_json, std::string_view prices = {});

} // namespace plimsoll::io
