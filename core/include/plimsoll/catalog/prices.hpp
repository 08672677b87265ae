#pragma once
// What clouds ask for GPUs, and APIs for tokens: dated rows with their sources, compiled in (core/catalog/data/prices) or read from a file of the same
// form, which docs/prices.md describes.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/cost.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

enum class PriceKind : unsigned char {
  on_demand,
  spot,       ///< may be taken away at any time; a sample, not an offer
  committed,  ///< for a promise to stay
  historical, ///< no longer asked
};
inline constexpr std::size_t kPriceKinds = 4;
const char* name_of(PriceKind kind) noexcept;

/// Who asks a price, and how that is known.
struct PriceSource {
  std::string id;       ///< "aws-p4d.24xlarge-us-east-1-on_demand"
  std::string cloud;    ///< as people write it: "AWS"
  PriceKind kind = PriceKind::on_demand;
  std::string date;     ///< "YYYY-MM-DD" or "YYYY-MM": when it was asked
  bool dated = true;    ///< false: the source gives no date, and `date` is when it was read
  std::string since;    ///< of historical rows, from when on; "" where nobody says
  std::string source;
  std::string evidence; ///< "read": at the source; "secondary": in somebody's table
  std::string note;
};

struct PriceRow : PriceSource {
  std::string region;
  std::string instance; ///< as the cloud calls it
  std::string gpu;      ///< id of a device of the catalogue
  Count gpus{1};        ///< of one instance, which is rented whole
  Money hourly;         ///< for one instance
  bool alone = false;   ///< a single host, as on a marketplace: several of them share no network
};

/// What an API asks for tokens of a model.
struct ApiPriceRow : PriceSource {
  std::string model;         ///< id of a model of the catalogue
  cost::TokenPrices million; ///< `cached` as `in` where it asks no other price
};

class Prices {
public:
  /// Reads the data that is compiled in. Malformed data is a defect of the build, found by tests: throws std::runtime_error.
  static Prices load(const Catalog& catalog);

  Prices() = default;
  explicit Prices(std::vector<PriceRow> rows, std::vector<ApiPriceRow> apis = {}) : rows_(std::move(rows)), apis_(std::move(apis)) {}

  const std::vector<PriceRow>& rows() const noexcept { return rows_; }
  const std::vector<ApiPriceRow>& apis() const noexcept { return apis_; }

private:
  std::vector<PriceRow> rows_;
  std::vector<ApiPriceRow> apis_;
};

struct ReadPrices {
  std::vector<PriceRow> rows;    ///< those without errors, in the order of the text
  std::vector<ApiPriceRow> apis; ///< likewise
  Issues issues;                 ///< fields are "prices[3].gpu"

  Prices prices() && { return Prices{std::move(rows), std::move(apis)}; }
};

/// Reads a text of the form that docs/prices.md describes. Its devices and models must be in the catalogue. Never throws.
ReadPrices read_prices(const Catalog& catalog, std::string_view json);

/// [{"id", "cloud", "region", "instance", "gpu", "gpus", "kind", "micro_dollars_per_hour", "text", "date", ...}]
std::string prices_json(const Prices& prices, std::string_view today = {});

/// [{"id", "cloud", "model", "micro_dollars_per_million_in", …_cached, …_out, "date", ...}]
std::string api_prices_json(const Prices& prices, std::string_view today = {});

/// Prices older than so many days come with a warning.
inline constexpr std::int64_t kOldDays = 90;

/// Days from one date to another, each "YYYY-MM-DD" or "YYYY-MM" (its first day); empty where a text is no date.
std::optional<std::int64_t> days_between(std::string_view from, std::string_view to) noexcept;

/// "Of 2026-07-20, 125 days ago: ask again before you rely on it." "" for prices younger than kOldDays on the day `today`, which the
/// caller knows, for what is historical anyway, and without a date of today.
std::string age_warning(const PriceSource& row, std::string_view today);

} // namespace plimsoll::io
