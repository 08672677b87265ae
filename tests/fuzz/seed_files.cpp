// Writes what libFuzzer starts from: fuzz_seeds FOLDER makes FOLDER/TARGET/NUMBER for every target.
#include "targets.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  for (const plimsoll::fuzz::Target& target : plimsoll::fuzz::all_targets()) {
    const std::filesystem::path folder = std::filesystem::path{arguments[1]} / target.name;
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : plimsoll::fuzz::seeds_of(target.name)) std::ofstream{folder / std::to_string(++number), std::ios::binary} << seed;
  }
  return 0;
}
