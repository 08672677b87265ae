// Mooncake's traces (kvcache-ai/Mooncake, FAST25-release/traces) are objects whose timestamp counts milliseconds, those of BurstGPT (HPMLL/BurstGPT, data) CSV in
// seconds, those of Azure (Azure/AzurePublicDataset, AzureLLMInferenceTrace_*.csv) CSV with dates, those of LLMServingSim (casys-kaist/LLMServingSim,
// bench) objects in seconds or nanoseconds.
#include "plimsoll/files/request_trace.hpp"

#include "method/sort_stably.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kMicro = 1'000'000;

/// A name of when requests arrive, and how many of its unit are a millisecond or how many milliseconds it is.
struct TimeName {
  std::string_view name;
  std::int64_t per_ms, ms;
};
constexpr TimeName kMooncakes{"timestamp", 1, 1};
constexpr std::array<TimeName, 7> kTimes{{{"arrival_ms", 1, 1}, {"time_ms", 1, 1}, {"timestamp", 1, 1000}, {"arrival_time", 1, 1000}, {"arrived_at", 1, 1000}, {"arrival_s", 1, 1000}, {"arrival_time_ns", kMicro, 1}}};
constexpr std::array<std::string_view, 9> kPrompts{"prompt_tokens", "input_length", "input_toks", "input_tokens", "contexttokens", "request tokens", "num_prefill_tokens", "prompt_len", "prompt"};
constexpr std::array<std::string_view, 9> kAnswers{"answer_tokens", "output_length", "output_toks", "output_tokens", "generatedtokens", "response tokens", "num_decode_tokens", "output_len", "answer"};

struct Line {
  std::int64_t time = 0; ///< microseconds
  std::int64_t prompt = 0, answer = 0;
};

/// In millionths: digits behind them say nothing here.
std::optional<std::int64_t> millionths_of(std::string_view text) {
  constexpr std::size_t kDigits = 6;
  const std::size_t point = text.find('.');
  return decimal_of(point == std::string_view::npos ? text : text.substr(0, point + 1 + kDigits), kDigits);
}

/// "2023-11-16 18:17:03.9799600" in microseconds since some day.
std::optional<std::int64_t> date_of(std::string_view text) {
  constexpr std::size_t kSeconds = 17, kHour = 11, kMinute = 14, kDay = 8;
  if (text.size() < kSeconds + 2 || text[4] != '-' || text[kHour + 2] != ':') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) { return decimal_of(text.substr(at, digits), 0); };
  const auto year = number(0, 4), month = number(5, 2), day = number(kDay, 2), hour = number(kHour, 2), minute = number(kMinute, 2), seconds = millionths_of(text.substr(kSeconds));
  if (!year || !month || !day || !hour || !minute || !seconds) return std::nullopt;
  // Days by the months as they end in March-based years: Hinnant, chrono-Compatible Low-Level Date Algorithms.
  const std::int64_t y = *month <= 2 ? *year - 1 : *year, m = *month > 2 ? *month - 3 : *month + 9;
  const std::int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + *day;
  return ((days * 24 + *hour) * 60 + *minute) * 60 * kMicro + *seconds;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    std::string_view cell = trimmed(line.substr(from, comma - from));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (comma == std::string_view::npos) return cells;
    from = comma + 1;
  }
}

class Reader {
public:
  RequestTrace read(std::string_view text) && {
    while (!text.empty() && trace_.issues.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const bool returns = end > 0 && text[end - 1] == '\r';
      const std::string_view line = trimmed(text.substr(0, returns ? end - 1 : end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number_;
      if (line.empty() || line.front() == '#') continue;
      if (line.front() == '{') add_object(line);
      else add_cells(cells_of(line));
    }
    return std::move(*this).written();
  }

private:
  void refuse(const std::string& message) {
    trace_.issues.push_back({Severity::error, "trace", "Line " + std::to_string(number_) + " of the trace: " + message,
                             "Write lines of three numbers: the milliseconds at which a request arrives, the tokens of its prompt, those of its answer."});
  }

  void add_cells(const std::vector<std::string_view>& cells) {
    if (names_.empty() && !millionths_of(cells.front())) {
      for (const std::string_view cell : cells) names_.push_back(lower_case(cell));
      return;
    }
    if (names_.empty()) names_ = {"arrival_ms", "prompt", "answer"};
    if (cells.size() < names_.size()) return refuse("it has " + std::to_string(cells.size()) + " columns of " + std::to_string(names_.size()) + ".");
    add([&](std::string_view name) -> std::optional<std::string> {
      const auto at = std::ranges::find(names_, name);
      return at == names_.end() ? std::nullopt : std::optional{std::string{cells[static_cast<std::size_t>(at - names_.begin())]}};
    });
  }

  void add_object(std::string_view line) {
    const ParsedJson parsed = parse_json(line);
    if (!parsed.ok || !parsed.value.is_object()) return refuse("it is no JSON object.");
    const bool counts_ms = parsed.value.find("input_length") != parsed.value.end(); // as Mooncake does
    add([&](std::string_view name) -> std::optional<std::string> {
      const auto at = parsed.value.find(std::string{name});
      if (at == parsed.value.end()) return std::nullopt;
      return at->is_string() ? at->text() : dump(*at);
    }, counts_ms);
  }

  template <class Cell> void add(Cell&& cell, bool counts_ms = false) { // of a "timestamp"
    const auto tokens = [&](const auto& names) -> std::optional<std::int64_t> {
      for (const std::string_view name : names)
        if (const auto text = cell(name)) return decimal_of(*text, 0);
      return std::nullopt;
    };
    const auto prompt = tokens(kPrompts), answer = tokens(kAnswers);
    std::optional<std::int64_t> time;
    for (const TimeName& of : kTimes)
      if (const auto text = cell(of.name); text && !time) {
        const TimeName& name = counts_ms && of.name == kMooncakes.name ? kMooncakes : of;
        const auto millionths = millionths_of(*text);
        time = millionths ? *millionths / 1000 * name.ms / name.per_ms : date_of(*text);
      }
    if (!time || !prompt || !answer) return refuse(!time ? "no column says when the request arrives." : !prompt ? "no column says how many tokens its prompt has." : "no column says how many tokens its answer has.");
    if (*prompt > 0 && *answer > 0) lines_.push_back({*time, *prompt, *answer});
  }

  RequestTrace written() && {
    if (trace_.issues.empty() && lines_.empty()) refuse("no request stands before its end.");
    if (!trace_.issues.empty()) return std::move(trace_);
    sort_stably(lines_, {}, &Line::time);
    for (const Line& line : lines_) {
      if (!trace_.text.empty()) trace_.text += ',';
      trace_.text += std::to_string((line.time - lines_.front().time + 500) / 1000) + ',' + std::to_string(line.prompt) + ',' + std::to_string(line.answer);
    }
    return std::move(trace_);
  }

  RequestTrace trace_;
  std::vector<std::string> names_; ///< of columns
  std::vector<Line> lines_;
  std::int64_t number_ = 0;
};

} // namespace

RequestTrace read_request_trace(std::string_view text) { return Reader{}.read(text); }

} // namespace plimsoll::io
