#pragma once
// The largest or smallest value of one input that still fits, asked in the words of the field tables: whole numbers as solve.hpp finds
// them, and the ids of models, devices, weight formats and instances, of which every one is tried.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/solve.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct SolveQuestion {
  Goal goal = Goal::largest;
  std::string field; ///< a field's name, or "gpus" or "instance"; "weights" stands for weight_dtype
};

/// A value with what it needs.
struct SolvedStep {
  std::string value; ///< as in a query
  Trial trial;
};

struct Solved {
  SolveQuestion question;
  Method method = Method::exhaustive;
  std::int64_t tried = 0;
  std::optional<SolvedStep> answer; ///< fits, as `plimsoll estimate` judges
  std::optional<SolvedStep> next;   ///< does not; without an answer, the closest that was tried
  std::string query;                ///< the scenario with the answer in place, without an answer as it was asked; "" when it has errors
  Issues issues;                    ///< of the scenario and of the question

  bool ok() const noexcept { return answer.has_value(); }
};

/// What the request says of the field itself does not matter. "model": largest of the given one's family, by published parameters. "device": smallest by usable memory, over the whole catalogue, the profile
/// read anew for each. "weight_dtype": largest by bytes of this model, over the formats that the profile's engine loads (any, where
/// that is not known) and that take no more than the model's own. "gpus": smallest; serving, of one tensor-parallel group; training, the
/// fewest of 1, 2, 4, ... on which any layout that the framework knows fits (plan.hpp), and `query` is that layout. "instance": smallest by
/// its price an hour, on demand, by the prices that are built in: the first on which any layout fits. Never throws on any request.
/// `judge`: as front ends do by default.
Solved solve(const Catalog& catalog, const Request& request, const SolveQuestion& question, Issues carried = {}, Judge judge = Judge::process);

/// The same in steps. `catalog` must outlive it.
class SolveSession {
public:
  SolveSession(const Catalog& catalog, const Request& request, const SolveQuestion& question, Issues carried = {}, Judge judge = Judge::process);
  ~SolveSession();
  SolveSession(SolveSession&&) noexcept;
  SolveSession& operator=(SolveSession&&) noexcept;

  /// A step of one value's replay more: a millisecond or some, of "gpus" and "instance" the whole search for one fleet. False once all is done.
  bool advance();
  /// Whole once all is done.
  Solved solved() &&;

private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

/// What people ask of a scenario of that task, where they ask nothing in particular: context, batch, weights, device, ...
std::vector<SolveQuestion> usual_questions(const Answer& answer);

/// {"ok", "issues", "field", "goal", "method", "tried", "query", "answer": {"value", "verdict", "needs_bytes", "needs_text", "usable_bytes",
/// "usable_text", "headroom_bytes", "headroom_text", "pool_sequences"} | null, "next": the same | null}.
std::string solve_json(const Solved& solved);

/// "largest" or "smallest" and a field, of a scenario's query or JSON object.
std::string solve_json(const Catalog& catalog, std::string_view scenario, bool is_json, std::string_view goal, std::string_view field);

} // namespace plimsoll::io
