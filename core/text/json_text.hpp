#pragma once
// A text as JSON has it between quotation marks. The library that reads JSON writes it, too, by way of a document of its own: 14 kB of a module that a page
// loads, where its own values are written without.

#include <string>
#include <string_view>

namespace plimsoll::io {

/// Adds the text in quotation marks: what JSON must escape is, and each run of bytes that begins no character of UTF-8 (RFC 3629), or breaks off in one, becomes
/// U+FFFD (Unicode, "U+FFFD Substitution of Maximal Subparts").
void write_json_text(std::string_view text, std::string& out);

} // namespace plimsoll::io
