#pragma once
// An answer as a file that people keep, print or paste elsewhere.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

enum class ResultFormat : unsigned char {
  json,     ///< explain_json: read_given_file() takes it back
  csv,      ///< one row per component, as RFC 4180 writes them
  markdown, ///< a headline and tables
  svg,      ///< the bars under the load line
  html,     ///< report_html
};
inline constexpr std::size_t kResultFormats = 5;

struct ResultFormatText {
  std::string_view id;    ///< "markdown"
  std::string_view label; ///< "Markdown table"
  std::string_view ending; ///< "md"
  std::string_view type;  ///< "text/markdown"
};
const ResultFormatText& text_of(ResultFormat format) noexcept;
/// By id; empty for unknown ones.
std::optional<ResultFormat> result_format(std::string_view id) noexcept;

/// The text of the file; "" where the answer has errors. Never throws.
std::string result_file(const Catalog& catalog, const Answer& answer, ResultFormat format);

/// "plimsoll-llama-3-8b-rtx4090-inference.csv"
std::string result_file_name(const Answer& answer, std::string_view ending);

/// A badge for READMEs and model cards, SVG: model and device, what a process needs, and the verdict's colour. `judged` has its footprint
/// (add_footprint()); "" where it has errors.
std::string badge_svg(const Answer& judged);

/// A report of one sheet of A4, HTML without scripts that any browser prints: verdict, picture, parts with formulas, sources. `judged` as above.
std::string report_html(const Catalog& catalog, const Answer& judged);

/// The colour of each category, 0xRRGGBB, by Part: everywhere the same. Chosen so that neighbours in a bar stay apart for people with
/// any of the three colour-vision deficiencies.
std::uint32_t colour_of(Part part) noexcept;

} // namespace plimsoll::io
