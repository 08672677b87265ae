#pragma once
// What must hold for any bytes at all that are taken for a file of weights.

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::fuzz {

/// The first thing that is wrong, as a sentence; "" when all is well. The bytes are the beginning of a file of `file_size` bytes,
/// or all of it. They are read and imported without an exception; totals are sums; issues say what to do; a header that needs more
/// bytes says how many. `prints`: the result is printed too, and is JSON, which takes ten times as long as all the rest.
std::string broken_by_tensor_file(std::string_view bytes, std::uint64_t file_size, bool prints = true);

} // namespace plimsoll::fuzz
