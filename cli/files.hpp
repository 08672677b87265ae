#pragma once
// The files that commands are given.

#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/issue.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// The beginning of a model file: as much as its header needs, or all of it when it is small.
struct FileStart {
  std::string bytes;
  std::uint64_t size = 0; ///< of the whole file, in bytes
  std::string name;       ///< without its folders; "" for standard input
};

/// Reads the header of the file at `path`, and nothing behind it; "-" is standard input, of which the rest is counted but not kept, and an
/// address (web/address.hpp) is fetched, unless `offline`. An issue when it cannot be read.
FileStart read_start(const std::string& path, Issues& issues, bool offline = false);

/// read_start() of each; of one alone, and of all other files of its model where it is one of several: "m-00001-of-00003.gguf" is read with the
/// other two, where they lie beside it.
std::vector<FileStart> read_starts(std::vector<std::string> paths, Issues& issues, bool offline = false);

/// As the importer takes them: they point into the starts.
std::vector<io::ImportFile> import_files_of(const std::vector<FileStart>& starts);

/// All of the file, or of standard input for "-"; an issue when it cannot be read.
std::string read_whole(const std::string& path, Issues& issues);

} // namespace plimsoll::cli
