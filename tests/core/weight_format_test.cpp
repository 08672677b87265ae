// The layouts of single matrices, in bytes: from the engines' block structures and from the figures of the QLoRA paper.
#include "plimsoll/catalog/weights.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

WeightFormat format(std::vector<StoredPart> parts) {
  WeightFormat format;
  format.parts = std::move(parts);
  return format;
}

std::int64_t bytes(const WeightFormat& format, std::int64_t rows, std::int64_t columns) {
  return stored_bytes(format, Count{rows}, Count{columns}).value;
}

/// The layout that the scheme gives to what no rule takes.
WeightFormat of(std::string_view id) {
  static const io::WeightCatalog catalog = io::WeightCatalog::load();
  const auto scheme = catalog.find(id);
  REQUIRE(scheme);
  return scheme->formats.front();
}

} // namespace

TEST_CASE("blocks run along rows, and the last of a row is whole") {
  const WeightFormat blocks = format({{.columns = Count{32}, .bytes = Bytes{18}}});
  CHECK(bytes(blocks, 1, 32) == 18);
  CHECK(bytes(blocks, 1, 33) == 36);
  CHECK(bytes(blocks, 3, 33) == 108);
}

TEST_CASE("flat blocks run over the end of a row") {
  const WeightFormat flat = format({{.columns = Count{64}, .bytes = Bytes{4}, .flat = true}});
  CHECK(bytes(flat, 3, 33) == 8); // 99 numbers, two blocks
}

TEST_CASE("a part may stand for a row, a column, a tile or the matrix") {
  CHECK(bytes(format({{.columns = Count{0}, .bytes = Bytes{4}}}), 5, 7) == 20);
  CHECK(bytes(format({{.rows = Count{0}, .bytes = Bytes{4}}}), 5, 7) == 28);
  CHECK(bytes(format({{.rows = Count{0}, .columns = Count{0}, .bytes = Bytes{4}}}), 5, 7) == 4);
  CHECK(bytes(format({{.rows = Count{128}, .columns = Count{128}, .bytes = Bytes{4}}}), 129, 256) == 16);
}

TEST_CASE("columns can be padded") {
  WeightFormat padded = format({{.columns = Count{2}, .bytes = Bytes{1}}});
  padded.pad_columns = Count{1024};
  CHECK(bytes(padded, 10, 11008) == 10 * 11264 / 2);
  CHECK(bytes(padded, 10, 1024) == 10 * 1024 / 2);
}

TEST_CASE("a matrix without numbers takes no bytes, and one beyond 64 bits saturates") {
  const WeightFormat plain = format({{.bytes = Bytes{2}}, {.rows = Count{0}, .columns = Count{0}, .bytes = Bytes{4}}});
  CHECK(bytes(plain, 0, 4096) == 0);
  CHECK(bytes(plain, 4096, 0) == 0);
  CHECK(bytes(plain, -1, 4096) == 0);
  CHECK(stored_bytes(plain, Count{Count::kMax}, Count{Count::kMax}).saturated());
}

TEST_CASE("NF4 of bitsandbytes") { // arXiv 2305.14314, section 3: 4.5 bits, and 4.127 with double quantisation
  constexpr std::int64_t n = 4096 * 4096;
  CHECK(bytes(of("nf4"), 4096, 4096) == n / 2 + 4 * (n / 64) + 64);
  CHECK(bytes(of("nf4_double_quant"), 4096, 4096) == n / 2 + n / 64 + 4 * (n / 16384) + 64 + 1024 + 4);
  CHECK(bytes(of("nf4"), 3, 33) == 50 + 8 + 64); // 99 numbers: ceil(99/2), two blocks
  CHECK(bytes(of("fp4"), 4096, 4096) == bytes(of("nf4"), 4096, 4096));
  CHECK(bytes(of("int8_bnb"), 4096, 11008) == 4096 * 11008 + 4 * 4096);
}

TEST_CASE("block formats of ggml, bytes per 256 numbers") {
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  struct Expected {
    std::string_view scheme;
    std::int64_t bytes;
  };
  for (const auto& [scheme, expected] : std::initializer_list<Expected>{
           {"q4_0", 144}, {"q4_1", 160}, {"q5_0", 176}, {"q5_1", 192}, {"q8_0", 272}, {"q2_k", 84}, {"q3_k_s", 110}, {"q4_k_s", 144},
           {"q5_k_s", 176}, {"q6_k", 210}, {"iq1_s", 50}, {"iq1_m", 56}, {"iq2_xxs", 66}, {"iq2_xs", 74}, {"iq2_s", 74}, {"iq2_m", 82},
           {"iq3_xxs", 98}, {"iq3_s", 110}, {"iq4_nl", 144}, {"iq4_xs", 136}, {"tq1_0", 54}, {"tq2_0", 66}, {"gguf_f16", 512}}) {
    INFO(scheme);
    CHECK(bytes(of(scheme), 1, 256) == expected);
  }
}

TEST_CASE("formats of other engines, bits per weight on 4096 × 4096") {
  constexpr std::int64_t n = 4096 * 4096;
  CHECK(bytes(of("gptq_4bit_g128"), 4096, 4096) == n / 8 * 4 + n / 8 * 20 / 128 + 4 * 4096); // 4 + 20/128 bits and a group per column
  CHECK(bytes(of("gptq_3bit_g64"), 4096, 4096) == n / 8 * 3 + n / 8 * 19 / 64 + 4 * 4096);
  CHECK(bytes(of("gptq_8bit_channel"), 4096, 4096) == n + 2 * 4096 + 4096 + 4 * 4096);
  CHECK(bytes(of("awq_4bit_g128"), 4096, 4096) == n / 8 * 4 + n / 8 * 20 / 128);
  CHECK(bytes(of("w4a16_g128"), 4096, 4096) == n / 8 * 4 + n / 8 * 16 / 128 + 8);
  CHECK(bytes(of("w3a16_g128"), 10, 100) == 10 * 10 * 4 + 10 * 2 + 8); // ten 3-bit numbers in a word: 3.2 bits each
  CHECK(bytes(of("fp8_tensor"), 4096, 4096) == n + 4);
  CHECK(bytes(of("fp8_channel"), 4096, 11008) == 4096 * 11008 + 4 * 4096);
  CHECK(bytes(of("fp8_block"), 4096, 4096) == n + n / 16384 * 4);
  CHECK(bytes(of("mxfp8"), 4096, 4096) == n / 32 * 33);
  CHECK(bytes(of("mxfp4_linear"), 4096, 4096) == n / 32 * 17);
  CHECK(bytes(of("nvfp4"), 4096, 4096) == n / 16 * 9 + 4);
  CHECK(bytes(of("hqq_4bit_g64"), 4096, 4096) == n / 8 * 4 + n / 64 * 4);
  CHECK(bytes(of("hqq_3bit_g64"), 10, 100) == 100 * 4 + 16 * 4);
  CHECK(bytes(of("aqlm_1x16"), 4096, 4096) == n / 8 * 2 + 65536 * 8 * 2 + 2 * 4096);
  CHECK(bytes(of("aqlm_2x8"), 4096, 4096) == n / 8 * 2 + 2 * 256 * 8 * 2 + 2 * 4096);
  CHECK(bytes(of("exl2_4.0bpw"), 4096, 4096) == (n + 799) / 800 * 400);
  CHECK(bytes(of("exl3_4.0bpw"), 4096, 4096) == (n + 799) / 800 * 400 + 2 * (4096 + 4096));
  CHECK(bytes(of("mlx_4bit_g64"), 4096, 4096) == n / 16 * 9);
  CHECK(bytes(of("mlx_3bit_g64"), 4096, 4096) == n / 16 * 7);
  CHECK(bytes(of("int4wo_64"), 4096, 4096) == n / 16 * 9);
  CHECK(bytes(of("int8_weight_only"), 4096, 4096) == n + 2 * 4096);
  CHECK(bytes(of("int4_weight_only"), 4096, 4096) == n / 2 + 2 * 4096);
  CHECK(bytes(of("quanto_int4"), 4096, 4096) == n / 2 + n / 128 * 4);
}
