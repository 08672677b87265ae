#pragma once
// What must hold for any text at all. The tests and the libFuzzer programs ask the same questions.
//
// Each function returns the first thing that is wrong, as a sentence, and "" when all is well. An exception from the
// estimator counts as wrong: none of its functions on texts may throw.

#include "plimsoll/results/api.hpp"

#include <string>
#include <string_view>

namespace plimsoll::fuzz {

/// A query: answered, explained, printed, and the same again from its canonical query.
std::string broken_by_query(const io::Catalog& catalog, std::string_view query);

/// A JSON scenario: likewise. What cannot be read (a list as a value) is not in the canonical query, and not compared.
std::string broken_by_scenario(const io::Catalog& catalog, std::string_view json);

/// A request that was never a text: likewise.
std::string broken_by_request(const io::Catalog& catalog, const io::Request& request);

/// A config.json, as the importer reads it: a model with every tensor countable, or an error; every issue with a remedy.
std::string broken_by_import(std::string_view config);

/// The same, printed, and what was imported is accepted as a scenario.
std::string broken_by_config(const io::Catalog& catalog, std::string_view config);

} // namespace plimsoll::fuzz
