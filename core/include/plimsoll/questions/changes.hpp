#pragma once
// What to change where a scenario does not fit, and what would break it first where it does.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/solve.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// What a change asks of people, the least first: advice keeps to this order.
enum class Burden : unsigned char {
  setting,     ///< another setting of the program: the same work on the same GPUs, in the same formats
  little_less, ///< nearly the same work: a quarter of it is given up at most
  precision,   ///< values in fewer bits
  program,     ///< another engine or framework
  less,        ///< other work: a shorter context, a smaller batch of requests, adapters in place of all weights, another optimizer
  gpus,        ///< more of the same GPUs
  device,      ///< other GPUs
};

/// Entries that are set together: what people call one change.
struct InputChange {
  std::vector<Entry> entries;
  std::string text;         ///< "recompute: full"
  bool asks_less = false;   ///< the work is another one then: a shorter context, adapters in place of all weights, a smaller batch of requests
  Burden burden = Burden::setting;
};

/// Changes that are made together, and what they come to.
struct TriedChange {
  std::vector<InputChange> changes;
  std::string query;
  Burden burden = Burden::setting; ///< the heaviest of theirs; what takes twice as long asks as much as less work
  Bytes needs;                   ///< of the fullest GPU's process
  Bytes saved;                   ///< against the scenario as it is
  Bytes headroom;                ///< >= 0
  Count gpus;
  std::int64_t time_permille = 0;     ///< of a token, in thousandths of what it takes now; 0 = not known
  std::int64_t gpu_time_permille = 0; ///< the same times the GPUs: what it costs
};

/// How far one input may go, all others as they are.
struct InputLimit {
  std::string field;
  Goal goal = Goal::largest;
  std::string now;      ///< as in a query
  std::string last;     ///< the last that fits
  std::string beyond;   ///< the step after it, which does not; "" where nothing does
  Bytes needs;          ///< at `beyond`: of its tensors where those alone do not fit, else of the process
  std::int64_t room_permille = 0; ///< how far away: last / now in thousandths, or now / last for the smallest; 0 = not a number
};

struct FitAdvice {
  Issues issues;
  bool ok = false;                  ///< no errors
  bool fits = false;
  Headline headline;                ///< of the question as it is asked: the verdict that every command gives
  Bytes needs, usable;              ///< of the process
  std::vector<TriedChange> changes; ///< where it does not fit: those that make it fit, by what they ask of people, then the fewest and the mildest
  std::int64_t tried = 0;           ///< changes and pairs of them
  std::vector<InputLimit> limits;   ///< where it fits: the nearest first
};

/// The search in steps. Pairs are tried of changes that do not suffice alone, until enough is found; where no pair does, the changes that save the
/// most are put together, five at most. `catalog` must outlive it. Never throws on any request.
class AdviceSession {
public:
  /// At most so many changes are told.
  AdviceSession(const Catalog& catalog, const Request& request, Issues carried = {}, std::size_t most = 12);
  /// Of an answer that is there; with its footprint it is not replayed again.
  AdviceSession(const Catalog& catalog, Answer asked, std::size_t most = 12);
  ~AdviceSession();
  AdviceSession(AdviceSession&&) noexcept;
  AdviceSession& operator=(AdviceSession&&) noexcept;

  /// One attempt more: a millisecond or some. False when all is done, or the question has errors.
  bool advance();
  /// Complete once all is done; before, the changes found last are missing, and nothing is in order yet.
  const FitAdvice& advice() const noexcept;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole search.
FitAdvice advise(const Catalog& catalog, const Request& request, Issues carried = {}, std::size_t most = 12);

/// {"ok", "issues", "fits", "needs_bytes", "needs_text", "usable_bytes", "usable_text", "tried", "changes": [{"text", "changes": [{"text",
/// "fields"}], "query", ...}], "limits": [...]}.
std::string advice_json(const FitAdvice& advice);
std::string advice_json(const Catalog& catalog, std::string_view scenario, bool is_json);

} // namespace plimsoll::io
