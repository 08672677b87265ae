// Writes the files that fuzz_gguf and fuzz_safetensors start from: fuzz_seeds FOLDER makes FOLDER/gguf and FOLDER/safetensors.
#include "llama_gguf.hpp"
#include "tensor_files.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace plimsoll::test;

void write(const std::filesystem::path& folder, const char* name, const std::string& bytes) {
  std::filesystem::create_directories(folder);
  std::ofstream{folder / name, std::ios::binary} << bytes;
}

GgufWriter mixed_gguf() {
  GgufWriter file;
  file.text("general.architecture", "qwen3moe").number("qwen3moe.embedding_length", 32).number("qwen3moe.expert_used_count", 2);
  file.number("general.alignment", 32)
      .numbers("qwen3moe.attention.head_count_kv", {1, 2})
      .flags("qwen3moe.attention.sliding_window_pattern", {true, false});
  file.number("qwen3moe.attention.head_count", 2).number("qwen3moe.attention.sliding_window", 64);
  file.tensor("token_embd.weight", 1, {4, 32}, 256).tensor("output_norm.weight", 0, {32}, 128);
  file.tensor("blk.0.attn_q.weight", 8, {32, 32}, 1088).tensor("blk.0.attn_k.weight", 8, {16, 32}, 544);
  file.tensor("blk.0.attn_v.weight", 8, {16, 32}, 544).tensor("blk.0.attn_output.weight", 8, {32, 32}, 1088);
  file.tensor("blk.0.ffn_down_exps.weight", 39, {4, 32, 32}, 2176).tensor("blk.0.ssm_a", 0, {2, 1}, 8);
  return file;
}

SafetensorsWriter packed() {
  SafetensorsWriter file;
  const std::string layer = "model.layers.0.";
  file.tensor("model.embed_tokens.weight", "BF16", {4, 8}, 64).tensor("model.norm.weight", "BF16", {8}, 16);
  file.tensor(layer + "self_attn.q_proj.qweight", "I32", {1, 8}, 32).tensor(layer + "self_attn.q_proj.scales", "F16", {1, 8}, 16);
  file.tensor(layer + "self_attn.k_proj.weight", "U8", {32, 1}, 32)
      .tensor(layer + "self_attn.k_proj.weight.absmax", "F32", {1}, 4);
  file.tensor(layer + "mlp.experts.down_proj_blocks", "U8", {2, 8, 1, 16}, 256)
      .tensor(layer + "mlp.experts.down_proj_scales", "U8", {2, 8, 1}, 16);
  file.tensor(layer + "mlp.up_proj.weight_packed", "I32", {8, 1}, 32)
      .tensor(layer + "mlp.up_proj.weight_scale", "BF16", {8, 1}, 16);
  return file;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  write(folder / "gguf", "llama", llama_q4_k_m(1).header());
  write(folder / "gguf", "mixed", mixed_gguf().header());
  write(folder / "gguf", "least", GgufWriter{}.tensor("a", 0, {1}, 4).header());
  write(folder / "safetensors", "packed", packed().json());
  write(folder / "safetensors", "least", SafetensorsWriter{}.tensor("a", "F32", {1}, 4).json());
  write(folder / "safetensors", "index", R"({"metadata":{"total_size":4},"weight_map":{"a":"b"}})");
  return 0;
}
