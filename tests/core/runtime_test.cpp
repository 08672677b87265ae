#include "plimsoll/evidence/runtime.hpp"

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

using namespace plimsoll;

TEST_CASE("every reading of a context has a source, a device and bytes") {
  std::set<std::string> ids;
  for (const io::ContextReading& row : io::context_readings()) {
    INFO(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK(!row.device.empty());
    CHECK(!row.software.empty());
    CHECK(test::catalog().find_citation(row.citation) != nullptr);
    CHECK(row.bytes > Bytes{64 << 20});
    CHECK(row.bytes < Bytes{std::int64_t{4} << 30});
  }
  CHECK(ids.size() >= 10);
}

TEST_CASE("the range that profiles give for a context holds every reading of lazily loaded kernels") {
  const auto profile = test::catalog().profile("pytorch", "Ampere");
  REQUIRE(profile);
  const Constant& context = profile->runtime.context_bytes;
  for (const io::ContextReading& row : io::context_readings()) {
    if (row.id != "a100-torch-2.1.1-lazy" && row.id != "rtx3090-torch-2.7.1" && row.id != "distributed-before-collective") continue;
    INFO(row.id);
    CHECK(row.bytes >= Bytes{context.low});
    CHECK(row.bytes <= Bytes{context.high});
  }
}

TEST_CASE("workspaces of Megatron-LM's tests with TransformerEngine") {
  const auto size = [](std::string_view id) {
    for (const io::WorkspaceSize& row : io::workspace_sizes())
      if (row.id == id) return row.bytes;
    return Bytes{-1};
  };
  const Bytes two_threads = Count{2} * size("cublas_4096_8");
  CHECK(two_threads + size("transformer_engine_9") == Bytes{100'664'320}); // H100
  CHECK(two_threads + size("transformer_engine") == Bytes{71'303'168});    // A100
}

TEST_CASE("every workspace has a source") {
  for (const io::WorkspaceSize& row : io::workspace_sizes()) CHECK(test::catalog().find_citation(row.citation) != nullptr);
}
