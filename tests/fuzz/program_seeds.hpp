#pragma once
// Texts that start programs or come out of them, as searches begin with them.

#include <string>
#include <vector>

namespace plimsoll::fuzz {

std::vector<std::string> script_seeds();
std::vector<std::string> manifest_seeds();
std::vector<std::string> log_seeds();
std::vector<std::string> litgpt_seeds();
std::vector<std::string> maxtext_seeds();
std::vector<std::string> load_seeds();

} // namespace plimsoll::fuzz
