// A badge in the proportions that READMEs are used to: 20 pixels high, a dark half and a coloured one.
#include "plimsoll/method/format.hpp"
#include "plimsoll/results/result_file.hpp"

namespace plimsoll::io {

namespace {

constexpr std::int64_t kHeight = 20, kPadding = 8, kLetter = 7; ///< textLength holds every typeface to that width

std::string escaped_text(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string{c};
  return safe;
}

std::int64_t width_of_letters(std::string_view text) {
  std::int64_t letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80; // UTF-8: bytes that begin a letter
  return letters * kLetter;
}

std::string half(std::int64_t x, std::string_view text, std::string_view colour) {
  const std::int64_t letters = width_of_letters(text), width = letters + 2 * kPadding;
  return "<rect x=\"" + std::to_string(x) + "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(kHeight) + "\" fill=\"" + std::string{colour} + "\"/><text fill=\"#fff\" x=\"" + std::to_string(x + kPadding) +
         "\" y=\"14\" textLength=\"" + std::to_string(letters) + "\">" + escaped_text(text) + "</text>";
}

} // namespace

std::string badge_svg(const Answer& judged) {
  if (!judged.ok || !judged.footprint) return "";
  const std::string what = judged.inputs.model.name + " on " + (judged.estimate.gpus > Count{1} ? format_count(judged.estimate.gpus) + " × " : "") + judged.inputs.hardware.name;
  std::string verdict = judged.headline.verdict;
  if (verdict.ends_with('.')) verdict.pop_back();
  const std::string says = format_bytes(judged.footprint->process.expected) + ", " + verdict;
  const bool holds = judged.judgement.holds(), tight = judged.footprint->tight;
  const std::string_view colour = tight ? "#8A6100" : holds ? "#1B7A43" : "#B83A20"; // white on each is readable: 4.5 to 1 and more
  const std::int64_t left = width_of_letters(what) + 2 * kPadding, width = left + width_of_letters(says) + 2 * kPadding;
  const std::string title = escaped_text(what + ": " + says);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(kHeight) + "\" role=\"img\" aria-label=\"" + title + "\"><title>" + title +
         "</title><g font-family=\"Verdana,DejaVu Sans,Geneva,sans-serif\" font-size=\"11\">" + half(0, what, "#33434F") + half(left, says, colour) + "</g></svg>\n";
}

} // namespace plimsoll::io
