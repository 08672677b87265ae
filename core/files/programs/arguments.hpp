#pragma once
// The arguments of a training program as a tree of keys, as its configuration file would have them.

#include "files/programs/purpose.hpp"
#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

/// A value that a variable stands for which nobody sets.
struct Missing {
  std::string variable; ///< its name
  std::string option;   ///< that takes it
};

struct Arguments {
  Json tree = Json::object();
  std::string file;             ///< the configuration file that is named, with marks; "" for none
  std::vector<Missing> missing; ///< of options that may matter
};

/// Names are written as `program.format` has them: with '-' by Megatron-LM, with '_' elsewhere. Options that the format calls harmless are
/// never missing.
Arguments arguments_of(const scripts::Launch& launch, const Program& program);

/// Puts a value at "a.b" of a tree, within a section of that name where there is one.
void put(Json& tree, std::string_view path, Json value);

/// Puts all of `over` into the tree.
void overlay(Json& tree, const Json& over);

} // namespace plimsoll::io::programs
