#include "evidence/litgpt.hpp"

#include "evidence/words.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <iterator>

namespace plimsoll::io::accuracy::litgpt {

namespace {

/// lora_r and lora_query ... lora_head of config_hub/finetune/MODEL/lora.yaml and qlora.yaml: from the file, or from rows of the same
/// recipe that state them. Where neither was at hand, the recipe of the model's sister stands for its own.
struct Recipe {
  std::string_view model; ///< letters of its name
  std::int64_t rank;
  std::int64_t rank_quantised;
  bool all;           ///< every linear map and the head; otherwise queries and values
  bool known = true;  ///< false: a sister's
};

constexpr Recipe kRecipes[] = {
    {"falcon7b", 32, 32, false},  {"gemma2b", 8, 16, true},          {"gemma7b", 16, 16, true},        {"gemma22b", 8, 16, true},
    {"gemma29b", 16, 16, true, false},   {"llama27b", 32, 32, false},       {"llama38b", 32, 32, false},      {"llama318b", 32, 32, false, false},
    {"llama321b", 32, 32, false}, {"llama323b", 32, 32, false, false},      {"mistral7b", 32, 32, false},     {"mistral7bv02", 32, 32, false, false},
    {"phi2", 8, 8, true},         {"phi3mini4kinstruct", 8, 8, true}, {"stablelmbasealpha3b", 32, 32, false, false}, {"tinyllama", 32, 32, true},
    {"tinyllama11b", 32, 32, true},
};

constexpr std::uint32_t kAll = kTargetAttention | kTargetMlp | kTargetHead;

} // namespace

std::int64_t micro_batches(std::int64_t batch, bool adapters) {
  return std::max<std::int64_t>(1, (adapters ? 8 : 64) / std::max<std::int64_t>(batch, 1));
}

void take_longest_first(MeasuredRow& row) {
  const bool several = gpu_count(row.inputs.strategy) > Count{1}; // only where the model is divided do gradients wait whole
  row.reading = several ? Reading::first_micro_batch : Reading::first_peak;
  row.inputs.workload.micro_batches = several ? std::max<std::int64_t>(row.inputs.workload.micro_batches, 2) : 1;
  row.assumed.push_back("The first micro-batch, which has the longest example, is the peak.");
}

void take_devices_of_recipe(bool whole, MeasuredRow& row) {
  Strategy& strategy = row.inputs.strategy;
  if (whole) {
    strategy.sharding = Sharding::parameters;
    return row.assumed.push_back("Several GPUs divide the model as LitGPT's scripts do: with FSDP.");
  }
  strategy.data_parallel = 1;
  row.assumed.push_back("One of the machine's GPUs is in use, as in LitGPT's recipes with adapters.");
}

void recompute_blocks(MeasuredRow& row) {
  row.inputs.strategy.recompute = Recompute::full;
  row.assumed.push_back("Blocks run again in the backward pass, as LitGPT's scripts have it with several GPUs.");
}

void take_recipe(std::string_view model, bool quantised, MeasuredRow& row) {
  const auto recipe = std::ranges::find(kRecipes, letters_of(model), &Recipe::model);
  if (recipe == std::end(kRecipes)) return row.decline("The row does not tell what its adapters train, and no recipe is known for its model.");
  Tuning& tuning = row.inputs.tuning;
  tuning.rank = quantised ? recipe->rank_quantised : recipe->rank;
  tuning.targets = recipe->all ? kAll : kTargetQueryValue;
  row.assumed.push_back("Adapters of rank " + std::to_string(tuning.rank) + (recipe->all ? " on all linear maps and the head" : " on queries and values") +
                        (recipe->known ? ", as in LitGPT's recipe for the model." : ", as in LitGPT's recipe for a sister of the model."));
}

void train_whole(MeasuredRow& row) {
  row.inputs.implementation.loss = LossKernel::chunked;
  const Strategy& strategy = row.inputs.strategy;
  if (strategy.regime != Regime::bf16 || strategy.optimizer != Optimizer::adamw_foreach || gpu_count(strategy) > Count{1} || !row.bytes) return;
  constexpr Bytes kEach{8}; // weight, gradient and two states in 16 bits
  if (count_parameters(row.inputs.model) * kEach > Bytes{*row.bytes})
    row.decline("The figure is below the bytes of weights, gradients and AdamW states: no run of this configuration.");
}

} // namespace plimsoll::io::accuracy::litgpt
