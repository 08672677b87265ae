// fit_kernels DIR: the rows of core/catalog/data/kernels.json, fitted on a folder of measured kernels.
#include "plimsoll/evidence/latencies.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
  using namespace plimsoll;
  if (argc != 2) return std::fputs("usage: fit_kernels DIR\n", stderr), 1;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{argv[1]}) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<io::LatencyFile> files;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    files.push_back({path.filename().string(), std::string{std::istreambuf_iterator<char>{file}, {}}});
  }
  Issues issues;
  const std::string rows = io::fitted_kernels(io::Catalog::load(), files, issues);
  for (const Issue& issue : issues) std::fprintf(stderr, "%s: %s %s\n", issue.field.c_str(), issue.message.c_str(), issue.remedy.c_str());
  std::fputs(rows.c_str(), stdout);
  return 0;
}
