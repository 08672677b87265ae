#include "files/programs/sentence_link.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::programs {

bool read_link(std::string_view text, ImportedText& into) {
  if (text.find_first_of(" \t\r\n") != std::string_view::npos) return false;
  std::string_view query = text.substr(0, text.find('#'));
  if (const std::size_t mark = query.find('?'); mark != std::string_view::npos) query.remove_prefix(mark + 1);
  else if (query.find("://") != std::string_view::npos) return false;
  if (query.find('=') == std::string_view::npos) return false;
  Issues issues;
  Request request = request_from_query(query, issues);
  const bool is_ours = std::ranges::any_of(request.entries(), [](const Entry& entry) { return find_field(entry.name) != nullptr || !same_as(entry.name).empty(); });
  if (!is_ours) return false;
  into.read = static_cast<std::int64_t>(request.entries().size());
  into.request = std::move(request);
  into.issues = std::move(issues);
  return true;
}

} // namespace plimsoll::io::programs
