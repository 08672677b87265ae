#pragma once

#include "plimsoll/formula.hpp"
#include "plimsoll/profile.hpp"

namespace plimsoll::memory {

/// Driver context and loaded kernels: outside the framework's allocator.
Term device_context(const RuntimeProfile& runtime) noexcept;
/// Matrix-multiplication workspaces of the library.
Term library_workspaces(const RuntimeProfile& runtime) noexcept;

} // namespace plimsoll::memory
