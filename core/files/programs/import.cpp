// Which texts are what, and what files and logs say by themselves.
#include "files/programs/importer.hpp"

#include "files/commands/read.hpp"
#include "files/programs/engine_file.hpp"
#include "files/programs/finish.hpp"
#include "files/programs/launcher_file.hpp"
#include "files/programs/sentence.hpp"
#include "files/programs/vocabulary.hpp"
#include "files/scripts/fences.hpp"
#include "files/scripts/marks.hpp"
#include "files/scripts/notebook.hpp"
#include "files/training/read.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io {

namespace programs {

namespace {

/// Names of documents end so.
constexpr std::array<std::string_view, 4> kDocuments{".md", ".mdx", ".markdown", ".rst"};

/// Section by section, as OmegaConf merges: what `over` says counts.
void merge(Json& into, const Json& over) {
  for (const auto& [key, value] : over.items()) {
    if (value.is_object() && into.contains(key) && into[key].is_object()) merge(into[key], value);
    else into[key] = value;
  }
}

} // namespace

ImportedText of_line(CommandLine line) {
  ImportedText made;
  made.ok = line.ok;
  made.kind = "command_line";
  made.name = std::move(line.engine);
  made.request = std::move(line.request);
  made.read = line.read;
  made.harmless = line.harmless;
  made.unread = std::move(line.unread);
  made.issues = std::move(line.issues);
  for (const auto& [variable, option] : line.missing) ask_variable(made, variable, option);
  say_empty(made, line.empty_variables);
  return made;
}

ImportedText of_config(TrainingConfig config) {
  ImportedText made;
  made.ok = config.ok;
  made.kind = "training_config";
  made.name = std::move(config.name);
  made.format = std::move(config.format);
  made.source = std::move(config.source);
  made.request = std::move(config.request);
  made.read = config.read;
  made.harmless = config.harmless;
  made.unread = std::move(config.unread);
  made.assumed = std::move(config.assumed);
  made.issues = std::move(config.issues);
  return made;
}

ImportedText Importer::run() {
  sort();
  ImportedText made = candidates_.all.empty() ? of_files() : of_commands();
  if (made.kind == "unknown" && texts_.size() == 1 && !is_document_ && !is_commands_) read_sentence(catalog_, texts_.front().text, made);
  for (MeasuredFigure& figure : measured_) made.measured.push_back(std::move(figure));
  for (const auto& [name, text] : answers_.variables)
    if (std::ranges::none_of(texts_, [&](const ImportText& each) { return each.text.find(name) != std::string_view::npos; }))
      made.issues.push_back({Severity::warning, name, "No text has a variable " + quoted(std::string_view{name}) + ".", "Write its name as the script does."});
  take_device(catalog_, candidates_.machines, made);
  finish(catalog_, answers_, made);
  return made;
}

void Importer::sort() {
  for (const ImportText& each : texts_)
    if (each.text.size() <= kMostConfigBytes) all_.push_back({std::string{each.name}, std::string{each.text}});
  for (const ImportText& each : texts_) {
    if (add_notebook(each)) continue;
    if (each.text.size() > kMostConfigBytes || each.text.find('\0') != std::string_view::npos) {
      too_long_ = too_long_ || each.text.find('\0') == std::string_view::npos;
      continue;
    }
    if (configs::is_template(each.text)) {
      configs::Recognised found = configs::recognise(each.text);
      error_ = std::move(found.error), remedy_ = std::move(found.remedy);
      is_broken_ = true;
      continue;
    }
    if (add_document(each)) continue;
    if (logs::Log log = logs::read_log(each.text); log.is) {
      for (MeasuredFigure& figure : log.measured) measured_.push_back(std::move(figure));
      logs_.push_back(std::move(log));
      continue;
    }
    if (std::vector<configs::RegisteredConfig> found = configs::registered_configs(each.text); !found.empty()) {
      std::ranges::move(found, std::back_inserter(registered_));
      continue;
    }
    Candidates found = candidates_in(each.text, given_, all_);
    const bool starts = std::ranges::any_of(found.all, is_wanted);
    if (starts || found.manifest || is_another(found)) {
      add(std::move(found));
      continue;
    }
    configs::Recognised config = configs::recognise(each.text);
    if (config.format != nullptr) {
      configs_.push_back({config.format, std::move(config.tree), std::move(config.duplicates), std::string{each.name}, false, each.text});
    } else if (!found.all.empty()) {
      add(std::move(found));
    } else if (!each.name.empty() && each.name.find('\'') == std::string_view::npos && is_engine_file(each.text)) {
      add(candidates_in("vllm serve --config '" + std::string{each.name} + "'\n", given_, all_));
    } else if (error_.empty() && is_script(each.text, found)) {
      std::string names;
      for (const std::string& name : found.others)
        if (names.find(name) == std::string::npos && names.size() < 80) names += (names.empty() ? "" : ", ") + name;
      error_ = "No command of the text serves or trains a model" + (names.empty() ? "." : ": it starts " + names + ".");
      remedy_ = kGiveLaunch;
      is_commands_ = each.text.find(" -") != std::string_view::npos || each.text.find("$(") != std::string_view::npos;
    } else if (error_.empty() && !config.error.empty()) {
      is_broken_ = true;
      error_ = std::move(config.error);
      remedy_ = std::move(config.remedy);
    }
  }
}

bool Importer::add_notebook(const ImportText& each) {
  const auto notebook = scripts::notebook_of(each.text);
  if (!notebook) return false;
  configs::Recognised config = configs::recognise(notebook->code);
  if (config.format == &configs::unsloth()) {
    configs_.push_back({config.format, std::move(config.tree), {}, std::string{each.name}});
    for (MeasuredFigure& figure : logs::read_log(notebook->printed).measured) measured_.push_back(std::move(figure));
  } else if (Candidates found = candidates_in(notebook->shell, given_, all_); std::ranges::any_of(found.all, is_wanted)) {
    add(std::move(found));
  } else {
    is_document_ = true;
    if (error_.empty()) error_ = "No cell of the notebook serves or trains a model as it is known here.", remedy_ = kGiveLaunch;
  }
  return true;
}

bool Importer::add_shown(std::string_view text) {
  bool any = false;
  std::vector<Config> shown;
  for (std::string& file : scripts::files_of_document(text)) {
    const std::string& kept = blocks_.emplace_back(std::move(file));
    if (Candidates found = candidates_in(kept, given_, all_); found.manifest && std::ranges::any_of(found.all, is_wanted)) {
      add(std::move(found));
      any = true;
    } else if (configs::Recognised config = configs::recognise(kept); config.format != nullptr && !found.manifest) {
      shown.push_back({config.format, std::move(config.tree), std::move(config.duplicates), "", false, kept});
    }
  }
  if (any || shown.size() != 1) return any; // of several nobody says which run they are of
  configs_.push_back(std::move(shown.front()));
  return true;
}

bool Importer::add_document(const ImportText& each) {
  if (each.text.starts_with("#!")) return false; // a script that writes one
  const bool named = std::ranges::any_of(kDocuments, [&](std::string_view end) { return each.name.ends_with(end); });
  const std::string shell = scripts::commands_of_document(each.text);
  if (!named && (shell.empty() || configs::recognise(each.text).format != nullptr)) return false;
  Candidates found = candidates_in(shell, given_, all_);
  if (std::ranges::any_of(found.all, is_wanted)) {
    const bool needs_file = std::ranges::any_of(found.all, [](const Candidate& one) { return one.program.reads == Reads::file; });
    add(std::move(found));
    if (needs_file) static_cast<void>(add_shown(each.text));
    return true;
  }
  if (!named && !found.all.empty() && !is_another(found)) return false;
  if (add_shown(each.text)) return true;
  is_document_ = true;
  if (error_.empty()) error_ = "No command in the document serves or trains a model.", remedy_ = kGiveLaunch;
  return true;
}

void Importer::add(Candidates found) {
  std::ranges::move(found.all, std::back_inserter(candidates_.all));
  std::ranges::move(found.written, std::back_inserter(candidates_.written));
  std::ranges::move(found.missing, std::back_inserter(candidates_.missing));
  std::ranges::move(found.off, std::back_inserter(candidates_.off));
  std::ranges::move(found.machines.gpus, std::back_inserter(candidates_.machines.gpus));
  if (candidates_.machines.remarked.empty()) candidates_.machines.remarked = std::move(found.machines.remarked);
  candidates_.manifest = candidates_.manifest || found.manifest;
  candidates_.whole = candidates_.whole && found.whole;
}

bool Importer::is_wanted(const Candidate& one) {
  if (one.program.purpose == Purpose::serves) return true;
  if (one.program.purpose != Purpose::trains) return false;
  return one.program.known || one.launch.launcher == "accelerate" || one.launch.launcher == "deepspeed" || guessed(one).format != nullptr;
}

bool Importer::is_another(const Candidates& found) {
  return !found.all.empty() && std::ranges::none_of(found.all, [](const Candidate& one) { return one.program.purpose == Purpose::serves || one.program.purpose == Purpose::trains; });
}

bool Importer::is_script(std::string_view text, const Candidates& found) {
  static constexpr std::array<std::string_view, 23> kTools{"lmdeploy", "docker", "podman", "ollama", "git", "cmake", "make", "pip", "pip3", "conda", "hf", "huggingface-cli", "curl",
                                                           "wget",   "apt",    "apt-get", "sudo", "srun", "sbatch", "kubectl", "helm", "python", "python3"};
  const bool begins = text.starts_with("#!") || text.find("\n#!/") != std::string_view::npos; // behind a licence
  return begins || std::ranges::any_of(found.others, [](const std::string& word) {
           return word.starts_with("./") || word.starts_with('/') || word.ends_with(".sh") || word.ends_with(".py") || std::ranges::find(kTools, word) != kTools.end();
         });
}

Config* Importer::file_named(const std::string& path) {
  for (Config& config : configs_)
    if (scripts::same_file(config.name, scripts::shown(path))) return &config;
  for (const scripts::NamedText& written : candidates_.written) {
    if (!scripts::same_file(written.name, scripts::shown(path))) continue;
    configs::Recognised found = configs::recognise(written.text);
    if (found.format == nullptr && !found.tree.is_object()) return nullptr;
    configs_.push_back({found.format, std::move(found.tree), {}, written.name});
    return &configs_.back();
  }
  return nullptr;
}

ImportedText Importer::of_files() {
  if (configs_.empty()) return registered_.empty() ? of_logs() : of_registry();
  Config* main = nullptr;
  for (Config& each : configs_)
    if (main == nullptr && each.format != &configs::accelerate() && each.format != &configs::deepspeed()) main = &each;
  if (main == nullptr) main = &configs_.front();
  main->used = true;
  std::string gpus = answers_.gpus > 0 ? std::to_string(answers_.gpus) : "";
  if (main->format == &configs::accelerate() && configs::Document{main->tree}.has("deepspeed_config.deepspeed_config_file"))
    for (Config& each : configs_)
      if (each.format == &configs::deepspeed() && !each.used) { // which says everything, but on how many GPUs
        if (gpus.empty()) gpus = processes_of(main->tree);
        main = &each;
        main->used = true;
      }
  Json tree = main->tree;
  for (Config& each : configs_) {
    if (each.format != &configs::accelerate() || each.used) continue;
    each.used = true;
    add_launcher(tree, each.tree);
    if (gpus.empty()) gpus = processes_of(each.tree);
  }
  if (configs_.size() > 1) resolve_deepspeed(tree);
  resolve_fsdp(tree);
  const std::string base = main->format == &configs::nemo_rl() || (main->format == &configs::nemo() && tree.contains("defaults") && tree["defaults"].is_string()) ? resolve_base(tree) : "";
  ImportedText made = read_tree(*main->format, std::move(tree), main->duplicates, gpus, main->text);
  const bool open = main->format == &configs::nemo_rl() && !is_usual_base(base);
  if (!base.empty() && (open || (made.ok && made.request.find("model") == nullptr))) ask_file(made, base);
  for (const Config& each : configs_)
    if (!each.used) made.issues.push_back({Severity::warning, each.name, each.name + " is a file of " + std::string{each.format->name} + ", which " + std::string{main->format->name} + " does not read.", "Give files of one run."});
  return made;
}

bool Importer::is_usual_base(std::string_view path) {
  constexpr std::array<std::string_view, 4> kUsual{"grpo_math_1B.yaml", "sft.yaml", "dpo.yaml", "vlm_grpo_3B.yaml"};
  return std::ranges::find(kUsual, path.substr(path.find_last_of('/') + 1)) != kUsual.end();
}

std::string Importer::resolve_base(Json& tree) {
  constexpr int kMostBases = 8;
  for (int n = 0; n < kMostBases; ++n) {
    const auto at = tree.find("defaults");
    if (at != tree.end() && at->is_array() && at->size() == 1) tree["defaults"] = Json(at->elements().front()); // a list of one
    if (at == tree.end() || !at->is_string()) return "";
    const std::string path = at->text();
    Config* const config = file_named(path);
    if (config == nullptr || config->used) return path;
    config->used = true;
    Json base = config->tree;
    base.erase("defaults");
    if (const auto next = config->tree.find("defaults"); next != config->tree.end()) tree["defaults"] = *next;
    else tree.erase("defaults");
    merge(base, tree);
    tree = std::move(base);
  }
  return "";
}

ImportedText Importer::read_tree(const configs::Format& format, Json tree, const std::vector<std::string>& duplicates, const std::string& gpus, std::string_view text) {
  const bool primus = format.id == "primus", megatron = format.id == configs::megatron().id || primus, nemo = format.id == configs::nemo().id;
  if (!gpus.empty() && (megatron || nemo)) {
    tree[megatron ? "nproc-per-node" : "trainer.devices"] = gpus;
    tree[megatron ? "nnodes" : "trainer.num_nodes"] = 1U;
  }
  if (const auto tokens = vocabulary_of(answers_.vocab); tokens && megatron && !primus) tree["vocab-size"] = static_cast<std::uint64_t>(*tokens);
  const bool meshes = format.id == configs::maxtext().id, divides = format.id == configs::deepspeed().id || format.id == configs::litgpt().id || format.id == configs::llama_factory().id || format.id == configs::ms_swift().id || format.id == configs::torchtitan().id || format.id == "verl_sft"; // axes, batches and sharding follow from the devices
  ImportedText made = of_config(configs::read_as(catalog_, format, tree, duplicates, text, meshes || divides ? configs::whole_number(gpus).value_or(0) : 0));
  if (!gpus.empty() && !megatron && !nemo && !meshes) set_gpus(made, gpus);
  for (const char* key : {"deepspeed", "deepspeed_config.deepspeed_config_file", "dist_config.config_file", "accelerate_config", "fsdp", "fsdp_config"}) // what they name says how work is divided
    if (std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.field == key && issue.severity == Severity::warning; }))
      if (const std::string file = configs::Document{tree}.text(key); !file.empty()) ask_file(made, scripts::shown(file));
  return made;
}

ImportedText Importer::of_registry() {
  const configs::Format& format = configs::torchtitan();
  const std::size_t chosen = registered_.size() == 1 ? 1 : answers_.command;
  const bool none = std::ranges::none_of(registered_, [](const configs::RegisteredConfig& each) { return each.tree.is_object(); });
  ImportedText made;
  if (chosen > 0 && chosen <= registered_.size() && registered_[chosen - 1].tree.is_object()) {
    made = read_tree(format, registered_[chosen - 1].tree, {}, answers_.gpus > 0 ? std::to_string(answers_.gpus) : "");
  } else {
    made.kind = "training_config", made.name = format.name, made.format = format.id, made.source = format.source;
    const configs::RegisteredConfig& one = registered_[chosen > 0 && chosen <= registered_.size() ? chosen - 1 : 0];
    const bool open = chosen == 0 && !none;
    if (chosen > registered_.size())
      made.issues.push_back({Severity::error, "command", "There is no configuration " + std::to_string(chosen) + ": the module has " + std::to_string(registered_.size()) + ".", "Choose one from 1 to " + std::to_string(registered_.size()) + "."});
    else if (!open)
      made.issues.push_back({Severity::error, "command", one.error, one.module.empty() ? "Choose another configuration, or give the one that the program prints." : "Give the module " + one.module + " in its place, and choose there."});
    made.ok = open;
    if (open) made.request.set("task", "pretrain"), made.request.set("profile", format.id);
  }
  std::string list;
  for (std::size_t i = 0; i < registered_.size(); ++i) {
    list += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + registered_[i].name;
    if (registered_.size() > 1) made.commands.push_back({registered_[i].line, std::string{format.name}, "training", registered_[i].name});
  }
  if (made.ok && chosen == 0) made.questions.push_back({"command", "Which of the configurations: " + list + "?", "command"});
  return made;
}

ImportedText Importer::of_logs() {
  ImportedText made;
  made.kind = logs_.empty() ? "unknown" : "log";
  for (const logs::Log& log : logs_) {
    made.ok = true;
    made.name = log.program;
    if (!log.words.empty()) {
      Candidates found = candidates_in(log.words, given_);
      if (!found.all.empty() && found.all[0].program.engine != nullptr) {
        made = of_line(commands::read_engine(catalog_, *found.all[0].program.engine, found.all[0].launch.words, found.all[0].program.first, found.all[0].launch.environment));
        made.kind = "log";
      }
    }
    if (log.format != nullptr) {
      made = read_tree(*log.format, log.tree, {}, answers_.gpus > 0 ? std::to_string(answers_.gpus) : "");
      made.kind = "log";
    }
    for (const Entry& entry : log.request.entries()) made.request.set(entry.name, entry.text);
  }
  if (!logs_.empty()) return made;
  if (candidates_.manifest) {
    const bool off = !candidates_.off.empty();
    made.kind = "command_line";
    made.issues.push_back({Severity::error, "", off ? "The values leave out their model " + quoted(std::string_view{candidates_.off.front()}) + ": enabled is false." : "No container here starts an engine that is known.",
                           off ? "Set enabled to true." : "Give the manifest of the container that serves the model."});
    return made;
  }
  if (too_long_) made.issues.push_back({Severity::error, "", "The text is too long; at most " + std::to_string(kMostConfigBytes) + " bytes are read.", "Give the command or the configuration alone."});
  else if (!error_.empty()) made.kind = is_broken_ ? "training_config" : "unknown", made.issues.push_back({Severity::error, "", error_, remedy_});
  return made;
}

void Importer::say_unfollowed(ImportedText& made) const {
  if (!candidates_.whole) made.issues.push_back({Severity::warning, "", "The script is too long to be followed to its end.", "Give the command that starts the program alone."});
  const bool open = std::ranges::any_of(made.questions, [](const OpenQuestion& question) { return question.answer == "set"; });
  if (!open) return;
  for (const std::string& name : candidates_.missing) ask_file(made, name);
}
} // namespace programs

ImportedText import_texts(const Catalog& catalog, std::span<const ImportText> texts, const ImportAnswers& answers) { return programs::Importer{catalog, texts, answers}.run(); }

const Catalog& own_catalog() {
  static const Catalog kCatalog = Catalog::load();
  return kCatalog;
}

ImportedText import_texts(std::span<const ImportText> texts, const ImportAnswers& answers) { return import_texts(own_catalog(), texts, answers); }

} // namespace plimsoll::io
