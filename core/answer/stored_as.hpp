#pragma once
// A weight format as it comes out for a checkpoint that has one of its own.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/quantization.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <optional>
#include <string_view>

namespace plimsoll::io {

/// The scheme of that id; files of llama.cpp keep experts in MXFP4 that a checkpoint stores so. Empty when there is no such scheme.
std::optional<WeightScheme> stored_as(const WeightCatalog& weights, std::string_view id, std::string_view own_id);

/// How the model's own checkpoint stores its weights, by the quantisation that its config states; for an answer with one.
ImportedScheme own_scheme(const WeightCatalog& weights, const Answer& answer);

/// The format that the model's own checkpoint has; "" where its config names none.
std::string own_format(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
