#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::app {

/// A picture: 3 bytes (red, green, blue) per pixel, rows from top to bottom.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The bytes of a PNG file of it, without compression.
std::string png_of(const Picture& picture);

} // namespace plimsoll::app
