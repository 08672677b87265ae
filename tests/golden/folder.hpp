#pragma once
// The files of tests/golden, as lines.

#include <map>
#include <string>
#include <vector>

namespace plimsoll::test {

inline const std::string kGoldenFolder = PLIMSOLL_SOURCE_DIR "/tests/golden/";

using Lines = std::vector<std::string>;

/// Of a file that must be there: throws std::runtime_error with its path when it is not.
Lines lines_of_file(const std::string& path);

/// Everything below `folder`: path from there to lines.
std::map<std::string, Lines> read_folder(const std::string& folder);

/// Makes `folder` hold these files and no others.
void write_folder(const std::string& folder, const std::map<std::string, Lines>& files);

} // namespace plimsoll::test
