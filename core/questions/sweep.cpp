#include "plimsoll/questions/sweep.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/amount.hpp"
#include "text/plain_values.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace plimsoll::io {

namespace {

const Field* field_of(std::string_view name) {
  const std::string_view other = same_as(name);
  return find_field(other.empty() ? std::string_view{spelled(name)} : other);
}

/// Commas belong to what lists and texts hold.
bool has_commas(const Field* field) { return field != nullptr && (field->kind == FieldKind::text || !field->parts.empty() || field->list != nullptr); }

std::vector<std::string_view> divided(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

class Reader {
public:
  explicit Reader(Sweep& sweep) : sweep_(sweep) {}

  void take(const Entry& entry) {
    const Field* const field = field_of(entry.name);
    SweepAxis axis{entry.name, {}};
    const bool by_bar = has_commas(field) || entry.text.find('|') != std::string::npos;
    for (const std::string_view part : divided(entry.text, by_bar ? '|' : ','))
      if (!add(axis, field, trimmed(part))) return;
    sweep_.fixed.set(entry.name, axis.values.front());
    if (axis.values.size() > 1) sweep_.axes.push_back(std::move(axis));
  }

private:
  bool refuse(std::string_view name, std::string message, std::string remedy) {
    sweep_.issues.push_back({Severity::error, std::string{name}, std::move(message), std::move(remedy)});
    return false;
  }

  bool add(SweepAxis& axis, const Field* field, std::string_view text) {
    const bool is_range = field != nullptr && field->kind == FieldKind::integer && text.find("..") != std::string_view::npos;
    if (is_range) return add_range(axis, *field, text);
    axis.values.emplace_back(text);
    return true;
  }

  /// "first..last", "first..last*factor" or "first..last:step".
  bool add_range(SweepAxis& axis, const Field& field, std::string_view text) {
    const std::size_t dots = text.find(".."), how = text.find_first_of("*:", dots);
    const std::optional<std::int64_t> first = amount_of(field, trimmed(text.substr(0, dots))).value;
    const std::optional<std::int64_t> last = amount_of(field, trimmed(text.substr(dots + 2, how - std::min(how, dots + 2)))).value;
    const bool multiplies = how != std::string_view::npos && text[how] == '*';
    const std::string_view by = how == std::string_view::npos ? std::string_view{"1"} : trimmed(text.substr(how + 1));
    const std::optional<std::int64_t> step = multiplies ? whole_number(by) : amount_of(field, by).value;
    if (!first || !last || !step || *first > *last || *step < (multiplies ? 2 : 1) || (multiplies && *first < 1))
      return refuse(axis.field, "\"" + std::string{text} + "\" is no range of " + std::string{field.name} + ".", "Write a range as 8k..128k*2, 1..9:2 or 1..4.");
    for (std::int64_t value = *first;; value = multiplies ? value * *step : value + *step) {
      if (axis.values.size() >= kMostSweepValues) return refuse(axis.field, "\"" + std::string{text} + "\" has more than " + std::to_string(kMostSweepValues) + " values.", "Take larger steps.");
      axis.values.push_back(text_of(field, value));
      if (multiplies ? value > *last / *step : value > *last - *step) return true;
    }
  }

  Sweep& sweep_;
};

} // namespace

Request Sweep::at(std::uint64_t index) const {
  Request request = fixed;
  for (std::size_t i = axes.size(); i-- > 0;) {
    request.set(axes[i].field, axes[i].values[index % axes[i].values.size()]);
    index /= axes[i].values.size();
  }
  return request;
}

Sweep sweep_of(const Request& request, Issues carried) {
  Sweep sweep;
  sweep.issues = std::move(carried);
  Reader reader{sweep};
  for (const Entry& entry : request.entries()) reader.take(entry);
  if (has_errors(sweep.issues)) return sweep;
  sweep.count = 1;
  for (const SweepAxis& axis : sweep.axes) {
    sweep.count *= axis.values.size();
    if (sweep.count <= kMostSweepQuestions) continue;
    sweep.issues.push_back({Severity::error, axis.field, "The sweep has more than " + std::to_string(kMostSweepQuestions) + " questions.", "Give fewer values, or sweep in parts."});
    sweep.count = 0;
    return sweep;
  }
  return sweep;
}

} // namespace plimsoll::io
