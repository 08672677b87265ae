// What llama.cpp leaves to the host. Its log of Meta-Llama-3-8B in Q4_K_M with all layers on the GPU says "CPU buffer size = 281.81 MiB":
// the token table, 128,256 x 4096 numbers in blocks of 256 that take 144 bytes (ggml-org/llama.cpp, src/llama-model.cpp, load_tensors).
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

io::Answer served(const std::string& more) {
  return test::answer_to("model=llama-3-8b&device=rtx4090&task=inference&profile=llama_cpp&weight_dtype=q4_k_m&context_tokens=8192" + more);
}

/// Bytes of the host's memory under that id.
std::int64_t on_host(const io::Answer& answer, const std::string& id) {
  for (const Component& fact : explain(answer.scenario, answer.estimate).facts)
    if (fact.id == "fact.host_memory")
      for (const Component& part : fact.parts)
        if (part.id == id || part.id.starts_with(id + ".")) return part.amount;
  return 0;
}

std::int64_t cache_on_gpu(const io::Answer& answer) {
  return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)].value;
}

} // namespace

TEST_CASE("The host keeps the token table that it looks up") {
  CHECK(on_host(served(""), "memory.weights.embedding") == 128'256 * 4096 / 256 * 144);
}

TEST_CASE("Layers that are not on the GPU are in the host's memory, with what they keep of sequences") {
  const io::Answer all = served(""), some = served("&gpu_layers=21"); // the head is one of them
  constexpr std::int64_t kLayer = 2 * 8 * 128 * 8192 * 2;
  CHECK(cache_on_gpu(all) == 32 * kLayer);
  CHECK(cache_on_gpu(some) == 20 * kLayer);
  CHECK(on_host(some, "memory.kv_cache") == 12 * kLayer);
  CHECK(on_host(all, "memory.kv_cache") == 0);
}

TEST_CASE("What the GPU does not hold, the host does") {
  const auto weights = [](const io::Answer& answer) { return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)]; };
  const io::Answer all = served("&weight_dtype=q8_0"), none = served("&weight_dtype=q8_0&gpu_layers=0");
  const Bytes moved = weights(all) - weights(none);
  const Bytes more = none.estimate.host - all.estimate.host;
  constexpr Bytes kCache{32LL * 2 * 8 * 128 * 8192 * 2};
  CHECK(more == moved + kCache);
}

TEST_CASE("A host with less memory does not hold them") {
  CHECK(served("&gpu_layers=10&host_bytes=2000000000").judgement.verdict == Verdict::host);
  CHECK(served("&gpu_layers=10&host_bytes=64000000000").judgement.holds());
}

// Of 8,030,261,248 parameters 266,240 are norms in fp32, the others in blocks of 32 that take 34 bytes: llama.cpp's log says "7.95 GiB (8.50 BPW)".
TEST_CASE("The system caches the whole model file, wherever its layers are") {
  const auto cached = [](const io::Answer& answer) {
    for (const Component& fact : explain(answer.scenario, answer.estimate).facts)
      if (fact.id == "fact.page_cache") return fact.amount;
    return std::int64_t{0};
  };
  const std::int64_t all = cached(served("&weight_dtype=q8_0")), none = cached(served("&weight_dtype=q8_0&gpu_layers=0"));
  CHECK(all == (8'030'261'248 - 266'240) / 32 * 34 + 4 * 266'240);
  CHECK(none == all);
}
