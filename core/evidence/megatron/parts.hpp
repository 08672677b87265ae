#pragma once
// The parts of a row, each read into its part of Inputs.

#include "evidence/megatron/megatron.hpp"
#include "evidence/megatron/section.hpp"

namespace plimsoll::io::accuracy {

/// A row while it is being read.
struct MegatronDraft {
  MegatronDraft(const Json& row, MegatronRow& out_row, Reading& reading_row)
      : out(out_row), reading(reading_row), model(row, "model", reading_row), workload(row, "workload", reading_row),
        strategy(row, "strategy", reading_row), precision(row, "precision", reading_row), implementation(row, "implementation", reading_row),
        arguments(row, "raw_args", reading_row), environment(row, "raw_env", reading_row) {}

  MegatronRow& out;
  Reading& reading;
  Section model, workload, strategy, precision, implementation, arguments, environment;

  void assume(std::string what) const { reading.assumed.push_back(std::move(what)); }
};

/// inputs.model, and what of MegatronFacts is the model's.
void read_model(MegatronDraft& draft);
/// inputs.workload and inputs.strategy.
void read_strategy(MegatronDraft& draft);
/// facts.chunks. After read_model() and read_strategy().
void read_layout(MegatronDraft& draft);
/// inputs.implementation.
void read_implementation(MegatronDraft& draft);

/// Cuts of a hybrid pattern: "M-|M*/*E" has two chunks and one prediction depth.
std::vector<WrittenChunk> chunks_of_pattern(std::string_view pattern);

} // namespace plimsoll::io::accuracy
