#include "progress.hpp"

#include "plimsoll/method/format.hpp"
#include "streams.hpp"

#include <unistd.h>

#include <string>

namespace plimsoll::cli {

namespace {

constexpr const char* kClear = "\r\x1b[K";

std::string count(std::uint64_t number) { return format_count(Count{static_cast<std::int64_t>(number)}); }

} // namespace

Progress::Progress(std::uint64_t done, std::uint64_t of) : is_shown_(isatty(STDERR_FILENO) == 1), before_(done), of_(of), start_(Clock::now()), last_(start_) {}

Progress::~Progress() {
  if (is_shown_) complain(kClear);
}

void Progress::show(std::uint64_t done) {
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || done <= before_ || now - last_ < std::chrono::milliseconds{200}) return;
  last_ = now;
  const std::int64_t took = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count() + 1;
  const std::uint64_t rate = (done - before_) * 1000 / static_cast<std::uint64_t>(took);
  std::string line = kClear + count(done) + (of_ > 0 ? " of " + count(of_) : "") + " questions, " + count(rate) + " in a second";
  if (of_ > done && rate > 0) line += ", " + count((of_ - done) / rate) + " s left";
  complain(line);
}

} // namespace plimsoll::cli
