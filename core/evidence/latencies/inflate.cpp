#include "evidence/latencies/inflate.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll::io::latencies {

namespace {

constexpr int kLongest = 15;

/// Canonical prefix codes: how many there are of each length, and their symbols in order.
struct Codes {
  std::array<int, kLongest + 1> of_length{};
  std::vector<int> symbols;

  explicit Codes(std::span<const int> lengths) : symbols(lengths.size()) {
    for (const int length : lengths) ++of_length[static_cast<std::size_t>(length)];
    std::array<std::size_t, kLongest + 2> first{};
    for (std::size_t i = 1; i <= kLongest; ++i) first[i + 1] = first[i] + static_cast<std::size_t>(of_length[i]);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] != 0) symbols[first[static_cast<std::size_t>(lengths[i])]++] = static_cast<int>(i);
  }
};

class Reader {
public:
  Reader(std::string_view bytes, std::size_t most) : bytes_(bytes), most_(most) {}

  bool run() {
    if (!skip_header()) return false;
    for (bool last = false; !last;) {
      last = bits(1) != 0;
      const int kind = bits(2);
      if (bad_ || kind == 3 || !(kind == 0 ? stored() : packed(kind == 2))) return false;
    }
    return !bad_;
  }

  std::string out;

private:
  int byte() {
    if (at_ >= bytes_.size()) {
      bad_ = true;
      return 0;
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  int bits(int wanted) {
    while (held_ < wanted && !bad_) {
      buffer_ |= static_cast<std::uint32_t>(byte()) << held_;
      held_ += 8;
    }
    const int value = static_cast<int>(buffer_ & ((1u << wanted) - 1));
    buffer_ >>= wanted;
    held_ -= wanted;
    return value;
  }

  bool skip_header() {
    at_ = 2;
    const int method = byte(), flags = byte();
    at_ += 6;
    if ((flags & 4) != 0) {
      const int low = byte();
      at_ += static_cast<std::size_t>(low + (byte() << 8));
    }
    for (const int text : {8, 16})
      if ((flags & text) != 0)
        while (byte() != 0 && !bad_) {}
    if ((flags & 2) != 0) at_ += 2;
    return method == 8 && !bad_;
  }

  bool stored() {
    buffer_ = 0;
    held_ = 0;
    const int low = byte(), length = low + (byte() << 8);
    at_ += 2;
    if (at_ > bytes_.size() || bytes_.size() - at_ < static_cast<std::size_t>(length) || out.size() + static_cast<std::size_t>(length) > most_) return false;
    out.append(bytes_.substr(at_, static_cast<std::size_t>(length)));
    at_ += static_cast<std::size_t>(length);
    return true;
  }

  int symbol(const Codes& codes) {
    int code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length <= kLongest && !bad_; ++length) {
      code |= bits(1);
      const int count = codes.of_length[length];
      if (code - count < first) return codes.symbols[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    bad_ = true;
    return 0;
  }

  bool packed(bool has_codes) {
    std::vector<int> lengths(288, 8), distances(30, 5);
    if (has_codes) {
      const int literals = bits(5) + 257, far = bits(5) + 1, sent = bits(4) + 4;
      constexpr std::array<std::size_t, 19> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
      std::array<int, 19> own{};
      for (int i = 0; i < sent; ++i) own[kOrder[static_cast<std::size_t>(i)]] = bits(3);
      const Codes codes{own};
      std::vector<int> all;
      while (all.size() < static_cast<std::size_t>(literals + far) && !bad_) {
        const int what = symbol(codes);
        if (what < 16) all.push_back(what);
        else if (what == 16 && all.empty()) return false;
        else if (what == 16) all.insert(all.end(), static_cast<std::size_t>(3 + bits(2)), int{all.back()});
        else all.insert(all.end(), static_cast<std::size_t>(what == 17 ? 3 + bits(3) : 11 + bits(7)), 0);
      }
      if (bad_ || all.size() != static_cast<std::size_t>(literals + far)) return false;
      lengths.assign(all.begin(), all.begin() + literals);
      distances.assign(all.begin() + literals, all.end());
    } else {
      for (std::size_t i = 144; i < 256; ++i) lengths[i] = 9;
      for (std::size_t i = 256; i < 280; ++i) lengths[i] = 7;
    }
    return copy(Codes{lengths}, Codes{distances});
  }

  bool copy(const Codes& literals, const Codes& distances) {
    constexpr std::array<int, 29> kLength{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<int, 29> kLengthBits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    while (!bad_) {
      const int what = symbol(literals);
      if (bad_ || what == 256) return !bad_;
      if (what < 256) {
        if (out.size() >= most_) return false;
        out += static_cast<char>(what);
        continue;
      }
      const auto of = static_cast<std::size_t>(what - 257);
      if (of >= kLength.size()) return false;
      const auto length = static_cast<std::size_t>(kLength[of] + bits(kLengthBits[of]));
      const int far = symbol(distances);
      if (bad_ || far >= 30) return false;
      const int extra = far < 2 ? 0 : far / 2 - 1;
      const auto distance = static_cast<std::size_t>((far < 2 ? far : (2 + far % 2) << extra) + 1 + bits(extra));
      if (distance > out.size() || out.size() + length > most_) return false;
      for (std::size_t i = 0; i < length; ++i) out += char{out[out.size() - distance]};
    }
    return false;
  }

  std::string_view bytes_;
  std::size_t at_ = 0, most_;
  std::uint32_t buffer_ = 0;
  int held_ = 0;
  bool bad_ = false;
};

} // namespace

std::optional<std::string> unpacked(std::string_view bytes, std::size_t most) {
  if (!is_packed(bytes)) return std::nullopt;
  Reader reader{bytes, most};
  if (!reader.run()) return std::nullopt;
  return std::move(reader.out);
}

} // namespace plimsoll::io::latencies
