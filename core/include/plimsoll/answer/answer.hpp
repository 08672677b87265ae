#pragma once
// The whole path in one call: from what was typed to numbers, words and issues. Every front end uses this and nothing deeper.

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/verdict.hpp"
#include "plimsoll/request/request.hpp"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::io {

/// One row of a form: a field with what it holds now.
struct FieldState {
  const Field* field = nullptr;
  std::string text;          ///< what was typed, or the default
  std::string default_text;  ///< what the field holds when nothing is typed (the preset's value)
  bool stated = false;       ///< somebody typed it
  bool changed = false;      ///< and it differs from the default
  bool applies = true;       ///< it matters for the task, and a fact is one that the model has
  bool idle = false;         ///< other inputs leave it without effect: forms need not ask for it
  std::string default_citation; ///< where the profile's program is seen to do as the default says; "" = the default is this program's own
};

/// A change of one input after which an engine holds what is asked, as that engine is told of it.
struct Remedy {
  std::string field, value; ///< e.g. "context_tokens", "109776"
  std::string flag;         ///< of the engine's command line: "--max-model-len 109776"; "" where the profile names none
};

struct Answer {
  Request request;
  Issues issues;
  Inputs inputs;                   ///< resolved as far as possible; the default stands where an entry was bad
  std::string profile_id;
  std::string architecture;             ///< the model_type whose rule the model was read by
  std::string quantization_config;      ///< the config's own as JSON text; "" when it has none
  std::string_view compiled_quantization; ///< as ImportedModel::compiled_quantization
  std::string dtype;                    ///< as the config names it, e.g. "bfloat16"; "" when it says nothing
  std::string weights_default = "bf16"; ///< the weight format that the model has when none is asked for
  std::vector<FieldState> fields;  ///< one per row of the field tables, in their order
  bool ok = false;                 ///< no errors: scenario, estimate and headline hold
  Scenario scenario;
  Estimate estimate;
  Facts facts;                     ///< of the estimate's rank
  std::optional<Footprint> footprint; ///< of the fullest rank, where asked for
  Judgement judgement;             ///< by the estimate, or by the footprint where there is one: every front end's verdict
  std::vector<Remedy> remedies;    ///< with a footprint, where the scenario is served and not held; the mildest first
  Headline headline;
  std::optional<CostAnswer> cost; ///< of the scenario's work, where it was asked for

  const FieldState* find_field(std::string_view name) const noexcept;
};

/// What the field holds in the resolved inputs, as people and URLs write it; ids included.
std::string value_text(const Answer& answer, const Field& field);

/// Never throws on any request. `carried` are issues found while the request was read (they lead the list).
Answer answer(const Catalog& catalog, const Request& request, Issues carried = {});

/// Adds what the allocator and the process come to, which replays the step and takes a thousand times as long as the estimate;
/// the headline then speaks of the process. Does nothing where the answer is not ok or has it already.
void add_footprint(Answer& answer);
/// The same with one that is there: of the answer's own scenario and rank.
void add_footprint(Answer& answer, Footprint whole);

/// The scenario's work as a way to be priced: its training job, or an hour of serving with its tokens per second. Nothing where the
/// answer is not ok or the time of its work is not known.
std::optional<DeploymentOption> way_of(const Answer& answer);

/// Adds what way_of() costs at the prices of its device, by the scenario's own billing; `prices` must outlive the answer. Does nothing
/// where there is no way. `today` as in CostQuestion.
void add_cost(Answer& answer, const Catalog& catalog, const Prices& prices, std::string_view today);

/// A question about a whole scenario: the ways are those of its device, or where the request names none, of every device that has
/// prices of the question's kind and holds it. The request has entries of both kinds, those of cost_keys() and those of a scenario.
CostQuestion scenario_cost_question(const Catalog& catalog, const Prices& prices, const Request& request, Issues& issues);

/// The shortest query that gives the same answer: task, model and device, then what differs from the presets, in the order
/// of the field tables; entries with issues and unknown keys are kept, so that a reload shows them again. Inputs that have no
/// effect on the task are left out.
std::string canonical_query(const Answer& answer);

} // namespace plimsoll::io
