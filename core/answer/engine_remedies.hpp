#pragma once
// What an engine would have to be told so that it starts, and holds the sequences that are asked.

#include "plimsoll/answer/answer.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

/// Single changes after which judge() says that it holds, each the smallest of its kind; none where it holds already, or trains.
std::vector<Remedy> engine_remedies(const Answer& answer);

/// " Add --max-model-len 32768, or --gpu-memory-utilization 0.95."; "" where no remedy has a flag.
std::string remedies_text(const Answer& answer);

} // namespace plimsoll::io
