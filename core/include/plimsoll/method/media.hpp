#pragma once
// What a sequence's images, video and sound become: patches that a tower reads, and tokens of the context.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/workload.hpp"

namespace plimsoll {

/// All of one sequence.
struct MediaLoad {
  Count items;           ///< that the tower reads one by one: images or tiles, pairs of frames, sounds
  Count patches_of_each; ///< that attend to each other
  Count tokens;          ///< of the context, all together
  bool known = true;     ///< false: no rule for images of this model, and nobody stated image_tokens

  Count patches() const noexcept { return items * patches_of_each; }
};
MediaLoad media_load(const Tower& tower, const Media& media) noexcept;

/// Tokens of the context that all towers of the model make.
Count media_tokens(const Model& model, const Media& media) noexcept;

} // namespace plimsoll
