#pragma once
// Scenarios that bytes choose: nearly every one has only values that exist, so that a search gets past the readers.

#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plimsoll::fuzz {

/// Takes bytes off the front of an input; zeros when it is used up.
class Chooser {
public:
  explicit Chooser(std::string_view bytes) : bytes_(bytes) {}
  bool done() const noexcept { return bytes_.empty(); }
  std::size_t below(std::size_t n);

private:
  std::string_view bytes_;
};

/// A model, a device, a task, and `most` further fields at most, all by their tables.
io::Request chosen_request(Chooser& chooser, std::size_t most = 16);

} // namespace plimsoll::fuzz
