// Time into money, energy and carbon.
#include "plimsoll/method/cost.hpp"

#include "formula_text.hpp"
#include "plimsoll/method/format.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

constexpr Count kHour{3600};

/// The text of the term's formula gives its amount, its symbols are used, and its citation exists or it confesses.
void check_text(const Term& term) {
  std::vector<Symbol> symbols;
  for (std::size_t i = 0; i < kMaxSymbols && !term.formula->written().symbols[i].name.empty(); ++i) {
    const SymbolText& text = term.formula->written().symbols[i];
    symbols.push_back({text.name, term.values[i], text.unit, text.meaning, text.field});
    CHECK(!text.meaning.empty());
    CHECK((text.field.empty() || find_field(text.field) != nullptr));
  }
  INFO(term.formula->written().id << " = " << term.formula->written().text);
  CHECK(test::evaluate(term.formula->written().text, symbols) == term.amount);
  CHECK(test::unused_symbols(term.formula->written().text, symbols).empty());
  CHECK((test::catalog().find_citation(term.formula->written().citation) != nullptr || term.formula->written().basis == Basis::assumed));
  CHECK(term.low <= term.amount);
  CHECK(term.amount <= term.high);
}

} // namespace

TEST_CASE("every formula of money and energy says what its code does") {
  Billing billing{.price_per_gpu_hour = 2999, .discount_permille = 123, .purchase_price = 31'234, .power_permille = 777};
  for (const Term& term : {cost::instances(Count{13}, Count{8}), cost::billed_seconds(Nanoseconds{1'500'000'001}), cost::seconds_of_gpu_time(Count{100}, Count{7}),
                           cost::hourly(Count{3}, Money{21'957'642}, 123), cost::hourly_own_price(Count{7}, billing), cost::hourly_owned(Count{7}, billing),
                           cost::total(Money{98'320'000}, Count{4801}), cost::per_million_tokens(Money{98'320'000}, 1'234'567), cost::power(700, billing, true),
                           cost::power(700, billing, false), cost::energy(Count{64}, 654'321, Count{7777}), cost::emissions(Energy{123'456'789'012}, 385),
                           cost::electricity(Energy{123'456'789'012}, 87)})
    check_text(term);
}

TEST_CASE("instances are billed whole") {
  CHECK(cost::instances(Count{1}, Count{8}).amount == 1);
  CHECK(cost::instances(Count{8}, Count{8}).amount == 1);
  CHECK(cost::instances(Count{9}, Count{8}).amount == 2);
  CHECK(cost::billed_seconds(Nanoseconds{0}).amount == 0);
  CHECK(cost::billed_seconds(Nanoseconds{1}).amount == 1);
  CHECK(cost::billed_seconds(Nanoseconds{2'000'000'000}).amount == 2);
}

TEST_CASE("money saturates instead of wrapping") {
  CHECK(Money{cost::total(Money{Money::kMax}, Count{Count::kMax}).amount} >= Money{Money::kMax / 3600});
  CHECK(cost::hourly(Count{Count::kMax}, Money{Money::kMax}, 0).amount > 0);
}

TEST_CASE("hardware of one's own wears off over the hours in which it works") {
  // $8,766 over one year of 8,766 hours, always busy: a dollar an hour.
  Billing billing{.purchase_price = 8766, .depreciation_years = 1, .busy_permille = 1000};
  CHECK(cost::hourly_owned(Count{1}, billing).amount == 1'000'000);
  billing.busy_permille = 500;
  CHECK(cost::hourly_owned(Count{8}, billing).amount == 16'000'000);
  // A kilowatt-hour at $0.10.
  CHECK(cost::electricity(Energy{3'600'000}, 100).amount == 100'000);
}

TEST_CASE("power runs from idle to the limit, and the building takes its share") {
  Billing billing{.pue_permille = 1000, .idle_power_permille = 100, .power_permille = 0};
  CHECK(cost::power(400, billing, true).amount == 40'000);
  billing.power_permille = 1000;
  CHECK(cost::power(400, billing, true).amount == 400'000);
  billing.power_permille = 500;
  billing.pue_permille = 1200;
  CHECK(cost::power(400, billing, true).amount == 264'000);
  CHECK(cost::power(0, billing, true).amount == 0);
}

TEST_CASE("a million tokens cost what their time costs") {
  // 1,000 tokens/s: a thousand seconds of $3.60 an hour.
  CHECK(cost::per_million_tokens(Money{3'600'000}, 1'000'000).amount == 1'000'000);
}

TEST_CASE("the cheapest and the fastest are found among all offers for all ways") {
  const cost::Offer offers[] = {{"a100", Count{8}, Money{16'000'000}}, {"h100", Count{8}, Money{32'000'000}}, {"h100", Count{1}, Money{3'000'000}}, {"t4", Count{1}, Money{1}}};
  const cost::Way ways[] = {{"a100", Count{16}, Count{8}, Count{10} * kHour}, {"h100", Count{12}, Count{1}, Count{4} * kHour}};
  const std::vector<cost::Option> options = cost::options(offers, ways);
  REQUIRE(options.size() == 3);
  CHECK(options[0].offer == 2); // 12 single ones for 4 hours: $144
  CHECK(options[0].total == Money{144'000'000});
  CHECK(options[1].offer == 1); // two whole instances of 8: $256
  CHECK(options[1].instances == Count{2});
  CHECK(options[1].total == Money{256'000'000});
  CHECK(options[2].total == Money{320'000'000});
  CHECK(cost::fastest_within(options, Money{1'000'000'000})->offer == 2);
  CHECK(!cost::fastest_within(options, Money{143'999'999}));

  const cost::Way nodes[] = {{"h100", Count{12}, Count{8}, Count{4} * kHour}};
  REQUIRE(cost::options(offers, nodes).size() == 1); // single ones are no node
  CHECK(cost::options(offers, nodes, 500)[0].total == Money{128'000'000});
  const cost::Offer hosts[] = {{"h100", Count{8}, Money{1}, true}};
  CHECK(cost::options(hosts, nodes).empty()); // two hosts without a network between them
  const cost::Way small[] = {{"h100", Count{8}, Count{8}, kHour}};
  CHECK(cost::options(hosts, small).size() == 1);
}

TEST_CASE("faster but dearer wins within the budget only") {
  const cost::Offer offers[] = {{"slow", Count{1}, Money{1'000'000}}, {"fast", Count{1}, Money{20'000'000}}};
  const cost::Way ways[] = {{"slow", Count{1}, Count{1}, Count{10} * kHour}, {"fast", Count{1}, Count{1}, kHour}};
  const std::vector<cost::Option> options = cost::options(offers, ways);
  CHECK(cost::fastest_within(options, Money{20'000'000})->way == 1);
  CHECK(cost::fastest_within(options, Money{19'999'999})->way == 0);
}

TEST_CASE("money, energy and carbon as people read them") {
  CHECK(format_money(Money{0}) == "$0");
  CHECK(format_money(Money{1}) == "$0.000001");
  CHECK(format_money(Money{4'123}) == "$0.00412");
  CHECK(format_money(Money{500'000}) == "$0.50");
  CHECK(format_money(Money{999'999}) == "$1.00");
  CHECK(format_money(Money{21'957'642}) == "$21.96");
  CHECK(format_money(Money{760'320'000'000}) == "$760,320");
  CHECK(format_money(Money{-21'957'642}) == "-$21.96");
  CHECK(format_energy(Energy{0}) == "0 J");
  CHECK(format_energy(Energy{3'600'000}) == "1.00 kWh");
  CHECK(format_energy(Energy{433'000LL * 3'600'000}) == "433 MWh");
  CHECK(format_mass(Mass{31'220'000}) == "31.2 t");
  CHECK(format_amount(21'957'642, "micro-dollars") == "$21.96");
  CHECK(format_amount(1234, "seconds") == "1,234 s");
}
