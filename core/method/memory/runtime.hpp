#pragma once

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Driver context and loaded kernels: outside the framework's allocator.
Term device_context(const RuntimeProfile& runtime) noexcept;
/// Matrix-multiplication workspaces of the library.
Term library_workspaces(const Scenario& scenario) noexcept;
/// Workspaces that the layers' own library keeps beside those.
Term engine_workspaces(const Scenario& scenario) noexcept;

} // namespace plimsoll::memory
