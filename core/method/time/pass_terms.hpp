#pragma once
// The parts of passes whose kernels are measured, as terms that people can open.

#include "method/time/load/pass.hpp"
#include "method/time/reads.hpp"
#include "method/time/visit.hpp"

namespace plimsoll::timing {

/// sink(const Term&) in nanoseconds: what `passes` passes take, whose parts add up to `sum`, each over that many sequences that are sampled.
void visit_pass(const PassModel& model, Phase phase, const PassTimes& sum, Count passes, Count sequences, TermSink sink, void* into) noexcept;

} // namespace plimsoll::timing
