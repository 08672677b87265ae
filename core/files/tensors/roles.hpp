#pragma once
// What a module is for, by its name in Hugging Face checkpoints and in GGUF files.

#include "plimsoll/method/tensor.hpp"

#include <string_view>

namespace plimsoll::io::tensor_files {

/// Along what tensor parallelism divides a matrix, and in which parts.
enum class Cut : unsigned char {
  none,
  query_rows,      ///< by query heads
  key_rows,        ///< by KV heads
  query_columns,
  channel_rows,    ///< by single channels
  channel_columns,
};

struct Role {
  std::string_view name; ///< one name for both formats; static storage
  TensorKind kind = TensorKind::adapters;
  Cut cut = Cut::none;
};

/// Of a module within a layer of the language model. `recurrent`: its parent also has the state of a recurrence.
Role role_in_layer(std::string_view module, bool recurrent) noexcept;

/// GGUF calls the maps of linear attention by the names of attention's own. What they are instead.
Role as_recurrence(const Role& role) noexcept;

/// Of a module outside layers, by its whole name.
Role role_outside(std::string_view module) noexcept;

/// The tower or prediction module that a stack of layers belongs to; TensorKind::embedding for the language model itself.
TensorKind stack_kind(std::string_view stack) noexcept;

/// Names of tensors that only recurrences have.
bool marks_recurrence(std::string_view component) noexcept;

} // namespace plimsoll::io::tensor_files
