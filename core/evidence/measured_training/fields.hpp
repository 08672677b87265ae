#pragma once
// One reader for each field of a row of measured training runs. Each writes what it understood into the row and declines the rest
// with the field's own text.

#include "evidence/measured.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::accuracy::measured_training {

/// A plain decoder whose dimensions stand in the words of the row's "model"; nothing when they do not suffice, or tell of another kind.
std::optional<Model> described_model(const Json& row, std::vector<std::string>& assumed);
/// "4 layers", where the text says so.
std::optional<std::int64_t> described_layers(std::string_view text);

/// What a name of a framework stands for.
struct Framework {
  std::string_view words;   ///< stand in the row's "framework"
  std::string_view profile; ///< "" where none of ours means it
  std::string_view label;   ///< first word of the group
  bool keeps_master = false; ///< "bf16" means 16-bit weights beside an fp32 master copy
  bool loads_half = false;   ///< autocast runs over weights that were loaded in 16 bits
};

/// The row of that framework; null when the words are not known.
const Framework* framework_of(const Json& row);

void read_framework(const Json& row, MeasuredRow& into);
void read_metric(const Json& row, MeasuredRow& into);
void read_model(const Json& row, MeasuredRow& into);
void read_workload(const Json& row, MeasuredRow& into);
void read_parallelism(const Json& row, MeasuredRow& into);
void read_precision(const Json& row, MeasuredRow& into);
void read_optimizer(const Json& row, MeasuredRow& into);
void read_recompute(const Json& row, MeasuredRow& into);
void read_attention(const Json& row, MeasuredRow& into);
void read_tuning(const Json& row, MeasuredRow& into);
void read_base(const Json& row, MeasuredRow& into);
void read_knobs(const Json& row, MeasuredRow& into);

/// "The row's \"optimizer\" says \"…\", which is not covered."
std::string not_covered_text(const char* field, std::string_view text);
/// The same, and which words of it are not understood; "" when all are.
std::string not_understood(const char* field, std::string_view text, std::string_view rest);

/// The member of that name, or null: rows may lack any, and `row` may be anything.
const Json* member_of(const Json& row, const char* key);

} // namespace plimsoll::io::accuracy::measured_training
