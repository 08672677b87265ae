// Names of programs that train stand with the formats of their configuration; of others: NVIDIA/Megatron-LM, *.py at its root, examples and tools.
#include "files/programs/purpose.hpp"

#include "files/commands/request_builder.hpp"
#include "files/programs/reinforcement.hpp"
#include "files/scripts/marks.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::programs {

namespace {

using scripts::Launch;

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
/// Words within a script's name, the first that it has: "finetune_chatglm.py" trains, "hf2mcore.py" converts.
constexpr std::array kHints{Hint{"finetune_", Purpose::trains},         Hint{"hf2", Purpose::converts},         Hint{"2hf", Purpose::converts},
                            Hint{"text_generation", Purpose::generates}, Hint{"inference", Purpose::generates}, Hint{"generate", Purpose::generates}, Hint{"generation", Purpose::generates},
                            Hint{"lm_eval", Purpose::evaluates},        Hint{"eval", Purpose::evaluates},       Hint{"benchmark", Purpose::evaluates},  Hint{"mmlu", Purpose::evaluates},
                            Hint{"convert", Purpose::converts},         Hint{"export", Purpose::converts},      Hint{"merge", Purpose::converts},       Hint{"quantize", Purpose::converts},
                            Hint{"prune", Purpose::converts},           Hint{"preprocess", Purpose::converts},  Hint{"download", Purpose::other},        Hint{"chat", Purpose::generates},
                           Hint{"bench_", Purpose::evaluates},         Hint{"openai_server", Purpose::generates}};

/// Images whose own program takes what stands behind them.
struct Image {
  std::string_view part;
  std::array<std::string_view, 2> words;
};
/// Words behind `swift` that train nothing (swift/cli/main.py, ROUTE_MAPPING).
constexpr std::array kSwift{Hint{"export", Purpose::converts}, Hint{"merge-lora", Purpose::converts}, Hint{"eval", Purpose::evaluates}, Hint{"infer", Purpose::generates}, Hint{"deploy", Purpose::generates},
                            Hint{"rollout", Purpose::generates}, Hint{"sample", Purpose::generates}, Hint{"app", Purpose::generates}};

constexpr std::array kImages{Image{"vllm-openai", {"vllm", "serve"}}, Image{"llama.cpp:server", {"llama-server", ""}}, Image{"llama.cpp:full", {"llama-cli", ""}},
                             Image{"llama.cpp:light", {"llama-cli", ""}}, Image{"text-generation-inference", {"text-generation-launcher", ""}}, Image{"ollama/ollama", {"ollama", ""}}};

const commands::Engine* engine_of(const Launch& launch, std::size_t& first) {
  std::vector<commands::Word> words;
  for (std::size_t i = 0; i < std::min<std::size_t>(launch.words.size(), 3); ++i) words.push_back({launch.words[i], false});
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

Program started(const configs::Format& format, const configs::Command& command, const Launch& launch) {
  Program program;
  program.purpose = Purpose::trains;
  program.known = true;
  program.name = command.name.empty() ? format.name : command.name;
  program.reads = command.reads;
  program.format = &format;
  program.method = command.method;
  program.file_option = command.file_option;
  program.usual_file = command.usual_file;
  program.first = command.then.empty() ? 1 : 2;
  if (command.takes_method && launch.words.size() > 2 && !launch.words[2].starts_with('-')) program.first = 3;
  return program;
}

Program trainer_of(const Launch& launch) {
  const std::string& word = launch.words[0];
  std::vector<const configs::Format*> formats{configs::formats().begin(), configs::formats().end()};
  formats.insert(formats.end(), {&verl(), &verl_sft(), &openrlhf()});
  for (const configs::Format* format : formats)
    for (const configs::Command& each : format->commands)
      if (is_named(word, each.program) && (each.then.empty() || (launch.words.size() > 1 && launch.words[1] == each.then))) return started(*format, each, launch);
  return {};
}

/// Options that begin with an engine's name are the engine's, without it: `swift deploy --infer_backend vllm` starts it (swift/arguments/infer_args.py).
void start_backend(Launch& launch) {
  const auto value_of = [&](std::string_view name) {
    const auto at = std::ranges::find(launch.words, name);
    return at == launch.words.end() || at + 1 == launch.words.end() ? std::string{} : at[1];
  };
  const std::string backend = value_of("--infer_backend"), model = value_of("--model");
  std::vector<std::string> words;
  if (backend == "vllm") words = {"vllm", "serve"};
  else if (backend == "sglang") words = {"sglang", "serve", "--model-path"};
  else return;
  if (!model.empty()) words.push_back(model);
  else if (backend == "sglang") words.pop_back();
  const std::string prefix = "--" + backend + "_";
  for (std::size_t i = 2; i + 1 < launch.words.size(); ++i) {
    if (!launch.words[i].starts_with(prefix)) continue;
    const std::string& value = launch.words[i + 1];
    if (value == "false") continue;
    words.push_back("--" + launch.words[i].substr(prefix.size()));
    std::ranges::replace(words.back(), '_', '-');
    if (value != "true") words.push_back(value);
  }
  for (const auto& [name, value] : launch.environment) // each process has an engine of its own
    if (name == "NPROC_PER_NODE" && value != "1" && launch.words[1] == "infer") words.insert(words.end(), {backend == "vllm" ? "--data-parallel-size" : "--dp-size", value});
  launch.words = std::move(words);
}

/// swift and megatron of ms-swift start torchrun where NPROC_PER_NODE or NNODES is set (swift/cli/main.py, get_torchrun_args); one process spreads layers over
/// all GPUs that it sees (swift/utils/torch_utils.py, is_mp).
void start_swift(Launch& launch) {
  if (launch.words.size() < 2 || (launch.program() != "swift" && launch.program() != "megatron")) return;
  const std::string method = launch.words[1];
  if (method == "deploy" || method == "infer" || method == "rollout") return start_backend(launch);
  if (method != "sft" && method != "pt" && method != "rlhf") return;
  const auto states = [&](std::string_view option) { return std::ranges::find(launch.words, option) != launch.words.end(); };
  if (method == "rlhf" && !states("--rlhf_type") && launch.words.size() > 2 && launch.words[2].starts_with("-")) launch.words.insert(launch.words.end(), {"--rlhf_type", "dpo"});
  std::string seen;
  for (const auto& [name, value] : launch.environment) {
    if (name == "NPROC_PER_NODE") launch.per_node = value;
    if (name == "NNODES") launch.nodes = value;
    if (name == "CUDA_VISIBLE_DEVICES" || name == "ASCEND_RT_VISIBLE_DEVICES") seen = value;
  }
  if (launch.per_node.empty() && launch.nodes.empty()) launch.processes = "1";
  const auto gpus = 1 + std::ranges::count(seen, ',');
  const std::string each = launch.per_node.empty() ? launch.processes : launch.per_node;
  const bool spreads = !each.empty() && !scripts::has_mark(each) && gpus > 1 && std::to_string(gpus) != each;
  if (spreads && launch.program() == "swift" && !states("--device_map")) launch.words.insert(launch.words.end(), {"--device_map", "auto"});
}

/// tools/perplexity/perplexity.cpp: 512 tokens by itself, where others take what the model has.
void state_context(Launch& launch) {
  if (!launch.program().starts_with("llama-perplexity")) return;
  if (std::ranges::none_of(launch.words, [](const std::string& word) { return word == "-c" || word.starts_with("--ctx-size"); })) launch.words.insert(launch.words.begin() + 1, {"-c", "512"});
}

} // namespace

std::string_view name_of(Purpose purpose) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"serving", "training", "evaluation", "generation", "conversion", ""};
  return kNames[static_cast<std::size_t>(purpose)];
}

Program program_of(Launch& launch) {
  if (!launch.image.empty()) start_image(launch);
  state_context(launch);
  start_swift(launch);
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
  if (const auto* const word = launch.words.size() < 2 || (name != "swift" && name != "megatron") ? kSwift.end() : std::ranges::find(kSwift, launch.words[1], &Hint::word); word != kSwift.end())
    return program.name = "ms-swift", program.purpose = word->purpose, program;
  if (!launch.words[0].ends_with(".py") && !launch.module) return program;
  program.name = name;
  if (launch.words[0].find("tasks/") != std::string::npos) return program.purpose = Purpose::evaluates, program; // Megatron-LM's folder of them
  for (const Hint& hint : kHints)
    if (name.find(hint.word) != std::string_view::npos) return program.purpose = hint.purpose, program;
  program.purpose = Purpose::trains; // what its arguments are like says whether it is
  return program;
}

} // namespace plimsoll::io::programs
