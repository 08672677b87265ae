#include "files/programs/sentence_phrases.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll::io::programs {

namespace {

struct PhraseTells {
  std::string_view field, text;
};

struct Phrase {
  std::string_view words; ///< in lower case, one space between two
  std::array<PhraseTells, 3> tells{}; ///< in this order; without a field: none
};

constexpr std::size_t kLongestPhrase = 3;

constexpr PhraseTells kServes{"task", "inference"}, kTunes{"task", "finetune"}, kPretrains{"task", "pretrain"};
constexpr PhraseTells kFull{"method", "full"}, kLora{"method", "lora"}, kNf4{"weight_dtype", "nf4"}, kAgain{"recompute", "full"};

// DeepSpeed's stages divide optimizer states, then gradients too, then weights too: deepspeed/runtime/zero/config.py, stage. FSDP divides all three.
constexpr PhraseTells kDeepSpeed{"profile", "deepspeed"}, kStates{"sharding", "optimizer"}, kGradients{"sharding", "gradients"}, kAll{"sharding", "parameters"};

// What Liger's kernels take the place of by themselves: src/liger_kernel/transformers/monkey_patch.py.
constexpr PhraseTells kLigerLoss{"loss", "liger_fused_linear"}, kLigerNorms{"norms", "fused"}, kLigerMlp{"mlp", "fused"};
constexpr PhraseTells kNever{"recompute", "none"}, kReplicated{"data_parallel_attention", "on"};
constexpr PhraseTells kFlash{"attention", "flash"}, kMixed{"precision", "mixed_bf16"}, kAdamW{"optimizer", "adamw_fused"}, kAdam8{"optimizer", "adamw_8bit"};

constexpr Phrase kPhrases[] = {
    {"serve", {kServes}},
    {"serving", {kServes}},
    {"served", {kServes}},
    {"inference", {kServes}},
    {"infer", {kServes}},
    {"chat", {kServes}},
    {"finetune", {kTunes}},
    {"fine-tune", {kTunes}},
    {"fine tune", {kTunes}},
    {"finetuning", {kTunes}},
    {"fine-tuning", {kTunes}},
    {"fine tuning", {kTunes}},
    {"fine-tuned", {kTunes}},
    {"sft", {kTunes}},
    {"full finetune", {kTunes, kFull}},
    {"full fine-tune", {kTunes, kFull}},
    {"full fine tune", {kTunes, kFull}},
    {"full finetuning", {kTunes, kFull}},
    {"full fine-tuning", {kTunes, kFull}},
    {"full fine tuning", {kTunes, kFull}},
    {"full sft", {kTunes, kFull}},
    {"full-parameter", {kTunes, kFull}},
    {"full parameter", {kTunes, kFull}},
    {"fft", {kTunes, kFull}},
    {"pretrain", {kPretrains}},
    {"pre-train", {kPretrains}},
    {"pretraining", {kPretrains}},
    {"pre-training", {kPretrains}},
    {"continued pretraining", {kPretrains}},
    {"continue pretraining", {kPretrains}},
    {"lora", {kTunes, kLora}},
    {"qlora", {kTunes, kLora, kNf4}},
    {"dora", {kTunes, {"method", "dora"}}},
    {"dpo", {kTunes, {"preference", "dpo"}}},
    {"kto", {kTunes, {"preference", "kto"}}},
    {"orpo", {kTunes, {"preference", "orpo"}}},
    {"simpo", {kTunes, {"preference", "simpo"}}},
    {"ppo", {kTunes, {"preference", "ppo"}}},
    {"grpo", {kTunes, {"preference", "grpo"}}},
    {"reward model", {kTunes, {"preference", "reward_model"}}},
    {"zero1", {kDeepSpeed, kStates}},
    {"zero-1", {kDeepSpeed, kStates}},
    {"zero 1", {kDeepSpeed, kStates}},
    {"zero stage 1", {kDeepSpeed, kStates}},
    {"zero2", {kDeepSpeed, kGradients}},
    {"zero-2", {kDeepSpeed, kGradients}},
    {"zero 2", {kDeepSpeed, kGradients}},
    {"zero stage 2", {kDeepSpeed, kGradients}},
    {"zero3", {kDeepSpeed, kAll}},
    {"zero-3", {kDeepSpeed, kAll}},
    {"zero 3", {kDeepSpeed, kAll}},
    {"zero stage 3", {kDeepSpeed, kAll}},
    {"zero-offload", {kDeepSpeed, kGradients, {"offload", "optimizer"}}},
    {"zero-infinity", {kDeepSpeed, kAll, {"offload", "parameters"}}},
    {"fsdp", {kAll}},
    {"fsdp2", {kAll}},
    {"no checkpointing", {kNever}},
    {"no gradient checkpointing", {kNever}},
    {"without checkpointing", {kNever}},
    {"without gradient checkpointing", {kNever}},
    {"dp attention", {kReplicated}},
    {"dp-attention", {kReplicated}},
    {"data parallel attention", {kReplicated}},
    {"gradient checkpointing", {kAgain}},
    {"activation checkpointing", {kAgain}},
    {"activation recomputation", {kAgain}},
    {"flash attention", {kFlash}},
    {"flash-attention", {kFlash}},
    {"flashattention", {kFlash}},
    {"flash attention 2", {kFlash}},
    {"flash-attn", {kFlash}},
    {"fa2", {kFlash}},
    {"liger kernel", {kLigerLoss, kLigerNorms, kLigerMlp}},
    {"liger kernels", {kLigerLoss, kLigerNorms, kLigerMlp}},
    {"liger", {kLigerLoss, kLigerNorms, kLigerMlp}},
    {"packing", {{"batching", "packed"}}},
    {"mixed precision", {kMixed}},
    {"bf16 mixed precision", {kMixed}},
    {"bf16 mixed", {kMixed}},
    {"fp16 mixed precision", {{"precision", "mixed_fp16"}}},
    {"pure bf16", {{"precision", "bf16"}}},
    {"full fp32", {{"precision", "fp32"}}},
    {"adamw", {kAdamW}},
    {"adam", {kAdamW}},
    {"adamw 8bit", {kAdam8}},
    {"8bit adamw", {kAdam8}},
    {"8-bit adamw", {kAdam8}},
    {"8bit adam", {kAdam8}},
    {"8-bit adam", {kAdam8}},
    {"adamw_8bit", {kAdam8}},
    {"paged adamw", {{"optimizer", "paged_adamw"}}},
    {"paged adamw 8bit", {{"optimizer", "paged_adamw_8bit"}}},
    // What stands before a chip's name, and what an answer tells anyhow.
    {"mac studio"},
    {"mac mini"},
    {"mac pro"},
    {"macbook pro"},
    {"macbook air"},
    {"macbook"},
    {"mac"},
    {"imac"},
    {"tokens per second"},
    {"per request"},
    {"kv cache"},
    {"kv cache size"},
    {"activation memory"},
    {"continuous batching"},
    {"in-flight batching"},
    {"paged attention"},
};

const Phrase* find_phrase(const std::vector<Word>& words, std::size_t from, std::size_t count) {
  std::string text;
  for (std::size_t i = from; i < from + count; ++i) {
    if (words[i].used) return nullptr;
    text += (text.empty() ? "" : " ") + words[i].lower;
  }
  const auto at = std::ranges::find(kPhrases, text, &Phrase::words);
  return at == std::end(kPhrases) ? nullptr : at;
}

} // namespace

Told take_phrases(std::vector<Word>& words) {
  Told told;
  for (std::size_t size = std::min(kLongestPhrase, words.size()); size > 0; --size)
    for (std::size_t i = 0; i + size <= words.size(); ++i) {
      const Phrase* const phrase = find_phrase(words, i, size);
      if (phrase == nullptr) continue;
      take(words, i, i + size);
      for (const PhraseTells& tells : phrase->tells)
        if (!tells.field.empty()) told.emplace_back(tells.field, tells.text);
    }
  return told;
}

Told take_settings(std::vector<Word>& words) {
  Told told;
  for (Word& word : words) {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.text.size()) continue;
    const std::string name = word.lower.substr(0, equals), other{same_as(name)};
    if (find_field(spelled(name)) == nullptr && other.empty()) continue;
    word.used = true;
    told.emplace_back(other.empty() ? spelled(name) : other, word.text.substr(equals + 1));
  }
  return told;
}

} // namespace plimsoll::io::programs
