// plimsoll/io/accuracy.hpp for the script that writes accuracy.html. A module of its own: the page does without it.

#include "plimsoll/io/accuracy_summary.hpp"

#include <emscripten/bind.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace {

using namespace plimsoll;

/// The files whose rows are summed up together.
class Report {
public:
  /// The rows of a whole file, as JSON; "" when it could not be read.
  std::string add(const std::string& text) {
    io::Accuracy accuracy = io::compare(text);
    if (has_errors(accuracy.issues)) return "";
    std::string rows = io::accuracy_json(accuracy);
    std::ranges::move(accuracy.rows, std::back_inserter(all_.rows));
    return rows;
  }
  std::string summaries() const { return io::summaries_json(io::summaries_of(all_)); }

private:
  io::Accuracy all_;
};

} // namespace

EMSCRIPTEN_BINDINGS(plimsoll_accuracy) {
  emscripten::class_<Report>("Report").constructor<>().function("add", &Report::add).function("summaries", &Report::summaries);
}
