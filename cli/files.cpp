#include "files.hpp"

#include "plimsoll/files/model_file.hpp"
#include "web/address.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

namespace plimsoll::cli {

namespace {

void report(Issues& issues, const std::string& path, const std::string& why, const std::string& remedy) {
  issues.push_back({Severity::error, "", "The file " + path + " " + why + ".", remedy});
}

bool read_header(std::istream& input, std::string& bytes, std::uint64_t size) {
  return io::read_header(bytes, size, [&](char* to, std::size_t count) {
    input.read(to, static_cast<std::streamsize>(count));
    return static_cast<std::size_t>(input.gcount());
  });
}

std::uint64_t count_rest(std::istream& input) {
  std::array<char, 65536> piece{};
  std::uint64_t count = 0;
  while (input.read(piece.data(), piece.size()) || input.gcount() > 0) count += static_cast<std::uint64_t>(input.gcount());
  return count;
}

FileStart of_standard_input() {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::int64_t>::max(); // until it ends
  FileStart start;
  const bool goes_on = read_header(std::cin, start.bytes, kUnknown);
  start.size = start.bytes.size() + (goes_on ? count_rest(std::cin) : 0);
  return start;
}

} // namespace

std::string read_whole(const std::string& path, Issues& issues) {
  if (path == "-") return {std::istreambuf_iterator<char>{std::cin}, {}};
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) { // reading one throws
    report(issues, path, "is a folder", "Give the files in it.");
    return {};
  }
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file.is_open() || file.bad()) report(issues, path, "cannot be read", "Give the path of a file, or - for standard input.");
  return text;
}

FileStart read_start(const std::string& path, Issues& issues, bool offline) {
  if (is_address(path)) return read_address(path, issues, offline);
  if (path == "-") return of_standard_input();
  constexpr const char* kRemedy = "Give the path of a config.json, a safetensors file, its index or a GGUF file, or - for standard input.";
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    report(issues, path, "is a folder", "Give one of the files in it, such as its config.json.");
    return {};
  }
  FileStart start;
  start.name = std::filesystem::path{path}.filename().string();
  std::ifstream file{path, std::ios::binary};
  start.size = std::filesystem::file_size(path, failed);
  if (failed) start.size = std::numeric_limits<std::int64_t>::max(); // a pipe, say
  const bool whole = file.is_open() && read_header(file, start.bytes, start.size);
  if (failed || !whole) start.size = start.bytes.size() + (whole ? count_rest(file) : 0);
  if (!file.is_open() || file.bad()) report(issues, path, "cannot be read", kRemedy);
  return start;
}

std::vector<FileStart> read_starts(std::vector<std::string> paths, Issues& issues, bool offline) {
  if (paths.size() == 1) {
    std::vector<std::string> shards = io::shards_of(paths.front());
    std::error_code failed;
    const auto is_there = [&](const std::string& path) { return is_address(path) || std::filesystem::is_regular_file(path, failed); };
    if (std::ranges::all_of(shards, is_there)) paths = std::move(shards);
  }
  std::vector<FileStart> starts;
  for (const std::string& path : paths) {
    starts.push_back(read_start(path, issues, offline));
    if (has_errors(issues)) break; // the others would fail alike
  }
  return starts;
}

std::vector<io::ImportFile> import_files_of(const std::vector<FileStart>& starts) {
  std::vector<io::ImportFile> files;
  for (const FileStart& start : starts) files.push_back({start.bytes, start.size, start.name});
  return files;
}

} // namespace plimsoll::cli
