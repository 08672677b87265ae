#pragma once
// Rows of the tables that torchtitan, torchtune and LitGPT publish, with shapes and options in keys of their own.

#include "evidence/measured.hpp"

#include <optional>

namespace plimsoll::io::accuracy::tables {

/// Total: any JSON gives a row, with a reason where it is no question.
MeasuredRow inputs_of(const Json& row);

/// The model that a "model" object describes by its shapes: {"layers", "hidden", "ffn_hidden", "heads", "kv_heads", "head_dim", "vocab",
/// "padded_vocab", "tied", "gated_mlp", "norm", ...}. Empty where a shape is missing, or where it has parts that no row of these
/// tables has (experts, latent attention, recurrences).
/// Whether the head has the matrix that the row tells of, or one of its own all the same.
enum class Head : unsigned char { as_told, own };
std::optional<Model> model_of(const Json& shapes, Head head = Head::as_told);

} // namespace plimsoll::io::accuracy::tables
