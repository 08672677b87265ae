// llama.cpp's and its forks' options as they are imported: where tensors are, and what only forks have.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::field;
using test::import;

TEST_CASE("llama.cpp divides layers among the GPUs that it sees, unless one takes the model whole") {
  const std::string line = " llama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 99 -c 8192";
  CHECK(field(import("CUDA_VISIBLE_DEVICES=0,1" + line), "pipeline_parallel") == "2");
  CHECK(field(import("CUDA_VISIBLE_DEVICES=0" + line), "pipeline_parallel").empty());
  CHECK(field(import("CUDA_VISIBLE_DEVICES=\"0, 1\"" + line), "pipeline_parallel") == "2");
  CHECK(field(import("CUDA_VISIBLE_DEVICES=\"0,\"" + line), "pipeline_parallel").empty());
  CHECK(import("CUDA_VISIBLE_DEVICES=$GPU" + line).questions.size() == 1); // the device alone
  CHECK(field(import("CUDA_VISIBLE_DEVICES=0,1" + line + " -sm none"), "pipeline_parallel").empty());
  CHECK(field(import("CUDA_VISIBLE_DEVICES=0,1,2" + line + " -ts 1,1"), "pipeline_parallel") == "2");
}

TEST_CASE("llama.cpp's -ot on several GPUs: what they have anyway, and what the first layers' GPUs leave to the host") {
  // 48 layers and the head by halves: 0 to 24 are CUDA0's, 25 to 47 CUDA1's
  const std::string line = "CUDA_VISIBLE_DEVICES=0,1 llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 99 -c 32768 ";
  CHECK(field(import(line + "-ot exps=CPU"), "host_expert_layers") == "999");
  CHECK(field(import(line + "-ot 'blk\\.(3|4)\\.ffn_.*_exps=CPU'"), "host_expert_layers") == "2"); // of CUDA0's, as the first two are
  CHECK(field(import(line + "-ot 'blk\\.([0-9]|1[0-9]|2[0-4])\\.ffn_.*=CUDA0,blk\\.(2[5-9]|[34][0-9])\\.ffn_.*=CUDA1' -ot exps=CPU"), "host_expert_layers").empty());
  const io::ImportedText alike = import(line + "-ot 'blk\\.(30|31|32|33)\\.=CUDA1' -ot 'blk\\.[0-9]\\.=CUDA0'");
  CHECK(alike.ok);
  CHECK(field(alike, "pipeline_parallel") == "2");
  // three quarters: 0 to 36 are CUDA0's
  CHECK(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 99 -ts 3,1 -ot 'blk\\.36\\.=CUDA0,blk\\.37\\.=CUDA1'").ok);
  // all of CUDA0's but the first layers; of 20 layers on GPUs the host's own keep theirs anyway
  CHECK(field(import(line + "-ot 'blk\\.2[5-9]\\.=CUDA1' -ot 'blk\\.(3|4)[0-9]\\.=CUDA1' -ot exps=CPU"), "host_expert_layers") == "25");
  CHECK(field(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 20 -ot 'blk\\.[0-9]\\.ffn_.*_exps=CPU'"), "host_expert_layers").empty());
  CHECK(field(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 20 -ot 'blk\\.(46|47)\\.ffn_.*_exps=CPU'"), "host_expert_layers") == "31");

  struct Refused {
    const char *options, *reason;
  };
  for (const auto& [options, reason] : {Refused{"-ot 'blk\\.5\\.ffn_.*=CUDA1' -ot exps=CPU", "puts blk.5.ffn_gate_exps.weight on GPU 1; by itself it is on GPU 0"},
                                        Refused{"-ot 'blk\\.40\\.attn_k=CUDA0'", "puts blk.40.attn_k.weight on GPU 0; by itself it is on GPU 1"},
                                        Refused{"-ot 'blk\\.(3|44)\\.ffn_.*_exps=CPU'", "other numbers of layers"},
                                        Refused{"-ot 'blk\\.(0|1|2)\\.ffn=CUDA0,blk\\.(30|31)\\.ffn=CUDA1,exps=CPU'", "other numbers of layers"},
                                        Refused{"-ot 'blk\\.47\\.=CUDA2'", "names GPU 2, counted from 0; stated are 2"},
                                        Refused{"-ot 'token_embd=CUDA0'", "by itself it is in the host's memory"},
                                        Refused{"-ot '^output\\.weight=CUDA0'", "by itself it is on GPU 1"},
                                        Refused{"-ot exps=NPU0", "no device that is known"}}) {
    INFO(options);
    const io::ImportedText made = import(line + options);
    CHECK_FALSE(made.ok);
    REQUIRE_FALSE(made.issues.empty());
    CHECK(std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.message.find(reason) != std::string::npos; }));
  }
  CHECK(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ot 'blk\\.(0|1|2)\\.ffn_.*=ROCm0' -ot exps=CPU").ok);
  CHECK(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ot 'blk\\..*=CUDA0'").ok);
  CHECK_FALSE(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ot '.*=CUDA0'").ok); // the table of tokens too
  CHECK_FALSE(import("llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ot 'exps=CUDA10'").ok); // ends in 0, and is the eleventh
  CHECK_FALSE(import("llama-server -m Llama-3.2-1B-Q8_0.gguf -ot 'token_embd=CPU'").ok); // its head too
  CHECK_FALSE(import("CUDA_VISIBLE_DEVICES=0,1 llama-server -m something.gguf -ot 'exps=CUDA0'").ok);
}

TEST_CASE("llama.cpp's -ot may move norms and routers with the experts; shared experts of a model that has them are no small matter") {
  const io::ImportedText all = import("llama-server -m Qwen3-235B-A22B-IQ4_XS.gguf -c 8192 -ngl 99 -ot '.ffn_.*=CPU'");
  CHECK(all.ok);
  CHECK(field(all, "host_expert_layers") == "999");
  CHECK(std::ranges::any_of(all.issues, [](const Issue& issue) { return issue.severity == Severity::warning && issue.message.starts_with("Routers are moved too"); }));
  CHECK(import("llama-server -m Qwen3-235B-A22B-IQ4_XS.gguf -c 8192 -ngl 99 -ot 'ffn_.*_exps=CPU'").issues.size() < all.issues.size());
  CHECK_FALSE(import("llama-server -m DeepSeek-V3-Q4_K_M.gguf -c 8192 -ngl 99 -ot '.ffn_.*=CPU'").ok);
}

TEST_CASE("files of a model that is published in 4 bits keep them where no other format is named; an engine that prints its version starts nothing") {
  CHECK(field(import("llama-server -hf ggml-org/gpt-oss-120b-GGUF -c 8192"), "weight_dtype").empty());
  CHECK(field(import("llama-server -hf unsloth/gpt-oss-120b-GGUF:Q4_K_M -c 8192"), "weight_dtype") == "q4_k_m");
  CHECK(field(import("llama-server -hf unsloth/Qwen3-8B-GGUF -c 8192"), "weight_dtype") == "q4_k_m");
  CHECK_FALSE(import("./build/bin/llama-server --version\n").ok);
  CHECK(import("./build/bin/llama-server --version\n./build/bin/llama-server -m Qwen3-8B-Q4_K_M.gguf -c 8192\n").commands.size() <= 1);
  CHECK(field(import("llama-bench -m Qwen3-8B-Q4_K_M.gguf -p 512,4096 -gp 4096,64"), "context_tokens") == "4160"); // ik_llama.cpp's
}

TEST_CASE("llama-bench makes a context as long as its longest test, and one model is asked about") {
  CHECK(field(import("./build/bin/llama-bench -m Qwen3-8B-Q4_K_M.gguf -p 512,4096 -n 128"), "context_tokens") == "4096");
  CHECK(field(import("llama-bench -m Qwen3-8B-Q4_K_M.gguf"), "context_tokens") == "512");
  CHECK(field(import("llama-bench -m Qwen3-8B-Q4_K_M.gguf -p 0 -pg 2048,256 -fa 1 -ctk q8_0 -ctv q8_0"), "context_tokens") == "2304");
  CHECK(field(import("llama-bench -m Qwen3-8B-Q4_K_M.gguf -ngl 20"), "gpu_layers") == "20");
  CHECK_FALSE(import("llama-bench -m Qwen3-8B-Q4_K_M.gguf -m Qwen3-4B-Q4_K_M.gguf").ok);
}

TEST_CASE("llama.cpp: what decides which tensors the GPU holds is no small matter; ik_llama.cpp by its options") {
  const std::string start = "llama-server -m Qwen3-235B-A22B-Q4_K_M.gguf -ngl 99 ";
  CHECK(field(import(start + "--n-cpu-moe 40"), "host_expert_layers") == "40");
  CHECK(field(import(start + "--cpu-moe"), "host_expert_layers") == "999");
  for (const char* pattern : {"exps=CPU", "\".ffn_.*_exps.=CPU\"", "'blk\\.\\d+\\.ffn_(up|gate|down)_exps=CPU'", "'\\.ffn_(up|down|gate)_exps=CPU'"}) {
    INFO(pattern);
    const io::ImportedText made = import(start + "-ot " + pattern);
    CHECK(made.ok);
    CHECK(field(made, "host_expert_layers") == "999");
  }
  for (const char* pattern : {"'.ffn_(up|down)_exps.=CPU'", "exps=CUDA1", "attn=CPU", "'output=CPU'", "'blk\\.1[0-4]\\.ffn=CUDA1' -ot exps=CPU", "'blk\\.(3|4=CPU'", "'(?=blk)=CPU'", "exps"}) {
    INFO(pattern);
    CHECK_FALSE(import(start + "-ot " + pattern).ok);
  }
  // of 94 layers, all with experts
  CHECK(field(import(start + "-ot 'blk\\.(3|4)\\.ffn_.*_exps=CPU'"), "host_expert_layers") == "2");
  CHECK(field(import(start + "-ot 'blk\\..*\\.ffn_.*_exps\\.weight=CPU'"), "host_expert_layers") == "999");
  CHECK(field(import(start + "-ot 'blk\\.1[0-4]\\.ffn=CUDA0' -ot exps=CPU"), "host_expert_layers") == "89");
  CHECK(field(import(start + "-ot 'blk\\.(?:[0-9]|1\\d)\\.ffn=CUDA0,exps=CPU'"), "host_expert_layers") == "74");
  CHECK(field(import(start + "-ot 'blk\\.[0-9]{2}\\.ffn_(gate|up|down)_exps.weight$=CPU'"), "host_expert_layers") == "84");
  CHECK(field(import(start + "-ot 'attn=CUDA0'"), "host_expert_layers").empty());
  // dense MLPs: eight of 32 layers, all of them, and a norm that goes along
  const std::string dense = "llama-server -m Meta-Llama-3-8B-Q8_0.gguf -ngl 99 ";
  CHECK(field(import(dense + "-ot 'blk\\.[0-7]\\.ffn_(gate|up|down)=CPU'"), "host_mlp_layers") == "8");
  CHECK(field(import(dense + "-ot 'ffn_.*=CPU'"), "host_mlp_layers") == "999");
  CHECK(field(import(dense + "-ot 'ffn_.*=CPU'"), "host_expert_layers").empty());
  CHECK_FALSE(import(dense + "-ot 'ffn_up=CPU'").ok); // one of three
  // layers 3 to 60 have experts: ten of them are the first thirteen layers'
  CHECK(field(import("llama-server -m DeepSeek-V3-Q4_K_M.gguf -ot 'blk\\.(2\\d)\\.ffn_.*_exps=CPU'"), "host_expert_layers") == "13");
  CHECK_FALSE(import("llama-server -m something.gguf -ot 'blk\\.(2\\d)\\.ffn_.*_exps=CPU'").ok);
  const io::ImportedText fork = import("llama-server -m DeepSeek-R1-Q4_K_M.gguf -mla 3 -fa -amb 512 -fmoe -c 16384");
  CHECK(field(fork, "profile") == "ik_llama_cpp");
  CHECK(field(fork, "latent_cache") == "latent");
  CHECK(field(fork, "latent_buffer_bytes") == "536870912");
  const io::ImportedText mix = import("./llama-server -m /models/DeepSeek-R1-0528-IQ4_KS_R4-00001-of-00009.gguf -c 16384 -ot exps=CPU");
  CHECK(field(mix, "model") == "deepseek-r1-671b");
  CHECK(field(mix, "weight_dtype") == "iq4_ks"); // interleaved rows take no other room
  CHECK(field(mix, "profile") == "ik_llama_cpp"); // which alone reads it
  CHECK(field(mix, "host_expert_layers") == "999");
  CHECK(field(import("llama-cli -m /models/DeepSeek-R1-11446-Q2_K-00001-of-00030.gguf"), "model") == "deepseek-r1-671b"); // a build's number
  CHECK(field(import("llama-server -m DeepSeek-R1-Q4_K_M.gguf -mla 1"), "latent_cache") == "latent_and_values");
  CHECK(field(import("ollama run gpt-oss:20b"), "weight_dtype").empty()); // as it is published, in mxfp4
  CHECK(field(import("docker run -e MODEL_ID=Qwen/Qwen3-8B ghcr.io/huggingface/text-generation-inference:3 --num-shard 2"), "tensor_parallel") == "2");
}

TEST_CASE("a log of llama.cpp with its command above: the command says what the log does not, the log which model it was") {
  const std::string log = "llama_model_loader: - kv   2:  general.name str              = Meta Llama 3 8B Instruct\nprint_info: file type   = Q4_K - Medium\n"
                          "load_tensors: offloaded 33/33 layers to GPU\nload_tensors:        CUDA0 model buffer size =  4155.50 MiB\nllama_context: n_ctx         = 8192\n";
  const io::ImportedText made = import("root@box:/app# ./build/bin/llama-perplexity -m /models/unheard-of.gguf -f wiki.raw \\\n  -c 8192 -ub 1024 -ts 1,1 -ctk q8_0 --n-gpu-layers 999\n" + log);
  CHECK(made.kind == "log");
  CHECK(field(made, "model") == "llama-3-8b");
  CHECK(field(made, "weight_dtype") == "q4_k_m");
  CHECK(field(made, "pipeline_parallel") == "2");
  CHECK(field(made, "kv_dtype") == "q8_0");
  CHECK(field(made, "prefill_tokens") == "1024");
  const io::ImportedText windows = import("PS> .\\bin\\llama-server --version\nversion: 3772\nPS> .\\bin\\llama-sweep-bench.exe\n    --model C:\\models\\x.gguf\n    -c 8192 -ub 2048\n    -ts 1,1\n" + log);
  CHECK(field(windows, "prefill_tokens") == "2048");
  CHECK(field(windows, "pipeline_parallel") == "2");
}

TEST_CASE("llama.cpp's programs that measure take its options; perplexity has a context of its own") {
  CHECK(field(import("./llama-sweep-bench -m Qwen3-8B-Q4_K_M.gguf -c 16384 -ub 4096"), "context_tokens") == "16384");
  CHECK(field(import("./bin/llama-perplexity -m Qwen3-8B-Q4_K_M.gguf -f wiki.raw -ngl 99"), "context_tokens") == "512");
  CHECK(field(import("./bin/llama-perplexity -m Qwen3-8B-Q4_K_M.gguf -f wiki.raw -c 2048"), "context_tokens") == "2048");
}
