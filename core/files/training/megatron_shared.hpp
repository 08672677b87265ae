#pragma once
// What Megatron Core's settings mean, whoever states them.

#include "files/training/draft.hpp"
#include "files/training/format.hpp"
#include "files/training/megatron_keys.hpp"

namespace plimsoll::io::configs {

/// Degrees, batches, precision, optimizer, recomputation and kernels.
void read_megatron(Document& document, Draft& draft, MegatronDialect dialect);
/// Facts of a model that is described; false where it is not.
bool read_megatron_model(Document& document, Draft& draft, MegatronDialect dialect);

void write_megatron(const Source& source, Json& tree, MegatronDialect dialect);
void write_megatron_model(const Source& source, Json& tree, MegatronDialect dialect);

} // namespace plimsoll::io::configs
