#pragma once
// Jupyter notebooks (nbformat 4): cells of code, and what they printed.

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::scripts {

struct Notebook {
  std::string code;    ///< of Python, cell after cell
  std::string shell;   ///< lines behind "!", and cells that a shell runs
  std::string printed; ///< by cells
};

/// Nothing where the text is no notebook.
std::optional<Notebook> notebook_of(std::string_view text);

} // namespace plimsoll::io::scripts
