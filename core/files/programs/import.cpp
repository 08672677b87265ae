// Texts as one question: which of them is the program, what the others add to it, what stays open.
#include "plimsoll/files/import.hpp"

#include "files/commands/read.hpp"
#include "files/logs/logs.hpp"
#include "files/programs/arguments.hpp"
#include "files/programs/candidates.hpp"
#include "files/programs/engine_file.hpp"
#include "files/programs/finish.hpp"
#include "files/programs/launcher_file.hpp"
#include "files/programs/vocabulary.hpp"
#include "files/scripts/marks.hpp"
#include "files/training/format.hpp"
#include "files/training/read.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/training_config.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace programs;

constexpr std::size_t kMostRead = 16; ///< commands that are read before one is chosen

/// A configuration file among the texts.
struct Config {
  const configs::Format* format;
  Json tree;
  std::vector<std::string> duplicates;
  std::string name;
  bool used = false;
};

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

std::string text_of(const Candidate& candidate) {
  std::string text;
  for (const std::string& word : candidate.launch.words) text += (text.empty() ? "" : " ") + scripts::shown(word);
  constexpr std::size_t kMost = 400;
  return text.size() > kMost ? text.substr(0, kMost) + " …" : text;
}

class Importer {
public:
  Importer(const Catalog& catalog, std::span<const ImportText> texts, const ImportAnswers& answers) : catalog_(catalog), texts_(texts), answers_(answers) {
    for (const auto& [name, text] : answers.variables) given_.emplace_back(name, text);
  }

  ImportedText run() {
    sort();
    ImportedText made = candidates_.all.empty() ? of_files() : of_commands();
    for (MeasuredFigure& figure : measured_) made.measured.push_back(std::move(figure));
    finish(catalog_, answers_, made);
    return made;
  }

private:
  void sort() {
    for (const ImportText& each : texts_)
      if (each.text.size() <= kMostConfigBytes) all_.push_back({std::string{each.name}, std::string{each.text}});
    for (const ImportText& each : texts_) {
      if (each.text.size() > kMostConfigBytes || each.text.find('\0') != std::string_view::npos) {
        too_long_ = too_long_ || each.text.find('\0') == std::string_view::npos;
        continue;
      }
      if (logs::Log log = logs::read_log(each.text); log.is) {
        for (MeasuredFigure& figure : log.measured) measured_.push_back(std::move(figure));
        logs_.push_back(std::move(log));
        continue;
      }
      Candidates found = candidates_in(each.text, given_, all_);
      const bool starts = std::ranges::any_of(found.all, [&](const Candidate& one) { return is_wanted(one); });
      if (starts || found.manifest || is_another(found)) {
        add(std::move(found));
        continue;
      }
      configs::Recognised config = configs::recognise(each.text);
      if (config.format != nullptr) {
        configs_.push_back({config.format, std::move(config.tree), std::move(config.duplicates), std::string{each.name}});
      } else if (!found.all.empty()) {
        add(std::move(found));
      } else if (error_.empty() && is_script(each.text, found)) {
        std::string names;
        for (const std::string& name : found.others)
          if (names.find(name) == std::string::npos && names.size() < 80) names += (names.empty() ? "" : ", ") + name;
        error_ = "No command of the text serves or trains a model: it starts " + names + ".";
        remedy_ = "Give the command that starts an engine or a training framework, or its configuration file.";
      } else if (error_.empty() && !config.error.empty()) {
        error_ = std::move(config.error);
        remedy_ = std::move(config.remedy);
      }
    }
  }

  void add(Candidates found) {
    std::ranges::move(found.all, std::back_inserter(candidates_.all));
    std::ranges::move(found.written, std::back_inserter(candidates_.written));
    std::ranges::move(found.missing, std::back_inserter(candidates_.missing));
    std::ranges::move(found.off, std::back_inserter(candidates_.off));
    candidates_.manifest = candidates_.manifest || found.manifest;
    candidates_.whole = candidates_.whole && found.whole;
  }

  /// Serving, or training by a program that is known or whose arguments tell it.
  static bool is_wanted(const Candidate& one) {
    if (one.program.purpose == Purpose::serves) return true;
    if (one.program.purpose != Purpose::trains) return false;
    return one.program.known || one.launch.launcher == "accelerate" || one.launch.launcher == "deepspeed" || guessed(one).format != nullptr;
  }

  /// Whether the text has a purpose of its own that is none of these: it evaluates, generates or converts.
  static bool is_another(const Candidates& found) {
    return !found.all.empty() && std::ranges::none_of(found.all, [](const Candidate& one) { return one.program.purpose == Purpose::serves || one.program.purpose == Purpose::trains; });
  }

  /// Words that no YAML has in front of its lines.
  static bool is_script(std::string_view text, const Candidates& found) {
    if (text.starts_with("#!")) return true;
    const auto keys = std::ranges::count_if(found.others, [](const std::string& word) { return word.ends_with(':') || word == "-" || word.starts_with('[') || word.starts_with('{'); });
    return !found.others.empty() && keys == 0 && found.others.size() + found.all.size() < 400;
  }

  /// A script of somebody's own, by the options that it takes.
  static Program guessed(const Candidate& one) {
    for (const configs::Format* format : {&configs::megatron(), &configs::nemo(), &configs::llama_factory(), &configs::trl(), &configs::trainer()}) {
      Program program = one.program;
      program.format = format;
      program.reads = format == &configs::nemo() ? Reads::overrides : Reads::arguments;
      const Arguments arguments = arguments_of(one.launch, program);
      if (arguments.tree.empty() || !format->recognises(configs::Document{arguments.tree})) continue;
      const bool plain = format == &configs::llama_factory() || format == &configs::trl() || format == &configs::trainer();
      if (plain && !arguments.tree.contains("per_device_train_batch_size")) continue; // scripts of everybody name a model and a length
      program.name = format->name;
      return program;
    }
    return one.program;
  }

  // ---- commands

  ImportedText of_commands() {
    std::vector<const Candidate*> wanted;
    for (const Candidate& one : candidates_.all)
      if (is_wanted(one)) wanted.push_back(&one);
    if (wanted.empty()) return refuse_others();
    std::vector<ImportedText> read;
    std::vector<const Candidate*> apart;
    for (std::size_t i = 0; i < std::min(wanted.size(), kMostRead); ++i) {
      ImportedText one = of_command(*wanted[i]);
      const bool again = std::ranges::any_of(read, [&](const ImportedText& other) { return other.request == one.request && other.name == one.name; });
      if (again) continue; // the same question on another node
      read.push_back(std::move(one));
      apart.push_back(wanted[i]);
    }
    const std::size_t chosen = answers_.command;
    ImportedText made = chosen > 0 && chosen <= read.size() ? read[chosen - 1] : read.size() == 1 ? read[0] : all_of(read);
    if (chosen > read.size())
      made.issues.push_back({Severity::error, "command", "There is no command " + std::to_string(chosen) + ": the text starts " + std::to_string(read.size()) + ".", "Choose one from 1 to " + std::to_string(read.size()) + "."});
    if (read.size() > 1)
      for (const Candidate* one : apart) made.commands.push_back({one->launch.line, std::string{one->program.name}, std::string{name_of(one->program.purpose)}, text_of(*one)});
    say_unfollowed(made);
    return made;
  }

  /// What all commands have in common; which of them is asked.
  static ImportedText all_of(const std::vector<ImportedText>& read) {
    ImportedText made;
    made.ok = true;
    made.kind = read[0].kind;
    made.name = read[0].name;
    for (const Entry& entry : read[0].request.entries())
      if (entry.name != "model" && entry.name != "config" && std::ranges::all_of(read, [&](const ImportedText& one) { return one.request.find(entry.name) != nullptr && *one.request.find(entry.name) == entry.text; }))
        made.request.set(entry.name, entry.text);
    std::string list;
    for (std::size_t i = 0; i < read.size(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + read[i].name;
    made.questions.push_back({"command", "Which of the commands: " + list + "?", "command"});
    return made;
  }

  ImportedText refuse_others() {
    ImportedText made;
    const Candidate& one = candidates_.all.front();
    const std::string what{name_of(one.program.purpose)};
    made.kind = "command_line";
    made.issues.push_back({Severity::error, "", "The text is about " + (what.empty() ? std::string{"no launch"} : what) + ": it starts " + std::string{one.program.name} + ", and no command that serves or trains a model as it is known here.",
                           "Give the command that starts an engine or a training framework, or its configuration file."});
    return made;
  }

  ImportedText of_command(const Candidate& one) {
    for (Config& config : configs_) config.used = false;
    if (one.program.engine != nullptr) return of_engine(one);
    const Program program = one.program.known ? one.program : guessed(one);
    Arguments arguments = arguments_of(one.launch, program);
    if (program.format == nullptr) return program.known ? unread_trainer(program, arguments, one.launch) : of_launcher(one, arguments);
    ImportedText made;
    if (!arguments.file.empty() && !merge_file(program, arguments, made)) return made;
    if (program.reads == Reads::file && arguments.file.empty() && arguments.tree.empty()) return lacks_file(program, made);
    Json accelerate = accelerate_of(one.launch, made);
    add_launcher(arguments.tree, accelerate);
    add_method(program.method, arguments.tree);
    resolve_deepspeed(arguments.tree);
    const std::string gpus = gpus_of(one.launch, accelerate);
    std::vector<OpenQuestion> asked = std::move(made.questions);
    const bool references = !arguments.tree.contains("beta") || (arguments.tree["beta"] != Json(0) && arguments.tree["beta"] != Json(0.0));
    made = read_tree(*program.format, std::move(arguments.tree), {}, gpus);
    set_method(program.method, references, made);
    for (OpenQuestion& question : asked) made.questions.push_back(std::move(question));
    for (const Missing& missing : arguments.missing) ask_variable(made, missing.variable, missing.option);
    return made;
  }

  ImportedText of_engine(const Candidate& one) {
    scripts::Launch launch = one.launch;
    const std::string missing = add_engine_file(launch, one.program, [&](const std::string& name) -> const std::string* {
      for (const std::vector<scripts::NamedText>* texts : {&candidates_.written, &all_})
        for (const scripts::NamedText& text : *texts)
          if (scripts::same_file(text.name, scripts::shown(name))) return &text.text;
      return nullptr;
    });
    ImportedText made = of_line(commands::read_engine(catalog_, *one.program.engine, launch.words, one.program.first, launch.environment));
    if (!missing.empty()) ask_file(made, missing);
    return made;
  }

  /// A program that trains and whose arguments nobody reads here: what they say of the model is all there is.
  ImportedText unread_trainer(const Program& program, const Arguments& arguments, const scripts::Launch& launch) {
    ImportedText made;
    made.kind = "training_config";
    made.name = program.name;
    made.ok = true;
    made.request.set("task", "finetune");
    if (!arguments.file.empty() && file_named(arguments.file) == nullptr) ask_file(made, scripts::shown(arguments.file));
    else made.issues.push_back({Severity::error, "", std::string{program.name} + "'s arguments are not read yet: " + scripts::shown(launch.words[0]) + ".", "Set the inputs by hand, or give a configuration of a framework that is known."});
    made.ok = made.issues.empty();
    return made;
  }

  /// A script of somebody's own: what its launcher says is all there is.
  ImportedText of_launcher(const Candidate& one, const Arguments& arguments) {
    ImportedText asked;
    Json tree = accelerate_of(one.launch, asked);
    const std::string gpus = gpus_of(one.launch, tree);
    const bool deepspeed = one.launch.launcher == "deepspeed";
    if (const auto file = arguments.tree.find("deepspeed_config"); deepspeed && file != arguments.tree.end() && file->is_string()) {
      if (Config* config = file_named(file->get<std::string>())) tree = config->tree, config->used = true;
      else ask_file(asked, file->get<std::string>());
    }
    ImportedText made;
    if (tree.empty()) {
      made.ok = true;
      made.kind = "training_config";
      made.request.set("task", "finetune");
    } else {
      made = read_tree(deepspeed ? configs::deepspeed() : configs::accelerate(), std::move(tree), {}, gpus);
    }
    made.name = scripts::shown(one.launch.words[0]);
    if (made.request.find("data_parallel") == nullptr && !gpus.empty()) set_gpus(made, gpus);
    for (OpenQuestion& question : asked.questions) made.questions.push_back(std::move(question));
    made.issues.push_back({Severity::warning, "", "What " + made.name + " trains by itself is not known here: its arguments are not read.", "State model, batch, context_tokens, precision and optimizer, or give the configuration of a framework."});
    made.name = one.launch.launcher == "deepspeed" ? "DeepSpeed" : "Accelerate";
    return made;
  }

  ImportedText lacks_file(const Program& program, ImportedText& made) {
    made.kind = "training_config";
    made.name = program.name;
    made.ok = true;
    made.request.set("task", "finetune");
    made.questions.push_back({"file", "With which configuration file does " + std::string{program.name} + " start?", "file"});
    return std::move(made);
  }

  Config* file_named(const std::string& path) {
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

  /// Puts the file's keys below those of the command. False where it is not there: `made` asks for it.
  bool merge_file(const Program& program, Arguments& arguments, ImportedText& made) {
    Config* config = file_named(arguments.file);
    if (config == nullptr && scripts::has_mark(arguments.file)) // the only one of that format is meant
      for (Config& each : configs_)
        if (each.format == program.format) config = &each;
    if (config != nullptr) {
      Json tree = config->tree;
      overlay(tree, arguments.tree);
      arguments.tree = std::move(tree);
      config->used = true;
      return true;
    }
    made.kind = "training_config";
    made.name = program.name;
    made.format = program.format->id;
    made.source = program.format->source;
    made.ok = true;
    made.request.set("task", "finetune");
    ask_file(made, scripts::shown(arguments.file));
    return false;
  }

  Json accelerate_of(const scripts::Launch& launch, ImportedText& made) {
    Json file = Json::object();
    Config* config = launch.accelerate_file.empty() ? nullptr : file_named(launch.accelerate_file);
    if (config == nullptr)
      for (Config& each : configs_)
        if (each.format == &configs::accelerate() && !each.used) config = &each;
    if (config != nullptr) config->used = true, file = config->tree;
    else if (!launch.accelerate_file.empty()) ask_file(made, scripts::shown(launch.accelerate_file));
    return accelerate_tree(file, launch.told);
  }

  /// DeepSpeed's own file, as a section in place of its name.
  void resolve_deepspeed(Json& tree) {
    Config* config = nullptr;
    if (const auto at = tree.find("deepspeed"); at != tree.end() && at->is_string()) config = file_named(at->get<std::string>());
    const bool open = !tree.contains("deepspeed") || tree["deepspeed"].is_boolean();
    if (config == nullptr && open)
      for (Config& each : configs_)
        if (each.format == &configs::deepspeed() && !each.used) config = &each;
    if (config == nullptr || config->format != &configs::deepspeed()) return;
    config->used = true;
    tree["deepspeed"] = config->tree;
  }

  /// TRL's command decides the method, which its keys only let guess: their defaults stand in trl/trainer/*_config.py.
  static void add_method(std::string_view method, Json& tree) {
    const auto usual = [&](const char* key, Json value) {
      if (!tree.contains(key)) tree[key] = std::move(value);
    };
    if (method == "dpo") usual("loss_type", "sigmoid"), usual("beta", 0.1);
    if (method == "kto") usual("desirable_weight", 1.0);
    if (method == "grpo" || method == "rloo") usual("num_generations", method == "grpo" ? 8U : 2U);
    if (method == "reward") usual("center_rewards_coefficient", 0.0);
  }

  /// What the command says over what the keys let guess. RLOO keeps what GRPO keeps, and a reference unless beta is 0: 0.05 by itself
  /// (trl/trainer/rloo_config.py).
  static void set_method(std::string_view method, bool references, ImportedText& made) {
    if (method.empty()) return;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMethods{{{"sft", "none"}, {"dpo", "dpo"}, {"kto", "kto"}, {"grpo", "grpo"}, {"rloo", "grpo"}, {"reward", "reward_model"}, {"orpo", "orpo"}}};
    const auto at = std::ranges::find(kMethods, method, &std::pair<std::string_view, std::string_view>::first);
    if (at == kMethods.end())
      return made.issues.push_back({Severity::error, "preference", "TRL's " + std::string{method} + " is no method that is known here.", "Import a command of sft, dpo, kto, orpo, grpo, rloo or reward."});
    made.request.set("preference", at->second);
    if (method == "rloo") made.request.set("kl_reference", references ? "true" : "false");
    std::erase_if(made.assumed, [](const std::string& text) { return text.starts_with("preference = "); });
  }

  std::string gpus_of(const scripts::Launch& launch, const Json& accelerate) const {
    const auto number = [](const std::string& text) { return text.empty() || scripts::has_mark(text) ? std::optional<std::int64_t>{} : configs::whole_number(text); };
    if (answers_.gpus > 0) return std::to_string(answers_.gpus);
    const auto all = number(launch.processes.empty() ? processes_of(accelerate) : launch.processes), nodes = number(launch.nodes), each = number(launch.per_node);
    if (all && launch.per_node.empty()) return std::to_string(*all);
    if (each && *each > 0 && (launch.nodes.empty() || nodes)) return std::to_string((Count{*each} * Count{nodes.value_or(1)}).value);
    if (!launch.per_node.empty() || !launch.nodes.empty()) return "";
    for (const auto& [name, value] : launch.environment)
      if (name == "CUDA_VISIBLE_DEVICES" && !value.empty() && !scripts::has_mark(value)) return std::to_string(1 + std::ranges::count(value, ','));
    return "";
  }

  // ---- files

  ImportedText of_files() {
    if (configs_.empty()) return of_logs();
    Config* main = nullptr;
    for (Config& each : configs_)
      if (main == nullptr && each.format != &configs::accelerate() && each.format != &configs::deepspeed()) main = &each;
    if (main == nullptr) main = &configs_.front();
    main->used = true;
    Json tree = main->tree;
    std::string gpus = answers_.gpus > 0 ? std::to_string(answers_.gpus) : "";
    for (Config& each : configs_) {
      if (each.format != &configs::accelerate() || each.used) continue;
      each.used = true;
      add_launcher(tree, each.tree);
      if (gpus.empty()) gpus = processes_of(each.tree);
    }
    if (configs_.size() > 1) resolve_deepspeed(tree);
    ImportedText made = read_tree(*main->format, std::move(tree), main->duplicates, gpus);
    for (const Config& each : configs_)
      if (!each.used) made.issues.push_back({Severity::warning, each.name, each.name + " is a file of " + std::string{each.format->name} + ", which " + std::string{main->format->name} + " does not read.", "Give files of one run."});
    return made;
  }

  /// `gpus` are all of them, "" where nobody told.
  ImportedText read_tree(const configs::Format& format, Json tree, const std::vector<std::string>& duplicates, const std::string& gpus) {
    const bool megatron = format.id == configs::megatron().id, nemo = format.id == configs::nemo().id;
    if (!gpus.empty() && (megatron || nemo)) {
      tree[megatron ? "nproc-per-node" : "trainer.devices"] = gpus;
      tree[megatron ? "nnodes" : "trainer.num_nodes"] = 1U;
    }
    if (const auto tokens = vocabulary_of(answers_.vocab); tokens && megatron) tree["vocab-size"] = static_cast<std::uint64_t>(*tokens);
    ImportedText made = of_config(configs::read_as(catalog_, format, tree, duplicates));
    if (!gpus.empty() && !megatron && !nemo) set_gpus(made, gpus);
    return made;
  }

  ImportedText of_logs() {
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
    if (too_long_) made.issues.push_back({Severity::error, "", "The text is too long; at most 256 KiB are read.", "Give the command or the configuration alone."});
    else if (!error_.empty()) made.kind = "training_config", made.issues.push_back({Severity::error, "", error_, remedy_});
    return made;
  }

  void say_unfollowed(ImportedText& made) const {
    if (!candidates_.whole) made.issues.push_back({Severity::warning, "", "The script is too long to be followed to its end.", "Give the command that starts the program alone."});
    const bool open = std::ranges::any_of(made.questions, [](const OpenQuestion& question) { return question.answer == "set"; });
    if (!open) return;
    for (const std::string& name : candidates_.missing) ask_file(made, name);
  }

  const Catalog& catalog_;
  std::span<const ImportText> texts_;
  const ImportAnswers& answers_;
  std::vector<scripts::Setting> given_;
  std::vector<scripts::NamedText> all_;
  Candidates candidates_;
  std::deque<Config> configs_;
  std::vector<logs::Log> logs_;
  std::vector<MeasuredFigure> measured_;
  std::string error_, remedy_;
  bool too_long_ = false;
};

} // namespace

ImportedText import_texts(const Catalog& catalog, std::span<const ImportText> texts, const ImportAnswers& answers) { return Importer{catalog, texts, answers}.run(); }

ImportedText import_texts(std::span<const ImportText> texts, const ImportAnswers& answers) {
  static const Catalog kCatalog = Catalog::load();
  return import_texts(kCatalog, texts, answers);
}

} // namespace plimsoll::io
