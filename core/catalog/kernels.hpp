#pragma once
// core/catalog/data/kernels.json.

#include "plimsoll/method/kernels.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// Numbers of measured kernels; read when they are first asked for, and there for as long as the program runs.
const KernelTable& kernel_table();

/// Times of the engine behind a profile; null where nobody has measured its kernels.
const ServingTimes* serving_times(std::string_view profile);

/// As the data write it: "decode_attention".
std::string_view kernel_id(Kernel kernel) noexcept;

/// One row as the data write it.
std::string kernel_row_text(const KernelRow& row);

} // namespace plimsoll::io
