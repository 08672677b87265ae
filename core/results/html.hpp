#pragma once
// What reports of one sheet share: they have no scripts, ask for no file and print from any browser.

#include <string>
#include <string_view>

namespace plimsoll::io {

/// A text between tags or in an attribute.
std::string html(std::string_view text);

/// A whole page with that title as its heading.
std::string html_page(std::string_view title, std::string_view body);

} // namespace plimsoll::io
