// Which code runs: tests/measure/train.py and loop.py.
#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"

namespace plimsoll::io::accuracy::training_steps {

namespace {

// transformers' attention casts scores to fp32 for the softmax, but for GPT-2's, which leaves them as they are; autocast casts all.
bool softmax_in_half(const Json& row, Regime regime) { return text_of(member(row, "model"), "family") == "gpt2" && regime == Regime::bf16; }

constexpr Choice<bool> kAttentions[] = {{"sdpa", false}, {"eager", true}};
// All three keep queries, keys, values, output and one number per head and query.
constexpr Choice<AttentionKernel> kBackends[] = {{"", AttentionKernel::profile},
                                                 {"FLASH_ATTENTION", AttentionKernel::flash},
                                                 {"EFFICIENT_ATTENTION", AttentionKernel::flash},
                                                 {"CUDNN_ATTENTION", AttentionKernel::cudnn}};
constexpr Choice<Fusion> kNorms[] = {{"eager", Fusion::profile}, {"fused", Fusion::fused}};

enum class Loop : unsigned char { kept, deleted, dropped };
constexpr Choice<Loop> kLoops[] = {{"kept", Loop::kept}, {"deleted", Loop::deleted}, {"dropped", Loop::dropped}};
constexpr Choice<bool> kRuns[] = {{"train", false}, {"trainer", true}, {"saved", false}};
enum class Compiled : unsigned char { nothing, layers, model };
constexpr Choice<Compiled> kCompiled[] = {{"false", Compiled::nothing}, {"layers", Compiled::layers}, {"model", Compiled::model}};

void read_attention(const Json& row, const Place& scenario) {
  MeasuredRow& into = scenario.into;
  AttentionKernel& kernel = into.inputs.implementation.attention;
  kernel = choice(scenario, "backend", "", kBackends);
  if (choice(scenario, "attention", "sdpa", kAttentions)) kernel = softmax_in_half(row, into.inputs.strategy.regime) ? AttentionKernel::fused_softmax : AttentionKernel::eager;
  // A mask of ones is dropped (transformers, masking_utils.py); one with zeros ends the kernel that takes grouped keys and values.
  if (const std::string padding = scenario.word("padding", "ones"); padding != "ones") scenario.decline("padding", quoted(std::string_view{padding}) + " is not covered");
}

void read_loss(const Place& scenario) {
  MeasuredRow& into = scenario.into;
  const Loop loop = choice(scenario, "loop", "kept", kLoops);
  if (into.profile == "hf_trainer") return;
  if (loop == Loop::dropped) into.inputs.implementation.loss = LossKernel::hf_trainer;
  if (loop == Loop::deleted) into.assumed.push_back("The logits of the step before are alive while the loss is computed.");
}

void read_compiled(const Place& scenario) {
  MeasuredRow& into = scenario.into;
  const Compiled compiled = choice(scenario, "compile", "false", kCompiled);
  if (compiled == Compiled::nothing) return;
  Implementation& code = into.inputs.implementation;
  code.norms = code.mlp = code.experts = Fusion::compiled;
  if (compiled == Compiled::layers) return;
  code.loss = LossKernel::torch_float_compiled;
  into.assumed.push_back("The loss is compiled with the model.");
}

void read_dropout(const Json& row, const Place& scenario) {
  Implementation& code = scenario.into.inputs.implementation;
  const Json& object = member(row, "model");
  const Place model{object, "model", scenario.into};
  const auto drops = [&](const char* key) {
    const Json& share = model.at(key);
    if (share.is_null()) return false;
    if (!share.is_number() || !(share.get<double>() >= 0) || !(share.get<double>() <= 1)) model.decline(key, "no share from 0 to 1");
    return share.is_number() && share.get<double>() > 0;
  };
  code.hidden_dropout = drops("dropout_hidden");
  code.attention_dropout = drops("dropout_attention");
}

} // namespace

void read_code(const Json& row, const Place& scenario) {
  MeasuredRow& into = scenario.into;
  into.profile = choice(scenario, "run", "train", kRuns) ? "hf_trainer" : "pytorch";
  read_attention(row, scenario);
  into.inputs.implementation.norms = choice(scenario, "norm", "eager", kNorms);
  read_loss(scenario);
  read_compiled(scenario);
  read_dropout(row, scenario);
  const Json& cache = scenario.at("use_cache"); // null: the model's own choice, which is yes
  if (cache.is_boolean() && !cache.get<bool>()) return;
  if (!cache.is_null() && !cache.is_boolean()) scenario.decline("use_cache", "neither true nor false");
  into.assumed.push_back("Keys and values that the outputs keep are those that the backward pass needs.");
}

} // namespace plimsoll::io::accuracy::training_steps
