// Money, energy and carbon of training runs as their authors state them.
#include "plimsoll/method/cost.hpp"

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/method/format.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace plimsoll;

namespace {

constexpr std::int64_t kHour = 3600;

/// `limit` watts at full load for so many GPU-hours.
std::int64_t joules(std::int64_t limit, std::int64_t pue, std::int64_t gpu_hours) {
  const Term power = cost::power(limit, {.pue_permille = pue, .power_permille = 1000}, true);
  return cost::energy(Count{1}, power.amount, Count{gpu_hours} * Count{kHour}).amount;
}

double mwh(std::int64_t joules) { return static_cast<double>(joules) / 3.6e9; }
double tonnes(std::int64_t joules, std::int64_t intensity) { return static_cast<double>(cost::emissions(Energy{joules}, intensity).amount) / 1e6; }
bool near(double ours, double published, double share) { return std::abs(ours / published - 1) <= share; }

io::CostAnswer ask(const std::string& query) {
  static const io::Prices kPrices = io::Prices::load(test::catalog());
  Issues issues;
  io::CostQuestion question = io::cost_question(test::catalog(), io::request_from_query(query, issues), issues);
  return io::answer_cost(test::catalog(), kPrices, std::move(question), std::move(issues));
}

} // namespace

// Touvron et al., 2023 (arXiv 2307.09288), table 2: 184,320 GPU-hours. The example of $33 an hour is AWS's price of p4d before June 2025.
TEST_CASE("Llama 2 7B took 184,320 GPU-hours: $760,320 on instances of 8 at $33 an hour") {
  for (const std::int64_t gpus : {8, 64, 512, 2048}) {
    const Count seconds = cost::seconds_of_gpu_time(Count{184'320} * Count{kHour}, Count{gpus}).count();
    const Count instances = cost::instances(Count{gpus}, Count{8}).count();
    const Money hourly{cost::hourly(instances, Money{33'000'000}, 0).amount};
    CHECK(cost::total(hourly, seconds).amount == 760'320'000'000);
  }
}

TEST_CASE("at the prices of that time and of now, from the rows that are built in") {
  const io::CostAnswer then = ask("device=a100-40-sxm&gpus=64&gpu_hours=184320&cloud=AWS&kind=historical&region=us-east-1");
  REQUIRE(then.options.size() == 1);
  CHECK(then.options[0].row->instance == "p4d.24xlarge");
  CHECK(format_money(then.options[0].option.total) == "$755,081");
  const io::CostAnswer now = ask("device=a100-40-sxm&gpus=64&gpu_hours=184320&cloud=AWS&region=us-east-1&today=2026-11-22");
  REQUIRE(!now.options.empty());
  CHECK(near(static_cast<double>(now.options[0].option.total.value), 21.96e6 * 8 * 2880, 0.001));
  CHECK(now.options[0].warning == "Of 2026-07-20, 125 days ago: ask again before you rely on it.");
}

// DeepSeek-V3 (arXiv 2412.19437), table 1; MPT-7B (databricks.com/blog/mpt-7b); karpathy/nanochat, dev/LEADERBOARD.md.
TEST_CASE("GPU-hours at the price that their authors assume or paid") {
  const auto price = [](double gpu_hours, std::int64_t thousandths) {
    const Money hourly{cost::hourly_own_price(Count{1}, {.price_per_gpu_hour = thousandths}).amount};
    return static_cast<double>(cost::total(hourly, Count{static_cast<std::int64_t>(gpu_hours * 3600)}).amount) / 1e6;
  };
  CHECK(price(2'788'000, 2000) == 5'576'000);
  CHECK(near(price(100'320, 2000), 200'000, 0.005));
  CHECK(near(price(24.332, 3000), 73, 0.005));
}

// Table 15 of LLaMA (arXiv 2302.13971): 400 W, PUE 1.1, 0.385 kg per kWh. The authors cut off digits.
TEST_CASE("LLaMA: 36, 59, 233 and 449 MWh, 14, 23, 90 and 173 tonnes") {
  struct Row {
    std::int64_t gpu_hours;
    double mwh, tonnes;
  };
  for (const Row& row : {Row{82'432, 36, 14}, Row{135'168, 59, 23}, Row{530'432, 233, 90}, Row{1'022'362, 449, 173}}) {
    const std::int64_t energy = joules(400, 1100, row.gpu_hours);
    CHECK(std::abs(mwh(energy) - row.mwh) < 1);
    CHECK(std::abs(tonnes(energy, 385) - row.tonnes) < 0.5);
  }
}

// meta-llama/llama-models, models/llama2/MODEL_CARD.md; 34B, at 350 W, from table 2 of the paper.
TEST_CASE("Llama 2: 31.22, 62.44, 153.90 and 291.42 tonnes, to the hundredth") {
  CHECK(near(tonnes(joules(400, 1100, 184'320), 385), 31.22, 0.0005));
  CHECK(near(tonnes(joules(400, 1100, 368'640), 385), 62.44, 0.0005));
  CHECK(near(tonnes(joules(350, 1100, 1'038'336), 385), 153.90, 0.0005));
  CHECK(near(tonnes(joules(400, 1100, 1'720'320), 385), 291.42, 0.0005));
}

// The cards of Llama 3 and 3.1 round, and count with the factors of other places and years.
TEST_CASE("Llama 3 and 3.1 at 700 W: within 3 %") {
  CHECK(near(tonnes(joules(700, 1100, 1'300'000), 385), 390, 0.03));
  CHECK(near(tonnes(joules(700, 1100, 6'400'000), 385), 1900, 0.03));
  CHECK(near(tonnes(joules(700, 1100, 7'000'000), 385), 2040, 0.03));
  CHECK(near(tonnes(joules(700, 1100, 30'840'000), 385), 8930, 0.03));
}

// Luccioni et al. (arXiv 2211.02001): 1,082,880 GPU-hours of A100s in France.
TEST_CASE("BLOOM: 433 MWh and 24.7 tonnes") {
  const std::int64_t energy = joules(400, 1000, 1'082'880);
  CHECK(near(mwh(energy), 433, 0.001));
  CHECK(near(tonnes(energy, 57), 24.7, 0.002));
}

// StarCoder (arXiv 2305.06161): 89.67 MWh in 320,256 GPU-hours of A100s, and 16.68 tonnes; Olmo 3: 146 and 681 MWh in 234,000 and
// 1,050,000 GPU-hours of H100s.
TEST_CASE("power that was measured over whole runs lies within the range of an answer") {
  struct Row {
    const char* device;
    std::int64_t gpu_hours;
    double mwh;
  };
  for (const Row& row : {Row{"a100-80-sxm", 320'256, 89.67}, Row{"h100-80-sxm", 234'000, 146}, Row{"h100-80-sxm", 1'050'000, 681}}) {
    const io::CostAnswer answer = ask(std::string{"pue_permille=1000&gpus=8&device="} + row.device + "&gpu_hours=" + std::to_string(row.gpu_hours));
    INFO(row.device << " " << row.mwh);
    REQUIRE(answer.ok);
    CHECK(mwh(answer.energy[0].energy.low) < row.mwh);
    CHECK(mwh(answer.energy[0].energy.high) > row.mwh);
  }
}
