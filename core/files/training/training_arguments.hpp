#pragma once
// transformers' TrainingArguments (huggingface/transformers, src/transformers/training_args.py): the keys of a JSON file of its own, and
// of all programs that hand theirs to it.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "files/training/format.hpp"

#include <span>
#include <string_view>

namespace plimsoll::io::configs {

/// What a program changes of TrainingArguments' defaults, and how it loads weights.
struct TrainerHabits {
  bool bf16 = false;         ///< by itself, where fp16 is off
  bool recomputes = false;   ///< by itself
  bool half_weights = false; ///< weights are loaded in 16 bits, where nobody asks for fp32
  bool frozen = false;       ///< adapters train beside them
  std::string_view launcher{}; ///< "zero1", "zero2", "zero3", "fsdp1" or "fsdp2", where the file says how Accelerate runs it
  std::int64_t batch = 8;      ///< sequences of a micro-batch by itself
  bool fp16 = false;         ///< by itself, where bf16 is off
  bool deepspeed = false;    ///< what it divides stands in the draft already
};

void read_training_arguments(Document& document, RequestBuilder& draft, const TrainerHabits& habits);

/// With `habits`, what a program does by itself is written only where it is not so.
void write_training_arguments(const Source& source, Json& tree, const TrainerHabits& habits);

/// What keys say that TrainingArguments lack and scripts with a loop of their own have (huggingface/transformers, examples/pytorch, *_no_trainer.py;
/// allenai/open-instruct, open_instruct/finetune.py; deepspeedai/DeepSpeedExamples, applications/DeepSpeed-Chat).
inline constexpr Effect kOwnLoop{"with_tracking use_slow_tokenizer checkpointing_steps zero_stage", "it is of a script with a loop of its own, which loads weights and runs layers again as no key here says.", true,
                                 Weight::decides};

std::string_view training_arguments_harmless() noexcept;
std::span<const Effect> training_arguments_effects() noexcept;

} // namespace plimsoll::io::configs
