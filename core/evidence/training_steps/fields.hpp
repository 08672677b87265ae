#pragma once
// One reader for each side of a row of tests/measure. Each writes what it understood into the row and declines the rest with the name
// of the setting.

#include "evidence/training_steps/settings.hpp"

namespace plimsoll::io::accuracy::training_steps {

void read_model(const Json& row, const Place& scenario);
void read_work(const Json& row, const Place& scenario);
void read_precision(const Json& row, const Place& scenario);
void read_optimizer(const Place& scenario);
void read_recompute(const Place& scenario);
/// How attention, norms, MLPs and the loss run. After read_precision.
void read_code(const Json& row, const Place& scenario);
/// One GPU, or the shape of one rank of many. After read_precision.
void read_ranks(const Json& row, const Place& scenario);
/// Adapters. After read_model and read_precision.
void read_adapters(const Place& scenario);

/// What rows are summed up by: those that exercise the same.
std::string group_of(const Json& row);

} // namespace plimsoll::io::accuracy::training_steps
