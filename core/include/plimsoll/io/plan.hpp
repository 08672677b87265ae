#pragma once
// Plans asked for in the words of the field tables: "model=llama-3-70b&task=finetune&device=h100-80-sxm&gpus=64&objective=cost". What the
// scenario states of degrees, sharding, recomputation and micro-batches holds; what it leaves open is searched.

#include "plimsoll/io/answer.hpp"
#include "plimsoll/io/catalog.hpp"
#include "plimsoll/io/prices.hpp"
#include "plimsoll/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// An entry that a question may have besides the fields of a scenario.
struct PlanKey {
  std::string_view name;
  std::string_view help;
};
std::span<const PlanKey> plan_keys() noexcept;

/// GPUs that the search may take, as people read them.
struct PricedFleet {
  std::string device;           ///< id of the catalogue
  std::int64_t gpus = 1;
  Money hourly;                 ///< of all of them; 0 = nobody asks a price
  const PriceRow* row = nullptr; ///< whose price it is; null where it is the user's own, or there is none
};

/// What a variant of the question differs in, as entries of a scenario: device, method, weight_dtype, optimizer.
struct PlanSetup {
  Request request;
  std::vector<PricedFleet> fleets; ///< those of the variant
};

/// A plan with what front ends show.
struct PlannedWay {
  Planned planned;
  std::string query;    ///< the scenario, canonical
  std::string text;     ///< "tensor 8 × pipeline 4 × data 2, ZeRO-1, micro-batch 1 × 32, full recomputation"
  bool judged = false;  ///< by the whole process; otherwise by the estimate alone
  Bytes process;        ///< what it takes then; the plan fits with it
};

struct PlanAnswer {
  Issues issues;
  bool ok = false;                ///< no errors
  Objective objective = Objective::time;
  std::int64_t global_batch = 0;  ///< sequences
  std::int64_t tokens = 0;        ///< that times and costs are told for
  std::vector<PlanSetup> setups;  ///< of each variant
  PlanProgress progress;
  PlanCounts counts;
  std::int64_t too_tight = 0;     ///< plans that the estimate admits and the whole process does not: left out of `best`
  std::vector<PlannedWay> best;   ///< best first
  std::vector<PlannedWay> front;  ///< not judged by the process
};

/// A search that is asked for in steps, or by all threads of the machine.
class PlanSession {
public:
  /// `catalog` and `prices` must outlive it. Never throws on any request.
  PlanSession(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried = {});
  ~PlanSession();
  PlanSession(PlanSession&&) noexcept;
  PlanSession& operator=(PlanSession&&) noexcept;

  bool ok() const noexcept;
  /// About so many strategies more; false when all are judged, or the question has errors.
  bool advance(std::int64_t strategies);
  /// The rest, on that many threads; 0 = as many as the machine has. Where there are none (WebAssembly), on this one. The answer is the same.
  void finish(unsigned threads = 0);
  PlanProgress progress() const noexcept;
  /// What was found so far; with `judge`, the best are those that the whole process admits.
  PlanAnswer answer(bool judge = true) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// {"ok", "issues", "objective", "global_batch", "tokens", "fleets": [...], "progress": {"layouts", "of", "tried", "done"}, "counts": {"tried",
/// "held", "too_tight", "dropped": [{"id", "label", "strategies"}]}, "best": [plan], "front": [plan]}.
std::string plan_json(const PlanAnswer& answer);

} // namespace plimsoll::io
