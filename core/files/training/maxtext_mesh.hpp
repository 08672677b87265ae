#pragma once
// MaxText's axes of devices: within a slice (ici) and between slices (dcn).

#include "files/training/request_builder.hpp"

namespace plimsoll::io::configs {

/// Sets the degrees that the axes make together, and asks for the devices where an axis is what is left of them.
void read_mesh(Document& document, RequestBuilder& draft);

} // namespace plimsoll::io::configs
