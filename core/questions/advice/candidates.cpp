#include "questions/advice/candidates.hpp"

#include "answer/stored_as.hpp"
#include "catalog/abilities.hpp"
#include "catalog/compatibility.hpp"
#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/weight_scheme.hpp"
#include "questions/solve/candidates.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

class Candidates {
public:
  Candidates(const Catalog& catalog, const Answer& answer) : catalog_(catalog), answer_(answer), inputs_(answer.inputs) {
    if (const auto abilities = abilities_of(answer.profile_id)) abilities_ = *abilities;
  }

  std::vector<InputChange> list() && {
    const Task task = inputs_.workload.task;
    if (trains(task)) training();
    else serving();
    if (task == Task::finetune && inputs_.tuning.method == TuningMethod::full) {
      add_less({{"method", "lora"}, {"targets", "all_linear"}});
      add_less({{"method", "lora"}, {"targets", "all_linear"}, {"weight_dtype", "nf4"}});
    }
    for (const auto& [kept, of] : {std::pair{7, 8}, std::pair{3, 4}, std::pair{1, 2}, std::pair{1, 4}}) shorter(kept, of);
    other_programs();
    next_device();
    return std::move(changes_);
  }

private:
  static std::string value(std::int64_t number) { return std::to_string(number); }

  /// Left out where every entry stands there already, or one names something that is not.
  void add(std::vector<Entry> entries, Burden burden = Burden::setting, bool asks_less = false) {
    InputChange change{{}, {}, asks_less, burden};
    bool differs = false;
    for (Entry& entry : entries) {
      const Field* const field = find_field(entry.name);
      if (field == nullptr || (field->kind == FieldKind::choice && find_choice(*field, entry.text) == nullptr)) continue;
      if (value_text(answer_, *field) != entry.text) { // what stands there already need not be said
        differs = true;
        change.text += (change.text.empty() ? "" : ", ") + shown_entry(catalog_, entry.name, entry.text);
      }
      change.entries.push_back(std::move(entry));
    }
    if (differs) changes_.push_back(std::move(change));
  }

  void add_less(std::vector<Entry> entries) { add(std::move(entries), Burden::less, true); }

  /// Fewer of something that is asked: hardly less while three quarters are left.
  void add_fewer(std::string_view field, std::int64_t now, std::int64_t then) {
    if (then < 1 || then >= now) return;
    add({{std::string{field}, value(then)}}, Count{4} * Count{then} >= Count{3} * Count{now} ? Burden::little_less : Burden::less, true);
  }

  void shorter(std::int64_t kept, std::int64_t of) {
    const std::int64_t now = inputs_.workload.context_tokens;
    add_fewer("context_tokens", now, (Count{now} * Count{kept}).value / of);
  }

  void training() {
    const Strategy& strategy = inputs_.strategy;
    const Workload& workload = inputs_.workload;
    for (Recompute recompute : abilities_.recomputes)
      if (recompute != Recompute::none && recompute != strategy.recompute) add({{"recompute", name("recompute", recompute)}, {"recompute_layers", recompute == Recompute::every_k ? "2" : "1"}});
    if (strategy.data_parallel * strategy.context_parallel > 1)
      for (const ShardingChoice& choice : abilities_.shardings)
        if (choice.sharding > strategy.sharding && !choice.in_node && choice.reshard) add({{"sharding", name("sharding", choice.sharding)}});
    for (Offload offload : abilities_.offloads) // weights leave the device only where they are gathered anyhow
      if (offload > strategy.offload && (offload != Offload::parameters || strategy.sharding == Sharding::parameters)) add({{"offload", name("offload", offload)}});
    if (workload.batch > 1) {
      add({{"batch", value(workload.batch / 2)}, {"micro_batches", value(2 * workload.micro_batches)}});
      add({{"batch", "1"}, {"micro_batches", value(workload.batch * workload.micro_batches)}});
    }
    for (const char* optimizer : {"adamw_8bit", "paged_adamw_8bit"}) add({{"optimizer", optimizer}}, Burden::precision);
    for (const char* optimizer : {"adafactor", "lion", "muon"}) add({{"optimizer", optimizer}}, Burden::less);
    if (workload.micro_batches == 1) add({{"optimizer_in_backward", "true"}});
    for (const char* precision : {"bf16", "master_bf16"}) add({{"precision", precision}}, Burden::precision);
    add({{"loss", "liger_fused_linear"}});
    if (strategy.tensor_parallel > 1) add({{"sequence_parallel", "true"}});
    if (abilities_.tensor_parallel && in_node(2 * strategy.tensor_parallel)) more("tensor_parallel", strategy.tensor_parallel, {"sequence_parallel", "true"});
    if (abilities_.pipeline_parallel) more("pipeline_parallel", strategy.pipeline_parallel);
    if (abilities_.context_parallel) more("context_parallel", strategy.context_parallel);
    if (strategy.sharding != Sharding::none) add({{"data_parallel", value(2 * strategy.data_parallel)}}, Burden::gpus);
    if (is_frozen_tuning()) add({{"weight_dtype", "nf4"}}, Burden::precision);
  }

  /// Tensor-parallel groups communicate in every layer: nobody spreads them over nodes.
  bool in_node(std::int64_t gpus) const { return gpus <= inputs_.hardware.gpus_per_node; }

  bool is_frozen_tuning() const { return freezes(inputs_.workload.task, inputs_.tuning); }

  /// Twice the degree: on twice the GPUs, and on the same GPUs where replicas can be given up for it.
  void more(std::string_view degree, std::int64_t now, Entry along = {}) {
    const std::int64_t replicas = inputs_.strategy.data_parallel;
    std::vector<Entry> entries{{std::string{degree}, value(2 * now)}};
    if (!along.name.empty()) entries.push_back(along);
    add(entries, Burden::gpus);
    if (replicas % 2 != 0) return;
    entries.push_back({"data_parallel", value(replicas / 2)});
    entries.push_back({"micro_batches", value(2 * inputs_.workload.micro_batches)});
    add(std::move(entries));
  }

  void serving() {
    // What the engine would have to be told, to the step, before larger changes.
    for (const Remedy& remedy : answer_.remedies)
      if (remedy.field == "context_tokens") add_fewer(remedy.field, inputs_.workload.context_tokens, whole_number(remedy.value).value_or(0));
      else if (remedy.field != "tensor_parallel" && remedy.field != "kv_dtype") add({{remedy.field, remedy.value}});
    const Judgement& judgement = answer_.judgement;
    if (inputs_.serving.beams == 1 && judgement.held < judgement.asked) add_fewer("batch", inputs_.workload.batch, judgement.held.value);
    for (const std::string& scheme : usual_weights(catalog_, answer_)) add({{"weight_dtype", scheme}}, Burden::precision);
    const bool knows_caches = answer_.ok && answer_.scenario.profile.inference.cache_dtypes != 0;
    for (const char* dtype : {"fp8", "q8_0", "q4_0"}) // the latter are llama.cpp's: an engine of which nothing is known has none
      if (knows_caches || std::string_view{dtype} == "fp8") add({{"kv_dtype", dtype}}, Burden::precision);
    const Workload& workload = inputs_.workload;
    for (const std::int64_t times : {2, 4})
      if (in_node(times * inputs_.strategy.tensor_parallel)) add({{"tensor_parallel", value(times * inputs_.strategy.tensor_parallel)}}, Burden::gpus);
    for (const auto& [kept, of] : {std::pair{7, 8}, std::pair{3, 4}, std::pair{1, 2}}) add_fewer("batch", workload.batch, (Count{workload.batch} * Count{kept}).value / of);
    for (const char* tokens : {"2048", "512"}) add({{"prefill_tokens", tokens}});
    if (answer_.ok) to_host(answer_.scenario.profile.inference);
    add({{"memory_fraction", "0.95"}});
  }

  /// A quarter of the layers more, and more: of their experts, then as a whole.
  void to_host(const InferenceProfile& engine) {
    const auto layers = static_cast<std::int64_t>(inputs_.model.pattern.size());
    if (engine.offloads_experts && answer_.find_field("host_expert_layers")->applies)
      for (const std::int64_t quarter : {1, 2, 3, 4}) add({{"host_expert_layers", value(layers * quarter / 4)}});
    if (engine.offloads_layers)
      for (const std::int64_t quarter : {3, 2, 1}) add({{"gpu_layers", value(layers * quarter / 4)}});
  }

  /// Frameworks that shard what this one repeats on every GPU, and the engine that loads what fewer bits this one does not have.
  void other_programs() {
    if (!trains(inputs_.workload.task)) {
      if (!answer_.ok || answer_.scenario.profile.inference.offloads_layers) return;
      add({{"profile", "llama_cpp"}, {"weight_dtype", "q4_k_m"}}, Burden::program);
      add({{"profile", "llama_cpp"}, {"weight_dtype", "q4_k_m"}, {"kv_dtype", "q8_0"}}, Burden::program);
      return;
    }
    const auto has_full = [](const PlanAbilities& of) { return std::ranges::any_of(of.shardings, [](const ShardingChoice& choice) { return choice.sharding == Sharding::parameters; }); };
    if (inputs_.strategy.data_parallel < 2 || has_full(abilities_)) return;
    for (const char* id : {"fsdp2", "deepspeed"})
      if (const auto other = abilities_of(id); other && has_full(*other)) add({{"profile", id}, {"sharding", name("sharding", Sharding::parameters)}}, Burden::program);
  }

  /// The smallest device with more memory, of those that are as new and read it no slower.
  void next_device() {
    const DeviceRow* const own = catalog_.find_device(inputs_.hardware.id);
    const DeviceRow* next = nullptr;
    for (const DeviceRow& row : catalog_.devices()) {
      if (own == nullptr || row.vendor != own->vendor || row.kind != own->kind || row.hardware.usable_bytes <= inputs_.hardware.usable_bytes) continue;
      if (row.hardware.rates.memory == 0 || row.hardware.rates.memory < own->hardware.rates.memory) continue;
      if (row.release_year < own->release_year) continue;
      if (next == nullptr || row.hardware.usable_bytes < next->hardware.usable_bytes) next = &row;
    }
    if (next != nullptr) add({{"device", next->hardware.id}}, Burden::device);
  }

  template <class Value> static std::string name(std::string_view field, Value value) { return std::string{choice_name(*find_field(field), static_cast<std::int64_t>(value))}; }

  const Catalog& catalog_;
  const Answer& answer_;
  const Inputs& inputs_;
  PlanAbilities abilities_;
  std::vector<InputChange> changes_;
};

} // namespace

Issue another_checkpoint(const Answer& answer, std::string remedy) {
  return {Severity::note, "weight_dtype", "Formats beside the model's own " + value_text(answer, *find_field("weight_dtype")) + " are tried: a checkpoint in them must be there, or be made.",
          std::move(remedy)};
}

std::vector<std::string> usual_weights(const Catalog& catalog, const Answer& answer) {
  const Inputs& inputs = answer.inputs;
  const DeviceRow& device = *catalog.find_device(inputs.hardware.id);
  const Bytes own = stored_bytes(inputs.model, inputs.weights);
  std::vector<std::string> ids;
  for (const char* id : {"fp8_block", "fp8_channel", "q8_0", "int8_channel", "q6_k", "q5_k_m", "awq_4bit_g128", "gptq_4bit_g128", "mxfp4", "nvfp4", "q4_k_m", "nf4"}) {
    const WeightSchemeRow* const row = catalog.weights().find_row(id);
    if (row == nullptr || !loads_weights(answer.profile_id, *row) || incompatible(catalog, answer.profile_id, device, id, answer.architecture)) continue;
    const std::optional<WeightScheme> scheme = stored_as(catalog.weights(), id, own_format(catalog, answer));
    if (scheme && stored_bytes(inputs.model, store(inputs.model, *scheme)) < own) ids.emplace_back(id);
  }
  return ids;
}

std::vector<InputChange> changes_of(const Catalog& catalog, const Answer& answer) { return Candidates{catalog, answer}.list(); }

} // namespace plimsoll::io
