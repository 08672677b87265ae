#pragma once
// The alternatives of Recurrence: a new one is a struct in recurrence.hpp and these two functions.

#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

Tensors of(const Mamba1& ssm, Count hidden_size);
Tensors of(const Mamba2& ssm, Count hidden_size);
Tensors of(const GatedDeltaNet& delta, Count hidden_size);
Tensors of(const KimiDelta& delta, Count hidden_size);
Tensors of(const Lightning& linear, Count hidden_size);
Tensors of(const ShortConvolution& convolution, Count hidden_size);

RecurrenceShape shape_of(const Mamba1& ssm, Count hidden_size) noexcept;
RecurrenceShape shape_of(const Mamba2& ssm, Count hidden_size) noexcept;
RecurrenceShape shape_of(const GatedDeltaNet& delta, Count hidden_size) noexcept;
RecurrenceShape shape_of(const KimiDelta& delta, Count hidden_size) noexcept;
RecurrenceShape shape_of(const Lightning& linear, Count hidden_size) noexcept;
RecurrenceShape shape_of(const ShortConvolution& convolution, Count hidden_size) noexcept;

} // namespace plimsoll::layers
