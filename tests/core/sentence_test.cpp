// A question in a line: what people paste and type where anything is taken.
#include "scenarios.hpp"

#include "plimsoll/files/import.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

io::ImportedText read(std::string_view text) {
  const std::array<io::ImportText, 1> texts{{{text}}};
  return io::import_texts(test::catalog(), texts);
}

std::string query_of(std::string_view text) {
  const io::ImportedText made = read(text);
  return made.ok && made.kind == "question" ? io::to_query(made.request) : "(" + std::string{made.kind} + ")";
}

std::string query_of_command(std::string_view text) {
  const io::ImportedText made = read(text);
  return made.ok && made.kind == "command_line" ? io::to_query(made.request) : "(" + std::string{made.kind} + ")";
}

std::vector<std::string> choices(const io::ImportedText& made, std::string_view field) {
  const auto at = std::ranges::find(made.questions, field, &io::OpenQuestion::field);
  return at == made.questions.end() ? std::vector<std::string>{} : at->choices;
}

bool has(const std::vector<std::string>& list, std::string_view one) { return std::ranges::find(list, one) != list.end(); }

} // namespace

TEST_CASE("a line with a model, a device and a workload is a question") {
  CHECK(query_of("Qwen3 32B on RTX 4090, 32k, 4 users") == "model=qwen3-32b&device=rtx4090&context_tokens=32k&batch=4");
  CHECK(query_of("will llama 3.1 8b q4_k_m run on my 3090 at 32768 tokens?") == "model=llama-3.1-8b&weight_dtype=q4_k_m&device=rtx3090&context_tokens=32768&profile=llama_cpp");
  CHECK(query_of("vLLM, Llama-3.3-70B-Instruct, 2xH100 80GB, 64 concurrent") == "device=h100-80-sxm&gpus=2&model=llama-3.3-70b&profile=vllm&task=inference&batch=64");
  CHECK(query_of("pretrain Llama 3 8B on 64 H100 80GB with 15T tokens") == "task=pretrain&model=llama-3-8b&device=h100-80-sxm&gpus=64&train_tokens=15T");
  CHECK(query_of("32,768 context qwen3-8b") == "model=qwen3-8b&context_tokens=32768");
}

TEST_CASE("a name alone and an address are questions about that model") {
  CHECK(query_of("Qwen/Qwen3-32B") == "model=qwen3-32b");
  CHECK(query_of("https://huggingface.co/Qwen/Qwen3-32B/tree/main") == "model=qwen3-32b");
  CHECK(query_of("https://ollama.com/library/qwen3:32b") == query_of("qwen3:32b"));
  CHECK(query_of("https://plimsoll.example/app/?model=qwen3-32b&device=rtx4090#tab=plan") == "model=qwen3-32b&device=rtx4090");
  CHECK(query_of("model=qwen3-32b&tp=2") == "model=qwen3-32b&tp=2");
}

TEST_CASE("an address is a name by itself, whatever stands before it") {
  CHECK(query_of("vllm T4 Qwen/Qwen3-8B") == "device=t4&model=qwen3-8b&profile=vllm&task=inference");
  CHECK(query_of("4 H200 for the meta-llama/Llama-3.1-70B-Instruct, 64 users") == "device=h200-141-sxm&gpus=4&model=llama-3.1-70b&batch=64");
  CHECK(query_of("finetune batch 4 meta-llama/Llama-3.1-8B on an L4") == "task=finetune&model=llama-3.1-8b&device=l4&batch=4");
  CHECK(query_of("L40S Qwen/Qwen3-8B AWQ") == "model=qwen3-8b&weight_dtype=awq_4bit_g128&device=l40s");
  CHECK_FALSE(read("3 big meta-llama/Llama-3.1-70B on an L4").ok);
}

TEST_CASE("QLoRA says how it trains and how it keeps its weights; a size and an amount of memory are asked back") {
  const io::ImportedText made = read("QLoRA 70B on 2 × 48 GB");
  REQUIRE(made.ok);
  CHECK(io::to_query(made.request) == "task=finetune&method=lora&weight_dtype=nf4&gpus=2");
  CHECK(has(choices(made, "model"), "llama-3.3-70b"));
  CHECK(has(choices(made, "device"), "a6000"));
  CHECK(io::to_query(read("QLoRA of Llama 3.3 70B on 2 x A6000").request) == "task=finetune&method=lora&weight_dtype=nf4&model=llama-3.3-70b&device=a6000&gpus=2");
}

TEST_CASE("a card of which only the memory is told is asked for") {
  const io::ImportedText made = read("Qwen3-32B on a 24 GB card at 32k");
  REQUIRE(made.ok);
  CHECK(io::to_query(made.request) == "model=qwen3-32b&context_tokens=32k");
  CHECK(has(choices(made, "device"), "rtx4090"));
}

TEST_CASE("a word that nobody knows is not answered past") {
  for (const char* text : {"Qwen3 32B on RTX 4090 with zorblax", "llama 3 8b on raspberry zorblax", "zorblax llama 3.1 8b on 8 H100"}) {
    const io::ImportedText made = read(text);
    CHECK_FALSE(made.ok);
    CHECK(made.kind == "question");
    CHECK(has(made.unread, "zorblax"));
    CHECK(std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.severity == Severity::error && issue.message.find("zorblax") != std::string::npos; }));
  }
  CHECK_FALSE(read("qwen3 32b not quantized on an A100 80GB").ok); // the opposite of what its words say one by one
}

TEST_CASE("how a model is trained, and how its states are divided") {
  CHECK(query_of("full fine-tune of Mistral 7B on 4 A100 40GB with ZeRO-3") == "task=finetune&method=full&profile=deepspeed&sharding=parameters&model=mistral-7b-v0.1&device=a100-40-sxm&gpus=4");
  CHECK(query_of("DPO Llama 3 8B on 2 A100 80GB SXM") == "task=finetune&preference=dpo&model=llama-3-8b&device=a100-80-sxm&gpus=2");
  CHECK(query_of("GRPO with LoRA, Qwen3 8B, 8 H100 80GB SXM") == "task=finetune&preference=grpo&method=lora&device=h100-80-sxm&gpus=8&model=qwen3-8b");
  CHECK(query_of("fine tune qwen3 8b, gradient checkpointing, FSDP, 4x RTX 4090, batch size of 2, seq len 4096") ==
        "task=finetune&recompute=full&sharding=parameters&device=rtx4090&gpus=4&model=qwen3-8b&batch=2&context_tokens=4096");
}

TEST_CASE("GPUs of a node and of all nodes are told apart, or asked for") {
  CHECK(query_of("two nodes with eight H200, DeepSeek-V3") == "device=h200-141-sxm&gpus=16&model=deepseek-v3-671b");
  CHECK(query_of("DeepSeek-V3 on 2 nodes of 8 H200") == "model=deepseek-v3-671b&device=h200-141-sxm&gpus=16");
  CHECK(query_of("pretrain DeepSeek-V3 on 16 H200 across 2 nodes") == "task=pretrain&model=deepseek-v3-671b&device=h200-141-sxm&gpus=16&gpus_per_node=8");
  CHECK(query_of("pretrain DeepSeek-V3, 4 H200 per node, 4 nodes") == "task=pretrain&model=deepseek-v3-671b&device=h200-141-sxm&gpus=16&gpus_per_node=4");
  const io::ImportedText made = read("DeepSeek-V3, 8 nodes, 64 H200");
  CHECK(io::to_query(made.request) == "model=deepseek-v3-671b&device=h200-141-sxm");
  CHECK(std::ranges::find(made.questions, std::string_view{"gpus"}, &io::OpenQuestion::field) != made.questions.end());
}

TEST_CASE("inputs with their values, and degrees as people call them") {
  CHECK(query_of("vLLM Qwen3 32B FP8, 2 L40S, tp=2, pp 1, 32k context, 16 concurrent requests") ==
        "tensor_parallel=2&model=qwen3-32b&weight_dtype=fp8_channel&device=l40s&gpus=2&profile=vllm&task=inference&pipeline_parallel=1&context_tokens=32k&batch=16");
  const io::ImportedText made = read("What GPU do I need for Qwen3-32B?");
  CHECK(std::ranges::find(made.questions, std::string_view{"device"}, &io::OpenQuestion::field) != made.questions.end());
}

TEST_CASE("a device's name takes no word of the model's") {
  CHECK(query_of("DeepSeek V3.1 Terminus 16 x H20, SGLang") == "model=deepseek-v3.1-671b&device=h20&gpus=16&profile=sglang&task=inference");
  CHECK(query_of("Qwen3 32B 2x RTX 4090") == "device=rtx4090&gpus=2&model=qwen3-32b");
}

TEST_CASE("the host's memory is not the card's, and levels by their bits are llama.cpp's") {
  CHECK(query_of("Qwen3 235B-A22B q4 on 4x3090 with 256GB RAM") == "model=qwen3-235b-a22b&weight_dtype=q4_k_m&device=rtx3090&gpus=4&host_bytes=256GB&profile=llama_cpp");
  CHECK(query_of("llama 3 8b q8 on a mac studio M2 Ultra 192GB") == "model=llama-3-8b&weight_dtype=q8_0&device=m2-ultra-192&profile=llama_cpp");
  CHECK(query_of("ollama, llama 3 8b q8, RTX 4090").find("profile=ollama") != std::string::npos);
}

TEST_CASE("the cache has a format of its own, and two formats of weights contradict") {
  CHECK(query_of("qwen3 30b a3b q4_k_m RTX 4090 64k context kv q8_0") == "kv_dtype=q8_0&model=qwen3-30b-a3b&weight_dtype=q4_k_m&device=rtx4090&context_tokens=64k&profile=llama_cpp");
  CHECK(query_of("llama 3 8b fp8 kv cache, L4") == "kv_dtype=fp8&model=llama-3-8b&device=l4");
  CHECK(query_of("qwen3 8b gguf q5_k_m, RTX 3060 12GB") == "model=qwen3-8b&weight_dtype=q5_k_m&device=rtx3060-12&profile=llama_cpp");
  CHECK_FALSE(read("qwen3 32b q4_k_m on an L40S in fp8").ok);
  CHECK_FALSE(read("qwen3 32b on an L40S, 64k, 50k context").ok);
}

TEST_CASE("a number is of the word that it stands beside") {
  CHECK(query_of("llama 3 8b batch size 64 context 8192 A10G") == "model=llama-3-8b&device=a10g&batch=64&context_tokens=8192");
  CHECK(query_of("llama 3 70b dp 2 tp 4 H200") == "model=llama-3-70b&device=h200-141-sxm&data_parallel=2&tensor_parallel=4");
  CHECK(query_of("llama 3 70b 8k context 4 H200") == "model=llama-3-70b&device=h200-141-sxm&gpus=4&context_tokens=8k");
  CHECK(query_of("llama 3 8b, L4, 100 users, 4k in 500 out") == "model=llama-3-8b&device=l4&prompt_tokens=4k&answer_tokens=500&concurrency=100");
  CHECK(query_of("llama 3 70b 128k batch 1 H200") == "model=llama-3-70b&device=h200-141-sxm&context_tokens=128k&batch=1");
  CHECK(query_of("llama 3 70b, tensor parallel 2, H200") == "model=llama-3-70b&device=h200-141-sxm&tensor_parallel=2");
  CHECK(query_of("llama 3 8b with 64k tokens of context, L4") == "model=llama-3-8b&device=l4&context_tokens=64k");
  CHECK(query_of("GRPO qwen2.5 7b, H200, group size 16, max completion 4096") == "task=finetune&preference=grpo&model=qwen2.5-7b&device=h200-141-sxm&completion_tokens=4096&group_size=16");
  CHECK(query_of("llama.cpp -ngl 40 llama 3 70b q4_k_s RTX 4090") == "model=llama-3-70b&weight_dtype=q4_k_s&device=rtx4090&profile=llama_cpp&task=inference&gpu_layers=40");
  CHECK(query_of("lora llama 3 8b L4 100M tokens") == "task=finetune&method=lora&model=llama-3-8b&device=l4&dataset_tokens=100M");
  CHECK(query_of("llama 3 8b on L4, 512 output tokens, input length 2048") == "model=llama-3-8b&device=l4&prompt_tokens=2048&answer_tokens=512");
  CHECK(query_of("qwen3 8b q4_k_m offload 20 layers to the gpu, RTX 3060 12GB") == "model=qwen3-8b&weight_dtype=q4_k_m&device=rtx3060-12&gpu_layers=20&profile=llama_cpp");
  CHECK(query_of("GRPO qwen2.5 3b 8 generations H200") == "task=finetune&preference=grpo&model=qwen2.5-3b&device=h200-141-sxm&group_size=8");
  CHECK(query_of("lora llama 3 8b L4 rank 16 alpha 32 learning rate 1e-4 3 epochs") == "task=finetune&method=lora&model=llama-3-8b&device=l4&rank=16&epochs=3");
}

TEST_CASE("optimizers, kernels and precisions of a training") {
  CHECK(query_of("train llama 3 8b full fp32 adamw on 8 H200") == "precision=fp32&optimizer=adamw_fused&task=finetune&model=llama-3-8b&device=h200-141-sxm&gpus=8");
  CHECK(query_of("sft qwen2.5 7b with liger kernel, flash attention, adafactor, H200") ==
        "loss=liger_fused_linear&norms=fused&mlp=fused&attention=flash&task=finetune&model=qwen2.5-7b&device=h200-141-sxm&optimizer=adafactor");
  CHECK(query_of("llama 3 8b flash attention vllm L4") == "model=llama-3-8b&device=l4&profile=vllm&task=inference"); // what it runs anyhow
}

TEST_CASE("a second model teaches or drafts where the line says so") {
  CHECK(query_of("distill llama 3.1 70b into llama 3.1 8b on 8 H200") == "model=llama-3.1-8b&device=h200-141-sxm&gpus=8&task=finetune&preference=distillation&teacher_model=llama-3.1-70b");
  CHECK(query_of("DeepSeek R1 distill llama 70b q4_k_m, RTX 4090") == "model=llama-3.3-70b&weight_dtype=q4_k_m&device=rtx4090&profile=llama_cpp");
  CHECK(query_of("llama 3.1 8b distilled from llama 3.1 70b").starts_with('('));
  CHECK(query_of("distillation of llama 3.1 8b from llama 3.1 70b, 8 H200") == "model=llama-3.1-8b&device=h200-141-sxm&gpus=8&task=finetune&preference=distillation&teacher_model=llama-3.1-70b");
  CHECK(query_of("speculative decoding llama 3.3 70b with llama 3.2 1b draft on 2 H200") == "model=llama-3.3-70b&device=h200-141-sxm&gpus=2&draft_model=llama-3.2-1b");
  CHECK_FALSE(read("llama 3.1 8b and llama 3.1 70b on an L4").ok);
}

TEST_CASE("degrees, batches and ranks with the number in one word, and the size of a model before a length") {
  CHECK(query_of("sglang deepseek v3.2 8xh20 tp8 dp8 ep8") == "model=deepseek-v3.2-671b&device=h20&gpus=8&profile=sglang&task=inference&tensor_parallel=8&data_parallel=8&expert_parallel=8");
  CHECK(query_of("llama 3.1 70b bs4 h200 TP4") == "model=llama-3.1-70b&device=h200-141-sxm&batch=4&tensor_parallel=4");
  CHECK(query_of("finetune qwen3 8b lora r16 seq 4k 4090") == "task=finetune&method=lora&model=qwen3-8b&device=rtx4090&rank=16&context_tokens=4k");
  CHECK(query_of("deepseek r1 8xh20") == "model=deepseek-r1-671b&device=h20&gpus=8");
  CHECK(query_of("how much vram to qlora 70b seq 4k bs 1") == "task=finetune&method=lora&weight_dtype=nf4&context_tokens=4k&batch=1");
  CHECK(query_of("llama 3.1 8b ctx 8k users 16 l4") == "model=llama-3.1-8b&device=l4&context_tokens=8k&batch=16");
  CHECK_FALSE(read("70b users 10 l4 zorblax").ok);
}

TEST_CASE("GPUs are counted behind their name and by words, and a number behind a size is no version") {
  CHECK(query_of("llama 3 70b awq l40s x 4") == "model=llama-3-70b&weight_dtype=awq_4bit_g128&device=l40s&gpus=4");
  CHECK(query_of("H20×8 deepseek v3") == "device=h20&gpus=8&model=deepseek-v3-671b");
  CHECK(query_of("2 x 3090 llama 3.3 70b") == "device=rtx3090&gpus=2&model=llama-3.3-70b");
  CHECK(query_of("llama 3.3 70b dual 3090") == "model=llama-3.3-70b&device=rtx3090&gpus=2");
  CHECK(query_of("llama 70b q4 2 3090").find("model=") == std::string::npos); // of Llama 2, 3, 3.1 and 3.3
  CHECK(has(choices(read("llama 70b q4 2 3090"), "model"), "llama-3.3-70b"));
  const io::ImportedText tag = read("qwen 32b l40s");
  CHECK(std::ranges::any_of(tag.issues, [](const Issue& issue) { return issue.field == "model" && issue.severity == Severity::note; }));
  CHECK(read("qwen3 32b l40s").issues.empty());
}

TEST_CASE("several of a device whose name has variants") {
  const io::ImportedText made = read("serve mixtral 8x22b on four A100s with vllm tensor parallel 4");
  CHECK(made.ok);
  CHECK(has(choices(made, "device"), "a100-80-sxm"));
  CHECK(choices(made, "gpus").empty());
  CHECK(io::to_query(made.request) == "task=inference&model=mixtral-8x22b&profile=vllm&tensor_parallel=4&gpus=4");
  const io::ImportedText open = read("mixtral 8x22b on A100s");
  CHECK(has(choices(open, "device"), "a100-80-sxm"));
  CHECK(has(choices(open, "gpus"), "8"));
}

TEST_CASE("steps that gradients are added up over") {
  for (const std::string_view said : {"gradient accumulation 16", "grad accum 16", "grad accum steps 16", "gradient accumulation steps of 16", "ga 16"}) {
    CAPTURE(said);
    CHECK(query_of("qlora llama 3.1 8b 1x a6000 " + std::string{said}) == "task=finetune&method=lora&weight_dtype=nf4&model=llama-3.1-8b&device=a6000&gpus=1&micro_batches=16");
  }
}

TEST_CASE("what a line leaves open is asked back") {
  const auto asks = [](std::string_view text, std::string_view field) {
    const io::ImportedText made = read(text);
    return made.ok && std::ranges::find(made.questions, field, &io::OpenQuestion::field) != made.questions.end();
  };
  CHECK(asks("Qwen3 32B on H200s", "gpus"));
  CHECK(asks("how many H200 for deepseek v3", "gpus"));
  CHECK(asks("pretrain a 7b model on 256 H200", "model"));
  CHECK(asks("cheapest gpu for qwen3 32b", "device"));
  CHECK(asks("full finetune qwen2.5 72b on 16 H200, deepspeed zero3 cpu offload", "offload"));
}

TEST_CASE("words behind a command say where it runs") {
  CHECK(query_of_command("vllm serve Qwen/Qwen3-8B --max-model-len 32768 on L4") == "task=inference&profile=vllm&context_tokens=32768&model=qwen3-8b&device=l4");
  CHECK(query_of_command("vllm serve Qwen/Qwen3-8B --max-model-len 8192 --tensor-parallel-size 2 H200") == "task=inference&profile=vllm&context_tokens=8192&tensor_parallel=2&model=qwen3-8b&device=h200-141-sxm");
  CHECK(query_of_command("ollama run qwen3:32b \"what runs on an H100?\"").find("device") == std::string::npos);
  CHECK_FALSE(read("vllm serve Qwen/Qwen3-8B on a zorblax").ok);
}

TEST_CASE("what names nothing is no question") {
  for (const char* text : {"", " ", "hello world", "42", "32k", "How are you?", "lorem ipsum dolor sit amet", "a=b", "https://example.com/page?x=1", "24 people"}) {
    INFO(text);
    CHECK(query_of(text).starts_with('('));
  }
}

TEST_CASE("a command stays a command") {
  CHECK(read("vllm serve Qwen/Qwen3-32B --max-model-len 32768").kind == "command_line");
  CHECK(read("ollama run qwen3:32b").kind == "command_line");
}
