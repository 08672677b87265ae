#pragma once
// One spelling for what may be written in many ways: "Inference", " 8,192", "YES", "H100".

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/request/request.hpp"

namespace plimsoll::io {

/// The request with every value as its field itself writes it: "inference", "8192", "true", "h100-80-sxm". Whoever takes a request apart by
/// hand, instead of asking answer(), reads this one. What no reader takes stays as it was typed, for answer() to say what is wrong with it.
/// `notes` get what a name was taken for (request/meaning.hpp).
Request in_own_spelling(const Catalog& catalog, const Request& request, Issues& notes);

/// Whether a request in its own spelling is about inference, which it is where it names no task.
bool serves(const Request& request);

/// The kind of prices that the entry "kind" names: on demand where there is none, and with an issue where it names none.
PriceKind read_price_kind(const Request& request, Issues& issues);

} // namespace plimsoll::io
