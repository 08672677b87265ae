#pragma once
// What is left to ask once texts are read, and what answers change.

#include "plimsoll/files/import.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

/// Whether a question about the field is open.
bool is_asked(const ImportedText& in, std::string_view field);

void ask_variable(ImportedText& into, const std::string& variable, const std::string& option);
void ask_file(ImportedText& into, const std::string& name);
/// A note about variables in place of options that nobody sets.
void say_empty(ImportedText& into, const std::vector<std::string>& variables);

/// Replicas of that many GPUs, where the request says how many one takes.
void set_gpus(ImportedText& into, const std::string& gpus);

/// Puts answers into the request, takes a model out that nobody knows, and asks for what is missing.
void finish(const Catalog& catalog, const ImportAnswers& answers, ImportedText& into);

} // namespace plimsoll::io::programs
