#pragma once
// Plans asked for in the words of the field tables: "model=llama-3-70b&task=finetune&device=h100-80-sxm&gpus=64&objective=cost". What the
// scenario states of degrees, sharding, recomputation and micro-batches holds; what it leaves open is searched.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/method/time.hpp"

#include <array>
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

/// The same question with everything left open that a search can decide: degrees, sharding, micro-batches, recomputation, offload.
Request left_open(const Request& request);

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
  Bytes headroom;       ///< of the process where it is judged, as its own estimate says it; else of the tensors alone
  std::int64_t chance = 0; ///< that memory runs out, in millionths: likewise
  std::int64_t mfu = 0; ///< model FLOPs utilisation in thousandths; 0 where times are not known
  std::array<Nanoseconds, kTimeParts> parts{}; ///< of a step, expected
};

struct PlanAnswer {
  Issues issues;
  bool ok = false;                ///< no errors
  Objective objective = Objective::time;
  std::int64_t global_batch = 0;  ///< sequences
  std::int64_t tokens = 0;        ///< that times and costs are told for
  std::vector<PlanSetup> setups;  ///< of each variant
  PlanProgress progress;
  bool done = false;              ///< nothing is left to search or to judge
  PlanCounts counts;
  std::int64_t too_tight = 0;     ///< plans that the estimate admits and the whole process does not: left out of `best`
  std::vector<PlannedWay> best;   ///< best first
  std::vector<PlannedWay> front;  ///< not judged by the process
};

/// A search in steps, or by all threads of the machine. The best plans that it finds are then judged by the whole process, which takes
/// milliseconds each: those that do not fit are left out.
class PlanSession {
public:
  /// `catalog` and `prices` must outlive it. Never throws on any request.
  PlanSession(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried = {});
  ~PlanSession();
  PlanSession(PlanSession&&) noexcept;
  PlanSession& operator=(PlanSession&&) noexcept;

  bool ok() const noexcept;
  /// About so many strategies more, then steps of the best plans' replays, one after the other; false when all is done, or the question has errors.
  bool advance(std::int64_t strategies);
  /// The rest, on that many threads; 0 = as many as the machine has. Where there are none (WebAssembly), on this one. The answer is the same.
  void finish(unsigned threads = 0);
  PlanProgress progress() const noexcept;
  /// What was found so far. Ways that `former` has too keep its texts: writing them takes longer than searching on.
  PlanAnswer answer(PlanAnswer former = {}) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "1,234 strategies in 0.2 s: 56 hold; States alone do not fit: 7", and below it how many plans were too tight; `took` may be empty.
std::string counts_text(const PlanAnswer& answer, std::string_view took = {});

/// Place in `best` of the plan that divides the model in the fewest ways among those that are as fast or as cheap as the first, within what times
/// are known to; nothing where the objective is another, or times are not known.
std::optional<std::size_t> simplest_of(const PlanAnswer& answer);

/// That in a sentence; "" where there is nothing to choose.
std::string choice_text(const PlanAnswer& answer);

/// Where the first plan's step goes, and what it waits less and longer for than the second. "" where times are not known.
std::string reason_text(const PlanAnswer& answer);

/// Why the first of the best: what it was chosen by, reason_text(), of how many, and choice_text(). "" where none holds.
std::string why_text(const PlanAnswer& answer);

/// {"ok", "issues", "objective", "global_batch", "tokens", "fleets": [...], "progress": {"layouts", "of", "tried", "done"}, "counts": {"tried",
/// "held", "too_tight", "dropped": [{"id", "label", "strategies"}], "refused": [{"field", "label", "strategies"}]}, "best": [plan], "why", "simplest": place in it | null, "front": [plan]}.
std::string plan_json(const PlanAnswer& answer);

/// A session that owns its prices and reads its question from text: for borders that hand text on. `catalog` must outlive it.
class PlanTexts {
public:
  /// `prices` as in CostTexts: "" for those that are built in.
  PlanTexts(const Catalog& catalog, std::string_view question, bool is_json, std::string_view prices = {});
  bool advance(std::int64_t strategies) { return session_->advance(strategies); }
  std::string progress_json() const; ///< {"layouts", "of", "tried"}
  std::string answer_json() const { return plan_json(session_->answer()); }

private:
  std::unique_ptr<const Prices> prices_;
  std::optional<PlanSession> session_; ///< refers to the prices; always there
};

} // namespace plimsoll::io
