// "optimizer": which one, in which precision its states are, and where it steps.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace plimsoll::io::accuracy::measured_training {

namespace {

enum Meaning : int {
  kAdam, kSgd, kLion, kAdafactor, kMuon, kLomo, kAdalomo, kAdamMini, kGalore, kApollo, kShampoo, kSoap, // which
  kFused, kForeach, kForLoop, kEightBit, kPaged, kPagedAdam8, kPagedAdam, kAdam8, kMomentum,          // how
  kInBackward, kSharded, kNone, kUncovered,
};

constexpr Phrase kPhrases[] = {
    {"adamw", kAdam},
    {"adam", kAdam},
    {"adamw torch", kAdam},
    {"adamw torch fused", kFused},
    {"adamw fused", kFused},
    {"adamw torch 8bit", kAdam8},
    {"adamw bnb 8bit", kAdam8},
    {"adamw 8bit", kAdam8},
    {"adamw8bit", kAdam8},
    {"pagedadamw", kPagedAdam},
    {"paged adamw", kPagedAdam},
    {"paged adamw 32bit", kPagedAdam},
    {"pagedadamw8bit", kPagedAdam8},
    {"paged adamw 8bit", kPagedAdam8},
    {"8 bit", kEightBit},
    {"8bit", kEightBit},
    {"4 bit", kUncovered},
    {"4bit", kUncovered},
    {"fp8", kUncovered},
    {"fused", kFused},
    {"foreach", kForeach},
    {"foreach true", kForeach},
    {"foreach false", kForLoop},
    {"for loop", kForLoop},
    {"sgd", kSgd},
    {"momentum", kMomentum},
    {"lion", kLion},
    {"adafactor", kAdafactor},
    {"muon", kMuon},
    {"lomo", kLomo},
    {"lomo fused update", kLomo},
    {"adalomo", kAdalomo},
    {"adam mini", kAdamMini},
    {"galore", kGalore},
    {"apollo", kApollo},
    {"shampoo", kShampoo},
    {"soap", kSoap},
    {"badam", kUncovered},
    {"lora fa adamw", kUncovered},
    {"in backward", kInBackward},
    {"optimizer in backward", kInBackward},
    {"per layer update", kInBackward},
    {"distributed optimizer", kSharded},
    {"zero 1", kSharded},
    {"zero1", kSharded},
    {"zero1 over all dp", kSharded},
    {"none", kNone},
    {"activations only", kNone},
    {"forward backward only", kNone},
    {"bnb", kNothing},
    {"bitsandbytes", kNothing},
    {"torchao", kNothing},
    {"torch", kNothing},
    {"yaml", kNothing},
    {"on adapters", kNothing},
    {"fp32 states", kNothing}, // the regime says so
    {"bf16 states", kNothing},
    {"fp16 params", kNothing},
    {"fp16 bf16 optimizer", kNothing},
    {"fp16 optimizer", kNothing},
    {"fp32 master", kNothing},
    {"states", kNothing},
    {"per row", kNothing}, // whether it is sharded stands in "parallelism"
    {"distributed optimizer per row", kNothing},
};

Optimizer adam_of(const Understood& words) {
  if (words.says(kPagedAdam8) || (words.says(kPagedAdam) && words.says(kEightBit))) return Optimizer::paged_adamw_8bit;
  if (words.says(kPagedAdam)) return Optimizer::paged_adamw;
  if (words.says(kAdam8) || words.says(kEightBit)) return Optimizer::adamw_8bit;
  if (words.says(kForLoop)) return Optimizer::adamw_forloop;
  return words.says(kFused) ? Optimizer::adamw_fused : Optimizer::adamw_foreach;
}

struct Named {
  int meaning;
  Optimizer optimizer;
  bool has_8bit;
};
constexpr Named kNamed[] = {
    {kSgd, Optimizer::sgd, false},           {kLion, Optimizer::lion, true},         {kAdafactor, Optimizer::adafactor, false},
    {kMuon, Optimizer::muon, false},         {kAdalomo, Optimizer::adalomo, false},  {kLomo, Optimizer::lomo, false},
    {kAdamMini, Optimizer::adam_mini, false}, {kGalore, Optimizer::galore, false},   {kApollo, Optimizer::apollo, false},
    {kShampoo, Optimizer::shampoo, false},   {kSoap, Optimizer::soap, false},
};

/// Of GaLore's and APOLLO's projections: "r1024".
std::optional<std::int64_t> rank_of(const std::string& word) {
  if (word.size() < 2 || word.size() > 6 || word[0] != 'r' || word.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
  return std::max<std::int64_t>(1, std::stoll(word.substr(1)));
}

} // namespace

void read_optimizer(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "optimizer");
  std::string plain;
  std::optional<std::int64_t> rank;
  for (const std::string& word : words_of(text))
    if (const auto number = rank_of(word)) rank = number;
    else plain += word + " ";
  const Understood words = understand(plain, kPhrases);
  if (!words.rest.empty()) return into.decline(not_understood("optimizer", text, words.rest));
  if (words.says(kUncovered) || words.meanings.empty()) return into.decline(not_covered_text("optimizer", text));
  if (words.says(kNone)) return into.decline("The run takes no optimizer step: " + quoted(std::string_view{text}) + ".");
  Strategy& strategy = into.inputs.strategy;
  strategy.optimizer_in_backward = words.says(kInBackward);
  if (words.says(kSharded) && strategy.sharding == Sharding::none) strategy.sharding = Sharding::optimizer;
  const auto named = std::ranges::find_if(kNamed, [&](const Named& one) { return words.says(one.meaning); });
  if (named == std::end(kNamed)) {
    strategy.optimizer = adam_of(words);
    // Megatron-LM takes the fused Adam of Transformer Engine or apex (megatron/core/optimizer/__init__.py), DeepSpeed its own
    // (deepspeed/runtime/engine.py, _configure_basic_optimizer); torchtune's and torchtitan's configs ask PyTorch for the fused one.
    const Framework* framework = framework_of(row);
    const bool fused = framework != nullptr && (framework->keeps_master || framework->profile == "torchtune" || framework->profile == "torchtitan");
    if (fused && strategy.optimizer == Optimizer::adamw_foreach && !words.says(kForeach)) {
      strategy.optimizer = Optimizer::adamw_fused;
      into.assumed.push_back("AdamW is the fused one, as the framework sets it up.");
    }
    if (strategy.optimizer == Optimizer::adamw_foreach && !words.says(kForeach))
      into.assumed.push_back("AdamW steps as PyTorch does on GPUs unless told otherwise: foreach.");
    return;
  }
  const bool eight = words.says(kEightBit);
  if (eight && !named->has_8bit) return into.decline(not_covered_text("optimizer", text));
  strategy.optimizer = named->optimizer == Optimizer::lion && eight ? Optimizer::lion_8bit : named->optimizer;
  if (words.says(kMomentum)) strategy.optimizer = Optimizer::sgd_momentum;
  if (rank) strategy.optimizer_rank = *rank;
}

} // namespace plimsoll::io::accuracy::measured_training
