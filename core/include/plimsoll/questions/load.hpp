#pragma once
// What users of a server wait for, what a token costs, and how much of a load it takes within limits.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/questions/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Limits on the 90th percentile; 0 = none.
struct LatencyLimits {
  std::int64_t first_token_ms = 0;
  std::int64_t per_token_ms = 0;
  bool splits = false; ///< try all divisions of the servers between those that read prompts and those that answer, too
  bool operator==(const LatencyLimits&) const = default;
};

/// What tokens cost at a load. The first four need a price of the hardware, the last ones an API's besides.
struct LoadMoney {
  PricedFleet fleet; ///< at the user's own price, or the lowest that a cloud asks on demand
  std::optional<Money> per_million_answers, per_million_tokens; ///< for a million tokens of answers, and of prompts and answers together
  /// The same where prompts pay for the time that reading them adds to passes, and answers for the rest: as an API charges in and out.
  std::optional<Money> per_million_in, per_million_out;
  std::optional<Count> energy_per_million; ///< milliwatt-hours at the meter for a million tokens of answers; nothing where the board's power is not published
  const ApiPriceRow* api = nullptr;        ///< the cheapest API of the model for this load; null where the price is the user's own, or nobody's is known
  std::optional<Money> api_hourly;         ///< what the API asks for the tokens of an hour, what caches have of prompts at its price of that
  std::optional<Count> break_even;         ///< requests per second from which on the own hardware is cheaper, in thousandths
};

/// Of a load that is simulated, on so many GPUs. `prices` must outlive it.
LoadMoney load_money(const Prices& prices, const Answer& answer, const Load& load, Count gpus);

/// Servers of one kind, where prompts and answers have GPUs of their own.
struct LoadServers {
  Count servers, gpus; ///< of each
  Bytes memory;        ///< of one GPU, with the cache that the engine takes
  Count busy_permille; ///< of the time
};

/// Another division of the same GPUs between servers that read and replicas that answer.
struct LoadSplit {
  Count reading, answering;
  Load load;
  bool within = true; ///< the limits, where there are any
};

struct LoadReport {
  bool ok = false;
  Issues issues;      ///< of the scenario, and what a load lacks
  std::string query;  ///< the scenario's
  Load load;          ///< step by step
  std::optional<Load> steady; ///< in closed form, of a closed load
  TimeRange first_token, per_token; ///< the means, with how far measured runs were
  Count gpus;
  std::optional<LoadServers> reading, answering; ///< of disaggregation
  std::vector<LoadSplit> splits; ///< where they are asked for, all of them: those within limits first, the most tokens of answers first, then the shortest waits
  LoadMoney money;
  LatencyLimits limits;
  std::string asked;            ///< "concurrency" or "request_rate" where a limit is asked for
  std::optional<Count> highest; ///< of that, in its unit; 0 = even the least breaks the limits
  Load at_highest;
};

/// The same in steps: the load itself, then one tried value after the other.
class LoadSession {
public:
  /// `catalog` and `prices` must outlive it. Never throws.
  LoadSession(const Catalog& catalog, const Prices& prices, const Request& request, const LatencyLimits& limits = {});
  /// One simulation more: mostly some ten milliseconds. False once all is done.
  bool advance();
  /// Whole once all is done; before, without the highest load.
  const LoadReport& report() const noexcept { return report_; }

private:
  void begin();
  Answer divided();
  Load tried(std::int64_t value) const;
  bool try_split();

  const Catalog* catalog_;
  const Prices* prices_;
  Request request_;
  LoadReport report_;
  bool begun_ = false, searches_ = false, doubles_ = true;
  std::int64_t below_ = 0, from_ = 0, next_ = 1;
  Request split_;                           ///< as canonical names say it
  std::int64_t reading_ = 0, reading_gpus_ = 1, answering_gpus_ = 1; ///< of the next split; GPUs of one server
};

/// The load that the request states. With limits: also the highest concurrency or rate, whichever is stated, that keeps them, found by
/// halving; between two tried values the simulation decides.
LoadReport load_report(const Catalog& catalog, const Prices& prices, const Request& request, const LatencyLimits& limits = {});

/// {"ok", "issues", "query", "load", …}; times in nanoseconds.
std::string load_json(const LoadReport& report);
/// From the text of a query or of an object.
std::string load_json(const Catalog& catalog, const Prices& prices, std::string_view scenario, bool is_json, const LatencyLimits& limits = {});

/// For people: what a line is about, "" where it goes on with the one before, and what it says.
struct LoadLine {
  std::string label, text;
};
std::vector<LoadLine> load_lines(const LoadReport& report);

/// The same as text.
std::string load_text(const LoadReport& report);

} // namespace plimsoll::io
