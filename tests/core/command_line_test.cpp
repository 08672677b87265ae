// Command lines of inference engines: what people paste becomes a request, and back.
#include "files/commands/values.hpp"
#include "files/commands/words.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

using Texts = std::vector<std::string>;
using Fields = std::map<std::string, std::string>;

/// Words; "|" where a command ends.
Texts words(std::string_view text) {
  Texts texts;
  for (const io::commands::Word& word : io::commands::split_words(text)) texts.push_back(word.ends_command ? "|" : word.text);
  return texts;
}

io::CommandLine read(std::string_view text) { return io::read_command_line(test::catalog(), text); }

Fields fields_of(const io::Request& request) {
  Fields fields;
  for (const io::Entry& entry : request.entries()) fields[entry.name] = entry.text;
  return fields;
}

Fields read_fields(std::string_view text) { return fields_of(read(text).request); }

std::string exported(const std::string& query, std::string_view engine) {
  return io::export_command_line(test::catalog(), test::answer_to(query), engine).text;
}

bool is_said(const io::CommandLine& line, std::string_view field, Severity severity) {
  return std::ranges::any_of(line.issues, [&](const Issue& issue) { return issue.field == field && issue.severity == severity && !issue.remedy.empty(); });
}

} // namespace

TEST_CASE("Options of CUDA graphs are read, and written again") {
  CHECK(read_fields("vllm serve Qwen/Qwen3-8B --enforce-eager").at("cuda_graphs") == "off");
  CHECK(read_fields("vllm serve Qwen/Qwen3-8B --no-enforce-eager").at("cuda_graphs") == "on");
  CHECK(read_fields("vllm serve Qwen/Qwen3-8B --max-cudagraph-capture-size 64").at("largest_graph") == "64");
  CHECK(read_fields("python -m sglang.launch_server --model-path Qwen/Qwen3-8B --cuda-graph-max-bs 32").at("largest_graph") == "32");
  CHECK(exported("model=qwen3-8b&device=h100-80-sxm&task=inference&profile=vllm&cuda_graphs=off", "vllm").find("--enforce-eager") != std::string::npos);
}

TEST_CASE("words are split as a shell splits them") {
  CHECK(words("") == Texts{});
  CHECK(words("  a  b\tc ") == Texts{"a", "b", "c"});
  CHECK(words("a 'b c' \"d e\"f") == Texts{"a", "b c", "d ef"});
  CHECK(words(R"(a\ b "c\"d" 'e\f')") == Texts{"a b", "c\"d", "e\\f"});
  CHECK(words("a \\\n  b \\ \n c") == Texts{"a", "b", "c"});
  CHECK(words("a `\n b ^\r\n c") == Texts{"a", "b", "c"});
  CHECK(words("# all of it\na # some of it\nb#c") == Texts{"|", "a", "|", "b#c"});
  CHECK(words("a && b; c | d > e") == Texts{"a", "|", "b", "|", "c", "|", "d", "|", "e"});
  CHECK(words("''") == Texts{""});
  CHECK(words("'never ends") == Texts{"never ends"});
  CHECK(words("ends with \\") == Texts{"ends", "with"});
  CHECK(io::commands::split_words("a b c d", 2).size() == 2);
  for (const std::string text : {"plain", "two words", "it's", "", "$HOME", "a\"b\\c", "ü"})
    CHECK(words(io::commands::quoted_word(text)) == Texts{text});
}

TEST_CASE("numbers are read as the engines read them") {
  using io::commands::thousandths_of_share, io::commands::whole_of;
  CHECK(whole_of("8192") == 8192);
  CHECK(whole_of("8,192") == 8192);
  CHECK(whole_of("32k") == 32'000);
  CHECK(whole_of("32K") == 32'768);
  CHECK(whole_of("25.6k") == 25'600);
  CHECK(whole_of("1M") == 1'048'576);
  for (const char* text : {"", "k", "-1", "1.5", "abc", "99999999999999999999", "9999999999999G", "1e3"}) CHECK(!whole_of(text));
  CHECK(thousandths_of_share("0.9") == 900);
  CHECK(thousandths_of_share("0.8765") == 877);
  CHECK(thousandths_of_share("1.0") == 1000);
  CHECK(thousandths_of_share(".5") == 500);
  for (const char* text : {"", ".", "1.01", "-0.5", "90%"}) CHECK(!thousandths_of_share(text));
  for (const int share : {1, 10, 250, 877, 900, 1000}) CHECK(thousandths_of_share(io::commands::share_text(share)) == share);
}

TEST_CASE("vllm serve") {
  const io::CommandLine line = read(R"(# two cards
CUDA_VISIBLE_DEVICES=0,1 vllm serve meta-llama/Llama-3.1-8B \
  --tensor-parallel-size 2 --max-model-len 32K --gpu_memory_utilization=0.95 --max-num-seqs 64 --max-num-batched-tokens 4096 \
  --kv-cache-dtype fp8_e4m3 --block-size 32 -dp 3 --quantization fp8 --port 8000 --api-key 'a b' --trust-remote-code --enable-prefix-caching)");
  CHECK(line.ok);
  CHECK(line.engine == "vLLM");
  CHECK(fields_of(line.request) == Fields{{"task", "inference"}, {"profile", "vllm"}, {"model", "llama-3.1-8b"}, {"tensor_parallel", "2"},
        {"context_tokens", "32768"}, {"memory_permille", "950"}, {"max_sequences", "64"}, {"prefill_tokens", "4096"}, {"kv_dtype", "fp8"},
        {"block_tokens", "32"}, {"data_parallel", "3"}, {"weight_dtype", "fp8_tensor"}});
  CHECK(line.unread.empty());
  CHECK(line.harmless == 3);
  CHECK(line.read == 11);
  CHECK(!has_errors(line.issues));
}

TEST_CASE("engines are recognised wherever they stand in a line") {
  const std::string model = "Qwen/Qwen3-8B";
  for (const auto& [text, profile] : std::vector<std::pair<std::string, std::string>>{
           {"python3 -m vllm.entrypoints.openai.api_server --model " + model, "vllm"},
           {"docker run --gpus all -p 8000:8000 vllm/vllm-openai:latest --model " + model, "vllm"},
           {"cd /srv && /opt/env/bin/vllm serve " + model + " && echo done", "vllm"},
           {"python -m sglang.launch_server --model-path " + model, "sglang"},
           {"sglang serve --model " + model, "sglang"},
           {"trtllm-serve " + model, "tensorrt_llm"},
           {"trtllm-serve serve " + model, "tensorrt_llm"},
           {"lmdeploy serve api_server " + model, "lmdeploy"},
           {"./build/bin/llama-server -m Qwen3-8B-Q4_K_M.gguf", "llama_cpp"},
           {"C:\\llama\\llama-server.exe -m C:\\models\\Qwen3-8B-Q4_K_M.gguf", "llama_cpp"},
           {"ollama run qwen3:8b", "ollama"}}) {
    INFO(text);
    const Fields fields = read_fields(text);
    CHECK(io::is_command_line(text));
    CHECK(fields.at("profile") == profile);
    CHECK(fields.at("model") == "qwen3-8b");
  }
  for (const char* text : {"", "ls -l", "vllm", "please serve vllm", "{\"model_type\": \"llama\"}", "GGUF"}) CHECK(!io::is_command_line(text));
}

TEST_CASE("llama-server: slots divide the cells, and keys and values have formats of their own") {
  const Fields fields = read_fields("llama-server -m models/Meta-Llama-3-70B-Instruct-Q4_K_M.gguf -c 32768 -np 4 -ngl 60 -fa -ctk q8_0 -ub 1024 --swa-full -t 8");
  CHECK(fields.at("model") == "llama-3-70b");
  CHECK(fields.at("weight_dtype") == "q4_k_m");
  CHECK(fields.at("context_tokens") == "8192");
  CHECK(fields.at("batch") == "4");
  CHECK(fields.at("gpu_layers") == "60");
  CHECK(fields.at("kv_dtype") == "q8_0");
  CHECK(fields.at("value_dtype") == "fp16");
  CHECK(fields.at("flash_attention") == "on");
  CHECK(fields.at("full_window_cache") == "on");
  CHECK(fields.at("prefill_tokens") == "1024");
  CHECK(read_fields("llama-server -m a.gguf -fa off").at("flash_attention") == "off");
  CHECK(!read_fields("llama-server -m a.gguf -fa auto").contains("flash_attention"));
  CHECK(!read_fields("llama-server -m a.gguf -ngl all").contains("gpu_layers"));
  CHECK(read_fields("llama-server -hf bartowski/Meta-Llama-3-8B-Instruct-GGUF:IQ4_XS").at("weight_dtype") == "iq4_xs");
  CHECK(read_fields("llama-server -m llama-3-8b.F16.gguf").at("weight_dtype") == "gguf_f16");
  CHECK(read_fields("llama-server -m llama-3.1-8b-Q8_0-00001-of-00003.gguf").at("weight_dtype") == "q8_0");
}

// vllm/config/parallel.py: replicas have tensor_parallel GPUs each, and experts stand in one group of all. SGLang's --tp counts the GPUs
// of all replicas that attend apart: srt/layers/dp_attention.py.
TEST_CASE("pipelines, groups of experts, data-parallel attention and prediction layers") {
  const Fields vllm = read_fields("vllm serve deepseek-ai/DeepSeek-V3 -tp 4 -dp 2 -pp 2 --enable-expert-parallel -dcp 4 --max-model-len 8192 "
                                  "--speculative-config '{\"method\": \"deepseek_mtp\", \"num_speculative_tokens\": 2}'");
  CHECK(vllm.at("tensor_parallel") == "4");
  CHECK(vllm.at("data_parallel") == "2");
  CHECK(vllm.at("pipeline_parallel") == "2");
  CHECK(vllm.at("expert_parallel") == "8");
  CHECK(vllm.at("cache_parallel") == "4");
  CHECK(vllm.at("predicts_drafts") == "true");
  CHECK(vllm.at("draft_tokens") == "2");
  const Fields sglang = read_fields("python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 16 --dp 8 --enable-dp-attention --ep-size 16 --pp-size 2 "
                                    "--context-length 8192 --speculative-algorithm NEXTN");
  CHECK(sglang.at("tensor_parallel") == "2");
  CHECK(sglang.at("data_parallel") == "8");
  CHECK(sglang.at("data_parallel_attention") == "on");
  CHECK(sglang.at("expert_parallel") == "16");
  CHECK(sglang.at("pipeline_parallel") == "2");
  CHECK(sglang.at("predicts_drafts") == "true");
  CHECK(read_fields("python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --dp 2").at("tensor_parallel") == "8"); // replicas of eight
  CHECK(read_fields("python -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-mixed-chunk").at("mixed_chunks") == "true");
  CHECK(read("python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 7 --dp 2 --enable-dp-attention").issues.size() >= 1);
  const Fields nvidia = read_fields("trtllm-serve deepseek-ai/DeepSeek-V3 --tp_size 8 --ep_size 4 --pp_size 2 --max_seq_len 8192");
  CHECK(nvidia.at("expert_parallel") == "4");
  CHECK(nvidia.at("pipeline_parallel") == "2");
  const io::CommandLine without = read("vllm serve Qwen/Qwen3-8B --speculative-config '{\"method\": \"mtp\", \"num_speculative_tokens\": 2}'");
  CHECK(without.request.find("predicts_drafts") == nullptr);
  CHECK(std::ranges::any_of(without.issues, [](const Issue& issue) { return issue.field == "predicts_drafts"; }));
}

TEST_CASE("sglang, trtllm-serve, lmdeploy and ollama") {
  const Fields sglang = read_fields("python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --mem-fraction-static 0.9 --chunked-prefill-size 8192 "
                                    "--max-running-requests 96 --context-length 65536 --page-size 64 --kv-cache-dtype fp8_e5m2 --dtype bfloat16");
  CHECK(sglang == Fields{{"task", "inference"}, {"profile", "sglang"}, {"model", "deepseek-v3-671b"}, {"tensor_parallel", "8"}, {"memory_permille", "900"},
        {"prefill_tokens", "8192"}, {"max_sequences", "96"}, {"context_tokens", "65536"}, {"block_tokens", "64"}, {"kv_dtype", "fp8"}}); // its checkpoint is fp8
  const Fields trtllm = read_fields("trtllm-serve meta-llama/Llama-3.1-70B --tp_size 4 --max_batch_size 128 --max_num_tokens 8192 --max_seq_len 16384 "
                                    "--kv_cache_free_gpu_memory_fraction 0.85");
  CHECK(trtllm == Fields{{"task", "inference"}, {"profile", "tensorrt_llm"}, {"model", "llama-3.1-70b"}, {"tensor_parallel", "4"}, {"max_sequences", "128"},
        {"prefill_tokens", "8192"}, {"context_tokens", "16384"}, {"memory_permille", "850"}});
  CHECK(read_fields("lmdeploy serve api_server Qwen/Qwen3-8B --session-len 32768 --cache-max-entry-count 0.5").at("memory_permille") == "500");
  const Fields ollama = read_fields("OLLAMA_NUM_PARALLEL=2 OLLAMA_KV_CACHE_TYPE=q8_0 ollama run llama3.1:8b");
  CHECK(ollama == Fields{{"task", "inference"}, {"profile", "ollama"}, {"model", "llama-3.1-8b"}, {"batch", "2"}, {"kv_dtype", "q8_0"}, {"weight_dtype", "q4_k_m"},
        {"context_tokens", "4096"}});
}

TEST_CASE("adapters and beams") {
  CHECK(read_fields("vllm serve Qwen/Qwen3-8B --enable-lora").at("lora_slots") == "1");
  for (const char* text : {"vllm serve Qwen/Qwen3-8B --enable-lora --max-loras 4 --max-lora-rank 64", "vllm serve Qwen/Qwen3-8B --max-loras 4 --max-lora-rank 64 --enable-lora"}) {
    CHECK(read_fields(text).at("lora_slots") == "4");
    CHECK(read_fields(text).at("lora_rank") == "64");
  }
  CHECK(read_fields("sglang serve --model-path Qwen/Qwen3-8B --lora-paths a=b c=d --tp 2").at("lora_slots") == "8");
  CHECK(read_fields("trtllm-serve Qwen/Qwen3-8B --max_beam_width 4").at("beams") == "4");
  const Fields drafted = read_fields("vllm serve Qwen/Qwen3-32B --speculative-config '{\"model\": \"Qwen/Qwen3-0.6B\", \"num_speculative_tokens\": 5}'");
  CHECK(drafted.at("draft_model") == "qwen3-0.6b");
  CHECK(drafted.at("draft_tokens") == "5");
  CHECK(read("vllm serve Qwen/Qwen3-32B --speculative-config '{\"method\": \"ngram\", \"num_speculative_tokens\": 5}'").unread.empty());
  CHECK(read("vllm serve Qwen/Qwen3-32B --speculative-config {").unread.size() == 1);
  CHECK(read_fields("llama-server -m Qwen3-32B-Q4_K_M.gguf -md Qwen3-0.6B-Q8_0.gguf --draft-max 8").at("draft_model") == "qwen3-0.6b");
  const std::string text = exported("model=qwen3-8b&profile=vllm&lora_slots=3&lora_rank=32", "vllm");
  CHECK(text.find("--enable-lora") != std::string::npos);
  CHECK(read_fields(text).at("lora_slots") == "3");
}

TEST_CASE("models are found by their id, their file, and by the rest of a tuned version's name") {
  for (const auto& [text, id] : std::vector<std::pair<std::string, std::string>>{
           {"meta-llama/Meta-Llama-3-8B", "llama-3-8b"}, {"meta-llama/Meta-Llama-3-8B-Instruct", "llama-3-8b"}, {"/models/Llama-3.1-8B/", "llama-3.1-8b"},
           {"Qwen/Qwen3-32B-AWQ", "qwen3-32b"}, {"unsloth/Meta-Llama-3.1-70B-Instruct-bnb-4bit", "llama-3.1-70b"}, {"openai/gpt-oss-120b", "gpt-oss-120b"}})
    CHECK(read_fields("vllm serve " + text).at("model") == id);
  CHECK(is_said(read("vllm serve meta-llama/Meta-Llama-3-8B-Instruct"), "model", Severity::note));
  CHECK(!is_said(read("vllm serve meta-llama/Meta-Llama-3-8B"), "model", Severity::note));
  CHECK(read_fields("vllm serve Qwen/Qwen3-32B-AWQ").at("weight_dtype") == "awq_4bit_g128");
  CHECK(is_said(read("vllm serve Qwen/Qwen3-32B-AWQ"), "weight_dtype", Severity::note));
  CHECK(read_fields("vllm serve somebody/Something-9B").at("model") == "somebody/Something-9B"); // resolving says that there is none
  CHECK(is_said(read("vllm serve"), "model", Severity::warning));
}

TEST_CASE("what may matter and is not read is listed as it was typed") {
  const io::CommandLine line = read("vllm serve Qwen/Qwen3-8B --enable-dbo --hf-overrides={} --speculative-config '{\"method\": \"suffix\", \"num_speculative_tokens\": 3}' "
                                    "--frobnicate 3 --enable-sleep-mode --no-enable-prefix-caching --compilation-config.level 3 --max-model-len soon");
  CHECK(line.unread == Texts{"--enable-dbo", "--hf-overrides={}", "--speculative-config '{\"method\": \"suffix\", \"num_speculative_tokens\": 3}'", "--frobnicate 3",
                             "--enable-sleep-mode", "--no-enable-prefix-caching", "--compilation-config.level 3", "--max-model-len soon"});
  CHECK(std::ranges::count(line.issues, Severity::warning, &Issue::severity) == 8);
  for (const Issue& issue : line.issues) CHECK(!issue.remedy.empty());
  CHECK(read("vllm serve Qwen/Qwen3-8B --prefill-context-parallel-size 1").unread.empty());
  CHECK(read("vllm serve Qwen/Qwen3-8B --max-model-len").unread == Texts{"--max-model-len"});
  CHECK(read("vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 90").unread == Texts{"--gpu-memory-utilization 90"});
  CHECK(read("vllm serve Qwen/Qwen3-8B; rm --frobnicate").unread.empty());
}

// vllm/model_executor/layers/quantization/modelopt.py, override_quantization_method; sglang's server_args.py takes "modelopt" alike.
TEST_CASE("a checkpoint's format by its name counts before the method that reads several") {
  CHECK(read_fields("vllm serve stepfun-ai/Step-3.7-Flash-NVFP4 --quantization modelopt").at("weight_dtype") == "nvfp4");
  CHECK(read_fields("python -m sglang.launch_server --model-path nvidia/DeepSeek-R1-0528-FP4 --quantization modelopt").at("weight_dtype") == "nvfp4");
  CHECK(read_fields("vllm serve Qwen/Qwen3-32B --quantization modelopt").at("weight_dtype") == "fp8_tensor");
  CHECK(is_said(read("vllm serve Qwen/Qwen3-32B --quantization modelopt"), "weight_dtype", Severity::note));
  CHECK(read_fields("vllm serve somebody/else --quantization awq_marlin").at("weight_dtype") == "awq_4bit_g128");
  CHECK(read_fields("vllm serve Qwen/Qwen3-32B-AWQ --quantization awq_marlin --dtype half").at("weight_dtype") == "awq_4bit_g128");
  CHECK(read_fields("vllm serve inclusionAI/Ring-1T-FP8").at("weight_dtype").starts_with("fp8"));
  CHECK(is_said(read("vllm serve nvidia/NVIDIA-Nemotron-Nano-12B-v2-VL-BF16"), "model", Severity::warning)); // the language model alone is in the catalogue
  CHECK_FALSE(is_said(read("vllm serve Qwen/Qwen2.5-VL-7B-Instruct"), "model", Severity::warning));
}

// lmdeploy/pytorch/engine/cache_engine.py: a scale and a zero for each head of each token.
TEST_CASE("LMDeploy's cache in 8 and 4 bits is read") {
  const std::string line = "lmdeploy serve api_server internlm/internlm2_5-20b-chat --tp 2 --session-len 32768 --quant-policy ";
  CHECK(read_fields(line + "8").at("kv_dtype") == "int8_per_token_head");
  CHECK(read_fields(line + "4").at("kv_dtype") == "int4_per_token_head");
  CHECK(read_fields(line + "0").count("kv_dtype") == 0);
}

TEST_CASE("a scenario becomes a command line, and that the scenario") {
  const Fields said{{"model", "llama-3.1-70b"}, {"context_tokens", "32000"}, {"tensor_parallel", "4"}, {"memory_permille", "955"}, {"max_sequences", "64"},
                    {"prefill_tokens", "2048"}};
  io::Request request;
  for (const auto& [name, text] : said) request.set(name, text);
  for (const char* engine : {"vllm", "sglang", "tensorrt_llm"}) {
    INFO(engine);
    const std::string text = exported(io::to_query(request) + "&device=h100-80-sxm&profile=" + engine, engine);
    INFO(text);
    CHECK(text.starts_with("# H100 SXM5 80GB, 4 GPUs\n"));
    Fields back = read_fields(text);
    CHECK(read(text).unread.empty());
    for (const auto& [name, value] : said) CHECK(back[name] == value);
    CHECK(back["profile"] == engine);
    CHECK(exported(io::to_query(read(text).request) + "&device=h100-80-sxm", engine) == text);
  }
  for (const char* query : {"model=llama-3-70b&profile=llama_cpp&weight_dtype=q4_k_m&gpu_layers=60&batch=4&kv_dtype=q8_0&flash_attention=on",
                            "model=gemma-3-27b&profile=llama_cpp&weight_dtype=gguf_f16&full_window_cache=on&kv_dtype=fp16&prefill_tokens=1024&context_tokens=5000"}) {
    const std::string text = exported(query, "llama_cpp");
    INFO(text);
    const io::Answer before = test::answer_to(query), after = test::answer_to(io::to_query(read(text).request));
    CHECK(read(text).unread.empty());
    CHECK(before.estimate.at_peak().total == after.estimate.at_peak().total);
    CHECK(exported(io::to_query(read(text).request), "llama_cpp") == text);
  }
}

TEST_CASE("degrees of all kinds become a command line, and that the degrees") {
  const std::string model = "device=h200-141-sxm&context_tokens=8192&model=deepseek-v3-671b";
  for (const auto& [engine, degrees] : std::vector<std::pair<std::string, std::string>>{
           {"vllm", "&tensor_parallel=4&data_parallel=2&expert_parallel=8&pipeline_parallel=2&cache_parallel=4&predicts_drafts=true&draft_tokens=2"},
           {"sglang", "&tensor_parallel=2&data_parallel=8&data_parallel_attention=on&expert_parallel=16&pipeline_parallel=2&predicts_drafts=true&draft_tokens=2"},
           {"tensorrt_llm", "&tensor_parallel=8&expert_parallel=4&pipeline_parallel=2"}}) {
    const std::string query = model + "&profile=" + engine + degrees, text = exported(query, engine);
    INFO(text);
    const io::CommandLine line = read(text);
    CHECK(line.unread.empty());
    const io::Answer before = test::answer_to(query), after = test::answer_to(io::to_query(line.request) + "&device=h200-141-sxm");
    CHECK(before.estimate.gpus == after.estimate.gpus);
    CHECK(before.estimate.at_peak().total == after.estimate.at_peak().total);
    CHECK(before.judgement.pool.bytes.expected == after.judgement.pool.bytes.expected);
  }
  CHECK(exported(model + "&profile=vllm&tensor_parallel=8&expert_parallel=4", "vllm").find("# expert_parallel=4: ") != std::string::npos);
}

TEST_CASE("what a command line cannot say is a comment in it") {
  const std::string text = exported("model=llama-3-8b&profile=vllm&weight_dtype=awq_4bit_g128&batch=8&value_dtype=fp8&kv_dtype=fp8", "vllm");
  CHECK(text.find("# weight_dtype=awq_4bit_g128: ") != std::string::npos);
  CHECK(text.find("# batch=8: ") != std::string::npos);
  CHECK(text.find("# value_dtype=fp8: ") != std::string::npos);
  CHECK(exported("model=llama-3-8b&layers=20", "vllm").find("# layers=20: ") != std::string::npos);
  const auto refused = [](const std::string& query, const char* engine) { return io::export_command_line(test::catalog(), io::answer_query(test::catalog(), query), engine); };
  CHECK(has_errors(refused("model=llama-3-8b&task=pretrain", "vllm").issues));
  CHECK(has_errors(refused("model=llama-3-8b", "nonsense").issues));
  CHECK(has_errors(refused("model=nonsense", "vllm").issues));
  CHECK(!refused("model=nonsense", "vllm").ok);
}

TEST_CASE("import recognises the text of a command line") {
  const std::string text = "vllm serve Qwen/Qwen3-8B --max-model-len 4096 --enable-dbo\n";
  const std::string json = io::import_json(text, text.size());
  CHECK(json.starts_with(R"({"ok":true,"kind":"command_line","engine":"vLLM")"));
  CHECK(json.find(R"("context_tokens":"4096")") != std::string::npos);
  CHECK(json.find(R"("unread":["--enable-dbo"])") != std::string::npos);
  const io::ModelFile file = io::read_model_file(text, text.size());
  CHECK(file.ok);
  CHECK(file.kind == "command_line");
  CHECK(*file.request.find("model") == "qwen3-8b");
  CHECK(io::read_model_file(text, text.size() + 1).kind == "unknown"); // more of the file follows
}

TEST_CASE("any text is answered") {
  const Texts seeds{"vllm serve Qwen/Qwen3-8B --max-model-len 32k --speculative-config '{\"a\": 1}' -tp 2 --gpu-memory-utilization 0.9",
                    "llama-server -m x-Q4_K_M.gguf -c 0 -np 3 -ngl all -fa on -ctk q8_0", "python -m sglang.launch_server --model a --tp", "ollama run x:y",
                    "trtllm-serve serve a --kv_cache_free_gpu_memory_fraction=."};
  std::uint32_t state = 1;
  const auto random = [&](std::size_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  constexpr std::string_view kLetters = "-=_'\"\\ \n#;0aA.:/\xff\x01";
  for (int round = 0; round < 4000; ++round) {
    std::string text = seeds[random(seeds.size())];
    for (std::size_t changes = random(12); changes > 0; --changes) {
      const std::size_t at = random(text.size() + 1);
      if (random(2) == 0) text.insert(at, 1, kLetters[random(kLetters.size())]);
      else text.erase(at, random(4));
    }
    const io::CommandLine line = read(text);
    CHECK(line.ok == io::is_command_line(text));
    CHECK((line.ok || has_errors(line.issues)));
    for (const Issue& issue : line.issues) CHECK(!issue.remedy.empty());
    CHECK(io::command_line_json(line).front() == '{');
  }
  CHECK(!read(std::string(io::kMostCommandBytes + 1, ' ')).ok);
  CHECK(!read(std::string_view{"vllm\0serve", 10}).ok);
}
