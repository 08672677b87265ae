// Which profile a framework's name means, and which memory counter a metric's words mean.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::measured_training {

namespace {

// The first whose words stand in the text. What "bf16" means there: Megatron-LM and DeepSpeed keep an fp32 master copy
// (megatron/core/optimizer, deepspeed/runtime/bf16_optimizer.py); ms-swift loads checkpoints in 16 bits before autocast.
constexpr Framework kFrameworks[] = {
    {"simumax", "megatron", "simumax", true, false}, // Megatron-LM, as that project runs it
    {"megatron deepspeed", "megatron", "megatron-deepspeed", true, false},
    {"megatron bridge", "megatron", "megatron-bridge", true, false},
    {"megatron lm", "megatron", "megatron", true, false},
    {"megatron core", "megatron", "megatron", true, false},
    {"nemo automodel", "fsdp2", "automodel", false, false},
    {"lightning thunder", "", "thunder", false, false},
    {"litgpt", "litgpt", "litgpt", false, false},
    {"fsdp qlora", "fsdp1", "fsdp_qlora", false, false},
    {"torchao", "", "torchao", false, false}, // by its metric: see below
    {"torchtune", "torchtune", "torchtune", false, false},
    {"torchtitan", "torchtitan", "torchtitan", false, false},
    {"ms swift", "hf_trainer", "ms-swift", false, true},
    {"axolotl", "hf_trainer", "axolotl", false, true},
    {"llama factory", "hf_trainer", "llama-factory", false, true},
    {"unsloth", "hf_trainer", "unsloth", false, true},
    {"colossalchat", "", "colossalai", true, false},
    {"colossalai", "", "colossalai", true, false},
    {"internevo", "", "internevo", true, false},
    {"liger kernel", "", "liger", false, false},
    {"xtuner", "", "xtuner", false, false},
    {"llama recipes", "fsdp1", "llama-recipes", false, false},
    {"trainer", "hf_trainer", "hf trainer", false, false},
    {"accelerate deepspeed", "deepspeed", "deepspeed", true, false},
    {"accelerate fsdp", "fsdp1", "fsdp1", false, false},
    {"transformers peft deepspeed", "hf_trainer", "qwen finetune", false, false},
    {"deepspeed", "deepspeed", "deepspeed", true, false},
    {"peft", "peft", "peft", false, false},
    {"transformers", "pytorch", "transformers", false, false},
    {"torch", "pytorch", "torch", false, false},
    {"pytorch", "pytorch", "torch", false, false},
};

enum class Metric : int { allocated, reserved, process, generic, sum, phase, loaded, layer_forward, component };

constexpr Phrase kMetrics[] = {
    {"memory allocated", static_cast<int>(Metric::allocated)},
    {"max memory allocated", static_cast<int>(Metric::allocated)},
    {"peak allocated", static_cast<int>(Metric::allocated)},
    {"max allocated", static_cast<int>(Metric::allocated)},
    {"allocated", static_cast<int>(Metric::allocated)},
    {"active", static_cast<int>(Metric::allocated)},
    {"reserved", static_cast<int>(Metric::reserved)},
    {"nvidia smi", static_cast<int>(Metric::process)},
    {"nvml", static_cast<int>(Metric::process)},
    {"sum over", static_cast<int>(Metric::sum)},
    {"phase", static_cast<int>(Metric::phase)},
    {"model initialised", static_cast<int>(Metric::phase)},
    {"model on gpu", static_cast<int>(Metric::loaded)},
    {"after load", static_cast<int>(Metric::loaded)},
    // Allocated after a layer's forward pass less before it, with its output in hand: github.com/stas00/ml-engineering,
    // training/performance/benchmarks/activation-memory-per-layer.py.
    {"bytes saved per layer", static_cast<int>(Metric::layer_forward)},
};

/// Which pipeline ranks the figure is of. Megatron-LM logs memory on its last rank (megatron/training/training.py, report_memory
/// under is_last_rank), so that rows of its own tests are of the last stage unless they say otherwise.
void read_ranks(const Json& row, MeasuredRow& into) {
  for (const char* field : {"metric", "id", "notes"}) {
    const std::string text = text_of(row, field);
    const auto says = [&](const char* words) { return contains_word(text, words); };
    if (says("max over ranks") || says("max over first") || says("max over all")) return;
    if (says("last rank") || says("last pipeline rank") || says("last stage") || says("last pipeline stage")) return void(into.ranks = Ranks::last);
    if (says("first rank") || says("rank 0") || says("first stage") || says("first pipeline stage")) return void(into.ranks = Ranks::first);
  }
  const Framework* framework = framework_of(row);
  if (framework == nullptr || framework->label != "megatron" || text_of(row, "unit") != "B") return;
  into.ranks = Ranks::last;
  into.assumed.push_back("The figure is of the last pipeline stage, which Megatron-LM logs.");
}

} // namespace

const Framework* framework_of(const Json& row) {
  std::string name = text_of(row, "framework");
  // torchao's tables run in other frameworks, and name theirs with the counter: "torchtitan log", "torchtune log".
  if (contains_word(name, "torchao")) {
    const std::string metric = text_of(row, "metric");
    if (contains_word(metric, "torchtitan")) name = "torchtitan";
    else if (contains_word(metric, "torchtune")) name = "torchtune";
  }
  const auto at = std::ranges::find_if(kFrameworks, [&](const Framework& framework) { return contains_word(name, framework.words); });
  return at == std::end(kFrameworks) ? nullptr : at;
}

void read_framework(const Json& row, MeasuredRow& into) {
  const Framework* framework = framework_of(row);
  const std::string name = text_of(row, "framework");
  if (framework == nullptr || framework->profile.empty()) return into.decline("No profile describes the framework " + quoted(std::string_view{name}) + ".");
  into.profile = framework->profile;
  // torchtitan's first versions logged active memory as a share of the device, and referred to the logits until the next ones were
  // there; both are gone since mid-2024 (github.com/pytorch/torchtitan, pull request 165 and train.py).
  if (into.profile == "torchtitan" && contains_word(text_of(row, "metric"), "percent of device")) {
    into.inputs.implementation.loss = LossKernel::torch_float_kept;
    into.assumed.push_back("The training loop keeps the logits, as torchtitan's did when it logged shares of the device.");
  }
  if (framework->label != "simumax" && !contains_word(text_of(row, "source"), "simumax")) return;
  // SimuMax measures Megatron-LM with Transformer Engine 2 as its launch scripts set it up: fused accumulation of gradients,
  // Transformer Engine's cross-entropy (github.com/MooreThreads/SimuMax).
  into.inputs.implementation.fused_gradient_accumulation = true;
  into.inputs.implementation.loss = LossKernel::te_fused_out_of_place;
  into.assumed.push_back("Gradients are accumulated by matrix multiplications, and the loss is Transformer Engine's.");
}

void read_metric(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "metric"), category = text_of(row, "category");
  const Understood words = understand(text, kMetrics);
  const auto says = [&](Metric metric) { return words.says(static_cast<int>(metric)); };
  if (says(Metric::process)) into.counter = Counter::process;
  else if (says(Metric::reserved)) into.counter = Counter::reserved;
  else if (!says(Metric::allocated) && !says(Metric::layer_forward))
    into.assumed.push_back("The counter behind " + quoted(std::string_view{text}) + " is torch's allocated bytes.");
  if (says(Metric::sum)) return into.decline("The figure is a sum over several GPUs.");
  if (category == "overhead") {
    into.reading = Reading::context;
    const std::string notes = text_of(row, "notes");
    if (contains_word(notes, "distributed") || contains_word(notes, "collective") || contains_word(notes, "nccl"))
      into.decline("What a process holds around its first collective is no figure of the estimate.");
    return;
  }
  read_ranks(row, into);
  if (says(Metric::loaded)) into.reading = Reading::loaded;
  else if (says(Metric::layer_forward)) into.reading = Reading::layer_forward;
  else if (says(Metric::phase)) into.decline("The estimate's moments do not include what the metric names: " + quoted(std::string_view{text}) + ".");
  if (category == "activation-component" && into.reading == Reading::peak)
    into.decline("The row measures a part of a step, not a step: " + quoted(std::string_view{text_of(row, "model")}) + ".");
}

} // namespace plimsoll::io::accuracy::measured_training
