#pragma once
// A number of GPUs in place of degrees of parallelism.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/request/request.hpp"

namespace plimsoll::io {

/// Divides the entry "gpus" of a request in our own names, and takes it out: among replicas where a model trains, as launchers do, and
/// where it is served with some degree stated. Served without any, one replica spreads over all of them: by tensors within a node and by
/// layers over nodes (vLLM's documentation, "Parallelism and Scaling"), by layers alone in engines of llama.cpp. A note says how; an
/// error where the number does not go into the stated degrees.
void divide_gpus(const Catalog& catalog, Request& request, Issues& issues);

} // namespace plimsoll::io
