#pragma once
// A pass without gradients: what of a step's time its forward pass is.

#include "method/time/learning/answers.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

#include <functional>

namespace plimsoll::timing {

/// The passes of a model over all sequences of the policy's step, part by part, each with the model's role; `times` it reads them.
/// False where the device's rates are not known.
bool visit_scoring(const Scenario& policy, const AuxiliaryModel& model, std::int64_t times, const std::function<void(const Term&)>& sink);

/// The policy's workload with sequences as long as they are where each fills a row of its own: as long as the longest of a micro-batch.
Workload workload_of_answers(const Scenario& policy) noexcept;

} // namespace plimsoll::timing
