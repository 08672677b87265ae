#pragma once
// What people mean by what they typed: names of other programs, models and devices as people write them, values of earlier versions.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/request/request.hpp"

namespace plimsoll::io {

/// The request in our names: "tp" becomes tensor_parallel, "memory_permille=950" memory_fraction=0.95, "model=Qwen/Qwen3-8B-AWQ" the id of
/// the catalogue with the weight format that the name states, "device=16xH100" a device and gpus. Notes tell what a name was taken for.
/// What nobody knows, and a name that fits several things, stays as it was typed, for answer() to ask about.
Request as_meant(const Catalog& catalog, const Request& request, Issues& notes);

} // namespace plimsoll::io
