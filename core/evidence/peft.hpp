#pragma once
// Rows of huggingface/peft, method_comparison: one training run each, with the method's config as the library saved it.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/scenario.hpp"
#include "text/json.hpp"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::io::accuracy {

/// The scenario that a row describes; what it does not tell goes to `assumed`. Nothing, with the reason, where a fact is missing or
/// has no counterpart here.
std::optional<Inputs> inputs_of(const Json& row, std::vector<std::string>& assumed, std::string& reason);

/// What trains, from {"peft_type", "config": {…}} and the name of the optimizer.
std::optional<Tuning> tuning_of(const Json& method, const std::string& optimizer, std::vector<std::string>& assumed, std::string& reason);

/// A decoder from a row's dimensions: {"layers", "hidden", "ffn_hidden", "heads", "kv_heads", "head_dim", "vocab", "tied", …}.
std::optional<Architecture> architecture_of_row(const Json& model, std::vector<std::string>& assumed, std::string& reason);

/// The member of that name; null when the value is no object or has none.
const Json& member(const Json& value, const char* key);
bool flag(const Json& value, const char* key, bool otherwise = false);

} // namespace plimsoll::io::accuracy
