// JSON that the build has read is what its files say, member by member and number by number.
#include "text/compiled_value.hpp"

#include "json.hpp"
#include "text/compiled_value_write.hpp"

#include "embedded/citations.hpp"
#include "embedded/devices.hpp"
#include "embedded/kernels.hpp"
#include "embedded/profiles.hpp"
#include "embedded/records.hpp"
#include "embedded/weights.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace plimsoll;
using io::Json;

namespace {

Json again(const Json& value) {
  std::string bytes;
  io::write_compiled(value, bytes);
  return io::read_compiled(bytes);
}

Json file_of(std::string_view name) { return test::parsed_file("core/catalog/data/" + std::string{name}); }

/// Equal but for the order of members, which CMake changes where it leaves some out.
bool alike(const Json& one, const Json& other) {
  if (one.is_array() || one.is_object()) {
    if (one.kind() != other.kind() || one.size() != other.size()) return false;
    for (std::size_t i = 0; one.is_array() && i < one.size(); ++i)
      if (!alike(one[i], other[i])) return false;
    return std::ranges::all_of(one.items(), [&](const io::JsonMember& member) { return other.contains(member.key) && alike(member.value, other.at(member.key)); });
  }
  return one == other;
}

/// Of a list of objects some members only: those that are there are the file's.
void check_members(const Json& rows, const Json& written) {
  REQUIRE(rows.size() == written.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [key, value] : rows[i].items()) {
      INFO(written[i].at("id").text() << ": " << key);
      CHECK(alike(value, written[i].at(key)));
    }
}

} // namespace

TEST_CASE("values are compiled in and read again as they were") {
  const double numbers[] = {0.0, -0.5, 83.8, 0.9585, 1e-22, 1.0 / 3, 1e300, 5e-324, 123456789012345.0, 0.1234567890123456, std::numeric_limits<double>::max()};
  for (const double number : numbers) {
    INFO(number);
    const Json read = again(Json(number));
    CHECK(read.is_number_float());
    CHECK(read.get<double>() == number);
  }
  const Json value = test::parsed(R"({"a": [], "b": {}, "c": null, "d": [true, false, -9223372036854775808, 18446744073709551615, 0, ""], "e": {"with \"quotes\"": "and ; = ] } \\ signs"}})");
  CHECK(again(value) == value);
  CHECK(again(value).at("d")[2].kind() == Json::Kind::integer);
  CHECK(again(value).at("d")[3].is_number_unsigned());
  std::string bytes;
  CHECK_THROWS_AS(io::write_compiled(Json("two\nlines"), bytes), std::runtime_error);
  CHECK_THROWS_AS(io::write_compiled(Json{{"a=b", 1}}, bytes), std::runtime_error);
}

TEST_CASE("what is compiled in is what the files say") {
  for (const auto& file : data::profiles::files()) {
    INFO(file.name);
    CHECK(io::read_compiled(file.bytes()) == file_of(file.name));
  }
  const auto check_whole = [](const auto& files) {
    for (const auto& file : files) {
      INFO(file.name);
      CHECK(io::read_compiled(file.bytes) == file_of(file.name));
    }
  };
  check_whole(data::weights::files());
  check_whole(data::kernels::files());
  check_whole(data::citations::files());
  const auto check_some = [](const auto& files) {
    for (const auto& file : files) {
      INFO(file.name);
      check_members(io::read_compiled(file.bytes), file_of(file.name));
    }
  };
  check_some(data::devices::files());
  check_some(data::records::files());
}
