// The models that the tensors and the metadata of GGUF files make up.
#include "llama_gguf.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "tensor_files.hpp"

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

std::string fact(const ImportedTensors& imported, std::string_view key) {
  const auto at = std::ranges::find(imported.facts, key, &FileFact::key);
  return at == imported.facts.end() ? "" : at->text;
}

} // namespace

TEST_CASE("a GGUF model has the layers of its metadata and the tensors of its file", "[tensor_file]") {
  const ImportedTensors imported = import(llama_q4_k_m());
  REQUIRE(imported.model);
  const Model& model = *imported.model;
  CHECK(model.name == "Llama 3.1 8B");
  CHECK(model.hidden_size == Count{4096});
  CHECK(model.vocab_size == Count{128256});
  CHECK(model.max_context == Count{131072});
  CHECK_FALSE(model.tied_embeddings);
  REQUIRE(model.groups.size() == 1); // layers differ in how they are stored, not in what they are
  const LayerGroup& group = model.groups[0];
  CHECK(group.layers == Count{32});
  CHECK(group.attention.query_heads == Count{32});
  CHECK(group.attention.kv_heads == Count{8});
  CHECK(group.attention.head_dim == Count{128});
  CHECK(group.mlp.intermediate_size == Count{14336});
  CHECK(group.mlp.kind == MlpKind::gated);
  CHECK(group.norms == Count{2});
  Count total{0};
  for (const ModelTensor& tensor : model.tensors) total += tensor.layers * elements(tensor.tensor);
  CHECK(total == Count{8'030'261'248});

  REQUIRE(imported.weights);
  CHECK(imported.weights->formats.size() == 3);
  Bytes bytes{0};
  for (const StoredTensor& stored : imported.weights->tensors) bytes += stored_bytes(*imported.weights, stored);
  CHECK(bytes.value == 4'912'898'048);
}

TEST_CASE("rows of a group hold every tensor", "[tensor_file]") {
  const ImportedTensors imported = import(llama_q4_k_m(32, true));
  REQUIRE(imported.groups.size() == 2);
  CHECK(imported.groups[0].layers == Count{32});
  CHECK(imported.groups[0].rows.size() == 11); // nine tensors, two of them in two types
  CHECK(imported.groups[1].id == "outside_layers");
  CHECK(imported.groups[1].rows.size() == 4);
  Bytes bytes{0};
  Count tensors{0};
  for (const TensorGroup& group : imported.groups)
    for (const TensorRow& row : group.rows) bytes += row.bytes, tensors += row.tensors;
  CHECK(bytes == imported.file.bytes);
  CHECK(tensors == Count{static_cast<std::int64_t>(imported.file.tensors.size())});
}

TEST_CASE("Gemma 3 alternates five window layers and a full one", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "gemma3").number("gemma3.block_count", 12).number("gemma3.embedding_length", 64);
  file.number("gemma3.attention.head_count", 4)
      .number("gemma3.attention.head_count_kv", 2)
      .number("gemma3.attention.key_length", 32);
  file.number("gemma3.attention.value_length", 32).number("gemma3.attention.sliding_window", 1024);
  file.tensor("token_embd.weight", 1, {1000, 64}, 128000).tensor("output_norm.weight", 0, {64}, 256);
  for (int i = 0; i < 12; ++i) {
    const std::string blk = "blk." + std::to_string(i) + '.';
    file.tensor(blk + "attn_q.weight", 1, {128, 64}, 16384).tensor(blk + "attn_k.weight", 1, {64, 64}, 8192);
    file.tensor(blk + "attn_v.weight", 1, {64, 64}, 8192).tensor(blk + "attn_output.weight", 1, {64, 128}, 16384);
    file.tensor(blk + "ffn_up.weight", 1, {256, 64}, 32768).tensor(blk + "ffn_gate.weight", 1, {256, 64}, 32768);
    file.tensor(blk + "ffn_down.weight", 1, {64, 256}, 32768);
  }
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const Model& model = *imported.model;
  CHECK(model.tied_embeddings);
  REQUIRE(model.groups.size() == 2);
  CHECK(model.groups[0].attention.pattern == AttentionPattern::sliding);
  CHECK(model.groups[0].attention.window == Count{1024});
  CHECK(model.groups[0].attention.head_dim == Count{32});
  CHECK(model.groups[0].layers == Count{10});
  CHECK(model.pattern == std::vector<std::uint16_t>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
  CHECK(fact(imported, "sliding.window") == "1024");
}

TEST_CASE("a window that no rule places is a note", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "newest")
      .number("newest.attention.sliding_window", 128)
      .number("newest.attention.head_count", 2);
  file.tensor("token_embd.weight", 1, {10, 64}, 1280).tensor("blk.0.attn_q.weight", 1, {64, 64}, 8192);
  file.tensor("blk.0.attn_k.weight", 1, {64, 64}, 8192).tensor("blk.0.attn_v.weight", 1, {64, 64}, 8192);
  file.tensor("blk.0.attn_output.weight", 1, {64, 64}, 8192).tensor("output_norm.weight", 0, {64}, 256);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  CHECK(issue_about(imported.issues, "newest.attention.sliding_window").severity == Severity::note);
}

TEST_CASE("a mixture of experts counts what a token meets", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "qwen3moe").number("qwen3moe.embedding_length", 64).number("qwen3moe.expert_used_count", 2);
  file.number("qwen3moe.attention.head_count", 2)
      .number("qwen3moe.attention.head_count_kv", 1)
      .number("qwen3moe.attention.key_length", 32);
  file.number("qwen3moe.attention.value_length", 32);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800)
      .tensor("output.weight", 1, {100, 64}, 12800)
      .tensor("output_norm.weight", 0, {64}, 256);
  file.tensor("blk.0.attn_q.weight", 1, {64, 64}, 8192).tensor("blk.0.attn_k.weight", 1, {32, 64}, 4096);
  file.tensor("blk.0.attn_v.weight", 1, {32, 64}, 4096).tensor("blk.0.attn_output.weight", 1, {64, 64}, 8192);
  file.tensor("blk.0.ffn_gate_inp.weight", 0, {8, 64}, 2048).tensor("blk.0.ffn_gate_exps.weight", 39, {8, 32, 64}, 8704);
  file.tensor("blk.0.ffn_up_exps.weight", 39, {8, 32, 64}, 8704).tensor("blk.0.ffn_down_exps.weight", 39, {8, 64, 32}, 8704);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const Moe& moe = imported.model->groups.at(0).moe;
  CHECK(moe.experts == Count{8});
  CHECK(moe.per_token == Count{2});
  CHECK(moe.expert_size == Count{32});
  const std::int64_t shared = 2 * 6400 + 64 + 2 * 4096 + 2 * 2048 + 512, expert = 3 * 2048;
  CHECK(imported.parameters == Count{shared + 8 * expert});
  CHECK(imported.active_parameters == Count{shared + 2 * expert});
  CHECK(imported.weights);
}

TEST_CASE("latent attention keeps its rank and its rotary part", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "deepseek2")
      .number("deepseek2.embedding_length", 256)
      .number("deepseek2.attention.head_count", 4);
  file.number("deepseek2.attention.head_count_kv", 1)
      .number("deepseek2.attention.kv_lora_rank", 64)
      .number("deepseek2.rope.dimension_count", 16);
  file.number("deepseek2.attention.key_length_mla", 48).number("deepseek2.attention.value_length_mla", 32);
  file.number("deepseek2.attention.key_length", 80).number("deepseek2.attention.value_length", 64);
  file.tensor("token_embd.weight", 1, {100, 256}, 51200).tensor("output_norm.weight", 0, {256}, 1024);
  file.tensor("blk.0.attn_q.weight", 1, {192, 256}, 98304).tensor("blk.0.attn_kv_a_mqa.weight", 1, {80, 256}, 40960);
  file.tensor("blk.0.attn_kv_a_norm.weight", 0, {64}, 256).tensor("blk.0.attn_k_b.weight", 1, {4, 64, 32}, 16384);
  file.tensor("blk.0.attn_v_b.weight", 1, {4, 32, 64}, 16384).tensor("blk.0.attn_output.weight", 1, {256, 128}, 65536);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const LatentAttention& latent = imported.model->groups.at(0).latent;
  CHECK(latent.heads == Count{4});
  CHECK(latent.kv_rank == Count{64});
  CHECK(latent.rope_dim == Count{16});
  CHECK(latent.nope_dim == Count{32});
  CHECK(latent.value_dim == Count{32});
  CHECK(imported.model->groups[0].attention.query_heads == Count{0});
}

TEST_CASE("a Mamba-2 layer keeps a state and no cache", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "mamba2").number("mamba2.embedding_length", 64).number("mamba2.ssm.conv_kernel", 4);
  file.number("mamba2.ssm.inner_size", 128).number("mamba2.ssm.state_size", 16).number("mamba2.ssm.time_step_rank", 8);
  file.number("mamba2.ssm.group_count", 1);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800).tensor("output_norm.weight", 0, {64}, 256);
  file.tensor("blk.0.attn_norm.weight", 0, {64}, 256).tensor("blk.0.ssm_in.weight", 1, {296, 64}, 37888);
  file.tensor("blk.0.ssm_conv1d.weight", 0, {160, 4}, 2560)
      .tensor("blk.0.ssm_a", 0, {8, 1}, 32)
      .tensor("blk.0.ssm_d", 0, {8, 1}, 32);
  file.tensor("blk.0.ssm_norm.weight", 0, {1, 128}, 512).tensor("blk.0.ssm_out.weight", 1, {64, 128}, 16384);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const LayerGroup& group = imported.model->groups.at(0);
  REQUIRE(std::holds_alternative<Mamba2>(group.recurrence));
  CHECK(group.recurrence_shape.state == Count{128 * 16});
  CHECK(group.recurrence_shape.conv_channels == Count{128 + 2 * 16});
  CHECK(group.attention.query_heads == Count{0});
}

TEST_CASE("the state of a Mamba layer follows from its tensors", "[tensor_file]") {
  GgufWriter file; // as in Jamba, with norms of the time step and of B and C
  file.text("general.architecture", "jamba").number("jamba.embedding_length", 64);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800).tensor("output_norm.weight", 0, {64}, 256);
  file.tensor("blk.0.ssm_in.weight", 1, {256, 64}, 32768).tensor("blk.0.ssm_conv1d.weight", 0, {128, 4}, 2048);
  file.tensor("blk.0.ssm_x.weight", 1, {40, 128}, 10240).tensor("blk.0.ssm_dt.weight", 1, {128, 8}, 2048);
  file.tensor("blk.0.ssm_a", 0, {128, 16}, 8192).tensor("blk.0.ssm_d", 0, {128}, 512).tensor("blk.0.ssm_out.weight", 1, {64, 128}, 16384);
  file.tensor("blk.0.ssm_dt_norm.weight", 0, {8}, 32).tensor("blk.0.ssm_b_norm.weight", 0, {16}, 64);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  const LayerGroup& group = imported.model->groups.at(0);
  REQUIRE(std::holds_alternative<Mamba1>(group.recurrence));
  const Mamba1& mamba = std::get<Mamba1>(group.recurrence);
  CHECK(mamba.inner == Count{128});
  CHECK(mamba.state == Count{16});
  CHECK(mamba.rank == Count{8});
  CHECK(mamba.kernel == Count{4});
  CHECK(mamba.inner_norms);
  CHECK(group.recurrence_shape.state == Count{128 * 16});
  CHECK(imported.issues.empty());
}

TEST_CASE("prediction layers stand apart, parts of a model give no model", "[tensor_file]") {
  GgufWriter file = llama_q4_k_m(4);
  file.number("llama.nextn_predict_layers", 1).tensor("blk.4.nextn.eh_proj.weight", 1, {4096, 8192}, 67108864);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  CHECK(imported.other_parameters == Count{4096 * 8192});
  CHECK(imported.groups.back().id == "prediction");

  GgufWriter part = llama_q4_k_m(4);
  part.number("split.count", 3);
  CHECK_FALSE(import(part).model);
  const GgufWriter whole = llama_q4_k_m(4);
  CHECK(import_tensor_file(whole.header(), whole.file_size(), "model-00001-of-00001.gguf").model);
  CHECK_FALSE(import_tensor_file(whole.header(), whole.file_size(), "model-00001-of-00004.gguf").model);
  CHECK_FALSE(import_tensor_file(whole.header(), whole.file_size(), "model-00001-of-00010.gguf").model);
}

TEST_CASE("Gated DeltaNet layers have a state, the others between them a cache", "[tensor_file]") {
  // The layout of Qwen3-Next: 16 key heads and 32 value heads of 128, here 2 and 4 of 16
  GgufWriter file;
  file.text("general.architecture", "qwen3next")
      .number("qwen3next.embedding_length", 64)
      .number("qwen3next.attention.head_count", 4);
  file.number("qwen3next.attention.head_count_kv", 1)
      .number("qwen3next.attention.key_length", 32)
      .number("qwen3next.attention.value_length", 32);
  file.number("qwen3next.ssm.conv_kernel", 4).number("qwen3next.ssm.inner_size", 64).number("qwen3next.ssm.state_size", 16);
  file.number("qwen3next.ssm.time_step_rank", 4).number("qwen3next.ssm.group_count", 2);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800).tensor("output_norm.weight", 0, {64}, 256);
  file.tensor("blk.0.attn_qkv.weight", 1, {128, 64}, 16384).tensor("blk.0.attn_gate.weight", 1, {64, 64}, 8192);
  file.tensor("blk.0.ssm_ba.weight", 1, {8, 64}, 1024)
      .tensor("blk.0.ssm_conv1d.weight", 0, {128, 4}, 2048)
      .tensor("blk.0.ssm_a", 0, {4}, 16);
  file.tensor("blk.0.ssm_dt.bias", 0, {4}, 16)
      .tensor("blk.0.ssm_norm.weight", 0, {16}, 64)
      .tensor("blk.0.ssm_out.weight", 1, {64, 64}, 8192);
  file.tensor("blk.1.attn_q.weight", 1, {256, 64}, 32768).tensor("blk.1.attn_k.weight", 1, {32, 64}, 4096);
  file.tensor("blk.1.attn_v.weight", 1, {32, 64}, 4096).tensor("blk.1.attn_output.weight", 1, {64, 128}, 16384);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  REQUIRE(imported.model->groups.size() == 2);
  const LayerGroup& linear = imported.model->groups[0];
  CHECK(linear.attention.query_heads == Count{0});
  REQUIRE(std::holds_alternative<GatedDeltaNet>(linear.recurrence));
  CHECK(linear.recurrence_shape.state == Count{4 * 16 * 16});
  CHECK(linear.recurrence_shape.conv_channels == Count{128});
  const LayerGroup& full = imported.model->groups[1];
  CHECK(full.attention.output_gate);
  CHECK(full.attention.query_heads == Count{4});
  CHECK(full.attention.kv_heads * full.attention.head_dim == Count{32});
  CHECK(imported.issues.empty());
}

TEST_CASE("an encoder-decoder keeps its own cache and that of the encoder's output", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "t5").number("t5.embedding_length", 64).number("t5.attention.head_count", 2);
  file.number("t5.attention.key_length", 32).number("t5.attention.value_length", 32);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800).tensor("dec.output_norm.weight", 0, {64}, 256);
  for (const char* stack : {"enc.blk.0.", "dec.blk.0."})
    for (const char* map : {"attn_q", "attn_k", "attn_v", "attn_o"})
      file.tensor(std::string{stack} + map + ".weight", 1, {64, 64}, 8192);
  for (const char* map : {"q", "k", "v", "o"})
    file.tensor(std::string{"dec.blk.0.cross_attn_"} + map + ".weight", 1, {64, 64}, 8192);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  REQUIRE(imported.model->groups.size() == 2);
  for (const LayerGroup& group : imported.model->groups) {
    CAPTURE(group.id);
    CHECK(group.attention.kv_heads == Count{2});
    CHECK(group.attention.caches != group.encoder);
    CHECK((group.cross.kv_heads * group.cross.head_dim).value == (group.encoder ? 0 : 64));
  }
}

TEST_CASE("an encoder that gives vectors keeps no cache and has no head", "[tensor_file]") {
  GgufWriter file;
  file.text("general.architecture", "bert").number("bert.embedding_length", 64).number("bert.attention.head_count", 2);
  file.flag("bert.attention.causal", false);
  file.tensor("token_embd.weight", 1, {100, 64}, 12800).tensor("token_types.weight", 0, {2, 64}, 512);
  file.tensor("token_embd_norm.weight", 0, {64}, 256).tensor("token_embd_norm.bias", 0, {64}, 256);
  for (const char* map : {"attn_q", "attn_k", "attn_v", "attn_output"})
    file.tensor(std::string{"blk.0."} + map + ".weight", 1, {64, 64}, 8192);
  const ImportedTensors imported = import(file);
  REQUIRE(imported.model);
  CHECK_FALSE(imported.model->has_head);
  CHECK_FALSE(imported.model->tied_embeddings);
  CHECK_FALSE(imported.model->groups.at(0).attention.caches);
  CHECK(imported.model->groups.at(0).attention.kv_heads == Count{2});
  CHECK(imported.model->norm == NormKind::layernorm);
}
