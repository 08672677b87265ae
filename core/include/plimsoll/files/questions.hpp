#pragma once
// What a file leaves open and an answer needs: asked back instead of guessed.

#include "plimsoll/request/request.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

struct OpenQuestion {
  std::string field; ///< what answers it: an input ("model", "device", "vocab_size"), "gpus", "command", a variable's name or a file's
  std::string text;  ///< one sentence
  std::string_view answer = "input"; ///< how: "input", "gpus", "command" (a number of the list), "set" (NAME=value) or "file" (give it too)
  std::vector<std::string> choices{};   ///< ids that it may be, the likeliest first; empty where nothing narrows it down
};

/// What must be told before the request that was read of a file can be answered as its program would run it: the model, where none is named or
/// a shell variable stands in its place; the sizes of a custom model; the device. In this order; empty where nothing is open.
std::vector<OpenQuestion> open_questions(const Request& request);

} // namespace plimsoll::io
