#pragma once
// Mixtures of one file as an id: a scheme of the catalogue, and the tensors that this file stores otherwise.
//
//   mixture = scheme *( "/" tensor [ ":" layers ] ":" format )
//   tensor  = [ kind "." ] name        layers = range *( "." range )        range = number [ "-" number ]

#include "catalog/weights/scheme_reader.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <span>
#include <string>
#include <string_view>

namespace plimsoll::io {

inline constexpr char kStatedTensors = '/';

/// Puts rules for the listed tensors before those of the scheme, and the list into its id; false, and the scheme is as it may be,
/// when the list does not follow the grammar or names a format that is not known.
bool state_tensors(WeightScheme& scheme, std::string_view list, const FormatsById& formats);

/// "/v_proj:q6_k/down_proj:0-3.7:q6_k": what state_tensors() needs so that the tensors of the model are stored so; "" where the scheme
/// stores as many layers of each in the same formats anyway.
std::string stated_tensors(const Model& model, const WeightScheme& scheme, std::span<const TensorFormat> stored);

} // namespace plimsoll::io
