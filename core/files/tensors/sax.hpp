#pragma once
// Reads JSON as a stream of events: for texts with far more keys than parse_json() takes.

#include "files/tensors/report.hpp"
#include "text/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

/// Everything that a reader does not want is refused or ignored. An event that returns false ends the reading; `stop()` says why.
class SaxReader : public JsonEvents {
public:
  explicit SaxReader(Report& report) : report_(report) {}

  bool on_null() final { return on_other("null"); }
  bool on_boolean(bool value) final { return on_other(value ? "true" : "false"); }
  bool on_unsigned(std::uint64_t value) final {
    if (value > static_cast<std::uint64_t>(Count::kMax)) return on_other("a number above 2^63 - 1");
    return on_integer(static_cast<std::int64_t>(value));
  }
  bool on_real(double, std::string_view text) final { return on_other(text); }
  bool on_string(std::string& text) final { return on_text(text); }
  bool on_object_begin() final { return deeper() && on_object(); }
  bool on_object_end() final {
    --depth_;
    return on_object_closed();
  }
  bool on_array_begin() final { return deeper() && on_array(); }
  bool on_array_end() final {
    --depth_;
    return on_array_closed();
  }
  bool on_error(std::size_t byte, bool) final {
    return stop("", "The JSON goes wrong at byte " + std::to_string(byte) + " of it.", kDownloadAgain);
  }

protected:
  virtual bool on_text(std::string& text) = 0;
  virtual bool on_other(std::string_view text) = 0; ///< null, a boolean, a fraction, an integer that is too large
  virtual bool on_object() = 0;
  virtual bool on_object_closed() = 0;
  virtual bool on_array() = 0;
  virtual bool on_array_closed() = 0;

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

} // namespace plimsoll::io::tensor_files
