// safetensors headers and their index: exact bytes, damage, and what quantised checkpoints stand for.
#include "plimsoll/files/tensor_file.hpp"
#include "tensor_files.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>

using namespace plimsoll;
using namespace plimsoll::io;
using namespace plimsoll::test;

namespace {

constexpr std::int64_t kHidden = 256, kKey = 64, kMlp = 512, kVocab = 1000;

ImportedTensors import(const SafetensorsWriter& file) { return import_tensor_file(file.header(), file.file_size()); }
TensorFile read_json(std::string_view json, std::uint64_t data = 0) {
  const std::string bytes = SafetensorsWriter::with_length(json);
  return read_tensor_file(bytes, bytes.size() + data);
}

Issue issue_about(const Issues& issues, std::string_view field) {
  const auto at = std::ranges::find(issues, field, &Issue::field);
  return at == issues.end() ? Issue{Severity::note, "", "", ""} : *at;
}

void add_outside(SafetensorsWriter& file) {
  file.tensor("model.embed_tokens.weight", "BF16", {kVocab, kHidden}, kVocab * kHidden * 2);
  file.tensor("model.norm.weight", "BF16", {kHidden}, kHidden * 2);
}

struct Map {
  const char* name;
  std::int64_t rows, columns;
};
constexpr std::array<Map, 7> kMaps = {{{"self_attn.q_proj", kHidden, kHidden}, {"self_attn.k_proj", kKey, kHidden},
                                       {"self_attn.v_proj", kKey, kHidden},     {"self_attn.o_proj", kHidden, kHidden},
                                       {"mlp.gate_proj", kMlp, kHidden},        {"mlp.up_proj", kMlp, kHidden},
                                       {"mlp.down_proj", kHidden, kMlp}}};
constexpr std::int64_t kOutside = kVocab * kHidden + kHidden;
constexpr std::int64_t kLayer = 2 * kHidden * kHidden + 2 * kKey * kHidden + 3 * kMlp * kHidden;

/// A model of two layers whose maps `add` stores.
template <class Add> ImportedTensors quantised(Add&& add) {
  SafetensorsWriter file;
  add_outside(file);
  for (int i = 0; i < 2; ++i)
    for (const Map& map : kMaps) add(file, "model.layers." + std::to_string(i) + '.' + map.name, map.rows, map.columns);
  return import(file);
}

/// All of it as the weights describe it.
std::int64_t stored(const ImportedTensors& imported) {
  Bytes bytes{0};
  for (const StoredTensor& part : imported.weights->tensors) bytes += stored_bytes(*imported.weights, part);
  return bytes.value;
}

void check_quantised(const ImportedTensors& imported, const char* scheme) {
  INFO(scheme);
  CHECK(imported.file_type == scheme);
  CHECK(imported.parameters.value == kOutside + 2 * kLayer);
  REQUIRE(imported.model);
  REQUIRE(imported.weights);
  CHECK(stored(imported) == imported.file.bytes.value);
  CHECK(imported.model->groups.at(0).mlp.intermediate_size == Count{kMlp});
}

} // namespace

TEST_CASE("every safetensors dtype has its bytes", "[tensor_file]") {
  struct Row {
    const char* dtype;
    std::int64_t bits;
  };
  // https://github.com/huggingface/safetensors, safetensors/src/tensor.rs
  const std::vector<Row> rows = {{"BOOL", 8},    {"U8", 8},   {"I8", 8},      {"F8_E5M2", 8}, {"F8_E4M3", 8},
                                 {"F8_E8M0", 8}, {"I16", 16}, {"U16", 16},    {"F16", 16},    {"BF16", 16},
                                 {"I32", 32},    {"U32", 32}, {"F32", 32},    {"F64", 64},    {"I64", 64},
                                 {"U64", 64},    {"F4", 4},   {"F6_E2M3", 6}, {"F6_E3M2", 6}};
  for (const Row& row : rows) {
    CAPTURE(row.dtype);
    SafetensorsWriter file;
    file.tensor("t", row.dtype, {3, 8}, 3 * row.bits);
    const TensorFile read = read_tensor_file(file.header(), file.file_size());
    CHECK(read.complete);
    CHECK(read.issues.empty());
    CHECK(read.bytes == Bytes{3 * row.bits});
    CHECK(read.elements == Count{24});
    SafetensorsWriter wrong;
    wrong.tensor("t", row.dtype, {3, 8}, 3 * row.bits + 1);
    CHECK(issue_about(read_tensor_file(wrong.header(), wrong.file_size()).issues, "t.data_offsets").severity == Severity::error);
  }
}

TEST_CASE("at every length, a safetensors header asks for exactly what it needs", "[tensor_file]") {
  SafetensorsWriter file;
  file.metadata("format", "pt").tensor("a.weight", "F32", {2, 3}, 24).tensor("b", "BF16", {}, 2);
  const std::string header = file.header();
  const std::string_view bytes = header;
  for (std::size_t length = 0; length <= header.size(); ++length) {
    CAPTURE(length);
    const TensorFile read = read_tensor_file(bytes.substr(0, length), file.file_size());
    CHECK(read.complete == (length == header.size()));
    CHECK(read.need_more == (length < header.size()));
    CHECK_FALSE(has_errors(read.issues));
    const HeaderNeed need = header_bytes_needed(bytes.substr(0, length), file.file_size());
    CHECK(need.enough == (length == header.size()));
    if (length >= 9) CHECK(need.bytes == header.size());
    const TensorFile cut = read_tensor_file(bytes.substr(0, length), length);
    CHECK(has_errors(cut.issues) == (length < header.size()));
  }
  CHECK(read_tensor_file(bytes, file.file_size()).metadata.at(0).text == "pt");
}

TEST_CASE("every kind of damage to a safetensors header names a field and a remedy", "[tensor_file]") {
  struct Damage {
    const char* field;
    const char* json;
  };
  const std::vector<Damage> damages = {
      {"", R"({"t":)"},
      {"", R"({"t":{"dtype":"F32","shape":[1e999],"data_offsets":[0,4]}})"},
      {"", "{\"t\":\"\xff\"}"},
      {"t", R"({"t":1})"},
      {"t", R"({"t":[1]})"},
      {"t.dtype", R"({"t":{"shape":[1],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","data_offsets":[0,4]}})"},
      {"t.data_offsets", R"({"t":{"dtype":"F32","shape":[1]}})"},
      {"t.dtype", R"({"t":{"dtype":"F7","shape":[1],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})"},
      {"t.shape", R"({"t":{"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,4]}})"},
      {"t.data_offsets", R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0]}})"},
      {"t.data_offsets", R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})"},
      {"t.data_offsets", R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})"},
      {"t.data_offsets", R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})"},
      {"t", R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"},
      {"u.offset",
       R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"u":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"},
  };
  for (const Damage& damage : damages) {
    CAPTURE(damage.json);
    const TensorFile read = read_json(damage.json, 8);
    const Issue issue = issue_about(read.issues, damage.field);
    CHECK(issue.severity == Severity::error);
    CHECK_FALSE(issue.message.empty());
    CHECK_FALSE(issue.remedy.empty());
  }
}

TEST_CASE("bytes that no tensor has, and bytes that are missing, are warnings", "[tensor_file]") {
  const char* json = R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
  CHECK(issue_about(read_json(json, 8).issues, "").severity == Severity::warning);
  CHECK(issue_about(read_json(json, 7).issues, "").severity == Severity::warning);
  CHECK(read_json(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4).issues.empty());
}

TEST_CASE("a hundred thousand tensors are read", "[tensor_file]") {
  SafetensorsWriter file;
  for (int i = 0; i < 100'000; ++i)
    file.tensor("model.layers." + std::to_string(i % 60) + ".mlp.experts." + std::to_string(i / 60) + ".up_proj.weight", "BF16",
                {2, 2}, 8);
  const ImportedTensors imported = import(file);
  CHECK(imported.file.tensors.size() == 100'000);
  CHECK(imported.parameters == Count{400'000});
  CHECK(imported.groups.size() <= 2);
}

TEST_CASE("a plain checkpoint gives a model whose KV width is exact", "[tensor_file]") {
  const ImportedTensors imported =
      quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t rows, std::int64_t columns) {
        file.tensor(name + ".weight", "BF16", {rows, columns}, rows * columns * 2);
      });
  check_quantised(imported, "");
  const Attention& attention = imported.model->groups.at(0).attention;
  CHECK(attention.kv_heads * attention.head_dim == Count{kKey});
  CHECK(attention.query_heads * attention.head_dim == Count{kHidden});
  CHECK(imported.issues.size() == 1); // that heads are unknown
  CHECK(imported.model->tied_embeddings);
  CHECK(imported.active_parameters == imported.parameters);
}

TEST_CASE("norms of queries and keys tell the heads", "[tensor_file]") {
  SafetensorsWriter file;
  add_outside(file);
  for (const Map& map : kMaps)
    file.tensor(std::string{"model.layers.0."} + map.name + ".weight", "F16", {map.rows, map.columns},
                map.rows * map.columns * 2);
  file.tensor("model.layers.0.self_attn.q_norm.weight", "F16", {32}, 64)
      .tensor("model.layers.0.self_attn.k_norm.weight", "F16", {32}, 64);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const Attention& attention = imported.model->groups.at(0).attention;
  CHECK(attention.head_dim == Count{32});
  CHECK(attention.query_heads == Count{8});
  CHECK(attention.kv_heads == Count{2});
  CHECK(attention.qk_norm == QkNorm::per_head);
  CHECK(imported.issues.empty());
}

TEST_CASE("GPTQ is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(
      quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
        file.tensor(name + ".qweight", "I32", {in / 8, out}, in / 8 * out * 4)
            .tensor(name + ".qzeros", "I32", {in / 64, out / 8}, in / 64 * out / 8 * 4);
        file.tensor(name + ".scales", "F16", {in / 64, out}, in / 64 * out * 2).tensor(name + ".g_idx", "I32", {in}, in * 4);
      }),
      "GPTQ");
}

TEST_CASE("AWQ is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".qweight", "I32", {in, out / 8}, in * out / 8 * 4)
                        .tensor(name + ".qzeros", "I32", {in / 64, out / 8}, in / 64 * out / 8 * 4);
                    file.tensor(name + ".scales", "F16", {in / 64, out}, in / 64 * out * 2);
                  }),
                  "AWQ");
}

TEST_CASE("compressed-tensors is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".weight_packed", "I32", {out, in / 8}, out * in / 2)
                        .tensor(name + ".weight_scale", "BF16", {out, in / 128}, out * in / 64);
                    file.tensor(name + ".weight_shape", "I64", {2}, 16);
                  }),
                  "compressed-tensors");
}

TEST_CASE("FP8 in tiles is stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    const std::int64_t down = (out + 127) / 128, across = (in + 127) / 128;
                    file.tensor(name + ".weight", "F8_E4M3", {out, in}, out * in)
                        .tensor(name + ".weight_scale_inv", "F32", {down, across}, down * across * 4);
                  }),
                  "FP8");
}

TEST_CASE("NVFP4 is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".weight", "U8", {out, in / 2}, out * in / 2)
                        .tensor(name + ".weight_scale", "F8_E4M3", {out, in / 16}, out * in / 16);
                    file.tensor(name + ".weight_scale_2", "F32", {}, 4).tensor(name + ".input_scale", "F32", {}, 4);
                  }),
                  "NVFP4");
}

TEST_CASE("bitsandbytes is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".weight", "U8", {out * in / 2, 1}, out * in / 2)
                        .tensor(name + ".weight.absmax", "U8", {out * in / 64}, out * in / 64);
                    file.tensor(name + ".weight.nested_absmax", "F32", {out * in / 64 / 256}, out * in / 64 / 256 * 4)
                        .tensor(name + ".weight.quant_map", "F32", {16}, 64);
                    file.tensor(name + ".weight.nested_quant_map", "F32", {256}, 1024)
                        .tensor(name + ".weight.quant_state.bitsandbytes__nf4", "U8", {77}, 77);
                  }),
                  "bitsandbytes 4-bit");
}

TEST_CASE("MLX is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".weight", "U32", {out, in / 8}, out * in / 2)
                        .tensor(name + ".scales", "BF16", {out, in / 64}, out * in / 32);
                    file.tensor(name + ".biases", "BF16", {out, in / 64}, out * in / 32);
                  }),
                  "MLX");
}

TEST_CASE("EXL3 is counted unpacked and stored exactly", "[tensor_file]") {
  check_quantised(quantised([](SafetensorsWriter& file, const std::string& name, std::int64_t out, std::int64_t in) {
                    file.tensor(name + ".trellis", "I16", {in / 16, out / 16, 48}, in / 16 * out / 16 * 96);
                    file.tensor(name + ".suh", "F16", {in}, in * 2).tensor(name + ".svh", "F16", {out}, out * 2);
                  }),
                  "EXL3");
}

TEST_CASE("the MXFP4 experts of gpt-oss are counted unpacked", "[tensor_file]") {
  constexpr std::int64_t e = 4, h = 64, f = 96;
  SafetensorsWriter file;
  file.tensor("model.embed_tokens.weight", "BF16", {100, h}, 100 * h * 2).tensor("model.norm.weight", "BF16", {h}, h * 2);
  const std::string layer = "model.layers.0.";
  file.tensor(layer + "self_attn.q_proj.weight", "BF16", {128, h}, 128 * h * 2)
      .tensor(layer + "self_attn.k_proj.weight", "BF16", {32, h}, 32 * h * 2);
  file.tensor(layer + "self_attn.v_proj.weight", "BF16", {32, h}, 32 * h * 2)
      .tensor(layer + "self_attn.o_proj.weight", "BF16", {h, 128}, h * 128 * 2);
  file.tensor(layer + "self_attn.sinks", "BF16", {8}, 16).tensor(layer + "mlp.router.weight", "BF16", {e, h}, e * h * 2);
  file.tensor(layer + "mlp.router.bias", "BF16", {e}, e * 2);
  file.tensor(layer + "mlp.experts.gate_up_proj_blocks", "U8", {e, 2 * f, h / 32, 16}, e * 2 * f * h / 2);
  file.tensor(layer + "mlp.experts.gate_up_proj_scales", "U8", {e, 2 * f, h / 32}, e * 2 * f * h / 32);
  file.tensor(layer + "mlp.experts.gate_up_proj_bias", "BF16", {e, 2 * f}, e * 2 * f * 2);
  file.tensor(layer + "mlp.experts.down_proj_blocks", "U8", {e, h, f / 32, 16}, e * h * f / 2);
  file.tensor(layer + "mlp.experts.down_proj_scales", "U8", {e, h, f / 32}, e * h * f / 32);
  file.tensor(layer + "mlp.experts.down_proj_bias", "BF16", {e, h}, e * h * 2);
  const ImportedTensors imported = import(file);
  CHECK(imported.file_type == "MXFP4");
  CHECK(imported.parameters.value == 100 * h + h + 128 * h * 2 + 32 * h * 2 + 8 + e * h + e + e * (3 * f * h + 2 * f + h));
  CHECK_FALSE(imported.active_parameters); // how many experts a token meets is not in the file
  REQUIRE(imported.model);
  REQUIRE(imported.weights);
  CHECK(stored(imported) == imported.file.bytes.value);
  const LayerGroup& group = imported.model->groups.at(0);
  CHECK(group.moe.experts == Count{e});
  CHECK(group.moe.expert_size == Count{f});
  CHECK(group.moe.kind == MlpKind::gated);
  CHECK(group.attention.query_heads == Count{8});
  CHECK(group.attention.kv_heads == Count{2});
  CHECK(group.attention.sinks);
}

TEST_CASE("latent attention follows from the shapes of its maps", "[tensor_file]") {
  SafetensorsWriter file;
  file.tensor("model.embed_tokens.weight", "BF16", {100, 256}, 51200).tensor("model.norm.weight", "BF16", {256}, 512);
  const std::string attention = "model.layers.0.self_attn.";
  file.tensor(attention + "q_a_proj.weight", "BF16", {96, 256}, 49152)
      .tensor(attention + "q_a_layernorm.weight", "BF16", {96}, 192);
  file.tensor(attention + "q_b_proj.weight", "BF16", {192, 96}, 36864)
      .tensor(attention + "kv_a_proj_with_mqa.weight", "BF16", {80, 256}, 40960);
  file.tensor(attention + "kv_a_layernorm.weight", "BF16", {64}, 128)
      .tensor(attention + "kv_b_proj.weight", "BF16", {256, 64}, 32768);
  file.tensor(attention + "o_proj.weight", "BF16", {256, 128}, 65536);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const LatentAttention& latent = imported.model->groups.at(0).latent;
  CHECK(latent.heads == Count{4});
  CHECK(latent.nope_dim == Count{32});
  CHECK(latent.rope_dim == Count{16});
  CHECK(latent.value_dim == Count{32});
  CHECK(latent.kv_rank == Count{64});
  CHECK(latent.query_rank == Count{96});
}

TEST_CASE("vision towers stand apart", "[tensor_file]") {
  SafetensorsWriter file;
  file.tensor("language_model.model.embed_tokens.weight", "BF16", {100, 64}, 12800)
      .tensor("language_model.model.norm.weight", "BF16", {64}, 128);
  for (const Map& map : {Map{"q_proj", 64, 64}, Map{"k_proj", 64, 64}, Map{"v_proj", 64, 64}, Map{"o_proj", 64, 64}})
    file.tensor(std::string{"language_model.model.layers.0.self_attn."} + map.name + ".weight", "BF16", {map.rows, map.columns},
                8192);
  for (int i = 0; i < 3; ++i)
    file.tensor("vision_tower.encoder.layers." + std::to_string(i) + ".mlp.fc1.weight", "BF16", {10, 10}, 200);
  file.tensor("vision_tower.patch_embed.weight", "BF16", {10, 3, 2, 2}, 240);
  const ImportedTensors imported = import(file);
  CHECK(imported.parameters.value == 6400 + 64 + 4 * 4096);
  CHECK(imported.other_parameters == Count{300 + 120});
  REQUIRE(imported.model);
  CHECK(imported.model->pattern.size() == 1);
  REQUIRE(imported.weights);
  CHECK(stored(imported) == imported.file.bytes.value);
}

TEST_CASE("an index names tensors without shapes", "[tensor_file]") {
  const std::string json =
      R"({"metadata":{"total_size":16060522496,"total_parameters":8030261248},"weight_map":{"lm_head.weight":"model-00004-of-00004.safetensors",)"
      R"("model.layers.0.input_layernorm.weight":"model-00001-of-00004.safetensors","model.layers.1.input_layernorm.weight":"model-00001-of-00004.safetensors"}})";
  const ImportedTensors imported = import_tensor_file(json, json.size());
  CHECK(imported.file.kind == TensorFileKind::safetensors_index);
  CHECK(imported.file.complete);
  CHECK(imported.file.bytes.value == 16060522496);
  CHECK(imported.file.elements.value == 8030261248);
  CHECK(imported.file.tensors.size() == 3);
  CHECK(issue_about(imported.issues, "weight_map").severity == Severity::note);
  CHECK_FALSE(imported.model);
  CHECK_FALSE(has_errors(imported.issues));
  for (const char* bad : {R"({"weight_map":[]})", R"({"weight_map":{"a":1}})", R"(["weight_map"])", R"({"weight_map")"}) {
    CAPTURE(bad);
    const TensorFile read = read_tensor_file(bad, std::string_view{bad}.size());
    CHECK(has_errors(read.issues));
  }
  const HeaderNeed need = header_bytes_needed(std::string_view{json}.substr(0, 20), json.size());
  CHECK_FALSE(need.enough);
  CHECK(need.bytes == json.size());
}

TEST_CASE("files of other kinds are told apart", "[tensor_file]") {
  for (const std::string_view bytes :
       {std::string_view{"PK\x03\x04zzzzzzzz"}, std::string_view{"version https://git-lfs.github.com/spec/v1\n"},
        std::string_view{"<!doctype html>"}, std::string_view{"tjggzzzzzzz"}, std::string_view{"nothing of the kind"},
        std::string_view{""}, std::string_view{"{\"model_type\":\"llama\"}"}}) {
    CAPTURE(bytes);
    const TensorFile read = read_tensor_file(bytes, bytes.size());
    CHECK(read.kind == TensorFileKind::unknown);
    REQUIRE(read.issues.size() == 1);
    CHECK(read.issues[0].severity == Severity::error);
    CHECK_FALSE(read.issues[0].remedy.empty());
    CHECK(header_bytes_needed(bytes, bytes.size()).enough);
  }
}
