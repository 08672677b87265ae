// Questions about cost: what may be typed, what is wrong, and what is answered.
#include "plimsoll/answer/costs.hpp"

#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

const char* const kPrices = R"({"source": "s", "date": "2026-11-01", "cloud": "Mine", "prices": [
  {"instance": "eight", "gpu": "h100-80-sxm", "gpus": 8, "usd_per_hour": 16},
  {"instance": "one", "gpu": "h100-80-sxm", "usd_per_hour": 1},
  {"instance": "spot", "gpu": "h100-80-sxm", "gpus": 8, "usd_per_hour": 8, "kind": "spot"},
  {"instance": "old", "gpu": "a100-80-sxm", "gpus": 8, "usd_per_hour": 12, "date": "2026-01-01"}]})";

const io::Prices& prices() {
  static const io::Prices kRead{io::read_prices(test::catalog(), kPrices).rows};
  return kRead;
}

io::CostAnswer ask(const std::string& query) {
  Issues issues;
  io::CostQuestion question = io::cost_question(test::catalog(), io::request_from_query(query, issues), issues);
  return io::answer_cost(test::catalog(), prices(), std::move(question), std::move(issues));
}

} // namespace

TEST_CASE("64 GPUs for 100 hours need whole nodes of the usual size") {
  const io::CostAnswer answer = ask("device=h100-80-sxm&gpus=64&hours=100");
  REQUIRE(answer.ok);
  REQUIRE(answer.options.size() == 1); // single ones are no node
  CHECK(answer.options[0].option.instances == Count{8});
  CHECK(answer.options[0].option.total == Money{12'800'000'000});
  CHECK(ask("device=h100-80-sxm&gpus=64&hours=100&node_gpus=1").options.size() == 2);
  CHECK(ask("device=h100-80-sxm&gpus=1&hours=100").options.front().row->instance == "one");
  CHECK(ask("device=h100-80-sxm&gpus=64&hours=100&kind=spot").options.front().option.total == Money{6'400'000'000});
  CHECK(ask("device=h100-80-sxm&gpus=64&hours=100&discount_permille=500").options.front().option.total == Money{6'400'000'000});
}

TEST_CASE("hours have fractions, and GPU-hours are divided among the GPUs") {
  CHECK(ask("gpus=8&hours=2.5").question.ways[0].seconds == Count{9000});
  CHECK(ask("gpus=8&hours=.001").question.ways[0].seconds == Count{4}); // begun seconds
  CHECK(ask("gpus=8&gpu_hours=20").question.ways[0].seconds == Count{9000});
}

TEST_CASE("of several ways the cheapest, and the fastest within a budget") {
  const io::CostAnswer answer = ask("ways=h100-80-sxm:16:10,a100-80-sxm:16:12&budget=330&today=2026-11-22");
  REQUIRE(answer.options.size() == 2);
  CHECK(answer.options[0].row->gpu == "a100-80-sxm"); // $288 for 12 hours, $320 for 10
  CHECK(answer.options[0].warning.starts_with("Of 2026-01-01, 325 days ago"));
  REQUIRE(answer.fastest);
  CHECK(answer.options[*answer.fastest].row->gpu == "h100-80-sxm");
  CHECK(answer.issues.size() == 1); // the cheapest is old
  CHECK(ask("ways=h100-80-sxm:16:10,a100-80-sxm:16:12&budget=300").fastest == std::size_t{0});
  CHECK(!ask("ways=h100-80-sxm:16:10,a100-80-sxm:16:12&budget=287.99").fastest);
}

TEST_CASE("a price of one's own, and GPUs of one's own") {
  const io::CostAnswer rented = ask("gpus=8&hours=10&price_per_gpu_hour=2500&discount_permille=200&tokens_per_second=1000");
  REQUIRE(rented.own.size() == 1);
  CHECK(rented.own[0].total == Money{160'000'000});
  CHECK(!rented.own[0].electricity);
  CHECK(rented.own[0].per_million_tokens->expected == Money{4'444'445}); // a thousand seconds of $16 an hour
  const io::CostAnswer owned = ask("gpus=8&hours=10&purchase_price=8766&depreciation_years=1&busy_permille=1000&electricity_price=100&pue_permille=1000&power_permille=1000");
  REQUIRE(owned.own.size() == 1);
  CHECK(owned.own[0].electricity->amount == 5'600'000); // 8 × 700 W for 10 h at $0.10
  CHECK(owned.own[0].total == Money{85'600'000});
}

TEST_CASE("what is wrong with a question names its entry") {
  const auto first = [](const std::string& query) {
    const io::CostAnswer answer = ask(query);
    CHECK(!answer.ok);
    CHECK(answer.options.empty());
    REQUIRE(!answer.issues.empty());
    CHECK(!answer.issues.front().remedy.empty());
    return answer.issues.front().field;
  };
  CHECK(first("gpus=8") == "hours");
  CHECK(first("hours=1&gpus=0") == "gpus");
  CHECK(first("hours=1&gpus=1.5") == "gpus");
  CHECK(first("hours=-1") == "hours");
  CHECK(first("hours=1e9") == "hours");
  CHECK(first("hours=99999999999999999999") == "hours");
  CHECK(first("hours=1&gpu_hours=1") == "gpu_hours");
  CHECK(first("hours=1&device=h1000") == "device");
  CHECK(first("hours=1&kind=free") == "kind");
  CHECK(first("hours=1&budget=much") == "budget");
  CHECK(first("hours=1&today=tomorrow") == "today");
  CHECK(first("hours=1&pue=0.1") == "pue");
  CHECK(first("hours=1&pue_permille=100") == "pue"); // its former name, in thousandths
  CHECK(first("ways=h100-80-sxm:8") == "ways");
  CHECK(first("ways=h100-80-sxm:x:1") == "ways");
  const io::CostAnswer unknown = ask("hours=1&colour=red");
  CHECK(unknown.ok);
  CHECK(unknown.issues.front().field == "colour");
}

TEST_CASE("the largest numbers saturate, and the answer is still a text") {
  const io::CostAnswer answer = ask("gpus=10000000&hours=100000000&grid_intensity=5000&purchase_price=10000000&pue_permille=10000");
  CHECK(answer.ok);
  CHECK(answer.energy[0].energy.amount > 0);
  CHECK(answer.own[0].total > Money{0});
  CHECK(io::cost_json(test::catalog(), answer).starts_with("{\"ok\":true"));
}

TEST_CASE("questions, prices and devices from texts") {
  const std::string devices = R"({"devices": [{"id": "mine", "name": "Mine", "vendor": "Me", "arch": "Hopper", "class": "datacenter", "memory_usable_bytes": 8000000000,
    "memory_usable_basis": "read", "power_watts": 100, "sources": ["here"], "date": "2026-11"}]})";
  const std::string own = R"({"source": "s", "date": "2026-01-01", "cloud": "C", "prices": [{"instance": "i", "gpu": "mine", "usd_per_hour": 2}]})";
  const std::string text = io::cost_json(test::catalog(), {.question = R"({"device": "mine", "hours": 3})", .is_json = true, .prices = own, .devices = devices, .today = "2026-11-22"});
  CHECK(text.find("\"micro_dollars\":6000000") != std::string::npos);
  CHECK(text.find("325 days ago") != std::string::npos);
  CHECK(io::cost_json(test::catalog(), {.question = "hours=1", .prices = "{"}).starts_with("{\"ok\":false"));
  CHECK(io::cost_json(test::catalog(), {.question = "hours=1", .devices = "[3]"}).starts_with("{\"ok\":false"));

  const io::Answer answer = io::answer_with_devices(test::catalog(), "model=llama-3-8b&device=mine", false, devices);
  CHECK(answer.ok);
  CHECK(answer.estimate.usable == Bytes{8'000'000'000});
}

TEST_CASE("what is wrong with a device names its member, and nothing throws") {
  const auto first = [](const char* text) {
    const io::ReadDevices read = io::read_devices(text);
    CHECK(read.rows.empty());
    return read.issues.empty() ? "" : read.issues.front().field;
  };
  const std::string good = R"({"id": "a", "name": "A", "vendor": "V", "arch": "Hopper", "class": "c", "memory_usable_bytes": 8000000000, "memory_usable_basis": "b", "sources": [], "date": "2026-11")";
  CHECK(io::read_devices("[" + good + "}]").issues.empty());
  CHECK(first(("[" + good + R"(, "power_watts": -1}])").c_str()) == "devices[0].power_watts");
  CHECK(first(("[" + good + R"(, "power_watts": 1e300}])").c_str()) == "devices[0].power_watts");
  CHECK(first(("[" + good + R"(, "interconnect": []}])").c_str()) == "devices[0].interconnect");
  CHECK(first(("[" + good + R"(, "interconnect": {"pcie": 5}}])").c_str()) == "devices[0].interconnect");
  CHECK(first(("[" + good + R"(, "peak_dense_flop_per_s": {"bf16": "fast"}}])").c_str()) == "devices[0].peak_dense_flop_per_s");
  CHECK(first(("[" + good + R"(, "aliases": [1]}])").c_str()) == "devices[0].aliases");
  CHECK(first(R"([{"id": "a"}])") == "devices[0].name");
  CHECK(first("[null]") == "devices[0]");
  for (const char* text : {"", "{", "3", "null", "{}", R"({"devices": 3})", "\xff"}) CHECK(first(text) == "devices");
}

TEST_CASE("broken files of prices and devices are answered, whatever was broken") {
  const std::string device = R"([{"id": "a", "name": "A", "vendor": "V", "arch": "Hopper", "class": "c", "memory_usable_bytes": 8000000000, "memory_usable_basis": "b",
    "sources": ["s"], "date": "2026-11", "power_watts": 5, "interconnect": {"pcie": "5.0 x16"}, "peak_dense_flop_per_s": {"bf16": 1}}])";
  std::uint64_t state = 2026;
  const auto next = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  constexpr std::string_view kSigns = "{}[]\",:0123456789.eE-+nulltrue ";
  for (int i = 0; i < 2000; ++i)
    for (std::string text : {std::string{kPrices}, device}) {
      for (std::uint64_t change = 0; change <= next(4); ++change) text[next(text.size())] = kSigns[next(kSigns.size())];
      const io::ReadPrices of_prices = io::read_prices(test::catalog(), text);
      const io::ReadDevices of_devices = io::read_devices(text);
      for (const io::PriceRow& row : of_prices.rows) CHECK(row.hourly > Money{0});
      for (const io::DeviceRow& row : of_devices.rows) CHECK(row.hardware.usable_bytes > 0);
    }
}

TEST_CASE("devices replace those of their ids, others join") {
  io::Catalog catalog = test::catalog();
  const std::size_t count = catalog.devices().size();
  io::DeviceRow row = *catalog.find_device("h100-80-sxm");
  row.hardware.usable_bytes = 1;
  io::DeviceRow other = row;
  other.hardware.id = "other";
  other.aliases.clear();
  catalog.put_devices({row, other});
  CHECK(catalog.devices().size() == count + 1);
  CHECK(catalog.find_device("h100-80-sxm")->hardware.usable_bytes == 1);
  CHECK(catalog.find_device("other") != nullptr);
}
