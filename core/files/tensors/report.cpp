#include "files/tensors/report.hpp"

#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::size_t kMostIssues = 24;

} // namespace

void Report::add(Severity severity, std::string field, std::string message, std::string remedy) {
  if (severity == Severity::error) ++errors_;
  if (issues_.size() >= kMostIssues) {
    ++left_out_;
    return;
  }
  issues_.push_back({severity, std::move(field), std::move(message), std::move(remedy)});
}

void Report::error(std::string field, std::string message, std::string remedy) {
  add(Severity::error, std::move(field), std::move(message), std::move(remedy));
}

void Report::warning(std::string field, std::string message, std::string remedy) {
  add(Severity::warning, std::move(field), std::move(message), std::move(remedy));
}

void Report::note(std::string field, std::string message, std::string remedy) {
  add(Severity::note, std::move(field), std::move(message), std::move(remedy));
}

Issues Report::take() {
  if (left_out_ > 0) {
    // An error among those left out must not get lost.
    const Severity severity = errors_ > 0 ? Severity::error : Severity::note;
    issues_.push_back({severity, "", std::to_string(left_out_) + " more issues of this file are not listed.",
                       "Mend the ones above first."});
  }
  left_out_ = errors_ = 0;
  return std::exchange(issues_, {});
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string{text};
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string{text.substr(0, cut)} + "…";
}

std::string field_of(std::string_view tensor, std::string_view what) {
  std::string field = shortened(tensor);
  if (!field.empty()) field += '.';
  field += what;
  return field;
}

} // namespace plimsoll::io::tensor_files
