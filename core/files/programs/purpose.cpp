// Names of programs: huggingface/trl, trl/cli and trl/scripts; hiyouga/LLaMA-Factory, src/llamafactory/launcher.py; axolotl-ai-cloud/axolotl,
// src/axolotl/cli; meta-pytorch/torchtune, torchtune/_cli; Lightning-AI/litgpt, litgpt/__main__.py; pytorch/torchtitan, torchtitan/train.py;
// NVIDIA/Megatron-LM, *.py at its root, examples and tools; NVIDIA-NeMo/Megatron-Bridge, scripts/training; verl-project/verl, verl/trainer;
// OpenRLHF/OpenRLHF, openrlhf/cli; huggingface/transformers, examples/pytorch.
#include "files/programs/purpose.hpp"

#include "files/commands/request_builder.hpp"
#include "files/programs/reinforcement.hpp"
#include "files/scripts/marks.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::programs {

namespace {

using scripts::Launch;

const configs::Format* format_named(std::string_view id) {
  for (const configs::Format* format : configs::formats())
    if (format->id == id) return format;
  return id == verl().id ? &verl() : id == openrlhf().id ? &openrlhf() : nullptr;
}

struct Trainer {
  std::string_view program, then; ///< the program's name or the end of its path or module; the word behind it, "" for any
  std::string_view name, format;
  Reads reads = Reads::arguments;
  std::string_view file_option{};
  std::string_view method{};
};

constexpr std::array kTrainers{
    Trainer{"trl", "sft", "TRL", "trl", Reads::file, "--config", "sft"},
    Trainer{"trl", "dpo", "TRL", "trl", Reads::file, "--config", "dpo"},
    Trainer{"trl", "kto", "TRL", "trl", Reads::file, "--config", "kto"},
    Trainer{"trl", "grpo", "TRL", "trl", Reads::file, "--config", "grpo"},
    Trainer{"trl", "rloo", "TRL", "trl", Reads::file, "--config", "rloo"},
    Trainer{"trl", "reward", "TRL", "trl", Reads::file, "--config", "reward"},
    Trainer{"llamafactory-cli", "train", "LLaMA-Factory", "llama_factory", Reads::file},
    Trainer{"lmf", "train", "LLaMA-Factory", "llama_factory", Reads::file},
    Trainer{"src/train.py", "", "LLaMA-Factory", "llama_factory", Reads::file},
    Trainer{"src/train_bash.py", "", "LLaMA-Factory", "llama_factory", Reads::arguments},
    Trainer{"llamafactory/launcher.py", "", "LLaMA-Factory", "llama_factory", Reads::file},
    Trainer{"axolotl", "train", "Axolotl", "axolotl", Reads::file},
    Trainer{"axolotl.cli.train", "", "Axolotl", "axolotl", Reads::file},
    Trainer{"scripts/finetune.py", "", "Axolotl", "axolotl", Reads::file},
    Trainer{"tune", "run", "torchtune", "torchtune", Reads::file, "--config"},
    Trainer{"litgpt", "finetune", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"litgpt", "finetune_lora", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"litgpt", "finetune_full", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"litgpt", "finetune_adapter", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"litgpt", "finetune_adapter_v2", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"litgpt", "pretrain", "LitGPT", "litgpt", Reads::file, "--config"},
    Trainer{"torchtitan/train.py", "", "torchtitan", "torchtitan", Reads::file, "--job.config_file"},
    Trainer{"torchtitan.train", "", "torchtitan", "torchtitan", Reads::file, "--job.config_file"},
    Trainer{"run_recipe.py", "", "Megatron Bridge", "nemo", Reads::overrides},
    Trainer{"training/train.sh", "", "Megatron Bridge", "nemo", Reads::overrides},
    Trainer{"performance/run_script.py", "", "Megatron Bridge", "nemo", Reads::overrides},
    Trainer{"performance/setup_experiment.py", "", "Megatron Bridge", "nemo", Reads::overrides},
    Trainer{"verl.trainer.main_ppo", "", "verl", "verl", Reads::overrides},
    Trainer{"verl.trainer.sft_trainer", "", "verl's SFT", "", Reads::overrides},
    Trainer{"verl.trainer.fsdp_sft_trainer", "", "verl's SFT", "", Reads::overrides},
    Trainer{"openrlhf.cli.train_sft", "", "OpenRLHF", "openrlhf", Reads::arguments, "", "sft"},
    Trainer{"openrlhf.cli.train_dpo", "", "OpenRLHF", "openrlhf", Reads::arguments, "", "dpo"},
    Trainer{"openrlhf.cli.train_kto", "", "OpenRLHF", "openrlhf", Reads::arguments, "", "kto"},
    Trainer{"openrlhf.cli.train_rm", "", "OpenRLHF", "openrlhf", Reads::arguments, "", "reward"},
    Trainer{"openrlhf.cli.train_ppo_ray", "", "OpenRLHF's PPO", ""},
    Trainer{"sft.py", "", "TRL", "trl", Reads::file, "--config", "sft"},
    Trainer{"dpo.py", "", "TRL", "trl", Reads::file, "--config", "dpo"},
    Trainer{"kto.py", "", "TRL", "trl", Reads::file, "--config", "kto"},
    Trainer{"grpo.py", "", "TRL", "trl", Reads::file, "--config", "grpo"},
    Trainer{"rloo.py", "", "TRL", "trl", Reads::file, "--config", "rloo"},
    Trainer{"ssd.py", "", "TRL", "trl", Reads::file, "--config", "ssd"},
    Trainer{"orpo.py", "", "TRL", "trl", Reads::file, "--config", "orpo"},
    Trainer{"gkd.py", "", "TRL", "trl", Reads::file, "--config", "gkd"},
    Trainer{"reward_modeling.py", "", "TRL", "trl", Reads::file, "--config", "reward"},
    Trainer{"run_clm.py", "", "transformers' Trainer", "trainer"},
    Trainer{"run_mlm.py", "", "transformers' Trainer", "trainer"},
};

/// The end of a path or of a module's name.
bool is_named(std::string_view word, std::string_view name) {
  if (!word.ends_with(name)) return false;
  const std::size_t before = word.size() - name.size();
  return before == 0 || word[before - 1] == '/' || word[before - 1] == '\\' || word[before - 1] == '.';
}

struct Hint {
  std::string_view word;
  Purpose purpose;
};
/// Words within a script's name.
constexpr std::array kHints{Hint{"text_generation", Purpose::generates}, Hint{"inference", Purpose::generates}, Hint{"generate", Purpose::generates}, Hint{"generation", Purpose::generates},
                            Hint{"lm_eval", Purpose::evaluates},        Hint{"eval", Purpose::evaluates},       Hint{"benchmark", Purpose::evaluates},  Hint{"mmlu", Purpose::evaluates},
                            Hint{"convert", Purpose::converts},         Hint{"export", Purpose::converts},      Hint{"merge", Purpose::converts},       Hint{"quantize", Purpose::converts},
                            Hint{"prune", Purpose::converts},           Hint{"preprocess", Purpose::converts},  Hint{"download", Purpose::other},        Hint{"chat", Purpose::generates}};

/// Images whose own program takes what stands behind them.
struct Image {
  std::string_view part;
  std::array<std::string_view, 2> words;
};
constexpr std::array kImages{Image{"vllm-openai", {"vllm", "serve"}}, Image{"llama.cpp:server", {"llama-server", ""}}, Image{"llama.cpp:full", {"llama-cli", ""}},
                             Image{"llama.cpp:light", {"llama-cli", ""}}, Image{"text-generation-inference", {"text-generation-launcher", ""}}, Image{"ollama/ollama", {"ollama", ""}}};

const commands::Engine* engine_of(const Launch& launch, std::size_t& first) {
  std::vector<commands::Word> words;
  for (std::size_t i = 0; i < std::min<std::size_t>(launch.words.size(), 2); ++i) words.push_back({launch.words[i], false});
  const commands::Start start = commands::start_at(words, 0);
  first = start.first;
  return start.engine;
}

void start_image(Launch& launch) {
  const auto image = std::ranges::find_if(kImages, [&](const Image& each) { return launch.image.find(each.part) != std::string::npos; });
  if (image == kImages.end()) return;
  std::size_t first = 0;
  const std::string_view program = launch.program();
  if (engine_of(launch, first) != nullptr || program == "bash" || program == "sh" || program.ends_with(".py") || program.ends_with(".sh") || (!launch.words.empty() && program == image->words[0])) return;
  if (!launch.words.empty() && launch.words[0].empty()) launch.words.erase(launch.words.begin());
  std::vector<std::string> words;
  for (const std::string_view word : image->words)
    if (!word.empty()) words.emplace_back(word);
  launch.words.insert(launch.words.begin(), words.begin(), words.end());
}

Program trainer_of(const Launch& launch) {
  Program program;
  const std::string& word = launch.words[0];
  for (const Trainer& each : kTrainers) {
    if (!is_named(word, each.program) || (!each.then.empty() && (launch.words.size() < 2 || launch.words[1] != each.then))) continue;
    program.purpose = Purpose::trains;
    program.known = true;
    program.name = each.name;
    program.format = format_named(each.format);
    program.method = each.method;
    program.reads = each.reads;
    program.file_option = each.file_option;
    program.first = each.then.empty() ? 1 : 2;
    if (word == "litgpt" && each.then == "finetune" && launch.words.size() > 2 && !launch.words[2].starts_with('-')) program.first = 3; // litgpt finetune lora
    return program;
  }
  return program;
}

} // namespace

std::string_view name_of(Purpose purpose) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"serving", "training", "evaluation", "generation", "conversion", ""};
  return kNames[static_cast<std::size_t>(purpose)];
}

Program program_of(Launch& launch) {
  if (!launch.image.empty()) start_image(launch);
  Program program;
  if (launch.words.empty()) return program;
  if (const commands::Engine* const engine = engine_of(launch, program.first)) {
    program.purpose = Purpose::serves;
    program.known = true;
    program.engine = engine;
    program.name = engine->name;
    return program;
  }
  program = trainer_of(launch);
  if (program.purpose != Purpose::other) return program;
  const std::string_view name = launch.program();
  if (!launch.words[0].ends_with(".py") && !launch.module) return program;
  program.name = name;
  if (launch.words[0].find("tasks/") != std::string::npos) return program.purpose = Purpose::evaluates, program; // Megatron-LM's folder of them
  for (const Hint& hint : kHints)
    if (name.find(hint.word) != std::string_view::npos) return program.purpose = hint.purpose, program;
  program.purpose = Purpose::trains; // what its arguments are like says whether it is
  return program;
}

} // namespace plimsoll::io::programs
