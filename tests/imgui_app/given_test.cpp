// Prices and devices of the user's own: they come into use, say so with their dates, and go again.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kQuestion = "model=llama-3-8b&device=h100-80-sxm&batch=4";
constexpr const char* kPrices = R"({"source": "a letter", "date": "2026-06-01", "cloud": "Mine", "prices": [
  {"instance": "big", "gpu": "h100-80-sxm", "gpus": 1, "usd_per_hour": 0.5}]})";
constexpr const char* kDevices = R"({"devices": [{"id": "mine", "name": "My accelerator", "vendor": "Me", "arch": "Hopper", "class": "datacenter",
  "memory_usable_bytes": 84929085440, "memory_usable_basis": "torch.cuda.mem_get_info", "sources": ["nvidia-smi"], "date": "2026-11"}]})";

bool give(NullScreen& screen, const std::string& text, const char* name) {
  const bool read = screen.app().read_file(text, text.size(), name);
  screen.settle();
  return read;
}

} // namespace

TEST_CASE("prices of one's own replace all others, and the way back is a link") {
  const ImVec2 size = GENERATE(ImVec2{1440, 1600}, ImVec2{390, 3000});
  NullScreen screen(kQuestion, size);
  screen.app().today = "2026-11-22";
  const std::string before = screen.app().answer.cost->options.front().row->cloud;
  CHECK(give(screen, kPrices, "my-prices.json"));
  CHECK_FALSE(screen.app().view.file_dialog.open);
  screen.press("tab.time");
  REQUIRE(screen.app().answer.cost->options.size() == 1);
  CHECK(screen.app().answer.cost->options[0].row->cloud == "Mine");
  CHECK(screen.app().answer.cost->options[0].warning.find("174 days") != std::string::npos);
  CHECK(screen.app().find_given(io::GivenKind::prices)->summary == "1 price of 2026-06-01");
  REQUIRE(screen.app().effects.given.size() == 1);
  CHECK(screen.app().effects.given[0].text == kPrices);
  screen.press("link.given.prices");
  CHECK(screen.app().find_given(io::GivenKind::prices) == nullptr);
  CHECK(screen.app().answer.cost->options.front().row->cloud == before);
  CHECK(screen.app().effects.given.back().text.empty());
  CHECK(screen.errors().empty());
}

TEST_CASE("a device of one's own can be chosen, and is unknown again once it is removed") {
  NullScreen screen(kQuestion);
  CHECK(give(screen, kDevices, "my-devices.json"));
  screen.app().set_field("device", "mine");
  screen.settle();
  CHECK(screen.app().answer.ok);
  CHECK(screen.app().answer.inputs.hardware.name == "My accelerator");
  CHECK(give(screen, R"({"source": "s", "date": "2026-11", "cloud": "Mine", "prices": [{"instance": "a", "gpu": "mine", "usd_per_hour": 2}]})", "prices.json"));
  CHECK(screen.app().prices.rows().size() == 1);
  screen.press("link.given.devices");
  CHECK_FALSE(screen.app().answer.ok);
  CHECK(screen.errors().empty());
}

TEST_CASE("a file with an error is refused with the row's name and changes nothing") {
  NullScreen screen(kQuestion);
  const std::size_t offers = screen.app().answer.cost->options.size();
  CHECK(give(screen, R"({"source": "s", "date": "2026-11", "cloud": "Mine", "prices": [{"instance": "a", "gpu": "no-such-gpu", "usd_per_hour": 2}]})", "bad.json"));
  REQUIRE(screen.app().view.file_dialog.file);
  CHECK(screen.app().view.file_dialog.file->issues[0].field == "prices[0].gpu");
  CHECK(screen.app().given.empty());
  CHECK(screen.app().answer.cost->options.size() == offers);
  screen.press("button.cancel");
  CHECK(screen.errors().empty());
}
