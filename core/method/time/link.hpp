#pragma once
// The link between a GPU and its host, where serving reads over it.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// Weights that the host keeps and so many passes of `tokens` tokens each read; no formula where it keeps none.
Term link_reads(const Scenario& scenario, const Stage& stage, Count passes, Count tokens) noexcept;
/// The cache of a whole context on its way from the host to the GPUs, `each` bytes a token on one GPU.
Term context_from_host(const Scenario& scenario, Bytes each) noexcept;

} // namespace plimsoll::timing
