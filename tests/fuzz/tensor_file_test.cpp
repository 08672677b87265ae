// GGUF and safetensors headers, damaged.
#include "llama_gguf.hpp"
#include "mutate.hpp"
#include "tensor_file_invariants.hpp"
#include "tensor_files.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <span>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::fuzz;
using namespace plimsoll::test;

namespace {

/// The bytes as a whole file, and as the beginning of a longer one.
std::string broken_both_ways(const std::string& file, std::size_t more) {
  const std::string whole = broken_by_tensor_file(file, file.size());
  return whole.empty() ? broken_by_tensor_file(file, file.size() + more) : whole;
}

constexpr int kTries = 2000; // a few seconds in a debug build with sanitizers

std::string small_safetensors() {
  SafetensorsWriter file;
  file.metadata("format", "pt")
      .tensor("model.embed_tokens.weight", "BF16", {16, 8}, 256)
      .tensor("model.norm.weight", "BF16", {8}, 16);
  for (const char* map : {"q", "k", "v", "o"})
    file.tensor(std::string{"model.layers.0.self_attn."} + map + "_proj.weight", "F8_E4M3", {8, 8}, 64)
        .tensor(std::string{"model.layers.0.self_attn."} + map + "_proj.weight_scale_inv", "F32", {1, 1}, 4);
  file.tensor("model.layers.0.mlp.experts.0.down_proj.qweight", "I32", {1, 8}, 32)
      .tensor("model.layers.0.mlp.experts.0.down_proj.scales", "F16", {1, 8}, 16);
  return file.header();
}

std::vector<std::string> good_files() {
  const std::string index =
      R"({"metadata":{"total_size":64},"weight_map":{"model.norm.weight":"model-00001-of-00002.safetensors"}})";
  return {llama_q4_k_m(2).header(), small_safetensors(), index};
}

/// The number in front of a safetensors header must fit it, or nothing behind it is read.
std::string with_right_length(std::string file) {
  if (file.size() > 8 && file[8] == '{') return SafetensorsWriter::with_length(file.substr(8));
  return file;
}

} // namespace

TEST_CASE("good weight files are read", "[fuzz]") {
  for (const std::string& file : good_files()) CHECK(broken_both_ways(file, 1000) == "");
}

TEST_CASE("a damaged weight file is read or refused", "[fuzz]") {
  const std::vector<std::string> files = good_files();
  Random random{31};
  for (int i = 0; i < kTries; ++i) {
    const std::string file = with_right_length(mutated(random.one_of(std::span<const std::string>{files}), random));
    CAPTURE(i);
    REQUIRE(broken_both_ways(file, 1 + random.below(2000)) == "");
  }
}

TEST_CASE("numbers of a GGUF header that lie are refused", "[fuzz]") {
  const std::string good = llama_q4_k_m(1).header();
  Random random{32};
  constexpr std::array<std::uint64_t, 8> kLies = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 1ull << 40, 1ull << 62, ~0ull >> 1, ~0ull};
  for (int i = 0; i < kTries; ++i) {
    std::string file = good;
    const std::size_t at = 4 + random.below(file.size() - 12);
    const std::uint64_t lie = random.one_of(std::span<const std::uint64_t>{kLies});
    const unsigned size = random.once_in(2) ? 4 : 8;
    for (unsigned j = 0; j < size; ++j) file[at + j] = static_cast<char>(lie >> (8 * j) & 0xFF);
    CAPTURE(i, at, lie);
    REQUIRE(broken_both_ways(file, 1 + random.below(2000)) == "");
  }
}

TEST_CASE("deep and wide weight files are refused quickly", "[fuzz]") {
  constexpr std::size_t kDeep = 100'000;
  for (const std::string& json :
       {std::string(kDeep, '['), R"({"t":{"shape":)" + std::string(kDeep, '['), R"({"t":)" + std::string(kDeep, '{')})
    CHECK(broken_by_tensor_file(SafetensorsWriter::with_length(json), json.size() + 8) == "");
  ByteWriter arrays;
  arrays.raw("GGUF").u32(3).u64(0).u64(1).text("k").u32(9);
  for (std::size_t i = 0; i < kDeep; ++i) arrays.u32(9).u64(1);
  CHECK(broken_by_tensor_file(arrays.bytes(), 2 * arrays.bytes().size()) == "");
}
