#pragma once
// Issues about a file of a million tensors: the first few in full, the rest as a number.

#include "plimsoll/method/issue.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

class Report {
public:
  void error(std::string field, std::string message, std::string remedy);
  void warning(std::string field, std::string message, std::string remedy);
  void note(std::string field, std::string message, std::string remedy);
  bool failed() const noexcept { return errors_ > 0; }
  /// Says how many were left out, and empties the report.
  Issues take();

private:
  void add(Severity severity, std::string field, std::string message, std::string remedy);
  Issues issues_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

/// A name from a file as a field of an issue, shortened, e.g. of("blk.0.attn_q.weight", "shape") = "blk.0.attn_q.weight.shape".
std::string field_of(std::string_view tensor, std::string_view what);

/// Text for people: at most some 120 bytes, not cut within a character.
std::string shortened(std::string_view text, std::size_t most = 120);

inline constexpr const char* kDownloadAgain = "Download the file again, or convert it again.";

} // namespace plimsoll::io::tensor_files
