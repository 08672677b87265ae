// Replicas that keep everything: DistributedDataParallel.
#include "method/memory/buffers/buffers.hpp"
#include "method/term.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kBuckets{[] { return FormulaText{
    .id = "memory.buffers.replicas",
    .label = "All-reduce buckets",
    .unit = "bytes",
    .text = "parameters * copies * bytes_per_gradient",
    .citation = "pytorch_ddp",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "all of them on this GPU", ""},
                 {"copies", "", "copies of all gradients that the profile's data parallelism keeps", "profile"},
                 {"bytes_per_gradient", "bytes", "size of one gradient", "precision"}}}}; }};

// After the first step DistributedDataParallel makes buckets anew, in the order in which gradients came; the old ones were still there at
// every moment of the second step in all measured runs. PyTorch source, torch/csrc/distributed/c10d/reducer.cpp, rebuild_buckets.
constexpr Formula kFormer{[] { return FormulaText{
    .id = "memory.buffers.former_replicas",
    .label = "Buckets of the first step, during the second",
    .unit = "bytes",
    .text = "parameters * copies * bytes_per_gradient",
    .citation = "ddp_rebuild",
    .basis = Basis::measured,
    .symbols = {{{"parameters", "parameters", "that train, all of them on this GPU", ""},
                 {"copies", "", "copies of all gradients that stay beside the new buckets", "profile"},
                 {"bytes_per_gradient", "bytes", "size of one gradient", "precision"}}}}; }};

Term buckets(const Formula& formula, Count parameters, const Constant& copies, Bytes each) noexcept {
  return make_term(formula, parameters * (Count{copies.value} * each), {parameters.value, copies.value, each.value}, {.provenance = &copies});
}

} // namespace

Term gradient_buckets(Count parameters, const Scenario& scenario) noexcept {
  return buckets(kBuckets, parameters, scenario.profile.training.states.gradient_copies, gradient_bytes(scenario));
}

Term former_buckets(Count parameters, const Scenario& scenario) noexcept {
  return buckets(kFormer, parameters, scenario.profile.training.states.rebuilt_copies, gradient_bytes(scenario));
}

} // namespace plimsoll::memory
