// GGUF headers: exact bytes of every type, and files that end or lie.
#include "llama_gguf.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "tensor_files.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::io;
using namespace plimsoll::test;

namespace {

ImportedTensors import(const GgufWriter& file) { return import_tensor_file(file.header(), file.file_size()); }

/// The first issue about a field; an empty one when there is none.
Issue issue_about(const Issues& issues, std::string_view field) {
  const auto at = std::ranges::find(issues, field, &Issue::field);
  return at == issues.end() ? Issue{Severity::note, "", "", ""} : *at;
}

} // namespace

TEST_CASE("every ggml type has its exact bytes", "[tensor_file]") {
  struct Row {
    std::uint32_t type;
    const char* name;
    std::int64_t block_elements, block_bytes;
  };
  // ggml, src/ggml-common.h: the static asserts on the sizes of its blocks
  const std::vector<Row> rows = {
      {0, "F32", 1, 4},         {1, "F16", 1, 2},         {30, "BF16", 1, 2},      {2, "Q4_0", 32, 18},
      {3, "Q4_1", 32, 20},      {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},     {8, "Q8_0", 32, 34},
      {9, "Q8_1", 32, 36},      {10, "Q2_K", 256, 84},    {11, "Q3_K", 256, 110},  {12, "Q4_K", 256, 144},
      {13, "Q5_K", 256, 176},   {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},  {19, "IQ1_S", 256, 50},
      {29, "IQ1_M", 256, 56},   {16, "IQ2_XXS", 256, 66}, {17, "IQ2_XS", 256, 74}, {22, "IQ2_S", 256, 82},
      {18, "IQ3_XXS", 256, 98}, {21, "IQ3_S", 256, 110},  {20, "IQ4_NL", 32, 18},  {23, "IQ4_XS", 256, 136},
      {34, "TQ1_0", 256, 54},   {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},   {40, "NVFP4", 64, 36},
      {41, "Q1_0", 128, 18},    {42, "Q2_0", 64, 18},     {24, "I8", 1, 1},        {25, "I16", 1, 2},
      {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const std::int64_t bytes = 3 * 512 / row.block_elements * row.block_bytes;
    GgufWriter file;
    file.tensor("t.weight", row.type, {3, 512}, static_cast<std::uint64_t>(bytes));
    const TensorFile read = read_tensor_file(file.header(), file.file_size());
    REQUIRE(read.complete);
    REQUIRE(read.tensors.size() == 1);
    CHECK(read.tensors[0].dtype == row.name);
    CHECK(read.tensors[0].shape == std::vector<std::int64_t>{3, 512});
    CHECK(read.tensors[0].bytes == Bytes{bytes});
    CHECK_FALSE(has_errors(read.issues));
    CHECK(read.header_bytes == static_cast<std::int64_t>(file.header().size()));
  }
}

TEST_CASE("types of ik_llama.cpp have the bytes that it prints, with a note that says who reads them", "[tensor_file]") {
  struct Row {
    std::uint32_t type;
    const char* name;
    std::vector<std::uint64_t> shape;
    double mebibytes;
  };
  // Logs of llama-quantize for models shaped like DeepSeek-V3, in issue 383 and pull request 299 of ik_llama.cpp: "converting to iq4_ks .. size = … MiB"
  const std::vector<Row> rows = {{144, "IQ4_KS", {256, 7168, 2048}, 1911.00},
                                 {144, "IQ4_KS", {256, 2048, 7168}, 1906.00},
                                 {339, "IQ4_K_R4", {129280, 7168}, 497.11}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    GgufWriter file;
    file.tensor("t.weight", row.type, row.shape, static_cast<std::uint64_t>(row.mebibytes * 1048576));
    const TensorFile read = read_tensor_file(file.header(), file.file_size());
    REQUIRE(read.tensors.size() == 1);
    CHECK(read.tensors[0].dtype == row.name);
    CHECK(static_cast<double>(read.tensors[0].bytes.value) / 1048576 == Catch::Approx(row.mebibytes).margin(0.005));
    CHECK(std::ranges::any_of(read.issues, [](const Issue& issue) { return issue.remedy.find("ik_llama_cpp") != std::string::npos; }));
  }
}

TEST_CASE("rows of ik_llama.cpp's types have their own scale", "[tensor_file]") {
  // ik_llama.cpp, ggml/src/ggml-common.h: the static asserts on its blocks; ggml/src/ggml.c: row_meta_size
  const std::vector<std::pair<std::uint32_t, std::int64_t>> rows = {
      {137, 2 * 76}, {141, 2 * 212}, {145, 2 * 70 + 2}, {146, 2 * 128 + 4}, {152, 2 * 168 + 4}, {155, 2 * 128 + 4},
      {156, 2 * 102 + 2}, {157, 2 * 86 + 2}, {158, 2 * 56 + 4}, {133, 16 * 26}, {134, 8 * 13 + 2}, {219, 16 * 6 + 2},
      {223, 2 * 136}, {230, 2 * 512}, {352, 2 * 168 + 4}, {353, 16 * 17}};
  for (const auto& [type, bytes] : rows) {
    CAPTURE(type);
    GgufWriter file;
    file.tensor("t.weight", type, {3, 512}, static_cast<std::uint64_t>(3 * bytes));
    const TensorFile read = read_tensor_file(file.header(), file.file_size());
    REQUIRE(read.tensors.size() == 1);
    CHECK(read.tensors[0].bytes == Bytes{3 * bytes});
    CHECK_FALSE(has_errors(read.issues));
  }
}

TEST_CASE("types that llama.cpp no longer reads are refused with what to do", "[tensor_file]") {
  for (const std::uint32_t type : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 43u, 142u, 399u}) {
    CAPTURE(type);
    GgufWriter file;
    file.tensor("t.weight", type, {2, 256}, 288);
    const Issue issue = issue_about(read_tensor_file(file.header(), file.file_size()).issues, "t.weight.type");
    CHECK(issue.severity == Severity::error);
    CHECK_FALSE(issue.remedy.empty());
  }
}

TEST_CASE("Llama 3.1 8B in Q4_K_M has the bytes that llama.cpp publishes", "[tensor_file]") {
  // llama.cpp, tools/quantize/README.md: 4.8944 bits per weight, of 8,030,261,248 and 64 factors of the rotary positions
  const ImportedTensors imported = import(llama_q4_k_m(32, true));
  REQUIRE(imported.issues.empty());
  CHECK(imported.architecture == "llama");
  CHECK(imported.file_type == "Q4_K_M");
  CHECK(imported.parameters.value == 8'030'261'312);
  CHECK(imported.active_parameters == imported.parameters);
  CHECK(imported.file.bytes.value == 4'912'898'304);
  CHECK(imported.file.tensors.size() == 32 * 9 + 4);
  REQUIRE(imported.file.by_dtype.size() == 3);
  CHECK(imported.file.by_dtype[0].dtype == "Q4_K");
  CHECK(imported.file.by_dtype[2].dtype == "F32");
  CHECK(imported.file.by_dtype[2].tensors == Count{66});
}

TEST_CASE("at every length, a GGUF header asks for more or is read whole", "[tensor_file]") {
  const GgufWriter file = llama_q4_k_m(2);
  const std::string header = file.header();
  const std::string_view bytes = header;
  const TensorFile whole = read_tensor_file(bytes, file.file_size());
  REQUIRE(whole.complete);
  std::size_t first_whole = header.size();
  for (std::size_t length = 0; length <= header.size(); ++length) {
    CAPTURE(length);
    const TensorFile read = read_tensor_file(bytes.substr(0, length), file.file_size());
    REQUIRE(read.complete != read.need_more);
    REQUIRE_FALSE(has_errors(read.issues));
    if (read.complete) first_whole = std::min(first_whole, length);
    if (read.complete) REQUIRE(read.bytes == whole.bytes);
    else REQUIRE(read.tensors.empty());
    const HeaderNeed need = header_bytes_needed(bytes.substr(0, length), file.file_size());
    if (length >= 9) REQUIRE(need.enough == read.complete);
    if (!need.enough) REQUIRE(need.bytes > length);
    // The same bytes as a whole file are a broken file.
    const TensorFile cut = read_tensor_file(bytes.substr(0, length), length);
    REQUIRE_FALSE(cut.need_more);
    REQUIRE(has_errors(cut.issues) != cut.complete);
  }
  CHECK(first_whole + 32 > header.size()); // padding alone may be missing
  CHECK(issue_about(read_tensor_file(bytes, bytes.size()).issues, "").severity == Severity::warning); // no weights in it
}

TEST_CASE("a browser reads no more than three times the header", "[tensor_file]") {
  GgufWriter file = llama_q4_k_m();
  file.texts("tokenizer.ggml.merges", std::vector<std::string>(30'000, "a pair"));
  const std::string header = file.header();
  std::uint64_t have = 0, read = 0, calls = 0;
  for (HeaderNeed need = header_bytes_needed({}, file.file_size()); !need.enough; ++calls) {
    have = std::min<std::uint64_t>(need.bytes, header.size() + 4096);
    read += have;
    std::string bytes = header;
    bytes.resize(static_cast<std::size_t>(have));
    need = header_bytes_needed(bytes, file.file_size());
  }
  CHECK(calls < 6);
  CHECK(read < 4 * header.size());
}

TEST_CASE("every kind of damage to a GGUF header names a field and a remedy", "[tensor_file]") {
  struct Damage {
    const char* field;
    std::string bytes;
  };
  const auto head = [](std::uint32_t version, std::uint64_t tensors, std::uint64_t entries) {
    return ByteWriter{}.raw("GGUF").u32(version).u64(tensors).u64(entries);
  };
  const auto tensor = [&](const char* name, std::uint32_t dimensions, std::uint64_t size, std::uint32_t type,
                          std::uint64_t offset) {
    ByteWriter writer = head(3, 1, 0);
    writer.text(name).u32(dimensions);
    for (std::uint32_t i = 0; i < dimensions && i < 4; ++i) writer.u64(size);
    return writer.u32(type).u64(offset).raw(std::string(64, '\0')).bytes();
  };
  const std::vector<Damage> damages = {
      {"version", head(1, 0, 0).bytes()},
      {"version", head(0x03000000, 0, 0).bytes()},
      {"version", head(7, 0, 0).bytes()},
      {"tensor_count", head(3, ~0ull, 0).bytes()},
      {"metadata_kv_count", head(3, 0, 1ull << 60).bytes()},
      {"metadata key", head(3, 0, 1).u64(~0ull).raw(std::string(64, 'x')).bytes()},
      {"a.b", head(3, 0, 1).text("a.b").u32(99).u64(0).bytes()},
      {"a.b", head(3, 0, 1).text("a.b").u32(8).u64(1ull << 62).bytes()},
      {"a.b", head(3, 0, 1).text("a.b").u32(9).u32(4).u64(1ull << 61).bytes()},
      {"a.b", head(3, 0, 1).text("a.b").u32(9).u32(77).u64(1).u64(0).bytes()},
      {"a.b", head(3, 0, 1)
                  .text("a.b")
                  .u32(9)
                  .u32(9)
                  .u64(1)
                  .u32(9)
                  .u64(1)
                  .u32(9)
                  .u64(1)
                  .u32(9)
                  .u64(1)
                  .u32(9)
                  .u64(1)
                  .u32(4)
                  .u64(0)
                  .bytes()},
      {"general.alignment", head(3, 0, 1).text("general.alignment").u32(4).u32(33).bytes()},
      {"general.alignment", head(3, 0, 1).text("general.alignment").u32(4).u32(0).bytes()},
      {"k", head(3, 0, 2).text("k").u32(0).number(1, 1).text("k").u32(0).number(2, 1).bytes()},
      {"t.n_dimensions", tensor("t", 5, 1, 0, 0)},
      {"t.shape", tensor("t", 1, 33, 2, 0)},         // Q4_0: blocks of 32
      {"t.shape", tensor("t", 4, 1ull << 40, 0, 0)}, // 2^160 numbers
      {"t.shape", tensor("t", 1, ~0ull, 0, 0)},
      {"t.offset", tensor("t", 1, 4, 0, 7)},
      {"t.offset", tensor("t", 1, 4, 0, ~0ull)},
      {"tensor name", tensor("", 1, 4, 0, 0)},
      {"", std::string("GGUF")},
      {"", head(3, 0, 1).text("a.b").u32(4).bytes()},
  };
  for (const Damage& damage : damages) {
    CAPTURE(damage.field, damage.bytes);
    const TensorFile read = read_tensor_file(damage.bytes, damage.bytes.size());
    const Issue issue = issue_about(read.issues, damage.field);
    CHECK(issue.severity == Severity::error);
    CHECK_FALSE(issue.message.empty());
    CHECK_FALSE(issue.remedy.empty());
  }
}

TEST_CASE("tensors that share a name or a place are refused", "[tensor_file]") {
  GgufWriter twice;
  twice.tensor("t", 0, {8}, 32).tensor("t", 0, {8}, 32);
  CHECK(issue_about(read_tensor_file(twice.header(), twice.file_size()).issues, "t").severity == Severity::error);
  GgufWriter overlapping;
  overlapping.tensor("a", 0, {16}, 32).tensor("b", 0, {8}, 32); // "a" really takes 64 bytes
  CHECK(issue_about(read_tensor_file(overlapping.header(), overlapping.file_size()).issues, "b.offset").severity ==
        Severity::error);
}
