#include "plimsoll/catalog/field_groups.hpp"

namespace plimsoll::io {

namespace {

/// A group begins at the field of that name and goes on, in the order of the field table, until the next one begins.
struct Group {
  std::string_view first;
  std::string_view heading;
};
constexpr Group kGroups[] = {
    {"hidden_size", "Size"},
    {"query_heads", "Attention"},
    {"intermediate_size", "Size"},
    {"sliding_layers", "Attention"},
    {"norms_per_layer", "Norms, biases, variants"},
    {"embedding_size", "Size"},
    {"attention_chunk", "Attention"},
    {"experts", "Experts"},
    {"ssm_inner", "Recurrence"},
    {"encoder_layers", "Further parts"},
};

} // namespace

std::string_view group_of(const Field& field) noexcept {
  std::string_view heading;
  for (const Field& row : model_facts()) {
    for (const Group& group : kGroups)
      if (group.first == row.name) heading = group.heading;
    if (row.name == field.name) return heading;
  }
  return "";
}

} // namespace plimsoll::io
