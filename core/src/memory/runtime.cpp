#include "memory/runtime.hpp"

#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kContext{
    .id = "memory.runtime.context",
    .label = "Driver context and kernels",
    .unit = "bytes",
    .text = "context_bytes",
    .citation = "cuda_context",
    .basis = Basis::assumed,
    .symbols = {{{"context_bytes", "bytes", "differs by driver, GPU and libraries loaded: see low and high", "profile"}}}};

constexpr Formula kWorkspaces{
    .id = "memory.runtime.workspaces",
    .label = "Library workspaces",
    .unit = "bytes",
    .text = "workspaces * workspace_bytes",
    .citation = "cublas_workspace",
    .basis = Basis::published,
    .symbols = {{{"workspaces", "", "one per thread that multiplies matrices", "profile"},
                 {"workspace_bytes", "bytes", "the library's default on this GPU architecture", "device"}}}};

} // namespace

Term device_context(const RuntimeProfile& runtime) noexcept {
  Term term = sourced(make_term(kContext, Bytes{runtime.context_bytes.value}, {runtime.context_bytes.value}), runtime.context_bytes);
  term.low = runtime.context_bytes.low;
  term.high = runtime.context_bytes.high;
  return term;
}

Term library_workspaces(const RuntimeProfile& runtime) noexcept {
  const Count n{runtime.workspaces.value};
  const Bytes each{runtime.workspace_bytes.value};
  return sourced(make_term(kWorkspaces, n * each, {n.value, each.value}), runtime.workspace_bytes);
}

} // namespace plimsoll::memory
