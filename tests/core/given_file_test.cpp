// Files that people give to a screen and that are no models: which they are, and what is refused.
#include "plimsoll/catalog/given_file.hpp"

#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

io::GivenFile read(std::string_view text) { return io::read_given_file(test::catalog(), text); }

const std::string kDevice = R"({"id": "mine", "name": "My accelerator", "vendor": "Me", "arch": "Hopper", "class": "datacenter",
  "memory_usable_bytes": 84929085440, "memory_usable_basis": "torch.cuda.mem_get_info", "sources": ["nvidia-smi"], "date": "2026-11"})";

std::string price_of(const char* gpu) {
  return std::string{R"({"source": "s", "date": "2026-11-01", "cloud": "Mine", "prices": [{"instance": "a", "gpu": ")"} + gpu +
         R"(", "usd_per_hour": 2}, {"instance": "b", "gpu": "t4", "usd_per_hour": 1, "date": "2026-05"}]})";
}

} // namespace

TEST_CASE("prices, devices and results are told apart by their members") {
  const io::GivenFile prices = read(price_of("h100-80-sxm"));
  CHECK(prices.ok());
  CHECK(prices.kind == io::GivenKind::prices);
  CHECK(prices.prices.size() == 2);
  CHECK(prices.summary == "2 prices of 2026-05 to 2026-11-01");

  for (const std::string& text : {R"({"devices": [)" + kDevice + "]}", "[" + kDevice + "]"}) {
    const io::GivenFile devices = read(text);
    CHECK(devices.ok());
    CHECK(devices.kind == io::GivenKind::devices);
    CHECK(devices.summary == "1 device of 2026-11: My accelerator");
  }
}

TEST_CASE("a result comes back as the question that it answers") {
  const io::Answer answer = io::answer_query(test::catalog(), "model=llama-3-8b&device=rtx4090&batch=4");
  const io::GivenFile file = read(io::explain_json(test::catalog(), answer));
  CHECK(file.ok());
  CHECK(file.kind == io::GivenKind::result);
  CHECK(file.query == io::canonical_query(answer));
}

TEST_CASE("a file with an error is refused as a whole, and says where it is") {
  const io::GivenFile file = read(price_of("mine"));
  CHECK(file.kind == io::GivenKind::prices);
  CHECK(!file.ok());
  REQUIRE(!file.issues.empty());
  CHECK(file.issues[0].field == "prices[0].gpu");
  CHECK(!file.issues[0].remedy.empty());
  for (const char* empty : {R"({"prices": []})", R"({"devices": []})", R"({"prices": null})", R"({"devices": 7})"}) CHECK(!read(empty).ok());
}

TEST_CASE("prices may be those of devices that were given before") {
  CHECK(io::given_file_json(test::catalog(), price_of("mine"), R"({"devices": [)" + kDevice + "]}").find(R"("ok":true)") != std::string::npos);
}

TEST_CASE("other texts are nothing of these, and never an exception") {
  for (const char* text : {"", "{", "null", "[]", "[1]", "{}", "3", R"({"query": 1, "estimate": 2})", R"({"hidden_size": 4096})", "\xff\xfe"}) {
    CHECK(read(text).kind == io::GivenKind::other);
    CHECK(!read(text).ok());
  }
}
