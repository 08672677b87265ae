#include "scenarios.hpp"

#include "plimsoll/results/api.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>

namespace plimsoll::test {

namespace {

/// Numerical Recipes' 64-bit generator: the same numbers on every platform.
class Random {
public:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  template <class T> const T& pick(const std::vector<T>& from) { return from[next() % from.size()]; }

private:
  std::uint64_t state_ = 2026;
};

/// What only engines are told has a generator of its own: another such field leaves the other queries as they are.
std::string random_query(Random& random, Random& engines) {
  static const std::vector<std::string> kTasks{"inference", "finetune", "pretrain"};
  static const std::vector<std::string> kContexts{"1", "17", "128", "1000", "1024"};
  static const std::vector<std::string> kBatches{"1", "2", "3", "16", "255"};
  static const std::vector<std::string> kDegrees{"1", "2", "4"};
  std::string query = in_order({"model=" + random.pick(catalog().models()).id, "&device=" + random.pick(catalog().devices()).hardware.id, "&task=" + random.pick(kTasks),
                                "&context_tokens=" + random.pick(kContexts), "&batch=" + random.pick(kBatches), "&tensor_parallel=" + random.pick(kDegrees),
                                "&data_parallel=" + random.pick(kBatches)});
  for (const Field& field : fields())
    if (field.kind == FieldKind::choice && field.get != nullptr && field.topic != Topic::task && field.topic != Topic::model)
      query += "&" + std::string{field.name} + "=" + std::string{field.choices[(field.tasks == kServing && field.advanced ? engines : random).next() % field.choices.size()].name};
  return query;
}

/// Training as Megatron-LM runs it: what it alone keeps, in every kind of model that it trains.
const std::vector<std::string>& megatron_queries() {
  static const std::vector<std::string> kQueries = [] {
    const std::string pretrain = "&task=pretrain&profile=megatron&precision=master_bf16&context_tokens=1024&batch=4&attention_mask=true";
    const std::string pipeline = "&pipeline_parallel=4&virtual_stages=2&micro_batches=8";
    return std::vector<std::string>{
        "model=llama-3-8b" + pretrain + pipeline + "&tensor_parallel=2&sequence_parallel=true&communication_overlap=true&hidden_dropout=true&attention_dropout=true",
        "model=llama-3-8b" + pretrain + pipeline + "&defer_head_gradient=true&deferred_micro_batches=2&fp8=compute&loss=te_fused",
        "model=llama-3-8b" + pretrain + "&profile=megatron_local&tensor_parallel=2&data_parallel=4&sharding=optimizer&gradient_dtype=half&workspace_kib=4096",
        "model=mixtral-8x7b" + pretrain + "&tensor_parallel=2&sequence_parallel=true&data_parallel=4&expert_parallel=4&expert_tensor_parallel=2&grouped_experts=true",
        "model=mixtral-8x7b" + pretrain + "&data_parallel=4&expert_parallel=4&dispatch=all_gather&router_fp32=true",
        "model=deepseek-v3-671b" + pretrain + "&data_parallel=8&expert_parallel=8&attention=fused_softmax&loss=megatron_fused",
        "model=mamba-2-2.7b" + pretrain + "&tensor_parallel=2&sequence_parallel=true",
        "model=qwen3-next-80b-a3b" + pretrain + "&context_parallel=2"};
  }();
  return kQueries;
}

} // namespace

const io::Catalog& catalog() {
  static const io::Catalog kCatalog = io::Catalog::load();
  return kCatalog;
}

io::Answer answer_to(const std::string& query) {
  io::Answer answer = io::answer_query(catalog(), query);
  if (!answer.ok) throw std::runtime_error(query + ": " + (answer.issues.empty() ? "not ok" : answer.issues.front().message));
  return answer;
}

std::vector<std::string> sharding_queries() {
  static const std::vector<std::string> kModels{"llama-3-8b", "gpt-2-124m", "mixtral-8x7b"};
  static const std::vector<std::string> kFurther{"&shard_group=4&reshard_after_forward=false", "&secondary_group=2&ema=true", "&offload=optimizer",
                                                 "&offload=parameters", "&gradient_dtype=fp32", "&micro_batches=4", "&precision=sharded_bf16"};
  std::vector<std::string> queries;
  std::size_t turn = 0;
  for (const io::Catalog::ProfileRow& profile : catalog().profiles()) {
    if (!profile.for_training) continue;
    for (const Choice& sharding : find_field("sharding")->choices)
      for (const std::string& further : kFurther) {
        const std::string& model = kModels[turn++ % kModels.size()];
        queries.push_back("model=" + model + "&task=finetune&data_parallel=8&precision=master_bf16&profile=" + profile.id +
                          "&sharding=" + std::string{sharding.name} + further);
      }
    for (const Choice& optimizer : find_field("optimizer")->choices)
      for (const char* sharding : {"none", "optimizer", "parameters"}) {
        const std::string& model = kModels[turn++ % kModels.size()];
        const bool signs = optimizer.name == "onebit_adam" || optimizer.name == "zero_one_adam"; // which ZeRO does not go with
        if (signs && std::string_view{sharding} != "none") continue;
        queries.push_back("model=" + model + "&task=finetune&data_parallel=8&profile=" + profile.id + "&sharding=" + sharding +
                          "&optimizer=" + std::string{optimizer.name} + (turn % 2 == 0 ? "&optimizer_in_backward=true" : ""));
      }
  }
  return queries;
}

std::vector<std::string> valid_queries(int random) {
  constexpr std::size_t kTurns = 10;
  // Every model is asked about once; every choice is tried on models of several kinds: dense, windows, experts, latent attention,
  // recurrent, hybrid, encoder, encoder-decoder, per-layer tables.
  static const std::vector<std::string> kKinds{"llama-3-8b",         "gemma-2-9b",        "gpt-2-124m", "mixtral-8x7b", "deepseek-v3-671b", "mamba-2-2.7b",
                                               "qwen3-next-80b-a3b", "bert-base-uncased", "t5-small",   "gemma-3n-e2b"};
  const std::span<const Choice> tasks = find_field("task")->choices;
  const std::vector<io::ModelRow>& models = catalog().models();
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < models.size(); ++i)
    queries.push_back("model=" + models[i].id + "&task=" + std::string{tasks[i % tasks.size()].name});
  for (const Choice& task : tasks)
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      std::size_t turn = kind; // there are many choices: each kind takes one in kTurns, the next kind the next
      const std::string base = "model=" + kKinds[kind] + "&task=" + std::string{task.name};
      queries.push_back(base);
      for (const Field& field : fields())
        for (const Choice& choice : field.choices) {
          if (!applies(field, static_cast<Task>(task.value)) || field.name == "task") continue;
          if (turn++ % kTurns != 0) continue;
          std::string query = base + "&" + std::string{field.name} + "=" + std::string{choice.name};
          if (io::answer_query(catalog(), query).ok) queries.push_back(std::move(query)); // a choice need not suit every kind
        }
    }
  // Fields that only compositions heed.
  static const std::vector<std::string> kCompositions{"ppo&rollout_engine=copy",
                                                      "ppo&offload_roles=true&scoring_batch=4",
                                                      "grpo&rollout_engine=sleeping&rollout_prompts=2&learned_reward=true",
                                                      "grpo&data_parallel=2&sharding=parameters&completion_tokens=64",
                                                      "kto&role_dtype=fp32&precision=mixed_bf16",
                                                      "distillation&teacher_top_k=64"};
  for (const std::string& kind : kKinds)
    for (const std::string& composition : kCompositions) {
      std::string query = "model=" + kind + "&task=finetune&context_tokens=128&preference=" + composition;
      if (io::answer_query(catalog(), query).ok) queries.push_back(std::move(query));
    }
  for (const std::string& tuned : tuned_queries()) queries.push_back(tuned);
  queries.insert(queries.end(), megatron_queries().begin(), megatron_queries().end());
  Random generator, engines;
  for (int made = 0; made < random;) {
    std::string query = random_query(generator, engines);
    if (!io::answer_query(catalog(), query).ok) continue; // some models have too few heads to split
    queries.push_back(std::move(query));
    ++made;
  }
  return queries;
}

std::vector<std::string> tuned_queries() {
  std::vector<std::string> queries;
  for (const char* const rest :
       {"lora&weight_dtype=nf4_double_quant&profile=peft", "dora&rank=64&targets=all_linear&weight_dtype=nf4&recompute=full&profile=peft",
        "lora&targets=mlp&adapter_dtype=half&adapter_dropout=true", "lora&targets=attention&precision=mixed_bf16&recompute=full",
        "lora&targets=all_linear&precision=master_bf16&adapter_dtype=half&data_parallel=4&sharding=parameters", "lora&weight_dtype=nf4&sharding=parameters&data_parallel=8",
        "oft&adapter_blocks=32&weight_dtype=gptq_4bit_g128&profile=peft", "hra&rank=8&targets=mlp", "fourier&coefficients=5000", "ia3&targets=all_linear",
        "lora&adapters=8&pipeline_parallel=4&micro_batches=8", "prefix&virtual_tokens=100&tensor_parallel=2", "adaption_prompt&virtual_tokens=50",
        "tokens&virtual_tokens=2", "bottleneck&rank=32", "norms&optimizer=adamw_foreach", "head&precision=fp32"})
    queries.push_back(std::string{"model=llama-3-8b&task=finetune&method="} + rest);
  return queries;
}

Scenario predicting_scenario() {
  Scenario scenario = answer_to(megatron_queries().front()).scenario;
  LayerGroup depth = scenario.model.groups.front();
  depth.id = "prediction";
  depth.label = "prediction layers";
  depth.layers = Count{1};
  scenario.model.prediction = {depth};
  scenario.model.prediction_depths = Count{2};
  return scenario;
}

std::string in_order(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

std::string with(const std::string& query, const std::string& name, const std::string& text) {
  Issues issues;
  io::Request request = io::request_from_query(query, issues);
  request.set(name, text);
  return io::to_query(request);
}

} // namespace plimsoll::test
