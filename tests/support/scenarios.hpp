#pragma once
// Scenarios that laws are tried on.

#include "plimsoll/answer/answer.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace plimsoll::test {

/// The catalogue, loaded once per program.
const io::Catalog& catalog();

/// The answer to a query that must have no errors; throws std::runtime_error with the issues when it has.
io::Answer answer_to(const std::string& query);

/// Training with states divided, offloaded and stepped in every way that the profiles know.
std::vector<std::string> sharding_queries();

/// Every task with every model and every choice of every field once, and `random` combinations of realistic values, always the
/// same ones. All are free of errors.
std::vector<std::string> valid_queries(int random);

/// Fine-tuning with frozen weights: each family of methods, quantised, sharded, recomputed, in a pipeline.
std::vector<std::string> tuned_queries();
/// A model with prediction depths, which no query asks for.
Scenario predicting_scenario();

/// Its parts, one after the other: what a generator draws for the operands of one sum comes in an order that each compiler chooses.
std::string in_order(std::initializer_list<std::string> parts);

/// Replaces or adds one input of a query.
std::string with(const std::string& query, const std::string& name, const std::string& text);

} // namespace plimsoll::test
