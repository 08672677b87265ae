#pragma once
// One reader for each schema of rows.

#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/evidence/measured_row.hpp"
#include "text/json.hpp"

namespace plimsoll::io::accuracy {

/// A schema: how its rows are recognised, and what they become.
struct Schema {
  const char* name;
  bool (*matches)(const Json& row);
  void (*compare)(const Json& row, std::vector<Comparison>& into);
  MeasuredRow (*inputs)(const Json& row) = nullptr; ///< of schemas of measured runs
  /// In place of `compare` where rows of one log tell things about each other: row `index` of `rows`.
  void (*compare_among)(const Json& rows, std::size_t index, std::vector<Comparison>& into) = nullptr;
};

/// Questions that a user could put, with what was measured: the one schema that is to stay.
Schema questions();

/// Rows with a config and published parameter counts.
Schema models();
/// Tables of torchtitan, torchtune and LitGPT.
Schema published_tables();
/// Training runs of many sources, their configuration in words.
Schema measured_training_runs();

/// Steps measured by this project's own harness, tests/measure.
Schema training_steps_rows();

/// Time of training runs: GPU-hours of whole jobs, tokens per second of benchmarks.
Schema training_runs_rows();

/// Memory that logs of inference engines print.
Schema measured_inference();

/// Functional tests of Megatron-LM.
Schema megatron();
/// Training runs of the PEFT library's method comparison.
Schema peft();
/// Rows of kind "kernel": the peak of one operator in a benchmark.
Schema kernels();

/// The text under that key; "" when it is absent or no text.
std::string text_of(const Json& row, const char* key);
/// The whole number under that key, where there is one; 1e9 and 1000.0 are whole.
std::optional<std::int64_t> number_of(const Json& row, const char* key);
/// The number under that key in units of 10^-decimals (0 to 9), rounded to the nearest; nothing where it does not fit.
std::optional<std::int64_t> decimal_of(const Json& row, const char* key, int decimals);
/// The object under that key; null when there is none.
const Json& object_at(const Json& row, const char* key);

} // namespace plimsoll::io::accuracy
