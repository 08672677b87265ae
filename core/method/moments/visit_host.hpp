#pragma once
// What serving leaves to the host's memory.

#include "method/moments/lifetimes.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_tuning.hpp"

namespace plimsoll::moments {

/// What the host's memory has of a model that a GPU does not hold as a whole: the token table, which the host looks up, the first layers
/// with what they keep of sequences, and the head. ggml-org/llama.cpp, src/llama-model.cpp, load_tensors: buffers of the input layer are the
/// host's, and those of layers before i_gpu_start; src/llama-kv-cache.cpp: a layer's cache is where the layer is.
template <class Sink> void visit_host_share(const Scenario& scenario, Count sequences, Sink&& sink) {
  const InferenceProfile& engine = scenario.profile.inference;
  if (!engine.offloads_layers || !engine.table_on_host) return;
  const Stage host = Stage::of_host(scenario.model, scenario.strategy, scenario.workload);
  visit_stored(scenario, host, [&](TensorKind kind) {
    return in_language_model(kind) && kind != TensorKind::prediction;
  }, [&](const Term& term) { sink(Lifetime::host, Part::weights, term); });
  visit_cache(scenario, host, sequences, [&](const Term& term) { sink(Lifetime::host, Part::kv_cache, term); });
}

} // namespace plimsoll::moments
