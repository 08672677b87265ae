#pragma once
// How a model whose facts were changed differs from the preset that it started from.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <string>

namespace plimsoll::io {

/// "1,207,975,936 parameters more than Llama 3 8B", or "as many parameters as Llama 3 8B"; "" for a model without changes, for the
/// model "custom", and for an answer that is not ok.
std::string model_change(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
