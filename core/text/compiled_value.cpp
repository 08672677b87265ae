#include "text/compiled_value.hpp"

#include <bit>
#include <string>

namespace plimsoll::io {

namespace {

class Reading {
public:
  explicit Reading(std::string_view bytes) : at_(bytes.data()) {}

  Json value() {
    switch (const char kind = *at_++) {
      case 'n': return {};
      case 't': return Json(true);
      case 'f': return Json(false);
      case '%': return Json(decimal());
      case '!': return Json(real());
      case '"': return Json(std::string{up_to('\n')});
      case '[': {
        Json list = Json::array();
        while (*at_ != ']') list.push_back(value());
        ++at_;
        return list;
      }
      case '{': {
        Json object = Json::object();
        while (*at_ != '}') {
          std::string key{up_to('=')};
          object.emplace(std::move(key), value());
        }
        ++at_;
        return object;
      }
      case '-': return Json(static_cast<std::int64_t>(0 - digits()));
      default: --at_; return Json(digits());
    }
  }

private:
  std::string_view up_to(char end) {
    const char* const from = at_;
    while (*at_ != end) ++at_;
    return {from, static_cast<std::size_t>(at_++ - from)};
  }
  std::uint64_t digits() {
    std::uint64_t number = 0;
    for (const char digit : up_to(';')) number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    return number;
  }
  /// As IEEE 754 divides: what was written is the number nearest to the decimal.
  double decimal() {
    const auto mantissa = static_cast<double>(digits());
    double power = 1;
    for (std::uint64_t places = digits(); places > 0; --places) power *= 10;
    return mantissa / power;
  }
  double real() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{static_cast<unsigned char>(*at_++)} << shift;
    return std::bit_cast<double>(bits);
  }

  const char* at_;
};

} // namespace

Json read_compiled(std::string_view bytes) { return Reading{bytes}.value(); }

} // namespace plimsoll::io
