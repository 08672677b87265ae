#include "llama_gguf.hpp"

#include <string>

namespace plimsoll::test {

namespace {

constexpr std::uint64_t kHidden = 4096, kKv = 1024, kMlp = 14336, kVocab = 128256;

struct NamedTensor {
  std::string name;
  GgmlBlock block;
  std::vector<std::uint64_t> shape;
};

std::vector<NamedTensor> tensors_of(unsigned layers, bool rope_freqs, GgmlBlock most, GgmlBlock more) {
  std::vector<NamedTensor> all;
  if (rope_freqs) all.push_back({"rope_freqs.weight", kF32, {64}});
  all.push_back({"token_embd.weight", most, {kVocab, kHidden}});
  for (unsigned i = 0; i < layers; ++i) {
    const std::string blk = "blk." + std::to_string(i) + '.';
    const bool more_bits = i < layers / 8 || i >= 7 * layers / 8 || (i - layers / 8) % 3 == 2;
    all.push_back({blk + "attn_norm.weight", kF32, {kHidden}});
    all.push_back({blk + "ffn_down.weight", more_bits ? more : most, {kHidden, kMlp}});
    all.push_back({blk + "ffn_gate.weight", most, {kMlp, kHidden}});
    all.push_back({blk + "ffn_up.weight", most, {kMlp, kHidden}});
    all.push_back({blk + "ffn_norm.weight", kF32, {kHidden}});
    all.push_back({blk + "attn_k.weight", most, {kKv, kHidden}});
    all.push_back({blk + "attn_output.weight", most, {kHidden, kHidden}});
    all.push_back({blk + "attn_q.weight", most, {kHidden, kHidden}});
    all.push_back({blk + "attn_v.weight", more_bits ? more : most, {kKv, kHidden}});
  }
  all.push_back({"output.weight", more, {kVocab, kHidden}});
  all.push_back({"output_norm.weight", kF32, {kHidden}});
  return all;
}

void add(GgufWriter& file, const NamedTensor& tensor) {
  std::uint64_t elements = 1;
  for (const std::uint64_t size : tensor.shape) elements *= size;
  const GgmlBlock& block = tensor.block;
  file.tensor(tensor.name, block.type, tensor.shape, elements / block.elements * block.bytes + elements / tensor.shape.back() * block.row_bytes);
}

void say_model(GgufWriter& file, unsigned layers, std::uint32_t file_type) {
  file.text("general.architecture", "llama").text("general.name", "Llama 3.1 8B").number("general.file_type", file_type);
  file.number("llama.block_count", layers).number("llama.context_length", 131072).number("llama.embedding_length", kHidden);
  file.number("llama.feed_forward_length", kMlp).number("llama.attention.head_count", 32).number("llama.attention.head_count_kv", 8);
  file.number("llama.rope.dimension_count", 128).number("llama.vocab_size", kVocab);
  file.texts("tokenizer.ggml.tokens", {"<s>", "a", "b"});
}

} // namespace

GgufWriter llama_q4_k_m(unsigned layers, bool rope_freqs, std::uint32_t file_type, GgmlBlock most, GgmlBlock more) {
  GgufWriter file;
  say_model(file, layers, file_type);
  for (const NamedTensor& tensor : tensors_of(layers, rope_freqs, most, more)) add(file, tensor);
  return file;
}

std::vector<GgufWriter> llama_in_parts(unsigned parts, GgmlBlock most, GgmlBlock more) {
  constexpr unsigned kLayers = 32;
  const std::vector<NamedTensor> all = tensors_of(kLayers, false, most, more);
  std::vector<GgufWriter> files(parts);
  for (unsigned i = 0; i < parts; ++i) {
    if (i == 0) say_model(files[i], kLayers, 15);
    files[i].number("split.no", i).number("split.count", parts);
    for (std::size_t t = all.size() * i / parts; t < all.size() * (i + 1) / parts; ++t) add(files[i], all[t]);
  }
  return files;
}

} // namespace plimsoll::test
