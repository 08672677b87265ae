#pragma once
// What Megatron Core's settings mean, whoever states them.

#include "files/training/request_builder.hpp"
#include "files/training/format.hpp"
#include "files/training/megatron_keys.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::io::configs {

/// Degrees, batches, precision, optimizer, recomputation and kernels.
void read_megatron(Document& document, RequestBuilder& draft, MegatronDialect dialect);
/// Layers that leave their activations to the host's memory, as a number or as a part of modules' offloading. After the modules.
void read_megatron_offload(Document& document, RequestBuilder& draft, MegatronDialect dialect);
/// Facts of a model that is described; false where it is not.
bool read_megatron_model(Document& document, RequestBuilder& draft, MegatronDialect dialect);
/// Layers of each of the pipeline's chunks, where they are written out: in inputs. After the degrees.
void set_megatron_chunks(RequestBuilder& draft, const std::vector<std::size_t>& layers);
/// Arguments of the same program that do not train such a model, or keep something else than the estimate has: an error each.
void refuse_other_runs(Document& document, RequestBuilder& draft);

void write_megatron(const Source& source, Json& tree, MegatronDialect dialect);
void write_megatron_model(const Source& source, Json& tree, MegatronDialect dialect);

} // namespace plimsoll::io::configs
