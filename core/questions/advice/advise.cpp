#include "plimsoll/questions/changes.hpp"
#include "method/sort_stably.hpp"
#include "questions/advice/candidates.hpp"
#include "questions/advice/limits.hpp"
#include "questions/advice/pace.hpp"
#include "questions/advice/replay.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostPaired = 28; ///< single changes that pairs are made of: those that ask the least, then those that save the most
constexpr std::size_t kEnough = 24;     ///< changes that fit by the estimate: pairs that ask more need not be tried
constexpr std::int64_t kSlow = 2000;    ///< thousandths of the time now: what takes longer asks as much as less work

struct Candidate {
  std::vector<const InputChange*> changes;
  Answer answered;
  Bytes relief; ///< by the estimate: bytes saved, and what a larger device has more
  std::int64_t gpu_time = 0;
  Burden burden = Burden::setting;
};

/// What is tried next.
enum class Stage : unsigned char { begin, limits, singles, pairs, more, judging, done };

bool touch_the_same(const InputChange& one, const InputChange& other) {
  return std::ranges::any_of(one.entries, [&](const Entry& entry) { return std::ranges::find(other.entries, entry.name, &Entry::name) != other.entries.end(); });
}

bool touches(const std::vector<const InputChange*>& changes, const InputChange& other) {
  return std::ranges::any_of(changes, [&](const InputChange* change) { return touch_the_same(*change, other); });
}

} // namespace

struct AdviceSession::State {
  const Catalog& catalog;
  std::size_t most;
  Answer base;
  Pace before;
  FitAdvice advice;
  Stage stage = Stage::begin;
  std::vector<InputChange> all;
  std::vector<Candidate> holding, partial;
  std::size_t next = 0, other = 0;          ///< of `all`; of the pairs of `partial`; of `holding`
  std::vector<const InputChange*> together; ///< more than two
  Bytes relief;                             ///< of these
  bool put_together = false;                ///< more than two were tried
  bool says_where_weights_come_from = false;
  AnswerReplay replay;                      ///< of `base`, of one of `holding`, or of `fuller`
  std::optional<LimitSession> limit;        ///< the one that is sought
  std::optional<Candidate> fuller;          ///< more than two that hold by the estimate

  State(const Catalog& of, Answer asked, std::size_t told) : catalog(of), most(told), base(std::move(asked)) { advice.issues = base.issues; }

  bool step() {
    switch (stage) {
      case Stage::begin: begin(); break;
      case Stage::limits: try_limit(); break;
      case Stage::singles: try_single(); break;
      case Stage::pairs: try_pair(); break;
      case Stage::more: add_one(); break;
      case Stage::judging: judge(); break;
      case Stage::done: break;
    }
    return stage != Stage::done;
  }

  void begin() {
    if (replay.advance(base)) return;
    stage = Stage::done;
    if (!base.ok) return;
    advice.ok = true;
    advice.fits = base.judgement.holds();
    advice.headline = base.headline;
    advice.needs = base.footprint->process.expected;
    advice.usable = base.footprint->usable;
    before = pace_of(base.scenario, base.estimate.gpus);
    if (advice.fits) {
      stage = Stage::limits;
      return;
    }
    all = changes_of(catalog, base);
    stage = Stage::singles;
  }

  void try_limit() {
    if (limit && limit->advance()) return;
    if (limit && limit->limit()) advice.limits.push_back(*limit->limit());
    limit.reset();
    if (next < kLimits) return limit.emplace(catalog, base, next++), void();
    sort_limits(advice.limits);
    stage = Stage::done;
  }

  Request with(const std::vector<const InputChange*>& changes) const {
    Request request = base.request;
    for (const InputChange* change : changes)
      for (const Entry& entry : change->entries) request.set(entry.name, entry.text);
    return request;
  }

  Candidate attempt(std::vector<const InputChange*> changes) {
    ++advice.tried;
    Candidate candidate{std::move(changes), {}, {}, 0, {}};
    candidate.answered = answer(catalog, with(candidate.changes));
    if (!candidate.answered.ok) return candidate;
    candidate.relief = candidate.answered.estimate.headroom - base.estimate.headroom;
    candidate.gpu_time = permille(pace_of(candidate.answered.scenario, candidate.answered.estimate.gpus), before, true);
    if (candidate.gpu_time > kSlow) candidate.burden = Burden::less;
    for (const InputChange* change : candidate.changes) candidate.burden = std::max(candidate.burden, change->burden);
    return candidate;
  }

  /// Whether some moment needs less: it may be the fullest once another change has made room at the one that is now.
  bool lightens(const Answer& there) const {
    const Estimate &now = base.estimate, &after = there.estimate;
    for (std::size_t i = 0; i < std::min(now.moments.size(), after.moments.size()); ++i)
      if (after.moments[i].moment == now.moments[i].moment && after.moments[i].total < now.moments[i].total) return true;
    return false;
  }

  void try_single() {
    if (next < all.size()) {
      Candidate one = attempt({&all[next++]});
      if (one.answered.ok && (one.relief > Bytes{0} || lightens(one.answered))) (one.answered.judgement.holds() ? holding : partial).push_back(std::move(one));
      return;
    }
    sort_stably(partial, {}, [](const Candidate& one) { return std::pair{one.burden, -one.relief.value}; });
    if (partial.size() > kMostPaired) partial.resize(kMostPaired);
    next = 0, other = 1;
    stage = Stage::pairs;
  }

  void try_pair() {
    for (; next < partial.size() && holding.size() < kEnough; ++next, other = next + 1)
      while (other < partial.size()) {
        const InputChange &one = *partial[next].changes.front(), &more = *partial[other++].changes.front();
        if (touch_the_same(one, more)) continue;
        if (Candidate both = attempt({&one, &more}); both.answered.ok && both.answered.judgement.holds()) holding.push_back(std::move(both));
        return;
      }
    if (!holding.empty() || partial.empty()) return rank();
    begin_more();
  }

  void begin_more() {
    const Candidate& most_saved = *std::ranges::max_element(partial, {}, &Candidate::relief);
    together = most_saved.changes;
    relief = most_saved.relief;
    stage = Stage::more;
  }

  /// Where no two changes suffice: to the one that saves the most, whatever saves the most beside it, until it fits or nothing helps.
  void add_one() {
    constexpr std::size_t kMostTogether = 5;
    if (fuller) return judge_fuller();
    std::optional<Candidate> best;
    for (const Candidate& one : partial) {
      const InputChange& change = *one.changes.front();
      if (together.size() == kMostTogether || touches(together, change)) continue;
      std::vector<const InputChange*> longer = together;
      longer.push_back(&change);
      Candidate tried = attempt(std::move(longer));
      if (tried.answered.ok && tried.relief > (best ? best->relief : relief)) best = std::move(tried);
    }
    if (!best) return rank();
    together = best->changes;
    relief = best->relief;
    if (best->answered.judgement.holds()) fuller = std::move(best);
  }

  void judge_fuller() {
    if (replay.advance(fuller->answered)) return;
    Candidate judged = *std::exchange(fuller, std::nullopt);
    if (!judged.answered.judgement.holds()) return; // the process takes more than its tensors: one change more
    holding.push_back(std::move(judged));
    rank();
  }

  /// What asks the least of people comes first; then the fewest changes; of fewer bits the mildest, of anything else the cheapest in time; of equals
  /// the one that saves more, then the first.
  void rank() {
    put_together = stage == Stage::more;
    sort_stably(holding, {}, [](const Candidate& one) {
      const bool by_bits = one.burden == Burden::precision;
      return std::tuple{one.burden, one.changes.size(), by_bits ? one.relief.value : 0, one.gpu_time == 0, one.gpu_time, -one.relief.value};
    });
    next = 0;
    stage = Stage::judging;
  }

  void judge() {
    if (next == holding.size() || advice.changes.size() == most) {
      stage = Stage::done;
      if (advice.changes.empty() && !put_together && !partial.empty()) begin_more(); // none of them holds with its process
      return;
    }
    Candidate& one = holding[next];
    if (replay.advance(one.answered)) return;
    ++next;
    if (!one.answered.judgement.holds() || one.answered.footprint->headroom < Bytes{0}) return;
    advice.changes.push_back(told(one));
    if (!says_where_weights_come_from && !trains(base.inputs.workload.task) && sets(one, "weight_dtype")) {
      advice.issues.push_back(another_checkpoint(base, "Look for one before you count on it."));
      says_where_weights_come_from = true;
    }
  }

  static bool sets(const Candidate& one, std::string_view field) {
    return std::ranges::any_of(one.changes, [&](const InputChange* change) { return std::ranges::find(change->entries, field, &Entry::name) != change->entries.end(); });
  }

  TriedChange told(const Candidate& one) const {
    TriedChange change;
    for (const InputChange* part : one.changes) change.changes.push_back(*part);
    change.query = canonical_query(one.answered);
    change.burden = one.burden;
    change.needs = one.answered.footprint->process.expected;
    change.saved = base.footprint->process.expected - change.needs;
    change.headroom = one.answered.footprint->headroom;
    change.gpus = one.answered.estimate.gpus;
    change.time_permille = permille(pace_of(one.answered.scenario, one.answered.estimate.gpus), before, false);
    change.gpu_time_permille = one.gpu_time;
    return change;
  }
};

AdviceSession::AdviceSession(const Catalog& catalog, const Request& request, Issues carried, std::size_t most)
    : AdviceSession(catalog, answer(catalog, request, std::move(carried)), most) {}
AdviceSession::AdviceSession(const Catalog& catalog, Answer asked, std::size_t most) : state_(std::make_unique<State>(catalog, std::move(asked), most)) {}
AdviceSession::~AdviceSession() = default;
AdviceSession::AdviceSession(AdviceSession&&) noexcept = default;
AdviceSession& AdviceSession::operator=(AdviceSession&&) noexcept = default;

bool AdviceSession::advance() { return state_->step(); }
const FitAdvice& AdviceSession::advice() const noexcept { return state_->advice; }

FitAdvice advise(const Catalog& catalog, const Request& request, Issues carried, std::size_t most) {
  AdviceSession session{catalog, request, std::move(carried), most};
  while (session.advance()) {}
  return session.advice();
}

} // namespace plimsoll::io
