#pragma once
// A number of GPUs in place of degrees of parallelism: what people know, where programs ask for degrees.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/request/request.hpp"

#include <string_view>

namespace plimsoll::io {

/// "gpus", the product of the degrees. Not one of fields(): a scenario holds the degrees alone, and a question that states it is asked in them.
const Field& gpus_field() noexcept;

/// Its row for a question as it was typed and the answer to that: what was typed where it could not be divided, or the product.
FieldState gpus_state(const Request& typed, const Answer& answer);

/// What a person's change of the number does: degrees that multiply to it take the place of those that were stated. Where a model trains,
/// degrees within a replica stay; where it is served, the engine divides anew as divide_gpus() says. A number that cannot be divided stays
/// in the request as it was typed, and answering it says why.
void edit_gpus(const Catalog& catalog, Request& request, std::string_view text);

/// Divides the entry "gpus" of a request in our own names, and takes it out: among replicas where a model trains, as launchers do, and
/// where it is served with some degree stated. Served without any, one replica spreads over all of them: by tensors within a node and by
/// layers over nodes (vLLM's documentation, "Parallelism and Scaling"), by layers alone in engines of llama.cpp. A note says how; an
/// error where the number does not go into the stated degrees.
void divide_gpus(const Catalog& catalog, Request& request, Issues& issues);

} // namespace plimsoll::io
