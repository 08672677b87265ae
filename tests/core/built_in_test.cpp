// The build makes tables of the files in core/catalog/data and leaves out what few read: what is compiled in is what they say.
#include "json.hpp"
#include "scenarios.hpp"

#include "embedded/devices.hpp"
#include "embedded/models.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/device_file.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;
using io::Json;
using Texts = std::vector<std::string>;

namespace {

Json file_of(std::string_view name) { return test::parsed_file("core/catalog/data/" + std::string{name}); }

void check_record(const io::ModelRecord& record, const Json& written) {
  CHECK(record.parameters == written.at("published_parameters").get<std::int64_t>());
  CHECK(record.is_exact == written.at("published_is_exact").get<bool>());
  CHECK(record.active_parameters == written.value("published_active_parameters", std::int64_t{0}));
  CHECK(record.note == written.value("note", ""));
  CHECK(record.parameters_source == written.at("parameters_source").text());
  CHECK(record.active_source == written.value("active_source", ""));
  CHECK(record.config_source == written.at("config_source").text());
  CHECK(record.date == written.at("date").text());
  const Json differences = written.value("differences", Json::array());
  REQUIRE(record.differences.size() == differences.size());
  for (std::size_t i = 0; i < differences.size(); ++i) {
    CHECK(record.differences[i].what == differences[i].value("what", ""));
    CHECK(record.differences[i].parameters == differences[i].at("parameters").get<std::int64_t>());
  }
}

} // namespace

TEST_CASE("models are compiled in as their files say, every member of them") {
  constexpr std::array<std::string_view, 15> kMembers{"id", "name", "aliases", "tuned", "family", "config", "published_parameters", "published_is_exact", "published_active_parameters",
                                                      "differences", "note", "parameters_source", "active_source", "config_source", "date"};
  const std::vector<io::ModelRow>& models = test::catalog().models();
  std::size_t at = 0;
  for (const data::models::File& file : data::models::files())
    for (const Json& written : file_of(file.name)) {
      REQUIRE(at < models.size());
      const io::ModelRow& row = models[at++];
      INFO(file.name << ": " << written.at("id").text());
      CHECK(row.id == written.at("id").text());
      CHECK(row.name == written.at("name").text());
      CHECK(row.aliases() == written.value("aliases", Texts{}));
      CHECK(row.tuned() == written.value("tuned", Texts{}));
      CHECK(row.family == written.at("family").text());
      CHECK(test::parsed(io::config_of(row)) == written.at("config"));
      check_record(io::record_of(row), written);
      for (const io::JsonMember& member : written.items()) {
        INFO(member.key);
        CHECK(std::ranges::find(kMembers, member.key) != kMembers.end());
      }
    }
  CHECK(at == models.size());
}

TEST_CASE("devices are compiled in as their files say, and keep their sources apart") {
  const std::vector<io::DeviceRow>& devices = test::catalog().devices();
  std::size_t at = 0;
  for (const data::devices::File& file : data::devices::files())
    for (const io::DeviceRow& written : io::read_devices(io::dump(file_of(file.name))).rows) {
      REQUIRE(at < devices.size());
      const io::DeviceRow& row = devices[at++];
      INFO(written.hardware.id);
      CHECK(row.hardware.id == written.hardware.id);
      CHECK(row.hardware.name == written.hardware.name);
      CHECK(row.hardware.arch == written.hardware.arch);
      CHECK(row.hardware.usable_bytes == written.hardware.usable_bytes);
      CHECK(row.hardware.rates.flop == written.hardware.rates.flop);
      CHECK(row.hardware.rates.link == written.hardware.rates.link);
      CHECK(row.hardware.rates.host == written.hardware.rates.host);
      CHECK(row.aliases == written.aliases);
      CHECK(row.date == written.date);
      CHECK_FALSE(row.own);
      REQUIRE(written.own);
      const io::DeviceRecord& record = io::record_of(row);
      CHECK(&io::record_of(written) == &*written.own);
      CHECK(record.notes == written.own->notes);
      CHECK(record.sources == written.own->sources);
      CHECK(record.evidence == written.own->evidence);
    }
  CHECK(at == devices.size());
}

TEST_CASE("a profile by its id is the one of the list") {
  const io::Catalog& catalog = test::catalog();
  REQUIRE(catalog.profiles().size() > 30);
  for (const io::Catalog::ProfileRow& row : catalog.profiles()) {
    const std::optional<io::Catalog::ProfileRow> found = catalog.find_profile(row.id);
    INFO(row.id);
    REQUIRE(found);
    CHECK(found->id == row.id);
    CHECK(found->name == row.name);
    CHECK(found->called == row.called);
    CHECK(found->for_training == row.for_training);
    CHECK(found->for_inference == row.for_inference);
  }
  for (const char* const id : {"", "no-such-profile", "../weights/plain", "vllm.json"}) CHECK_FALSE(catalog.find_profile(id));
}
