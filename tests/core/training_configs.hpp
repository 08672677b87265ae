#pragma once
// The files in tests/corpus/configs, and a count of their keys by their lines alone.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

struct ConfigFile {
  std::string format; ///< its folder
  std::string name;
  std::string text;
};

inline std::vector<ConfigFile> config_files() {
  std::vector<ConfigFile> files;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{PLIMSOLL_SOURCE_DIR "/tests/corpus/configs"})
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream stream{path, std::ios::binary};
    files.push_back({path.parent_path().filename().string(), path.stem().string(), {std::istreambuf_iterator<char>{stream}, {}}});
  }
  return files;
}

/// A line of YAML without comments: its indentation, whether it is an item of a list, its key and whether a value stands behind.
struct YamlLine {
  std::size_t indent = 0;
  bool item = false, has_key = false, has_value = false;
};

inline std::vector<YamlLine> yaml_lines(const std::string& text) {
  std::vector<YamlLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line{text.data() + at, end - at};
    at = end + 1;
    YamlLine read;
    read.indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(read.indent);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("- ")) read.item = true, line.remove_prefix(2);
    const std::size_t colon = line.find(':');
    read.has_key = colon != std::string_view::npos && (colon + 1 == line.size() || line[colon + 1] == ' ') && line.find_first_of(" \"'") > colon;
    read.has_value = read.has_key && line.find_first_not_of(' ', colon + 1) != std::string_view::npos && line[line.find_first_not_of(' ', colon + 1)] != '#';
    lines.push_back(read);
  }
  return lines;
}

/// Keys with a value, with a list of values below them, or with nothing.
inline std::size_t yaml_leaves(const std::string& text) {
  const std::vector<YamlLine> lines = yaml_lines(text);
  std::size_t leaves = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].has_key) continue;
    const bool last = i + 1 == lines.size();
    const bool holds = !last && lines[i + 1].has_key && (lines[i + 1].indent > lines[i].indent + (lines[i].item ? 2 : 0) || (lines[i + 1].item && lines[i + 1].indent >= lines[i].indent && !lines[i].item));
    if (lines[i].has_value || !holds) ++leaves;
  }
  return leaves;
}

} // namespace plimsoll::test
