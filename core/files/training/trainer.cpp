// transformers' TrainingArguments as a JSON file: what HfArgumentParser.parse_json_file() reads, and what TrainingArguments.to_json_string()
// writes (huggingface/transformers, src/transformers/hf_argparser.py and training_args.py).
#include "files/training/format.hpp"
#include "files/training/fsdp.hpp"
#include "files/training/print.hpp"
#include "files/training/training_arguments.hpp"

#include <array>

namespace plimsoll::io::configs {

namespace {

bool recognises(const Document& document) {
  int signs = 0;
  for (const char* key : {"per_device_train_batch_size", "gradient_accumulation_steps", "learning_rate", "num_train_epochs", "output_dir", "optim", "bf16", "fp16",
                          "gradient_checkpointing", "lr_scheduler_type", "max_steps"})
    signs += document.has(key) ? 1 : 0;
  return document.has("per_device_train_batch_size") || document.has("per_device_eval_batch_size") || signs >= 2;
}

void read(Document& document, RequestBuilder& draft) {
  read_training_arguments(document, draft, {});
  const std::string model = document.text("model_name_or_path");
  if (!model.empty()) draft.name_model(model);
  else draft.miss_model("TrainingArguments");
  for (const char* key : {"max_seq_length", "block_size", "model_max_length"}) // the last as scripts on top of FastChat's cut sequences by the tokenizer
    if (const auto length = document.whole(key); length && !draft.has("context_tokens")) draft.set("context_tokens", *length);
  if (draft.has("context_tokens")) return;
  draft.say(Severity::note, "context_tokens", "TrainingArguments do not say how long sequences are.", "Set context_tokens to the longest sequence of a batch.");
}

constexpr std::array kEffects{ // of scripts of somebody's own, which Hugging Face's argument parser reads beside TrainingArguments
    kOwnLoop,
    Effect{"use_lora lora_enable peft_enable q_lora use_peft lora_r lora_rank load_in_4bit load_in_8bit", "adapters train, or weights are quantised, as the script does it.", false, Weight::decides},
};

void write(const Source& source, Json& tree) {
  tree["output_dir"] = "output";
  write_training_arguments(source, tree, {});
}

} // namespace

const Format& trainer() noexcept {
  static constexpr std::array kCommands{ // examples/pytorch
    Command{.program = "run_clm.py", .name = "transformers' Trainer"},
    Command{.program = "run_mlm.py", .name = "transformers' Trainer"}
  };
  static const Format kFormat{.id = "trainer",
                              .name = "Hugging Face TrainingArguments",
                              .source = "huggingface/transformers, src/transformers/training_args.py",
                              .syntax = Syntax::json,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = "dataset_name dataset_config_name train_file validation_file tokenizer_name cache_dir preprocessing_num_workers "
                                          "overwrite_cache trust_remote_code token model_revision config_name max_train_samples max_eval_samples "
                                          "validation_split_percentage model_type use_fast_tokenizer low_cpu_mem_usage keep_linebreaks streaming data_path eval_data_path lazy_preprocess",
                              .effects = kEffects,
                              .shared_harmless = training_arguments_harmless(),
                              .shared_effects = training_arguments_effects(),
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
