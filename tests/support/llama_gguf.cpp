#include "llama_gguf.hpp"

#include <string>

namespace plimsoll::test {

namespace {

void add(GgufWriter& file, const std::string& name, GgmlBlock block, const std::vector<std::uint64_t>& shape) {
  std::uint64_t elements = 1;
  for (const std::uint64_t size : shape) elements *= size;
  file.tensor(name, block.type, shape, elements / block.elements * block.bytes + elements / shape.back() * block.row_bytes);
}

} // namespace

GgufWriter llama_q4_k_m(unsigned layers, bool rope_freqs, std::uint32_t file_type, GgmlBlock most, GgmlBlock more) {
  constexpr std::uint64_t h = 4096, kv = 1024, f = 14336, vocab = 128256;
  GgufWriter file;
  file.text("general.architecture", "llama").text("general.name", "Llama 3.1 8B").number("general.file_type", file_type);
  file.number("llama.block_count", layers).number("llama.context_length", 131072).number("llama.embedding_length", h);
  file.number("llama.feed_forward_length", f).number("llama.attention.head_count", 32).number("llama.attention.head_count_kv", 8);
  file.number("llama.rope.dimension_count", 128).number("llama.vocab_size", vocab);
  file.texts("tokenizer.ggml.tokens", {"<s>", "a", "b"});
  if (rope_freqs) add(file, "rope_freqs.weight", kF32, {64});
  add(file, "token_embd.weight", most, {vocab, h});
  for (unsigned i = 0; i < layers; ++i) {
    const std::string blk = "blk." + std::to_string(i) + '.';
    const bool more_bits = i < layers / 8 || i >= 7 * layers / 8 || (i - layers / 8) % 3 == 2;
    add(file, blk + "attn_norm.weight", kF32, {h});
    add(file, blk + "ffn_down.weight", more_bits ? more : most, {h, f});
    add(file, blk + "ffn_gate.weight", most, {f, h});
    add(file, blk + "ffn_up.weight", most, {f, h});
    add(file, blk + "ffn_norm.weight", kF32, {h});
    add(file, blk + "attn_k.weight", most, {kv, h});
    add(file, blk + "attn_output.weight", most, {h, h});
    add(file, blk + "attn_q.weight", most, {h, h});
    add(file, blk + "attn_v.weight", more_bits ? more : most, {kv, h});
  }
  add(file, "output.weight", more, {vocab, h});
  add(file, "output_norm.weight", kF32, {h});
  return file;
}

} // namespace plimsoll::test
