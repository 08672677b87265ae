#pragma once
// Reads JSON as a stream of events: for texts with far more keys than parse_json() takes.

#include "io/json.hpp"
#include "io/tensor_files/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

/// What nlohmann's parser asks for, with everything that a reader does not want refused or ignored. An event that returns false
/// stops the parser; `stop()` says why.
class SaxReader {
public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit SaxReader(Report& report) : report_(report) {}
  virtual ~SaxReader() = default;

  bool null() { return on_other("null"); }
  bool boolean(bool value) { return on_other(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) { return on_integer(value); }
  bool number_unsigned(number_unsigned_t value) {
    if (value > static_cast<number_unsigned_t>(Count::kMax)) return on_other("a number above 2^63 - 1");
    return on_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t, const string_t& text) { return on_other(text); }
  bool string(string_t& text) { return on_text(text); }
  bool binary(binary_t&) { return true; }
  bool start_object(std::size_t) { return deeper() && on_object(); }
  bool key(string_t& text) { return on_key(text); }
  bool end_object() {
    --depth_;
    return on_object_end();
  }
  bool start_array(std::size_t) { return deeper() && on_array(); }
  bool end_array() {
    --depth_;
    return on_array_end();
  }
  template <class Error> bool parse_error(std::size_t byte, const std::string&, const Error&) {
    return stop("", "The JSON goes wrong at byte " + std::to_string(byte) + " of it.", kDownloadAgain);
  }

protected:
  virtual bool on_integer(std::int64_t value) = 0;
  virtual bool on_text(std::string& text) = 0;
  virtual bool on_other(std::string_view text) = 0; ///< null, a boolean, a fraction, an integer that is too large
  virtual bool on_key(std::string& text) = 0;
  virtual bool on_object() = 0;
  virtual bool on_object_end() = 0;
  virtual bool on_array() = 0;
  virtual bool on_array_end() = 0;

  std::size_t depth() const noexcept { return depth_; } ///< 1 within the outermost value
  Report& report() noexcept { return report_; }
  bool stop(std::string field, std::string message, std::string remedy) {
    report_.error(std::move(field), std::move(message), std::move(remedy));
    return false;
  }

private:
  bool deeper() {
    if (++depth_ <= kMostDepth) return true;
    return stop("", "The JSON is nested more than " + std::to_string(kMostDepth) + " levels deep.", kDownloadAgain);
  }

  static constexpr std::size_t kMostDepth = 16;
  Report& report_;
  std::size_t depth_ = 0;
};

/// True when all of the text was read. What stops it is in the report.
template <class Reader> bool read_events(std::string_view text, Reader& reader) {
  return Json::sax_parse(text.begin(), text.end(), &reader);
}

} // namespace plimsoll::io::tensor_files
