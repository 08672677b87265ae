#pragma once
// What a file leaves open and an answer needs: asked back instead of guessed.

#include "plimsoll/request/request.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

struct OpenQuestion {
  std::string field; ///< the input that answers it: "model", "device", "vocab_size"
  std::string text;  ///< one sentence
};

/// What must be told before the request that was read of a file can be answered as its program would run it: the model, where none is named or
/// a shell variable stands in its place; the sizes of a custom model; the device. In this order; empty where nothing is open.
std::vector<OpenQuestion> open_questions(const Request& request);

} // namespace plimsoll::io
