#pragma once
// Commands in documents: blocks of code in Markdown (CommonMark 0.31, section 4.5, fenced code blocks) and in reStructuredText (docutils, directive
// "code-block").

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

/// The text of all blocks that a shell reads, one after the other, so that what one sets holds in the next: those whose language is a shell's, or not
/// stated. "" where the text is no document, or has none. Blocks may be indented, as in lists and in texts of YAML.
std::string commands_of_document(std::string_view text);

/// Each block of a file's text: YAML, JSON, TOML, a Dockerfile, a Modelfile, Python.
std::vector<std::string> files_of_document(std::string_view text);

} // namespace plimsoll::io::scripts
