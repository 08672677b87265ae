#pragma once
// Results as tables for people.

#include "plimsoll/answer/answer.hpp"

#include <string>

namespace plimsoll::cli {

std::string issues_table(const Issues& issues);
std::string estimate_table(const io::Answer& answer);
/// Every component with its formula, symbols, source and basis.
std::string explanation_table(const io::Catalog& catalog, const io::Answer& answer);
std::string models_table(const io::Catalog& catalog, const std::string& search);
std::string devices_table(const io::Catalog& catalog, const std::string& search);
std::string weights_table(const io::Catalog& catalog, const std::string& search);
std::string profiles_table(const io::Catalog& catalog, const std::string& search);
std::string fields_table();

} // namespace plimsoll::cli
