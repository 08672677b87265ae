#include "scenarios.hpp"

#include "plimsoll/io/api.hpp"

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

std::string random_query(Random& random) {
  static const std::vector<std::string> kTasks{"inference", "finetune", "pretrain"};
  static const std::vector<std::string> kContexts{"1", "17", "128", "1000", "1024"};
  static const std::vector<std::string> kBatches{"1", "2", "3", "16", "255"};
  static const std::vector<std::string> kDegrees{"1", "2", "4"};
  std::string query = "model=" + random.pick(catalog().models()).id + "&device=" + random.pick(catalog().devices()).hardware.id;
  query += "&task=" + random.pick(kTasks) + "&context_tokens=" + random.pick(kContexts) + "&batch=" + random.pick(kBatches);
  query += "&tensor_parallel=" + random.pick(kDegrees) + "&data_parallel=" + random.pick(kBatches);
  for (const Field& field : fields())
    if (field.kind == FieldKind::choice && field.get != nullptr && field.topic != Topic::task && field.topic != Topic::model)
      query += "&" + std::string{field.name} + "=" + std::string{field.choices[random.next() % field.choices.size()].name};
  return query;
}

/// Training as Megatron-LM runs it: what it alone keeps, in every kind of model that it trains.
const std::vector<std::string>& megatron_queries() {
  static const std::vector<std::string> kQueries = [] {
    const std::string pretrain = "&task=pretrain&profile=megatron&regime=master_bf16&context_tokens=1024&batch=4&attention_mask=true";
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

std::vector<std::string> valid_queries(int random) {
  constexpr std::size_t kTurns = 3;
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
      std::size_t turn = kind; // there are many choices: each kind takes every third, the next kind the next
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
  queries.insert(queries.end(), megatron_queries().begin(), megatron_queries().end());
  Random generator;
  for (int made = 0; made < random;) {
    std::string query = random_query(generator);
    if (!io::answer_query(catalog(), query).ok) continue; // some models have too few heads to split
    queries.push_back(std::move(query));
    ++made;
  }
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

std::string with(const std::string& query, const std::string& name, const std::string& text) {
  Issues issues;
  io::Request request = io::request_from_query(query, issues);
  request.set(name, text);
  return io::to_query(request);
}

} // namespace plimsoll::test
