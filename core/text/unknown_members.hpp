#pragma once
// Members of a user's own file that nobody reads. Most may be left out, so a misspelt one would go unnoticed.

#include "plimsoll/method/issue.hpp"
#include "text/json.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

/// A warning for each member of the object that is none of `known`, which names it as `path`.member. What `issues` warns of already, in
/// another row, is not told again, nor more than a few.
void warn_of_unknown(const Json& object, const std::vector<std::string>& known, const std::string& path, Issues& issues);

} // namespace plimsoll::io
