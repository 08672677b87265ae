#pragma once
// #SBATCH lines: what Slurm's sbatch takes from a script's comments, and the variables that it sets for the script by them
// (https://slurm.schedmd.com/sbatch.html, "OUTPUT ENVIRONMENT VARIABLES").

#include "files/scripts/variables.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

std::vector<Setting> slurm_settings(std::string_view script);

} // namespace plimsoll::io::scripts
