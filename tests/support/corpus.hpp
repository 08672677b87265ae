#pragma once
// The evidence of tests/corpus, asked once.

#include "plimsoll/evidence/accuracy_summary.hpp"
#include "scenarios.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace plimsoll::test {

/// What tests/corpus/NAME.json says and what the estimate does; empty where the file cannot be read.
inline const io::Accuracy& corpus(const std::string& name) {
  static std::map<std::string, io::Accuracy> kAsked;
  const auto found = kAsked.find(name);
  if (found != kAsked.end()) return found->second;
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/corpus/" + name + ".json"};
  return kAsked.emplace(name, io::compare(catalog(), std::string{std::istreambuf_iterator<char>{file}, {}})).first->second;
}

} // namespace plimsoll::test
