#pragma once
// What the tensors of a file make up, as a question.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

namespace plimsoll::io {

/// model=custom, its facts and how the file stores it; for a GGUF file with the program that reads it as profile. Where facts do not give
/// this model it is that of the catalogue which the file names, if that is built alike; without entries where there is none. A note in `issues` says by how much the question's weights are others than the file's.
Request request_of_tensors(const Catalog& catalog, const ImportedTensors& imported, Issues& issues);

} // namespace plimsoll::io
