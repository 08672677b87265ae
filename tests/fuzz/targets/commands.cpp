#include "broken.hpp"
#include "catalogue.hpp"
#include "invariants.hpp"
#include "targets.hpp"

#include "plimsoll/files/command_line.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/json.hpp"

#include <algorithm>

namespace plimsoll::fuzz::targets {

std::string command_line(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::CommandLine line = io::read_command_line(catalog(), text);
    if (std::string broken = broken_issues(line.issues); !broken.empty()) return broken;
    if (line.ok && !io::is_command_line(text)) return "read, and not recognised";
    if (!line.ok && !has_errors(line.issues)) return "neither read nor an error";
    for (const io::Entry& entry : line.request.entries())
      if (find_field(entry.name) == nullptr) return entry.name + " is no input";
    for (const std::string& name : line.unread)
      if (std::ranges::none_of(line.issues, [&](const Issue& issue) { return !issue.field.empty() && name.starts_with(issue.field); })) return "no issue says why " + name + " is not read";
    if (once_in(64, text) && !io::parse_json(io::command_line_json(line)).ok) return "command_line_json did not return JSON";
    return once_in(1024, text) ? broken_by_query(catalog(), io::to_query(line.request)) : "";
  });
}

} // namespace plimsoll::fuzz::targets
