#include "results/result_svg.hpp"

#include "plimsoll/results/result_file.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kWidth = 960, kHeight = 540, kLeft = 64, kRight = 690, kTop = 132, kBottom = 470, kLegend = 724, kKeel = 14;
constexpr const char* kInk = "#15212B";
constexpr const char* kDim = "#5C6F7E";
constexpr const char* kRule = "#DBE3E9";
constexpr const char* kLoadLine = "#D9482B";
constexpr const char* kOk = "#1E8E4E";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else safe += c;
  }
  return safe;
}

std::string hex(std::uint32_t colour) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[colour >> shift & 15u];
  return text;
}

std::string number(std::int64_t n) { return std::to_string(n); }

std::string words(std::int64_t x, std::int64_t y, int size, const char* colour, std::string_view text, const char* anchor = "start", bool strong = false) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" + number(size) + "\" fill=\"" + colour + "\" text-anchor=\"" + anchor + "\"" +
         (strong ? " font-weight=\"600\"" : "") + ">" + escaped(text) + "</text>\n";
}

std::string box(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, const std::string& colour) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" + number(height) + "\" fill=\"" + colour + "\"/>\n";
}

/// From bytes to whole pixels.
struct Scale {
  Bytes top; ///< at kTop
  std::int64_t y(Bytes amount) const {
    const double share = static_cast<double>(amount.value) / static_cast<double>(std::max<std::int64_t>(top.value, 1));
    return kBottom - static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kBottom - kTop));
  }
};

/// The smallest of 1, 2, 5, 10 ... GiB of which at most kMostLines are needed.
constexpr std::int64_t kMostLines = 6;
std::int64_t step_gib(Bytes top) {
  for (std::int64_t decade = 1; decade <= 100'000; decade *= 10)
    for (const std::int64_t digit : {1, 2, 5})
      if (top <= gigabytes(digit * decade * kMostLines)) return digit * decade;
  return 1'000'000;
}

std::string gridlines(const Scale& scale) {
  const std::int64_t step = step_gib(scale.top);
  std::string text;
  for (std::int64_t i = 0; i <= kMostLines && gigabytes(i * step) <= scale.top; ++i) {
    const std::int64_t y = scale.y(gigabytes(i * step));
    text += box(kLeft, y, kRight - kLeft, 1, kRule) + words(kLeft - 8, y + 4, 12, kDim, format_gigabytes(gigabytes(i * step), 0), "end");
  }
  return text;
}

std::string bar(const Scale& scale, const MomentUse& use, std::int64_t left, std::int64_t width, std::int64_t index) {
  const std::string id = "hull" + number(index);
  const std::int64_t top = scale.y(use.total), keel = std::min({kKeel, width / 2, (kBottom - top) / 2});
  std::string text = "<clipPath id=\"" + id + "\"><path d=\"M" + number(left) + " " + number(top) + "h" + number(width) + "V" + number(kBottom - keel) + "q0 " + number(keel) + " " +
                     number(-keel) + " " + number(keel) + "h" + number(2 * keel - width) + "q" + number(-keel) + " 0 " + number(-keel) + " " + number(-keel) +
                     "z\"/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
  Bytes below;
  for (std::size_t i = 0; i < kParts; ++i) {
    const Bytes above = below + use.parts[i];
    const std::int64_t from = scale.y(above), to = scale.y(below);
    if (to > from) text += box(left, from, width, std::max<std::int64_t>(1, to - from - (below > Bytes{0} ? 1 : 0)), hex(colour_of(static_cast<Part>(i))));
    below = above;
  }
  return text + "</g>\n";
}

/// Of the fullest rank; with what only other ranks hold, so that no colour is without its name.
std::string legend(const MomentUse& use, const std::vector<MomentUse>& peaks) {
  std::string text;
  std::int64_t y = kTop + 8;
  for (std::size_t i = 0; i < kParts; ++i) {
    if (std::ranges::none_of(peaks, [i](const MomentUse& peak) { return peak.parts[i] > Bytes{0}; })) continue;
    const Part part = static_cast<Part>(i);
    text += box(kLegend, y, 11, 11, hex(colour_of(part))) + words(kLegend + 20, y + 10, 13, kInk, text_of(part).label) + words(kWidth - 24, y + 10, 13, kInk, format_bytes(use.parts[i]), "end");
    y += 26;
  }
  return text + box(kLegend, y - 4, kWidth - 24 - kLegend, 1, kRule) + words(kLegend, y + 16, 13, kInk, "In use at the peak", "start", true) +
         words(kWidth - 24, y + 16, 13, kInk, format_bytes(use.total), "end", true);
}

std::vector<MomentUse> peaks_of(const Answer& answer) {
  std::vector<MomentUse> peaks;
  for (std::size_t i = 0; i < answer.estimate.ranks.size(); ++i) peaks.push_back(estimate_rank(answer.scenario, static_cast<std::int64_t>(i)).at_peak());
  if (peaks.empty()) peaks.push_back(answer.estimate.at_peak());
  return peaks;
}

std::string load_line(const Scale& scale, const Answer& answer) {
  const std::int64_t y = scale.y(answer.estimate.usable);
  return box(kLeft, y - 1, kRight - kLeft, 3, kLoadLine) + "<circle cx=\"" + number(kLeft + 18) + "\" cy=\"" + number(y) + "\" r=\"10\" fill=\"none\" stroke=\"" + kLoadLine +
         "\" stroke-width=\"3\"/>\n" + words(kRight, y - 8, 12, kLoadLine, "usable " + format_bytes(answer.estimate.usable), "end", true);
}

} // namespace

std::string svg_of(const Answer& answer) {
  const std::vector<MomentUse> peaks = peaks_of(answer);
  const Bytes process = answer.footprint->process.expected, largest = max(max(answer.estimate.at_peak().total, process), answer.estimate.usable);
  const Scale scale{Bytes{largest.value + largest.value / 10}};
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " + number(kHeight) + "\" width=\"" + number(kWidth) + "\" height=\"" +
                     number(kHeight) + "\" font-family=\"Roboto, Inter, 'DejaVu Sans', sans-serif\">\n<title>" + escaped(answer.headline.verdict + " " + answer.headline.rest) +
                     "</title>\n" + box(0, 0, kWidth, kHeight, "#FFFFFF");
  text += "<text x=\"24\" y=\"52\" font-size=\"26\" font-weight=\"600\" fill=\"" + std::string{kInk} + "\"><tspan fill=\"" + (answer.judgement.holds() ? kOk : kLoadLine) + "\">" +
          escaped(answer.headline.verdict) + "</tspan> " + escaped(answer.headline.rest) + "</text>\n";
  text += words(24, 80, 14, kDim, answer.headline.detail) +
          words(24, 104, 14, kDim, answer.inputs.model.name + " on " + format_count(answer.estimate.gpus) + " \u00d7 " + answer.inputs.hardware.name);
  text += gridlines(scale);
  const auto count = static_cast<std::int64_t>(peaks.size());
  const std::int64_t step = (kRight - kLeft - 48) / count, width = std::min<std::int64_t>(120, step * 62 / 100);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t left = kLeft + 48 + i * step + (step - width) / 2;
    text += bar(scale, peaks[static_cast<std::size_t>(i)], left, width, i);
    if (count > 1 && count <= 16) text += words(left + width / 2, kBottom + 20, 12, kDim, number(i), "middle");
  }
  if (count > 1) text += words(kLeft + 24, kBottom + 20, 12, kDim, "rank", "middle");
  text += load_line(scale, answer) + legend(answer.estimate.at_peak(), peaks);
  return text + words(24, kHeight - 16, 11, kDim, canonical_query(answer)) + "</svg>\n";
}

} // namespace plimsoll::io
