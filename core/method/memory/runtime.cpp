#include "method/memory/runtime.hpp"

#include "method/memory/layers.hpp"
#include "method/term.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr Formula kContext{[] { return FormulaText{
    .id = "memory.runtime.context",
    .label = "Driver context and kernels",
    .unit = "bytes",
    .text = "context_bytes",
    .citation = "cuda_context",
    .basis = Basis::assumed,
    .symbols = {{{"context_bytes", "bytes", "differs by driver, GPU and libraries loaded: see low and high", "profile"}}}}; }};

constexpr Formula kWorkspaces{[] { return FormulaText{
    .id = "memory.runtime.workspaces",
    .label = "Library workspaces",
    .unit = "bytes",
    .text = "workspaces * workspace_bytes",
    .citation = "cublas_workspace",
    .basis = Basis::published,
    .symbols = {{{"workspaces", "", "one per thread that multiplies matrices", "profile"},
                 {"workspace_bytes", "bytes", "the library's default on this GPU architecture", "device"}}}}; }};

constexpr Formula kEngine{[] { return FormulaText{
    .id = "memory.runtime.engine_workspaces",
    .label = "Workspaces of the layers' library",
    .unit = "bytes",
    .text = "workspaces * workspace_bytes",
    .citation = "te_workspaces",
    .basis = Basis::published,
    .symbols = {{{"workspaces", "", "one, and one for each stream of a grouped multiplication", "profile"},
                 {"workspace_bytes", "bytes", "of the library on this GPU architecture", "device"}}}}; }};

} // namespace

Term device_context(const RuntimeProfile& runtime) noexcept {
  Term term = make_term(kContext, Bytes{runtime.context_bytes.value}, {runtime.context_bytes.value}, {.provenance = &runtime.context_bytes});
  term.low = runtime.context_bytes.low;
  term.high = runtime.context_bytes.high;
  return term;
}

Term library_workspaces(const Scenario& scenario) noexcept {
  const RuntimeProfile& runtime = scenario.profile.runtime;
  Count n{(scenario.strategy.tensor_parallel > 1 ? runtime.workspaces_divided : runtime.workspaces).value};
  if (scenario.implementation.communication_overlap) n += Count{runtime.overlap_workspaces.value};
  const Bytes each{runtime.workspace_bytes.value};
  return make_term(kWorkspaces, n * each, {n.value, each.value}, {.provenance = &runtime.workspace_bytes});
}

Term engine_workspaces(const Scenario& scenario) noexcept {
  const RuntimeProfile& runtime = scenario.profile.runtime;
  Count n{runtime.engine_workspaces.value};
  if (std::ranges::any_of(scenario.model.groups, has_experts)) {
    n += Count{runtime.router_workspaces.value};
    if (scenario.implementation.grouped_experts) n += Count{scenario.profile.training.moe.workspaces.value};
  }
  const Bytes each{runtime.engine_workspace_bytes.value};
  return make_term(kEngine, n * each, {n.value, each.value}, {.provenance = &runtime.engine_workspace_bytes});
}

} // namespace plimsoll::memory
