#pragma once
// What a question in a line tells of the machines around the GPUs.

#include "files/programs/sentence_words.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

/// "2 nodes", and whether a number of GPUs is that of each ("2 nodes of 8 H100", "8 H100 per node") or of all ("16 H100 on 2 nodes").
struct Nodes {
  std::int64_t count = 0; ///< 0: none are told
  bool each = false, together = false;
};

/// Takes the words that tell of nodes.
Nodes take_nodes(std::vector<Word>& words);

/// Takes "256 GB RAM", which is the host's; what a card has is called memory or VRAM. As host_bytes takes it; "" where none is told.
std::string take_host_memory(std::vector<Word>& words);

/// Of GPUs or nodes; 0 for what is no such number.
std::int64_t counted(std::string_view digits);

} // namespace plimsoll::io::programs
