// Scenarios as files of training frameworks, and back.
#include "json.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"
#include "text/value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "training_configs.hpp"

using namespace plimsoll;

namespace {

/// What a format can say: inputs that stand in every scenario, and choices of those that vary.
struct Domain {
  std::string format;
  std::string always;
  std::vector<std::string> choices; ///< "field=a|b|c": one is drawn
};

const std::vector<Domain>& domains() {
  static const std::vector<Domain> kDomains{
      {"deepspeed", "task=finetune&model=llama-3-8b&profile=deepspeed&method=full",
       {"batch=1|2|8", "micro_batches=1|4", "data_parallel=2|8|64", "sharding=none|optimizer|gradients|parameters", "offload=none|optimizer|parameters", "precision=master_bf16|master_fp16",
        "gradient_dtype=profile|fp32|half", "optimizer=adamw_fused|adamw_foreach|lion|sgd|sgd_momentum"}},
      {"accelerate", "task=finetune&model=llama-3-8b&profile=fsdp1&method=full&sharding=parameters",
       {"data_parallel=2|8|64", "reshard_after_forward=true|false", "offload=none|parameters", "precision=sharded_bf16|fp32", "recompute=none|full"}},
      {"accelerate", "task=finetune&model=llama-3-8b&profile=deepspeed&method=full",
       {"micro_batches=1|4", "data_parallel=2|8|64", "sharding=none|optimizer|gradients|parameters", "offload=none|optimizer", "precision=master_bf16|master_fp16"}},
      {"trainer", "task=finetune&model=llama-3-8b&profile=hf_trainer&method=full",
       {"batch=1|2|8", "micro_batches=1|4", "precision=fp32|mixed_bf16|mixed_fp16", "recompute=none|full", "optimizer=adamw_fused|adamw_foreach|adamw_8bit|paged_adamw_8bit|adafactor|lion|sgd|galore",
        "optimizer_rank=128|64"}},
      {"axolotl", "task=finetune&profile=hf_trainer&precision=bf16",
       {"model=llama-3-8b|qwen3-8b|mistral-7b-v0.1", "method=full|lora|dora", "rank=8|64", "targets=qv|attention|all_linear", "adapter_dropout=true|false", "weight_dtype=bf16|nf4|nf4_double_quant|int8_bnb",
        "context_tokens=512|8192", "batching=padded|packed|padding_free", "batch=1|4", "micro_batches=1|8", "optimizer=adamw_fused|adamw_8bit|paged_adamw_8bit|muon", "recompute=none|full|offloaded",
        "attention=flash|eager", "norms=profile|fused", "loss=profile|liger|liger_fused_linear", "preference=none|dpo|kto|orpo|simpo|reward_model", "data_parallel=1|8"}},
      {"llama_factory", "task=finetune&profile=hf_trainer&method=full",
       {"model=llama-3-8b|qwen2.5-7b", "precision=bf16|mixed_bf16|mixed_fp16", "context_tokens=512|4096", "batching=padded|packed", "batch=1|4", "micro_batches=1|8",
        "optimizer=adamw_fused|adamw_foreach|adam_mini|apollo|galore|paged_adamw", "optimizer_rank=16|128", "recompute=none|full", "attention=flash|eager", "preference=none|dpo|kto|orpo|simpo|reward_model|ppo"}},
      {"llama_factory", "task=finetune&profile=hf_trainer&precision=bf16&adapter_dtype=fp32",
       {"model=llama-3-8b|qwen2.5-7b", "method=lora|dora", "rank=8|64", "targets=qv|all_linear|mlp", "adapter_dropout=true|false", "weight_dtype=bf16|nf4|nf4_double_quant|fp4|int8_bnb", "batch=1|4",
        "recompute=none|full"}},
      {"ms_swift", "task=finetune&profile=ms_swift",
       {"model=llama-3-8b|qwen2.5-7b", "precision=bf16|mixed_bf16", "method=full|lora|dora", "rank=8|64", "targets=qv|attention|all_linear", "adapter_dropout=true|false", "weight_dtype=nf4|nf4_double_quant|int8_bnb",
        "context_tokens=512|4096", "batching=padded|packed|padding_free", "batch=1|4", "micro_batches=1|8", "optimizer=adamw_fused|adamw_foreach|adamw_8bit|galore", "optimizer_rank=64|128", "recompute=none|full",
        "attention=flash|eager", "preference=none|dpo|kto|orpo|simpo|reward_model"}},
      {"trl", "task=finetune&profile=hf_trainer",
       {"model=llama-3-8b|qwen2.5-7b", "precision=bf16|mixed_bf16", "method=full|lora|dora", "rank=8|64", "targets=qv|qkv|attention|all_linear", "weight_dtype=nf4|nf4_double_quant|int8_bnb", "context_tokens=512|4096",
        "batching=padded|packed|padding_free", "batch=1|4", "micro_batches=1|8", "optimizer=adamw_fused|adamw_foreach|adamw_8bit", "recompute=none|full", "attention=flash|eager",
        "preference=none|dpo|kto|simpo|reward_model", "precomputed_reference=true|false"}},
      {"torchtune", "task=finetune&profile=torchtune&sharding=parameters",
       {"model=llama-3-8b|llama-3.1-70b|llama-3.2-1b|qwen2.5-7b|gemma-2-9b", "precision=bf16|fp32", "method=full|lora|dora", "rank=8|64", "targets=qv|qkv|attention|all_linear", "adapter_dropout=true|false",
        "context_tokens=512|8192", "batching=padded|packed", "batch=1|4", "micro_batches=1|8", "optimizer=adamw_fused|adamw_foreach|adamw_forloop|adamw_8bit|paged_adamw_8bit|lion|adafactor|sgd|sgd_momentum",
        "recompute=none|full|offloaded|every_k", "loss=chunked|linear_chunked|torch_float", "data_parallel=2|8", "tensor_parallel=1|2", "offload=none|parameters", "reshard_after_forward=true|false"}},
      {"torchtitan", "task=pretrain&profile=torchtitan&sharding=parameters&precision=sharded_bf16",
       {"model=llama-3-8b|llama-3-70b|llama-3.1-405b|qwen3-8b", "batch=1|4", "micro_batches=1|8", "context_tokens=2048|8192", "data_parallel=2|8|64", "context_parallel=1|2", "context_method=ring|all_gather",
        "recompute=none|full|per_op|every_k", "optimizer=adamw_fused|adamw_foreach|adamw_forloop", "fp8=none|compute|gathered", "offload=none|parameters", "reshard_after_forward=true|false", "deterministic=true|false"}},
      {"torchtitan", "task=pretrain&profile=torchtitan&sharding=parameters&precision=sharded_bf16&tensor_parallel=4&sequence_parallel=true&pipeline_parallel=4",
       {"model=llama-3-8b|llama-3-70b", "batch=1|2", "micro_batches=4|8", "context_tokens=2048|8192", "data_parallel=2|8", "recompute=none|full", "pipeline_schedule=1f1b|gpipe"}},
      {"megatron", "task=pretrain&model=llama-3-8b&profile=megatron&hidden_dropout=false&attention_dropout=false",
       {"batch=1|4", "micro_batches=8|16", "context_tokens=2048|8192", "tensor_parallel=2|4", "sequence_parallel=true|false", "pipeline_parallel=1|2|4", "first_stage_layers=0|6", "context_parallel=1|2",
        "context_method=ring|all_gather|ulysses", "data_parallel=2|8", "sharding=none|optimizer|gradients|parameters", "precision=master_bf16|fp32", "gradient_dtype=profile|fp32",
        "optimizer=adamw_fused|sgd_momentum|muon", "offload=none|optimizer", "recompute=none|full|selective|block", "recompute_layers=1|2", "attention=profile|flash|cudnn|fused_softmax", "loss=profile|megatron_fused|te_fused",
        "deterministic=true|false", "fused_gradient_accumulation=true|false", "communication_overlap=true|false"}},
      {"megatron", "task=pretrain&model=llama-3-8b&profile=megatron&hidden_dropout=false&attention_dropout=false&precision=master_fp16", // gradients have its format unless an argument widens them
       {"batch=1|4", "micro_batches=8|16", "context_tokens=2048|8192", "data_parallel=2|8", "gradient_dtype=fp32|half"}},
      {"megatron", "task=pretrain&model=llama-3-8b&profile=megatron&hidden_dropout=false&attention_dropout=false&precision=master_bf16&master_remainders=true", // of the precision-aware optimizer
       {"batch=1|4", "micro_batches=8|16", "context_tokens=2048|8192", "data_parallel=2|8", "gradient_dtype=fp32|half", "moment_dtype=parameter|half"}},
      {"nemo", "task=pretrain&model=llama-3-8b&profile=megatron",
       {"batch=1|4", "micro_batches=8|16", "context_tokens=2048|8192", "tensor_parallel=2|4", "sequence_parallel=true|false", "pipeline_parallel=1|2|4", "virtual_stages=1|2", "context_parallel=1|2",
        "context_method=ring|all_gather|ulysses", "data_parallel=2|8", "sharding=none|optimizer", "precision=master_bf16|master_fp16|fp32", "recompute=none|full|selective|block", "recompute_layers=1|2",
        "hidden_dropout=true|false", "deterministic=true|false"}},
  };
  return kDomains;
}

/// splitmix64, so that every platform draws the same.
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

std::string drawn(const Domain& domain, std::uint64_t& state) {
  std::string query = domain.always;
  for (const std::string& choice : domain.choices) {
    const std::size_t equals = choice.find('=');
    std::vector<std::string> values(1);
    for (const char c : choice.substr(equals + 1))
      if (c == '|') values.emplace_back();
      else values.back() += c;
    query += "&" + choice.substr(0, equals) + "=" + values[next(state) % values.size()];
  }
  return query;
}

std::vector<std::string> names_of(const Domain& domain) {
  std::vector<std::string> names;
  for (const std::string& choice : domain.choices) names.push_back(choice.substr(0, choice.find('=')));
  return names;
}

io::Answer answer_of(const std::string& query) { return io::answer_query(test::catalog(), query); }

io::Answer read_back(const std::string& text) {
  const io::TrainingConfig config = io::read_training_config(test::catalog(), text);
  REQUIRE(config.ok);
  io::Request request = config.request;
  if (request.find("model") == nullptr) request.set("model", "llama-3-8b"); // of formats that name none
  return io::answer(test::catalog(), request);
}

/// The input as it is where it has an effect.
std::string value(const io::Answer& answer, const std::string& name) {
  const io::FieldState* state = answer.find_field(name);
  REQUIRE(state != nullptr);
  return state->applies && !state->idle ? io::value_text(answer, *state->field) : "";
}

} // namespace

TEST_CASE("a scenario that a format can express comes back") {
  std::uint64_t state = 7;
  for (const Domain& domain : domains()) {
    int valid = 0;
    for (int tries = 0; tries < 400 && valid < 25; ++tries) {
      const std::string query = drawn(domain, state);
      const io::Answer answer = answer_of(query);
      if (!answer.ok) continue; // some draws do not go together
      ++valid;
      const io::ExportedCommand exported = io::export_training_config(test::catalog(), answer, domain.format);
      INFO(domain.format + ": " + query + "\n" + exported.text);
      REQUIRE(exported.ok);
      const io::Answer again = read_back(exported.text);
      for (const std::string& name : names_of(domain)) {
        INFO(name);
        CHECK(value(again, name) == value(answer, name));
        CHECK(exported.text.find(" " + name + "=") == std::string::npos); // no comment says that it is missing
      }
    }
    INFO(domain.format);
    CHECK(valid == 25);
  }
}

TEST_CASE("of any scenario, what does not come back is named") {
  const Domain any{"", "micro_batches=4",
                   {"task=finetune|pretrain", "model=llama-3-8b|qwen3-30b-a3b|gemma-2-9b", "profile=hf_trainer|deepspeed|fsdp1|fsdp2|torchtune|torchtitan|megatron|pytorch", "context_tokens=512|4096",
                    "batch=1|4", "tensor_parallel=1|1|2", "pipeline_parallel=1|1|2", "context_parallel=1|1|2", "data_parallel=1|8", "sharding=none|optimizer|gradients|parameters",
                    "offload=none|optimizer|parameters", "precision=bf16|mixed_bf16|fp32|mixed_fp16|master_bf16|sharded_bf16", "recompute=none|full|selective|per_op|every_k|offloaded",
                    "optimizer=adamw_fused|adamw_foreach|adamw_8bit|lion|muon|adafactor|galore", "method=full|full|lora|oft|ia3", "targets=qv|all_linear|attention", "weight_dtype=bf16|nf4",
                    "preference=none|none|dpo|grpo", "loss=profile|liger|chunked", "fp8=none|none|compute", "reshard_after_forward=true|false", "gradient_dtype=profile|fp32"}};
  std::uint64_t state = 11;
  for (const std::string_view format : io::exportable_configs()) {
    int valid = 0;
    for (int tries = 0; tries < 600 && valid < 8; ++tries) {
      const std::string query = drawn(any, state);
      const io::Answer answer = answer_of(query);
      if (!answer.ok) continue;
      ++valid;
      const io::ExportedCommand exported = io::export_training_config(test::catalog(), answer, format);
      INFO(std::string{format} + ": " + query + "\n" + exported.text);
      REQUIRE(exported.ok);
      const io::Answer again = read_back(exported.text);
      for (const std::string& name : names_of(any)) {
        const bool named = exported.text.find(" " + name + "=") != std::string::npos || exported.text.find("\"" + name + "=") != std::string::npos;
        if (named || name == "model" || value(answer, name).empty()) continue; // a described model is the same shape by another name
        INFO(name);
        CHECK(io::value_text(again, *again.find_field(name)->field) == value(answer, name));
      }
    }
    INFO(std::string{format});
    CHECK(valid == 8);
  }
}

TEST_CASE("what a format cannot say is named in a comment") {
  const auto text = [](const std::string& query, const char* format) {
    const io::ExportedCommand exported = io::export_training_config(test::catalog(), test::answer_to(query), format);
    CHECK(exported.ok);
    return exported.text;
  };
  const std::string pretraining = "task=pretrain&model=llama-3-70b&profile=megatron&tensor_parallel=8&pipeline_parallel=4&data_parallel=2&context_tokens=8192&micro_batches=8";
  CHECK(text(pretraining, "axolotl").find("# pipeline_parallel=4: not said here") != std::string::npos);
  CHECK(text(pretraining, "axolotl").find("# task=pretrain") != std::string::npos);
  CHECK(text(pretraining, "megatron").find("# pipeline_parallel") == std::string::npos);
  const std::string tuning = "task=finetune&model=qwen3-8b&profile=deepspeed&method=full&sharding=parameters&data_parallel=8&context_tokens=4096&recompute=full&precision=master_bf16";
  const io::Json tree = test::parsed(text(tuning, "deepspeed"));
  const auto says = [&](const std::string& begin) {
    return std::ranges::any_of(tree["_comment"], [&](const io::Json& comment) { return comment.get<std::string>().starts_with(begin); });
  };
  CHECK(says("model=qwen3-8b: pass the model apart"));
  CHECK(says("recompute=full"));
  CHECK(!says("sharding"));
}

TEST_CASE("the files of the corpus come back as they were read") {
  for (const test::ConfigFile& file : test::config_files()) {
    const io::TrainingConfig config = io::read_training_config(test::catalog(), file.text);
    const io::Answer answer = io::answer(test::catalog(), config.request);
    if (!answer.ok) continue;
    const io::ExportedCommand exported = io::export_training_config(test::catalog(), answer, file.format);
    INFO(file.format + "/" + file.name + "\n" + exported.text);
    REQUIRE(exported.ok);
    const io::TrainingConfig again = io::read_training_config(test::catalog(), exported.text);
    CHECK(again.format == file.format);
    CHECK(again.unread.empty());
    const io::Answer second = io::answer(test::catalog(), again.request);
    for (const io::FieldState& state : answer.fields) {
      const std::string name{state.field->name};
      const bool is_stated = config.request.find(name) != nullptr;
      const bool is_named = exported.text.find(" " + name + "=") != std::string::npos || exported.text.find("\"" + name + "=") != std::string::npos;
      if (!is_stated || is_named || name == "model" || state.field->topic == Topic::model) continue;
      INFO(name);
      CHECK(value(second, name) == value(answer, name));
    }
  }
}

TEST_CASE("only training is written for training, and only known formats") {
  const auto exported = [](const char* query, const char* to) { return io::export_scenario(test::catalog(), answer_of(query), to); };
  CHECK(!exported("task=inference&model=llama-3-8b", "axolotl").ok);
  CHECK(!exported("task=finetune&model=llama-3-8b", "nonsense").ok);
  CHECK(!exported("task=finetune&model=unheard-of", "axolotl").ok);
  CHECK(exported("task=inference&model=llama-3-8b", "vllm").text.find("vllm serve") != std::string::npos);
  CHECK(exported("task=finetune&model=llama-3-8b", "axolotl").text.find("base_model: meta-llama/Meta-Llama-3-8B") != std::string::npos);
}
