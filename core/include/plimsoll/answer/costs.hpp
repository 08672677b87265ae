#pragma once
// What work costs in money, energy and carbon when it is known how long it takes: from a few words to every offer that fits, the
// cheapest, and the fastest within a budget. Prices come from plimsoll/io/prices.hpp, formulas from plimsoll/cost.hpp.

#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/billing.hpp"
#include "plimsoll/method/cost.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// GPUs of one kind that do the work, and for how long.
struct DeploymentOption {
  std::string device{}; ///< id of the catalogue
  Count gpus{1};
  Count node{0};      ///< GPUs that must stand in one instance; 0 = as many as usual_node() says
  Count seconds{0};   ///< billed
  Count low{0};       ///< likely no less; 0 = seconds
  Count high{0};      ///< likely no more; 0 = seconds
  std::int64_t token_rate = 0; ///< thousandths of a token per second, for the price of a million; 0 = not asked
  std::int64_t rate_low = 0;   ///< likely no slower; 0 = token_rate
  std::int64_t rate_high = 0;  ///< likely no faster; 0 = token_rate
};

struct CostQuestion {
  std::vector<DeploymentOption> ways;
  std::string cloud;               ///< "" = any
  std::string region;              ///< "" = any
  PriceKind kind = PriceKind::on_demand;
  std::optional<Money> budget;
  bool training = true;            ///< decides the range of power
  Billing billing;
  std::string today;               ///< "YYYY-MM-DD": prices older than kOldDays come with a warning; "" = nothing is said of their age
};

/// An entry that a question may have.
struct CostKey {
  std::string_view name;
  std::string_view help;
};
/// Keys of a question besides the fields of the topic cost (fields.hpp), which it takes too.
std::span<const CostKey> cost_keys() noexcept;

/// The question that the entries ask: "device=h100-80-sxm&gpus=64&hours=100". What is wrong goes to `issues`.
CostQuestion cost_question(const Catalog& catalog, const Request& request, Issues& issues);

/// GPUs that most nodes of that device hold: all of them if there are fewer than 8 in the largest instance that anybody offers, else
/// 8; never more than `gpus`.
Count usual_node(const Prices& prices, std::string_view device, Count gpus) noexcept;

struct MoneyRange {
  Money expected, low, high; ///< low <= expected <= high
};

/// One offer for one way.
struct PricedOption {
  const PriceRow* row = nullptr;
  cost::Option option;
  Money low{}, high{};         ///< of the likely range of time
  std::optional<MoneyRange> per_million_tokens{};
  std::string warning{};       ///< about the price's age; "" when it is young
};

/// The energy of one way.
struct WayEnergy {
  Term power;      ///< of one GPU at the meter
  Term energy;     ///< expected; low and high follow from power and time
  Term emissions;  ///< where the grid's carbon was stated
};

/// The price at one's own terms: of the hour, then of the time.
struct OwnPrice {
  Term hourly;
  std::optional<Term> electricity; ///< of owned GPUs, for the whole time
  Money total, low, high;
  std::optional<MoneyRange> per_million_tokens;
};

struct CostAnswer {
  CostQuestion question;
  Issues issues;
  bool ok = false;                   ///< no errors
  std::vector<WayEnergy> energy;     ///< of each way
  std::vector<OwnPrice> own;         ///< of each way, where a price of one's own or a purchase was stated
  std::vector<PricedOption> options; ///< cheapest first
  std::optional<std::size_t> fastest; ///< of options, within the budget, where one was stated
};

/// `prices` must outlive the answer. Never throws.
CostAnswer answer_cost(const Catalog& catalog, const Prices& prices, CostQuestion question, Issues carried = {});

/// The formulas behind one way: power, energy, and where they were asked for, carbon, the own price of an hour and electricity.
std::vector<Component> cost_components(const CostAnswer& answer, std::size_t way);

/// {"ok", "issues", "today", "ways": [...], "options": [...], "cheapest", "fastest"}: `most` options at most; amounts are whole
/// micro-dollars, joules and grams with their texts.
std::string cost_json(const Catalog& catalog, const CostAnswer& answer, std::size_t most = 20);

/// The same from the texts that the borders give. A question that names a model is about its scenario. `prices` and `devices` are files of the user's own (docs/prices.md), "" for what is
/// built in; what is wrong with them is among the answer's issues. `today` counts where the question does not say it.
struct CostTexts {
  std::string_view question;
  bool is_json = false; ///< else a query
  std::string_view prices{}, devices{}, today{};
};
std::string cost_json(const Catalog& catalog, const CostTexts& texts, std::size_t most = 20);

} // namespace plimsoll::io
