#pragma once
// Links of a GPU over which serving reads: to its host, to drives, to other GPUs that have read a prompt.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// Weights that the host keeps and so many passes of `tokens` tokens each read; no formula where it keeps none.
Term link_reads(const Scenario& scenario, const Stage& stage, Count passes, Count tokens) noexcept;
/// Bytes of one token's cache on a GPU of the stage.
Bytes cached_token(const Scenario& scenario, const Stage& stage) noexcept;
/// The cache of so many tokens on its way to the GPUs, `each` bytes of a token on one GPU: from the host, from drives, from the GPUs that have
/// read a prompt of them. Of the last, what is left to be sent when the prompt has been read.
Term cache_from_host(const Scenario& scenario, Bytes each, Count tokens) noexcept;
Term cache_from_drives(const Scenario& scenario, Bytes each, Count tokens) noexcept;
Term cache_transfer(const Scenario& scenario, Bytes each, Count tokens) noexcept;

} // namespace plimsoll::timing
