#pragma once
// What a process still holds from earlier points of a sweep.

#include "plimsoll/evidence/operators.hpp"

namespace plimsoll::io::accuracy {

/// Tables and gradients of torch.compile'd embedding modules that the compiler's cache keeps alive while the point of `shape` is
/// measured; `compiled` when that point is itself one of them.
Bytes held_by_compiled_embeddings(const OperatorShape& shape, bool compiled) noexcept;

} // namespace plimsoll::io::accuracy
