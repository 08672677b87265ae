// What libraries take beside a model's tensors, as people have read it (runtime.json, each with its source), against the profiles' constants.
#include "json.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

using namespace plimsoll;
using io::Json;

namespace {

/// Rows of "contexts" (driver context and loaded kernels outside the allocator) or "workspaces" (scratch memory of multiplications, inside it).
const Json& rows(const char* table) {
  static const Json kFile = test::parsed_file("tests/published/runtime.json");
  return kFile.at(table);
}

Bytes bytes_of(const Json& row) { return Bytes{row.at("bytes").get<std::int64_t>()}; }

} // namespace

TEST_CASE("every reading of a context has a source, a device and bytes") {
  std::set<std::string> ids;
  for (const Json& row : rows("contexts")) {
    INFO(row.at("id").text());
    CHECK(ids.insert(row.at("id").text()).second);
    CHECK(!row.at("device").text().empty());
    CHECK(!row.at("software").text().empty());
    CHECK(row.at("source").text().find("http") != std::string::npos);
    CHECK(bytes_of(row) > Bytes{64 << 20});
    CHECK(bytes_of(row) < Bytes{std::int64_t{4} << 30});
  }
  CHECK(ids.size() >= 10);
}

TEST_CASE("the range that profiles give for a context holds every reading of lazily loaded kernels") {
  const auto profile = test::catalog().profile("pytorch", "Ampere");
  REQUIRE(profile);
  const Constant& context = profile->runtime.context_bytes;
  for (const Json& row : rows("contexts")) {
    const std::string id = row.at("id").text();
    if (id != "a100-torch-2.1.1-lazy" && id != "rtx3090-torch-2.7.1" && id != "distributed-before-collective") continue;
    INFO(row.at("id").text());
    CHECK(bytes_of(row) >= Bytes{context.low});
    CHECK(bytes_of(row) <= Bytes{context.high});
  }
}

TEST_CASE("workspaces of Megatron-LM's tests with TransformerEngine") {
  const auto size = [](std::string_view id) {
    for (const Json& row : rows("workspaces"))
      if (row.at("id").text() == id) return bytes_of(row);
    return Bytes{-1};
  };
  const Bytes two_threads = Count{2} * size("cublas_4096_8");
  CHECK(two_threads + size("transformer_engine_9") == Bytes{100'664'320}); // H100
  CHECK(two_threads + size("transformer_engine") == Bytes{71'303'168});    // A100
}

TEST_CASE("every workspace has a source") {
  for (const Json& row : rows("workspaces")) CHECK(row.at("source").text().find("http") != std::string::npos);
}
