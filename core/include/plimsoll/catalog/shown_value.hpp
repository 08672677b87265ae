#pragma once
// A value of an input as people read it, in sentences: one wording for advice, remedies, comparisons and plans.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/fields.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// `text` is what the field holds or is set to, as URLs write it: the name of a row of the catalogue, the label of a choice, "on" or
/// "off", a grouped number with its unit ("2,048 tokens", "1 GPU"). What is none of these stays as it is.
std::string shown_value(const Catalog& catalog, const Field& field, std::string_view text);

/// The id of a weight format; of a mixture of one file, whose id lists its tensors, "q4_k_m but for 7 tensors".
std::string shown_weights(std::string_view id);

/// The same behind its label: "device: GeForce RTX 5090 32GB". A field that is not known stands by its name.
std::string shown_entry(const Catalog& catalog, std::string_view field, std::string_view text);

} // namespace plimsoll::io
