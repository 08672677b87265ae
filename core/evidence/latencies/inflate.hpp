#pragma once
// Files that gzip packed: RFC 1951 and 1952.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::latencies {

/// Whether it begins as such a file does.
constexpr bool is_packed(std::string_view bytes) noexcept { return bytes.size() > 18 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

/// What was packed, at most `most` bytes of it; nothing where the file is damaged, longer, or packed in another way. The checksum is not
/// looked at.
std::optional<std::string> unpacked(std::string_view bytes, std::size_t most = 256'000'000);

} // namespace plimsoll::io::latencies
