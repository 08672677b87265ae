#include "folder.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace plimsoll::test {

namespace files = std::filesystem;

Lines lines_of_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file.is_open()) throw std::runtime_error{path + " cannot be read."};
  Lines lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::map<std::string, Lines> read_folder(const std::string& folder) {
  std::map<std::string, Lines> read;
  if (!files::exists(folder)) return read;
  for (const auto& entry : files::recursive_directory_iterator{folder})
    if (entry.is_regular_file()) read.emplace(entry.path().generic_string().substr(folder.size()), lines_of_file(entry.path().string()));
  return read;
}

void write_folder(const std::string& folder, const std::map<std::string, Lines>& wanted) {
  for (const auto& [path, lines] : read_folder(folder))
    if (!wanted.contains(path)) files::remove(folder + path);
  for (const auto& [path, lines] : wanted) {
    files::create_directories(files::path{folder + path}.parent_path());
    std::ofstream file{folder + path, std::ios::binary};
    for (const std::string& line : lines) file << line << '\n';
    file.flush();
    if (!file) throw std::runtime_error{folder + path + " cannot be written."};
  }
}

} // namespace plimsoll::test
