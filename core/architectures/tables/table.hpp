#pragma once
// A model of the catalogue as it was imported when the program was built: a question about it needs no reader of configs. The bytes are the program's own,
// written by compile.cpp, and agree with its code: tests/core/model_table_test.cpp compares all of them with what their configs say.

#include "plimsoll/architectures/huggingface.hpp"

#include <string_view>

namespace plimsoll::io {

/// What import_huggingface_config() gave for the config, with the model made of its architecture. Names of tensors are views into `bytes`, which must
/// be static, as write_table() wrote them.
ImportedModel read_table(std::string_view bytes);

} // namespace plimsoll::io
