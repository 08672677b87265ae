#include "files/training/request_builder.hpp"

#include "files/training/models.hpp"
#include "method/sharding/fleet.hpp"
#include "plimsoll/method/quantity.hpp"

#include <cmath>

namespace plimsoll::io::configs {

bool RequestBuilder::set_permille(std::string_view field, const std::optional<double>& share) {
  if (!share || !(*share > 0 && *share <= 1)) return false; // a number that is none, too
  set(field, static_cast<std::int64_t>(std::lround(*share * 1000)));
  return true;
}

void RequestBuilder::name_model(std::string_view typed) {
  const NamedModel named = model_of_config(catalog, typed);
  if (named.row == nullptr) {
    say(Severity::warning, "model", "There is no model " + quoted(typed) + " in the catalogue.", "Pass the model: choose one of the catalogue as model, or import its config.json.");
    set("model", typed);
    return;
  }
  set("model", named.row->id);
  stored = named.weights;
  if (named.by_likeness) config.issues.push_back(built_alike("model", typed, *named.row));
}

void RequestBuilder::miss_model(std::string_view format) {
  say(Severity::warning, "model", std::string{format} + " names no model here.", "Pass the model: choose one of the catalogue as model, or import its config.json.");
}

void RequestBuilder::miss_gpus() {
  if (gpus > 0 && !has("data_parallel")) return take_gpus();
  config.asks_gpus = true;
  say(Severity::note, "data_parallel", "The file does not say on how many GPUs it runs: the launcher does.", "Set data_parallel to the number of processes.");
  if (has("data_parallel")) return;
  const auto degree = [&](std::string_view field, std::int64_t otherwise) { return Count{whole_number(text(field)).value_or(otherwise)}; };
  const Count tensor = degree("tensor_parallel", 1), replica = tensor * degree("context_parallel", 1);
  const Count experts = degree("expert_parallel", 1) * degree("expert_tensor_parallel", tensor.value);
  if (replica > Count{0} && experts > replica)
    return set_assumed("data_parallel", std::to_string(ceil_div(experts, replica).value), "as few replicas as groups of experts need, as nobody says how many there are");
  for (const char* group : {"shard_group", "secondary_group"})
    if (has(group)) return set_assumed("data_parallel", text(group), "one group of those that shard, as nobody says how many there are");
}

void RequestBuilder::take_gpus() {
  const auto degree = [&](std::string_view field) { return whole_number(text(field)).value_or(1); };
  Strategy strategy;
  strategy.tensor_parallel = degree("tensor_parallel");
  strategy.pipeline_parallel = degree("pipeline_parallel");
  strategy.context_parallel = degree("context_parallel");
  const std::int64_t replicas = replicas_on(gpus, strategy);
  if (replicas >= 1) return set("data_parallel", replicas);
  refuse("data_parallel", std::to_string(gpus) + " GPUs do not come apart into replicas of tensor, pipeline and context parallelism.", "Give a number of GPUs that these degrees divide.");
}

} // namespace plimsoll::io::configs
