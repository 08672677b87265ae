#include "targets.hpp"

#include "catalogue.hpp"
#include "llama_gguf.hpp"
#include "program_seeds.hpp"
#include "random.hpp"
#include "tensor_files.hpp"
#include "texts.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/request/request.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <filesystem>

namespace plimsoll::fuzz {

namespace {

using namespace plimsoll::test;
namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::size_t kLongest = 1500; // longer ones would be cut before they are tried

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

Texts gguf_seeds() {
  Texts seeds;
  for (const std::string& file : {llama_q4_k_m(1).header(), mixed_gguf().header(), GgufWriter{}.tensor("a", 0, {1}, 4).header()})
    seeds.push_back(file.substr(std::string_view{"GGUF"}.size()));
  return seeds;
}

/// Queries of the golden results: NAME QUERY on each line.
Texts queries() {
  Texts queries;
  const std::string lines = contents(PLIMSOLL_SOURCE_DIR "/tests/golden/scenarios.txt");
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size()), space = lines.find(' ', at);
    if (space < end) queries.push_back(lines.substr(space + 1, end - space - 1));
    at = end + 1;
  }
  return queries;
}

/// The same as JSON objects.
Texts scenarios() {
  Texts objects;
  Issues ignored;
  for (const std::string& query : queries()) {
    io::Json object = io::Json::object();
    const io::Request request = io::request_from_query(query, ignored);
    for (const io::Entry& entry : request.entries()) object[entry.name] = entry.text;
    objects.push_back(io::dump(object));
  }
  return objects;
}

Texts values() {
  Texts values;
  for (std::size_t i = 0; i < fields().size(); ++i) {
    const Field& field = fields()[i];
    if (field.get != nullptr) values.push_back(static_cast<char>(i) + text_of(field, field.kind == FieldKind::choice ? field.choices.back().value : field.max));
  }
  return values;
}

Texts weight_ids() {
  Texts ids;
  for (const io::WeightSchemeRow& row : catalog().weights().schemes()) ids.push_back(row.id);
  return ids;
}

Texts command_lines() {
  return {"vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192 --max-num-seqs 64 -tp 2 --kv-cache-dtype fp8 --gpu-memory-utilization 0.9",
          "vllm serve deepseek-ai/DeepSeek-V3 -tp 4 -dp 2 -pp 2 --enable-expert-parallel --max-num-batched-tokens=2048 --quantization fp8",
          "vllm serve Qwen/Qwen3-32B --speculative-config '{\"method\": \"mtp\", \"num_speculative_tokens\": 2}' --enable-lora --max-loras 4",
          "CUDA_VISIBLE_DEVICES=0,1 python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 8 --dp 2 --enable-dp-attention --mem-fraction-static 0.9",
          "docker run --gpus all -p 8000:8000 vllm/vllm-openai --model Qwen/Qwen3-32B-AWQ --dtype half \\\n  --swap-space 4 # comment",
          "llama-server -m models/Meta-Llama-3-70B-Instruct-Q4_K_M.gguf -c 32768 -np 4 -ngl 60 -fa -ctk q8_0 -ub 1024 --swa-full -t 8",
          "llama-server -hf bartowski/Meta-Llama-3-8B-Instruct-GGUF:IQ4_XS -md Qwen3-0.6B-Q8_0.gguf --draft-max 8 -ngl all",
          "trtllm-serve Qwen/Qwen3-8B --tp_size 2 --max_batch_size 64 --max_seq_len 8192 --kv_cache_free_gpu_memory_fraction 0.9",
          "lmdeploy serve api_server internlm/internlm2_5-7b-chat --tp 2 --session-len 8192 --cache-max-entry-count 0.8 --quant-policy 8",
          "ollama run llama3.1:8b-instruct-q4_K_M", "OLLAMA_NUM_PARALLEL=4 OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve"};
}

/// As they are published, whichever are short.
Texts model_configs() {
  Texts configs = real_configs();
  std::erase_if(configs, [](const std::string& config) { return config.size() > kLongest; });
  return configs;
}

Texts quantizations() {
  return {R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "llm_int8_skip_modules": ["lm_head"]})",
          R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true, "sym": true, "dynamic": {"-:model": {}}})",
          R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "modules_to_not_convert": ["visual", "model.layers.3.mlp"]})",
          R"({"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["re:model\\.layers\\.0\\..*", "mlp.gate"]})",
          R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head", "re:.*gate$"], "config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128}}}})",
          R"({"quant_method": "modelopt", "quantization": {"quant_algo": "NVFP4", "exclude_modules": ["model.layers.*.self_attn*", "lm_head"]}})",
          R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}, "skip_modules": ["lm_head"]})",
          R"({"quant_method": "aqlm", "in_group_size": 8, "out_group_size": 1, "num_codebooks": 1, "nbits_per_codebook": 16})",
          R"({"quant_method": "exl2", "bits": 4.65, "head_bits": 6})",
          R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 64}}}})",
          R"({"group_size": 64, "bits": 4, "model.layers.0.mlp.gate": {"group_size": 64, "bits": 8}, "lm_head": false})"};
}

// The examples of docs/prices.md, and what prices and devices have besides.
Texts price_files() {
  return {R"({"source": "offer", "date": "2026-11-01", "cloud": "Example", "prices": [{"instance": "big", "region": "north", "gpu": "h100-80-sxm", "gpus": 8, "usd_per_hour": 21.957642}, {"instance": "big", "gpu": "H100", "usd_per_hour": 9.5, "kind": "spot"}]})",
          R"({"prices": [{"id": "x", "cloud": "c", "instance": "i", "gpu": "a100-80-sxm", "gpus": 1, "usd_per_hour": 2, "alone": true, "kind": "historical", "date": "2024-02", "dated": false, "since": "2023-01", "source": "s", "evidence": "read", "note": "n"}]})"};
}

Texts device_files() {
  return {R"({"devices": [{"id": "mine", "name": "My", "vendor": "Me", "arch": "Hopper", "class": "datacenter", "memory_usable_bytes": 84929085440, "memory_usable_basis": "b", "memory_bandwidth_bytes_per_s": 3350000000000, "power_watts": 700, "peak_dense_flop_per_s": {"bf16": 989000000000000}, "interconnect": {"bytes_per_s_per_direction": 450000000000, "pcie": "5.0 x16"}, "sources": ["s"], "date": "2026-11"}]})",
          R"([{"id": "m", "name": "M", "vendor": "V", "arch": "A", "class": "c", "memory_usable_bytes": 8000000000, "memory_usable_basis": "b", "sources": ["s"], "date": "2026-11", "aliases": ["n"], "release_year": 2024, "memory_label_gb": 8, "interconnect": {"domain_devices": 4}}])"};
}

Texts joined(std::initializer_list<Texts> lists) {
  Texts all;
  for (const Texts& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator{folder})
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths); // a folder has no order of its own
  return paths;
}

/// Of every file of evidence a few rows, each as a file of its own.
Texts rows() {
  constexpr std::size_t kRows = 4;
  Texts rows;
  for (const fs::path& path : files_in(PLIMSOLL_SOURCE_DIR "/tests/corpus")) {
    const io::ParsedJson file = io::parse_json(contents(path), {.bytes = std::size_t{1} << 26, .keys = 10'000'000});
    for (std::size_t i = 0; file.ok && file.value.is_array() && i < std::min(kRows, file.value.size()); ++i) rows.push_back("[" + io::dump(file.value.at(i)) + "]");
  }
  return rows;
}

Texts training_configs(std::string_view format) {
  Texts configs;
  for (const fs::path& path : files_in(fs::path{PLIMSOLL_SOURCE_DIR "/tests/corpus/configs"} / format)) configs.push_back(contents(path));
  return configs;
}

/// For targets that bytes choose.
Texts noise() {
  constexpr int kSeeds = 40;
  Random random{2026};
  Texts seeds;
  for (int i = 0; i < kSeeds; ++i) {
    std::string& bytes = seeds.emplace_back(8 + random.below(80), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.next());
  }
  return seeds;
}

Texts costs() {
  return {"device=h100-80-sxm&gpus=64&hours=100", "ways=h100-80-sxm:64:100,a100-80-sxm:64:210&budget=5000&today=2026-11-01", "device=h100-80-sxm&gpu_hours=2.5&kind=spot&cloud=AWS",
          "device=rtx4090&gpus=2&hours=1&task=inference&tokens_per_second=1500&price_per_gpu_hour=500&grid_intensity=400&purchase_price=2000&region=north&node_gpus=2"};
}

Texts small_json() { return {R"({"a":[1,-2.5e3,true,false,null,"\u00e9\n"],"b":{"c":{}}})", "[NaN,Infinity,-Infinity]", "18446744073709551615", R"(["\ud83d\ude00",""])"}; }

} // namespace

std::vector<std::string> seeds_of(std::string_view target) {
  if (target == "gguf") return gguf_seeds();
  if (target == "safetensors") return {packed().json(), SafetensorsWriter{}.tensor("a", "F32", {1}, 4).json(), R"({"metadata":{"total_size":4},"weight_map":{"a":"b"}})"};
  if (target == "json") return small_json();
  if (target == "query" || target == "answer") return queries();
  if (target == "request" || target == "scenario") return scenarios();
  if (target == "value") return values();
  if (target == "weights") return weight_ids();
  if (target == "command_line") return command_lines();
  if (target == "model_config") return model_configs();
  if (target == "quantization") return quantizations();
  if (target == "prices") return price_files();
  if (target == "devices") return device_files();
  if (target == "given_file") return joined({price_files(), device_files(), {R"({"ok":true,"issues":[],"query":"model=llama-3-8b","estimate":{}})"}});
  if (target == "rows") return rows();
  if (target == "cost") return costs();
  if (target == "script") return script_seeds();
  if (target == "manifest") return manifest_seeds();
  if (target == "log") return log_seeds();
  if (target == "litgpt") return litgpt_seeds();
  if (target == "maxtext") return maxtext_seeds();
  if (target == "load") return load_seeds();
  if (target == "estimate" || target == "solve" || target == "plan" || target == "serving_plan") return noise();
  if (target == "any_file") {
    Texts all = joined({command_lines(), model_configs(), {packed().header(), llama_q4_k_m(1).header()}});
    for (const char* format : {"deepspeed", "axolotl", "torchtitan", "megatron", "nemo"}) all.push_back(training_configs(format).front());
    return all;
  }
  return training_configs(target);
}

} // namespace plimsoll::fuzz
