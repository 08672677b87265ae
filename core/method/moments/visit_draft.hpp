#pragma once
// A draft model beside the model that is served. Leviathan et al., speculative decoding, 2023 (arXiv 2211.17192).

#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_companions.hpp"

namespace plimsoll::moments {

/// Its cache for so many sequences, in the pages of the model's: sink(const Term&). vllm-project/vllm, vllm/v1/spec_decode/eagle.py: its
/// layers are groups of the same pool.
template <class Sink> void visit_draft_cache(const AuxiliaryModel& draft, const Stage& stage, Count sequences, Sink&& sink) {
  visit_cache(draft.scenario, stage_of(draft.scenario, stage), sequences, [&](Term term) {
    term.role = &text_of(draft.role);
    sink(term);
  });
}

template <class Sink> void visit_draft(const AuxiliaryModel& draft, const Stage& stage, Sink&& sink) {
  const Scenario& scenario = draft.scenario;
  visit_role_weights(draft, stage, [&](const Term& term) { sink(Lifetime::resident, Part::other_models, term); });
  const Count sequences = Count{scenario.workload.batch} * Count{scenario.serving.beams};
  visit_draft_cache(draft, stage, sequences, [&](const Term& term) { sink(Lifetime::cache, Part::kv_cache, term); });
}

} // namespace plimsoll::moments
