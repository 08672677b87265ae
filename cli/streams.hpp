#pragma once
// What a command says: answers to standard output, complaints to standard error. Text is written as it is, zero bytes too.

#include "plimsoll/method/issue.hpp"
#include "tables.hpp"

#include <cstdio>
#include <string>

namespace plimsoll::cli {

inline void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
inline void complain(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }
inline void complain(const Issues& issues) { complain(issues_table(issues)); }

} // namespace plimsoll::cli
