#pragma once
// Evidence as tables for people.

#include "plimsoll/evidence/accuracy_summary.hpp"

#include <string>
#include <vector>

namespace plimsoll::cli {

/// One line for each row: predicted, measured, and how the two relate.
std::string rows_table(const std::vector<const io::Comparison*>& rows);
/// One line for each summary, under one line of headings.
std::string summaries_table(const std::vector<io::Summary>& summaries);
/// What is not covered, and why; "" when everything is.
std::string gaps_table(const std::vector<io::Gap>& gaps);
/// The two as Markdown.
std::string summaries_markdown(const std::vector<io::Summary>& summaries, const std::vector<io::Gap>& gaps);

} // namespace plimsoll::cli
