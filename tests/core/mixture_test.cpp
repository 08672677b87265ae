// A GGUF file is estimated with the formats that its own table of tensors states, whatever the name of its mixture promises.
#include "llama_gguf.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/results/api.hpp"
#include "tensor_files.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

const io::Catalog& catalog() {
  static const io::Catalog loaded = io::Catalog::load();
  return loaded;
}

io::ModelFile read(const GgufWriter& file) { return io::read_model_file(file.header(), file.file_size(), "model.gguf"); }

std::string text(const io::Request& request, std::string_view name) {
  const std::string* const found = request.find(name);
  return found != nullptr ? *found : "";
}

io::Answer answer(const io::Request& request) {
  io::Request asked = request;
  asked.set("device", "h100-80-sxm");
  asked.set("context_tokens", "4096");
  return io::answer(catalog(), asked);
}

Bytes weights_of(const io::Answer& answer) { return stored_bytes(answer.inputs.model, answer.inputs.weights); }

/// The scheme of that id on Llama 3 8B.
std::optional<StoredWeights> stored(std::string_view id) {
  Issues issues;
  const auto scheme = catalog().weights().find(id);
  if (!scheme) return std::nullopt;
  const io::Answer of = answer(io::request_from_query("model=llama-3-8b", issues));
  return store(of.inputs.model, *scheme);
}

Issue first_error(const Issues& issues) {
  const auto at = std::ranges::find(issues, Severity::error, &Issue::severity);
  return at == issues.end() ? Issue{Severity::note, "", "", ""} : *at;
}

constexpr GgmlBlock kQ5K{13, 256, 176}, kQ5_1{7, 32, 24}, kIq4K{139, 256, 144}, kIq4Ks{144, 256, 136, 4};

/// Four layers of a Qwen3, whose maps are quantised but for the last map of the first layer.
SafetensorsWriter qwen(std::string_view layout) {
  constexpr std::int64_t h = 1024, mlp = 3072, vocab = 4096, kv = 512, group = 128;
  SafetensorsWriter file;
  const auto plain = [&](const std::string& name, std::int64_t rows, std::int64_t columns) { file.tensor(name, "BF16", {rows, columns}, 2 * rows * columns); };
  const auto map = [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
    if (layout == "awq") { // inputs first
      file.tensor(name + ".qweight", "I32", {columns, rows / 8}, columns * rows / 2);
      file.tensor(name + ".qzeros", "I32", {columns / group, rows / 8}, columns / group * rows / 2);
      file.tensor(name + ".scales", "F16", {columns / group, rows}, 2 * (columns / group) * rows);
      return;
    }
    file.tensor(name + ".weight", "F8_E4M3", {rows, columns}, rows * columns);
    if (layout == "block") file.tensor(name + ".weight_scale_inv", "F32", {rows / group, columns / group}, 4 * (rows / group) * (columns / group));
    if (layout == "channel") file.tensor(name + ".weight_scale", "F32", {rows, 1}, 4 * rows);
    if (layout == "channel in 16 bits") file.tensor(name + ".weight_scale", "BF16", {rows, 1}, 2 * rows);
    if (layout == "tensor") file.tensor(name + ".weight_scale", "F32", {1}, 4);
  };
  for (const char* outside : {"model.embed_tokens.weight", "lm_head.weight"}) plain(outside, vocab, h);
  file.tensor("model.norm.weight", "BF16", {h}, 2 * h);
  for (int i = 0; i < 4; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    for (const char* norm : {"input_layernorm.weight", "post_attention_layernorm.weight"}) file.tensor(layer + norm, "BF16", {h}, 2 * h);
    for (const char* norm : {"self_attn.q_norm.weight", "self_attn.k_norm.weight"}) file.tensor(layer + norm, "BF16", {128}, 256);
    map(layer + "self_attn.q_proj", h, h);
    for (const char* small : {"self_attn.k_proj", "self_attn.v_proj"}) map(layer + small, kv, h);
    map(layer + "self_attn.o_proj", h, h);
    for (const char* wide : {"mlp.gate_proj", "mlp.up_proj"}) map(layer + wide, mlp, h);
    if (i < 1) plain(layer + "mlp.down_proj.weight", h, mlp);
    else map(layer + "mlp.down_proj", h, mlp);
  }
  return file;
}

/// DeepSeek-V2-Lite as llama.cpp converts it: the two halves of the latent map apart, experts of a layer in one tensor.
GgufWriter deepseek_v2_lite(std::string_view name, unsigned layers = 27) {
  constexpr std::uint64_t h = 2048, vocab = 102400, experts = 64, expert = 1408, dense = 10944;
  GgufWriter file;
  file.text("general.architecture", "deepseek2").text("general.name", name).number("general.file_type", 15);
  file.number("deepseek2.block_count", layers).number("deepseek2.context_length", 163840).number("deepseek2.embedding_length", h);
  file.number("deepseek2.attention.head_count", 16).number("deepseek2.attention.head_count_kv", 1).number("deepseek2.expert_used_count", 6);
  const auto add = [&](const std::string& tensor, GgmlBlock block, const std::vector<std::uint64_t>& shape) {
    std::uint64_t elements = 1;
    for (const std::uint64_t size : shape) elements *= size;
    file.tensor(tensor + ".weight", block.type, shape, elements / block.elements * block.bytes);
  };
  add("token_embd", kQ4K, {vocab, h});
  add("output", kQ6K, {vocab, h});
  add("output_norm", kF32, {h});
  for (unsigned i = 0; i < layers; ++i) {
    const std::string blk = "blk." + std::to_string(i) + ".";
    for (const char* norm : {"attn_norm", "ffn_norm"}) add(blk + norm, kF32, {h});
    add(blk + "attn_q", kQ5K, {16 * 192, h});
    add(blk + "attn_kv_a_mqa", kQ8_0, {576, h});
    add(blk + "attn_kv_a_norm", kF32, {512});
    add(blk + "attn_k_b", kQ8_0, {16, 512, 128});
    add(blk + "attn_v_b", kQ8_0, {16, 128, 512});
    add(blk + "attn_output", kQ5K, {h, 16 * 128});
    if (i == 0) {
      for (const char* map : {"ffn_gate", "ffn_up"}) add(blk + map, kQ4K, {dense, h});
      add(blk + "ffn_down", kQ8_0, {h, dense});
      continue;
    }
    add(blk + "ffn_gate_inp", kF32, {experts, h});
    for (const char* map : {"ffn_gate_exps", "ffn_up_exps"}) add(blk + map, kQ4K, {experts, expert, h});
    add(blk + "ffn_down_exps", i < 8 ? kQ8_0 : kQ5_1, {experts, h, expert});
    for (const char* map : {"ffn_gate_shexp", "ffn_up_shexp"}) add(blk + map, kQ5K, {2 * expert, h});
    add(blk + "ffn_down_shexp", kQ6K, {h, 2 * expert});
  }
  return file;
}

} // namespace

TEST_CASE("a file that is what its name says is asked for by that name") {
  const io::ModelFile file = read(llama_q4_k_m());
  REQUIRE(file.ok);
  CHECK(text(file.request, "weight_dtype") == "q4_k_m");
  CHECK(text(file.request, "profile") == "llama_cpp");
  CHECK(weights_of(answer(file.request)).value == 4'912'898'048);
}

TEST_CASE("a file whose tensors differ from its mixture's is estimated with the bytes it has") {
  struct Row {
    std::uint32_t file_type;
    GgmlBlock most, more;
    std::string_view begins, profile;
  };
  for (const Row& row : {Row{15, kQ4K, kQ8_0, "q4_k_m/", "llama_cpp"},     // more bits than Q4_K_M has, as custom mixtures do
                         Row{15, kQ5K, kQ6K, "q4_k_m/", "llama_cpp"},      // and less
                         Row{137, kQ4K, kQ6K, "q4_k_m", "llama_cpp"},      // 137 is not llama.cpp's: it goes by what most of it is
                         Row{137, kIq4K, kQ6K, "gguf_f16/", "ik_llama_cpp"}, // no mixture of llama.cpp's
                         Row{15, kIq4Ks, kQ6K, "q4_k_m/", "ik_llama_cpp"}}) { // rows with a scale of their own
    CAPTURE(row.file_type, row.most.type, row.more.type);
    const GgufWriter made = llama_q4_k_m(32, false, row.file_type, row.most, row.more);
    const io::ModelFile file = read(made);
    REQUIRE(file.ok);
    CHECK(text(file.request, "weight_dtype").starts_with(row.begins));
    CHECK(text(file.request, "profile") == row.profile);
    const io::Answer of_file = answer(file.request);
    REQUIRE(of_file.ok);
    CHECK(weights_of(of_file) == file.bytes);
    CHECK(std::ranges::none_of(file.issues, [](const Issue& issue) { return issue.field == "weight_dtype"; }));
  }
}

TEST_CASE("a mixture of one file goes through a link, and its name says what it is") {
  const io::ModelFile file = read(llama_q4_k_m(32, false, 15, kQ4K, kQ8_0));
  Issues issues;
  const io::Request back = io::request_from_query(io::to_query(file.request), issues);
  CHECK(issues.empty());
  const std::string id = text(back, "weight_dtype");
  CHECK(id == text(file.request, "weight_dtype"));
  CHECK(weights_of(answer(back)) == file.bytes);
  CHECK(io::shown_value(catalog(), *find_field("weight_dtype"), id).starts_with("GGUF Q4_K_M but for 3 tensors"));
}

TEST_CASE("tensors are stated by name or by kind and name, in all layers or in some") {
  const auto formats_of = [](std::string_view id, std::string_view name) {
    std::string text;
    const auto weights = stored(id);
    REQUIRE(weights);
    Issues issues;
    const Model model = answer(io::request_from_query("model=llama-3-8b", issues)).inputs.model;
    for (const StoredTensor& one : weights->tensors)
      if (model.tensors[one.tensor].tensor.name == name) text += weights->formats[one.format].id + ":" + std::to_string(one.layers.value) + " ";
    return text;
  };
  CHECK(formats_of("gguf_f16/v_proj:q6_k", "v_proj") == "ggml_q6_k:32 ");
  CHECK(formats_of("gguf_f16/attention.v_proj:ggml_q6_k", "v_proj") == "ggml_q6_k:32 ");
  CHECK(formats_of("gguf_f16/experts.v_proj:q6_k", "v_proj") == "ggml_f16:32 ");
  CHECK(formats_of("gguf_f16/v_proj:0-3.7:q6_k/v_proj:q4_k", "v_proj") == "ggml_q6_k:5 ggml_q4_k:27 ");
  CHECK(formats_of("gguf_f16/v_proj:31:q6_k", "v_proj") == "ggml_f16:31 ggml_q6_k:1 ");
  CHECK(formats_of("GGUF_F16/V_PROJ:Q6_K", "v_proj") == "ggml_q6_k:32 "); // letter case does not matter
}

TEST_CASE("layers that a checkpoint left unquantised are counted so, and scales tell which layout it has") {
  struct Row {
    std::string_view layout, begins;
    bool exact;
  };
  for (const Row& row : {Row{"block", "fp8_block/down_proj:0:unquantised/down_proj:", true}, Row{"channel", "fp8_channel/down_proj:0:unquantised/down_proj:", true},
                         Row{"channel in 16 bits", "fp8_channel/", false}, Row{"tensor", "fp8_tensor/", true}, Row{"awq", "awq_4bit_g128/", true}}) {
    CAPTURE(row.layout);
    const SafetensorsWriter made = qwen(row.layout);
    const io::ModelFile file = io::read_model_file(made.header(), made.file_size(), "model.safetensors");
    REQUIRE(file.ok);
    CHECK(text(file.request, "weight_dtype").starts_with(row.begins));
    CHECK(text(file.request, "profile").empty()); // many programs read it
    io::Request asked = file.request;
    asked.set("profile", "vllm");
    const io::Answer of_file = answer(asked);
    REQUIRE(of_file.ok);
    CHECK(weights_of(of_file).value >= file.bytes.value);
    CHECK(weights_of(of_file).value <= file.bytes.value + (row.exact ? 0 : file.bytes.value / 500));
  }
}

TEST_CASE("a model that no facts state is the catalogue's of that name, where it is built alike, with the file's own formats") {
  const io::ModelFile file = read(deepseek_v2_lite("DeepSeek V2 Lite Chat"));
  REQUIRE(file.ok);
  CHECK(text(file.request, "model") == "deepseek-v2-lite-16b");
  CHECK(text(file.request, "weight_dtype").find("/experts.down_proj:1-7:q8_0/experts.down_proj:q5_1") != std::string::npos);
  CHECK(file.bytes.value == 10'371'471'360);
  CHECK(weights_of(answer(file.request)) == file.bytes);
  CHECK(std::ranges::any_of(file.issues, [](const Issue& issue) { return issue.field == "model" && issue.severity == Severity::note; }));
  CHECK(read(deepseek_v2_lite("Llama 3.1 8B")).request.entries().empty());             // another model's name
  CHECK(read(deepseek_v2_lite("DeepSeek V2 Lite Chat", 26)).request.entries().empty()); // a pruned one
  CHECK(read(deepseek_v2_lite("Somebody's own")).request.entries().empty());
}

TEST_CASE("the files of one model are summed, in any order, and a part alone is no model") {
  const std::vector<GgufWriter> parts = llama_in_parts(3, kQ4K, kQ8_0);
  std::vector<std::string> headers;
  std::vector<std::string> names = io::shards_of("folder-00009-of-00011/m-00001-of-00003.gguf");
  CHECK(names == std::vector<std::string>{"folder-00009-of-00011/m-00001-of-00003.gguf", "folder-00009-of-00011/m-00002-of-00003.gguf", "folder-00009-of-00011/m-00003-of-00003.gguf"});
  CHECK(io::shards_of("model.gguf") == std::vector<std::string>{"model.gguf"});
  CHECK(io::shards_of("m-1-of-99999.gguf").size() == 1);
  for (const GgufWriter& part : parts) headers.push_back(part.header());
  std::vector<io::ImportFile> files;
  for (std::size_t i = parts.size(); i-- > 0;) files.push_back({headers[i], parts[i].file_size(), names[i]});
  const io::ModelFile whole = io::read_model_files(files), alone = read(llama_q4_k_m(32, false, 15, kQ4K, kQ8_0));
  REQUIRE(whole.ok);
  CHECK(whole.bytes == alone.bytes);
  CHECK(io::to_query(whole.request) == io::to_query(alone.request));
  const io::ModelFile part = io::read_model_files(std::span{files}.last(1)), two = io::read_model_files(std::span{files}.last(2)), twice = io::read_model_files(std::vector{files[2], files[2], files[1]});
  CHECK(part.request.entries().empty());
  CHECK(two.request.entries().empty());
  CHECK_FALSE(twice.ok); // tensors that stand in it twice
}

TEST_CASE("a name that says what most of a file is says that the rest is assumed, or is not enough") {
  struct Row {
    std::string_view model, weights;
  };
  for (const Row& row : {Row{"unsloth/Qwen3-30B-A3B-GGUF:UD-Q4_K_XL", "q4_k_m"}, Row{"hf.co/unsloth/Qwen3-14B-GGUF:UD-Q2_K_XL", "q2_k"}, Row{"Qwen3-14B-UD-IQ3_XXS.gguf", "iq3_xxs"},
                         Row{"unsloth/Qwen3-14B-GGUF:UD-Q8_K_XL", "q8_0"}, Row{"unsloth/Qwen3-14B-GGUF:UD-Q6_K_XL", "q6_k"}, Row{"ubergarm/Qwen3-235B-A22B-GGUF:IQ4_KS", "iq4_ks"}}) {
    CAPTURE(row.model);
    const io::NamedModel named = io::model_named(catalog(), row.model);
    REQUIRE(named.row != nullptr);
    CHECK_FALSE(named.by_likeness);
    CHECK(named.weights == row.weights);
    CHECK(named.weights_assumed);
  }
  CHECK_FALSE(io::model_named(catalog(), "Qwen3-14B-Q4_K_M.gguf").weights_assumed);
  Issues issues;
  io::Request asked = io::request_from_query("profile=ik_llama_cpp", issues);
  asked.set("model", "ubergarm/Qwen3-235B-A22B-GGUF:IQ4_KS");
  const io::Answer mixed = answer(asked);
  CHECK(mixed.ok);
  CHECK(mixed.inputs.weights.scheme == "iq4_ks");
  CHECK(std::ranges::any_of(mixed.issues, [](const Issue& issue) { return issue.field == "weight_dtype" && issue.severity == Severity::note; }));
  asked.set("model", "ubergarm/Qwen3-235B-A22B-GGUF:IQ1_S_R4"); // smaller than IQ1_S, and no mix of it is known
  const Issue refused = first_error(answer(asked).issues);
  CHECK(refused.field == "weight_dtype");
  CHECK(refused.remedy.starts_with("Import the file"));
}

TEST_CASE("mixes of ik_llama.cpp by the bytes of their rows, as llama-quantize chooses the formats") {
  // Llama 3 8B: 32 layers of 4096 channels, 32 heads and 8 of keys and values, 14336 in the MLP, 128256 tokens, an output head of its own.
  // A row of 256 columns takes 136 bytes in IQ4_KS and 4 for the row; 176 in IQ5_K, which values get where query heads share them (ik_llama.cpp,
  // src/llama-quantize.cpp); 210 in Q6_K, as the head; norms are 4 bytes a number.
  const auto row = [](std::int64_t columns, std::int64_t block, std::int64_t each) { return columns / 256 * block + each; };
  const std::int64_t layer = (4096 + 1024 + 4096) * row(4096, 136, 4) + 1024 * row(4096, 176, 0) + 2 * 14336 * row(4096, 136, 4) + 4096 * row(14336, 136, 4) + 2 * 4096 * 4;
  const std::int64_t all = 32 * layer + 128256 * (row(4096, 136, 4) + row(4096, 210, 0)) + 4096 * 4;
  Issues issues;
  const io::Answer made = answer(io::request_from_query("model=llama-3-8b&task=inference&device=h100-80-sxm&profile=ik_llama_cpp&weight_dtype=iq4_ks", issues));
  REQUIRE(made.ok);
  CHECK(weights_of(made).value == all);
}

TEST_CASE("what is no mixture is no format") {
  for (const char* const id : {"q4_k_m/", "q4_k_m/v_proj", "q4_k_m/v_proj:", "q4_k_m/:q6_k", "q4_k_m/v_proj:q9_k", "q4_k_m/v_proj:3-1:q6_k", "q4_k_m/v_proj:x:q6_k", "q4_k_m/v_proj::q6_k",
                               "q4_k_m/v_proj:1.1:q6_k", "q4_k_m/v_proj:99999999999999999999:q6_k", "no_such/v_proj:q6_k", "/v_proj:q6_k", "q4_k_m/v_proj:0:q6_k:more"}) {
    CAPTURE(id);
    CHECK_FALSE(catalog().weights().find(id));
  }
}

TEST_CASE("a stated tensor that the model does not have is an error, and so is a format that the program does not load") {
  Issues issues;
  const auto error_of = [&](std::string_view query) { return first_error(answer(io::request_from_query(query, issues)).issues); };
  CHECK(error_of("model=llama-3-8b&profile=llama_cpp&weight_dtype=q4_k_m/v_proj:q6_k").field.empty());
  CHECK(error_of("model=llama-3-8b&profile=llama_cpp&weight_dtype=q4_k_m/vproj:q6_k").message == "The model has no tensor “vproj”.");
  CHECK(error_of("model=llama-3-8b&profile=llama_cpp&weight_dtype=q4_k_m/v_proj:32:q6_k").field == "weight_dtype"); // it has 32 layers
  CHECK(error_of("model=llama-3-8b&profile=llama_cpp&weight_dtype=q4_k_m/v_proj:iq4_ks").message == "llama.cpp does not load weights in IQ4_KS.");
  CHECK(error_of("model=llama-3-8b&profile=ik_llama_cpp&weight_dtype=q4_k_m/v_proj:iq4_ks").field.empty());
  CHECK(error_of("model=llama-3-8b&profile=tensorrt_llm&weight_dtype=q4_k_m/v_proj:q6_k").field == "weight_dtype");
}
