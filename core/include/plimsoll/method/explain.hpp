#pragma once
// The words: every number of an estimate as a tree that opens to formula, symbols, source and basis.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct Symbol {
  std::string_view name;
  std::int64_t value = 0;
  std::string_view unit;
  std::string_view meaning;
  std::string_view field; ///< input to highlight, or ""
};

/// One number. Law: where a component has parts, its amount, low and high are the sums of theirs.
struct Component {
  std::string id;    ///< stable, e.g. "memory.activations.mlp"
  std::string label;
  std::string_view unit; ///< "bytes", "parameters" or "FLOP"
  std::int64_t amount = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string_view formula;     ///< "" where the component is the sum of its parts
  std::vector<Symbol> symbols;
  std::string citation;         ///< id in the catalogue's citations; "" for sums
  Basis basis = Basis::counted; ///< of a sum: the least certain of its parts
  std::vector<Component> parts;
};

struct Explanation {
  Component memory;                ///< one GPU at the peak moment
  Component parameters;            ///< the language model, tensor by tensor
  Component components;            ///< what comes with it and is not in that count: towers, prediction layers; no parts when there are none
  std::vector<Component> facts;    ///< numbers people ask for: KV cache per token, bytes of state per parameter, operations per token
};

Explanation explain(const Scenario& scenario, const Estimate& estimate);

/// The memory tree of any moment of the task.
Component explain_moment(const Scenario& scenario, Moment moment, std::int64_t rank = 0);

/// The component with that id in the tree, or null.
const Component* find_component(const Component& root, std::string_view id) noexcept;

} // namespace plimsoll
