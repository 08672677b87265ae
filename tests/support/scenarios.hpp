#pragma once
// Scenarios that laws are tried on.

#include "plimsoll/io/answer.hpp"

#include <string>
#include <vector>

namespace plimsoll::test {

/// The catalogue, loaded once per program.
const io::Catalog& catalog();

/// The answer to a query that must have no errors; throws std::runtime_error with the issues when it has.
io::Answer answer_to(const std::string& query);

/// Every task with every model and every choice of every field once, and `random` combinations of realistic values, always the
/// same ones. All are free of errors.
std::vector<std::string> valid_queries(int random);

/// A model with prediction depths, which no query asks for.
Scenario predicting_scenario();

/// Replaces or adds one input of a query.
std::string with(const std::string& query, const std::string& name, const std::string& text);

} // namespace plimsoll::test
