#pragma once
// A server under load: what its users wait for and how many tokens it gives. Workload::traffic says what is asked of it.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/speed.hpp"

#include <cstdint>

namespace plimsoll {

/// How long requests take, over all of them.
struct Waits {
  Nanoseconds mean, p50, p90, p99;
};

/// Means, of which few requests of lognormal lengths are longer.
inline constexpr std::int64_t kLongestOfMean = 8;

/// What the caller knows of a replica.
struct LoadLimits {
  Count cache_tokens; ///< tokens that its cache has room for; 0 = no limit
};

struct Load {
  bool exists = false;      ///< the traffic is stated, and kernels speak of the device and the engine
  bool measured = false;   ///< by measured kernels; false: by the device's rates and what the engine reaches of them
  bool own_class = false;  ///< … measured on GPUs of the device's own class
  bool too_long = false;   ///< a request has no room in the cache: nothing else is known then
  Waits first_token;       ///< from a request's arrival to its first token
  Waits per_token;         ///< from one token of an answer to the next, a request's mean
  Waits whole;             ///< from arrival to the last token
  Count requests;          ///< answered per second by all replicas, in thousandths
  Count prompt_tokens, answer_tokens; ///< per second of all replicas, in thousandths
  Count found_tokens;      ///< of these prompts, what a cache had of them
  Count running, waiting;  ///< requests of one replica on average, in thousandths
  Count cache_permille;    ///< of its cache that is in use on average
  Count prompt_permille;   ///< of the time of all passes, what reading prompts adds to them
  Count prefill_permille;  ///< of the time of servers that only read prompts, what they are busy for; 0 = there are none
  Count decode_permille;   ///< likewise of the replicas that answer
  Nanoseconds transfer;    ///< from the end of reading until the replica that answers has the cache, on average
  Count preemptions;       ///< requests that lost their place in the cache and began again, of one replica
  Count steps;             ///< passes of one replica
  Count simulated;         ///< requests of one replica that the numbers are of
  Nanoseconds lasted;      ///< from the first of them to the end of the last
};

/// Whether traffic is stated.
bool has_traffic(const Workload& workload) noexcept;

/// Step by step, as the engine's scheduler goes. Deterministic: equal arguments give equal results. `scenario` must come from inputs
/// without validate() errors.
Load simulated_load(const Scenario& scenario, const LoadLimits& limits);

/// The same of `answering` replicas and of the servers of `reading`, as many as its strategy has replicas, that read their prompts for them.
Load simulated_load(const Scenario& answering, const LoadLimits& limits, const Scenario& reading, const LoadLimits& reading_limits);

/// Of a steady load in closed form; percentiles are the mean. Runs of so many requests at once (Traffic::requests) have their beginning in it.
/// Nothing of traces and bursts, of a rate that is not answered as it comes, or where others read the prompts; of conversations nothing where some may lose
/// their place in the cache between two turns, or all begin at once.
Load steady_load(const Scenario& scenario, const LoadLimits& limits = {});

/// How far measured runs were: the mean of a load as it is expected, at best and at worst.
TimeRange first_token_range(const Scenario& scenario, const Load& load);
TimeRange per_token_range(const Scenario& scenario, const Load& load);

} // namespace plimsoll
