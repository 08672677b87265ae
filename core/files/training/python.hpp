#pragma once
// What a module of Python builds where it only calls and assigns: functions without arguments whose body makes nested calls with literal
// arguments, as registries of configurations do. Nothing is run: a statement of any other kind leaves its function unread.

#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs::python {

/// A call as {"()": name, "[]": [values], name: value …}; what no literal tells is {"?": text}.
inline constexpr const char* kCalled = "()";
inline constexpr const char* kValues = "[]";
inline constexpr const char* kUnknown = "?";

struct Built {
  std::string name;   ///< of the function
  std::size_t line = 1;
  Json value;         ///< what it returns
  bool whole = true;  ///< no statement was left out
};

/// A name that a module takes from another one.
struct Taken {
  std::string name, module; ///< "torchtitan.models.llama3"; "." for its own package
};

struct Module {
  std::vector<Built> built; ///< by its functions that take nothing, in their order
  std::vector<Taken> taken;
};

/// Of any text; empty where it defines no such function.
Module read_module(std::string_view text);

/// The calls that a script or notebook makes as statements or on the right of an assignment, one after the other: names that were assigned before
/// stand for their values, whichever block they are in. What stands below "if False" does not run.
std::vector<Json> read_calls(std::string_view text);

} // namespace plimsoll::io::configs::python
