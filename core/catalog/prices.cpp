#include "plimsoll/catalog/prices.hpp"

#include "embedded/prices.hpp"
#include "plimsoll/method/format.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace plimsoll::io {

namespace {

/// The number that `digits` spell; -1 where they do not.
std::int64_t number_of(std::string_view digits) noexcept {
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return -1;
    number = number * 10 + (digit - '0');
  }
  return digits.empty() ? -1 : number;
}

/// Days since 1 March of the year 0, after Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2014), days_from_civil; the year
/// begins in March, so that a leap day ends it. -1 for what is no date.
std::int64_t day_number(std::string_view date) noexcept {
  constexpr std::int64_t kMonths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool with_day = date.size() == 10;
  if ((date.size() != 7 && !with_day) || date[4] != '-' || (with_day && date[7] != '-')) return -1;
  const std::int64_t year = number_of(date.substr(0, 4)), month = number_of(date.substr(5, 2)), day = with_day ? number_of(date.substr(8, 2)) : 1;
  if (year < 1 || month < 1 || month > 12 || day < 1) return -1;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (day > kMonths[month - 1] + (month == 2 && leap ? 1 : 0)) return -1;
  const std::int64_t of_march = month > 2 ? year : year - 1, months = month > 2 ? month - 3 : month + 9;
  return 365 * of_march + of_march / 4 - of_march / 100 + of_march / 400 + (153 * months + 2) / 5 + day - 1;
}

} // namespace

Prices Prices::load(const Catalog& catalog) {
  std::vector<PriceRow> rows;
  std::vector<ApiPriceRow> apis;
  for (const data::prices::File& file : data::prices::files()) {
    ReadPrices read = read_prices(catalog, file.bytes);
    if (!read.issues.empty()) throw std::runtime_error("prices: " + std::string{file.name} + ": " + read.issues.front().field + ": " + read.issues.front().message);
    std::ranges::move(read.rows, std::back_inserter(rows));
    std::ranges::move(read.apis, std::back_inserter(apis));
  }
  return Prices{std::move(rows), std::move(apis)};
}

std::optional<std::int64_t> days_between(std::string_view from, std::string_view to) noexcept {
  const std::int64_t first = day_number(from), last = day_number(to);
  if (first < 0 || last < 0) return std::nullopt;
  return last - first;
}

std::string age_warning(const PriceSource& row, std::string_view today) {
  if (row.kind == PriceKind::historical) return {};
  const std::optional<std::int64_t> age = days_between(row.date, today);
  if (!age || *age <= kOldDays) return {};
  const std::string what = row.dated ? "Of " + row.date : "Of a source without a date, read in " + row.date;
  return what + ", " + format_count(Count{*age}) + " days ago: ask again before you rely on it.";
}

std::string prices_json(const Prices& prices, std::string_view today) {
  Json list = Json::array();
  for (const PriceRow& row : prices.rows())
    list.push_back({{"id", row.id}, {"cloud", row.cloud}, {"region", row.region}, {"instance", row.instance}, {"gpu", row.gpu},
                    {"gpus", row.gpus.value}, {"alone", row.alone}, {"kind", name_of(row.kind)}, {"micro_dollars_per_hour", row.hourly.value}, {"text", format_money(row.hourly)},
                    {"date", row.date}, {"dated", row.dated}, {"since", row.since}, {"source", row.source}, {"evidence", row.evidence},
                    {"note", row.note}, {"warning", age_warning(row, today)}});
  return dump(list);
}

std::string api_prices_json(const Prices& prices, std::string_view today) {
  Json list = Json::array();
  for (const ApiPriceRow& row : prices.apis())
    list.push_back({{"id", row.id}, {"cloud", row.cloud}, {"model", row.model}, {"kind", name_of(row.kind)}, {"micro_dollars_per_million_in", row.million.in.value},
                    {"micro_dollars_per_million_cached", row.million.cached.value}, {"micro_dollars_per_million_out", row.million.out.value}, {"date", row.date}, {"dated", row.dated},
                    {"since", row.since}, {"source", row.source}, {"evidence", row.evidence}, {"note", row.note}, {"warning", age_warning(row, today)}});
  return dump(list);
}

} // namespace plimsoll::io
