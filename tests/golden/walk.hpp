#pragma once
// The places of an answer, each with a name that stays the same when others come or go: members as in "estimate.peak", elements of
// lists as in "estimate.moments/prefill", by their own name where they have one, and components of the explanation by their id,
// "memory.weights.mlp", with what they explain in front where that is no part of it: "fact.decode_step/time.reads".

#include "text/json.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::test {

using Cells = std::vector<std::pair<std::string, io::Json>>;

struct Visitor {
  /// A component: amount, formula, symbols and the rest. Its parts are visited after it.
  std::function<void(const std::string& path, const io::Json& component)> component;
  /// What an object holds itself, of an element of a list without what names it.
  std::function<void(const std::string& path, const Cells& cells, bool in_list)> object;
  /// A list of plain values; a list or an object without anything.
  std::function<void(const std::string& path, const io::Json& list)> list;
};

void walk(const io::Json& answer, const Visitor& visitor);

/// Digits in groups of three: "1,234". What is not a whole number stays as it is.
std::string grouped(std::string number);

} // namespace plimsoll::test
