#pragma once
// A whole answer, for people: every value of it, a line for each component, symbol and member.

#include "folder.hpp"
#include "text/json.hpp"

#include <map>

namespace plimsoll::test {

/// Texts of citations by id, which answers share. Two texts under one id are both kept.
using Citations = std::map<std::string, Lines>;

/// Throws std::runtime_error at a component with a member that it does not know: nothing may be left out. `citations` gains those that
/// components name.
Lines whole_lines(const io::Json& answer, Citations& citations);

/// Of answers that are shown as figures alone.
void add_citations(const io::Json& answer, Citations& citations);

Lines citation_lines(const Citations& citations);

} // namespace plimsoll::test
