#pragma once
// A model that was read from the tensors of a file, as a request: so that it has a link like any other.

#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/weight_scheme.hpp"
#include "plimsoll/request/request.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io {

/// model=custom and the facts that give this very model: the same parameters, the same cache. Without entries when the facts of a
/// plain decoder do not suffice for it (latent attention, recurrences, uneven layers). `weight_format` is asked for by
/// the catalogue's id, or as it is where the catalogue has none: an answer then refuses it. "" asks for none. With `formats` it is that
/// mixture but for the tensors which the file stores otherwise; "" as a tensor's format is that which the mixture has for most.
struct ModelRequest {
  Request request;
  Bytes weights{0}; ///< that an answer will count where `formats` are given; 0 without
};
ModelRequest request_of_model(const WeightCatalog& weights, const Model& model, std::string_view weight_format, std::span<const TensorFormat> formats = {});

/// A model of the catalogue and how a file stores it, likewise.
ModelRequest request_of_model(const WeightCatalog& weights, std::string_view id, const Model& model, std::string_view weight_format, std::span<const TensorFormat> formats);

} // namespace plimsoll::io
