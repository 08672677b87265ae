#include "files/training/megatron_values.hpp"

#include "text/words.hpp"

#include <algorithm>
#include <cmath>

namespace plimsoll::io::configs {

namespace {

constexpr std::size_t kMostMarks = 10'000;

std::string without(std::string_view text, std::string_view letters) {
  std::string kept;
  for (const char c : text)
    if (letters.find(c) == std::string_view::npos) kept += c;
  return kept;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits at `at`, which moves behind them; nothing where there are none or more than six.
std::optional<std::size_t> digits(std::string_view text, std::size_t& at) {
  std::size_t value = 0, end = at;
  for (; end < text.size() && is_digit(text[end]); ++end) value = value * 10 + static_cast<std::size_t>(text[end] - '0');
  if (end == at || end - at > 6) return std::nullopt;
  at = end;
  return value;
}

/// sum = product ("+" product)*; product = factor ("*" number)*; factor = "[" marks "]" | "(" sum ")"
class Sum {
public:
  explicit Sum(std::string_view text) : text_(text) {}

  std::optional<std::vector<int>> run() {
    auto marks = sum(0);
    if (!marks || at_ != text_.size() || marks->empty()) return std::nullopt;
    return marks;
  }

private:
  using Marks = std::optional<std::vector<int>>;

  bool take(char c) { return at_ < text_.size() && text_[at_] == c && ++at_ > 0; }

  Marks sum(int depth) {
    Marks all = product(depth);
    while (all && take('+')) {
      const Marks more = product(depth);
      if (!more || all->size() + more->size() > kMostMarks) return std::nullopt;
      all->insert(all->end(), more->begin(), more->end());
    }
    return all;
  }

  Marks product(int depth) {
    Marks part = factor(depth);
    while (part && take('*')) {
      const auto times = digits(text_, at_);
      if (!times || part->size() * *times > kMostMarks) return std::nullopt;
      const std::vector<int> once = *part;
      part->clear();
      for (std::size_t i = 0; i < *times; ++i) part->insert(part->end(), once.begin(), once.end());
    }
    return part;
  }

  Marks factor(int depth) {
    constexpr int kMostBrackets = 16;
    if (depth > kMostBrackets) return std::nullopt;
    if (take('(')) {
      Marks inner = sum(depth + 1);
      return take(')') ? inner : std::nullopt;
    }
    if (!take('[')) return std::nullopt;
    std::vector<int> marks;
    while (!take(']')) {
      if (!marks.empty() && !take(',')) return std::nullopt;
      const auto mark = digits(text_, at_);
      if (!mark || *mark > 1 || marks.size() >= kMostMarks) return std::nullopt;
      marks.push_back(static_cast<int>(*mark));
    }
    return marks;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// "t*2" and "(tt|)*2" written out; nothing where brackets do not match.
std::optional<std::string> written_out(std::string_view text, std::size_t& at, int depth) {
  constexpr int kMostBrackets = 16;
  std::string all;
  while (at < text.size() && text[at] != ')') {
    std::string part(1, text[at]);
    if (text[at++] == '(') {
      if (depth >= kMostBrackets) return std::nullopt;
      auto inner = written_out(text, at, depth + 1);
      if (!inner || at >= text.size()) return std::nullopt;
      part = std::move(*inner);
      ++at; // the closing bracket
    }
    std::size_t times = 1;
    if (at < text.size() && text[at] == '*') {
      const auto stated = digits(text, ++at);
      if (!stated || *stated == 0) return std::nullopt;
      times = *stated;
    }
    if (part.empty() || all.size() + part.size() * times > kMostMarks) return std::nullopt;
    for (std::size_t i = 0; i < times; ++i) all += part;
  }
  return all;
}

} // namespace

std::optional<std::vector<int>> marks_of(std::string_view text) {
  const std::string plain = without(text, " \t\\'\"");
  return Sum{plain}.run();
}

std::optional<std::vector<std::string>> chunks_of_layout(std::string_view text) {
  const std::string plain = without(text, " \t\\,'\"");
  if (plain.empty() || plain.size() > kMostMarks) return std::nullopt;
  std::size_t at = 0;
  const auto letters = written_out(plain, at, 0);
  if (!letters || at != plain.size() || letters->find_first_not_of("EtmL|") != std::string::npos) return std::nullopt;
  const std::vector<std::string_view> chunks = parts_of(*letters, '|');
  return std::vector<std::string>{chunks.begin(), chunks.end()};
}

std::optional<std::int64_t> workspace_kib(std::string_view text) {
  std::int64_t all = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at++] != ':') return std::nullopt;
    const auto size = digits(text, at);
    if (!size || at >= text.size() || text[at++] != ':') return std::nullopt;
    const auto count = digits(text, at);
    if (!count) return std::nullopt;
    all += static_cast<std::int64_t>(*size * *count);
  }
  constexpr std::int64_t kMost = 16'777'216; // of the input
  return std::min(all, kMost);
}

std::optional<HybridPattern> hybrid_pattern(std::string_view text) {
  const std::string plain = without(text, " \t\\'\"");
  if (plain.empty() || plain.size() > kMostMarks) return std::nullopt;
  std::vector<std::string_view> parts = parts_of(plain, '/');
  HybridPattern pattern;
  if (parts.front().find('|') != std::string_view::npos)
    for (const std::string_view chunk : parts_of(parts.front(), '|')) pattern.chunks.push_back(chunk.size());
  pattern.layers = without(parts.front(), "|");
  parts.erase(parts.begin());
  std::erase(parts, "");
  if (pattern.layers.empty() || std::ranges::any_of(parts, [&](std::string_view depth) { return depth != parts.front(); })) return std::nullopt;
  pattern.depths = static_cast<std::int64_t>(parts.size());
  if (!parts.empty()) pattern.predicted = parts.front();
  return pattern;
}

std::string pattern_of_ratios(std::int64_t layers, double attention, double mlp) {
  const bool readable = layers > 0 && layers <= static_cast<std::int64_t>(kMostMarks) && attention >= 0 && mlp >= 0 && attention + mlp <= 1;
  if (!readable) return "";
  std::string pattern(static_cast<std::size_t>(layers), 'M');
  // Attention stands between sections of equal length; an MLP after as many of what is left as the ratio says.
  const auto place = [&](double between, char letter) {
    double left = between;
    for (char& at : pattern) {
      if (at != 'M') continue;
      if (left < 0.5) at = letter, left += between;
      else left -= 1;
    }
  };
  const double attentions = std::nearbyint(static_cast<double>(layers) * attention), mlps = std::nearbyint(static_cast<double>(layers) * mlp);
  if (attentions > 0) place((static_cast<double>(layers) - attentions) / (attentions + 1), '*');
  if (mlps > 0) place((static_cast<double>(layers) - attentions - mlps) / mlps, '-');
  return pattern;
}

} // namespace plimsoll::io::configs
