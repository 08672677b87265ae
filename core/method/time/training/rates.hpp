#pragma once
// Which of a device's rates a scenario's step runs at.

#include "method/time/training/rate.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

/// Format of the multiplications in layers; the head multiplies in 16 bits all the same.
Arithmetic format_of_layers(const Scenario& scenario) noexcept;
Arithmetic format_of_head(const Scenario& scenario) noexcept;

/// Data sheet; fp16's where bf16 is not published, and the other way round.
std::int64_t published_rate(const Hardware& hardware, Arithmetic format) noexcept;
/// Matrix multiplications: the best that was measured, or the usual share of the data sheet.
Speed matrix_speed(const Scenario& scenario, Arithmetic format) noexcept;
Speed attention_speed(const Scenario& scenario) noexcept;
Speed memory_speed(const Scenario& scenario) noexcept;
/// Of what GPUs exchange that span so many: links inside a node, PCIe where it has none; the network beyond, and where neither is published.
Speed exchange_speed(const Scenario& scenario, Count span) noexcept;

/// The same of a ring: where it passes through several nodes, its members in a node share the traffic among their adapters, one each
/// (NCCL's rings and trees: one channel for each adapter, each of which carries a part), and the links within the node carry all of it.
Speed ring_speed(const Scenario& scenario, const RingShape& ring) noexcept;

/// Of a channel between layers.
Bytes residual_bytes(const Scenario& scenario) noexcept;

/// Whether all rates that the scenario's step needs are published.
bool rates_known(const Scenario& scenario) noexcept;

} // namespace plimsoll::timing
