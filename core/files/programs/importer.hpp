#pragma once
// Texts as one question: which of them is the program, what the others add to it, what stays open.

#include "files/logs/logs.hpp"
#include "files/programs/arguments.hpp"
#include "files/programs/candidates.hpp"
#include "files/training/format.hpp"
#include "files/training/torchtitan_registry.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/training_config.hpp"

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

/// The remedy where no text starts anything that an estimate is about.
inline constexpr std::string_view kGiveLaunch = "Give the command that starts an engine or a training framework, or its configuration file.";

/// A configuration file among the texts.
struct Config {
  const configs::Format* format;
  Json tree;
  std::vector<std::string> duplicates;
  std::string name;
  bool used = false;
  std::string_view text{}; ///< of the file, whose comments may say how it is started
};

ImportedText of_line(CommandLine line);
ImportedText of_config(TrainingConfig config);

class Importer {
public:
  Importer(const Catalog& catalog, std::span<const ImportText> texts, const ImportAnswers& answers) : catalog_(catalog), texts_(texts), answers_(answers) {
    for (const auto& [name, text] : answers.variables) given_.emplace_back(name, text);
  }

  ImportedText run();

private:
  void sort();

  /// A notebook: what its cells call, or start in a shell, and what they printed.
  bool add_notebook(const ImportText& each);

  /// A page that starts nothing may show the file that does: a manifest, or one configuration.
  bool add_shown(std::string_view text);

  /// A page of documentation, whose commands stand in blocks of code. False: it is none, and what it is remains to be seen.
  bool add_document(const ImportText& each);

  void add(Candidates found);

  /// Serving, or training by a program that is known or whose arguments tell it.
  static bool is_wanted(const Candidate& one);

  /// Whether the text has a purpose of its own that is none of these: it evaluates, generates or converts.
  static bool is_another(const Candidates& found);

  /// Whether it starts programs that people type into a shell.
  static bool is_script(std::string_view text, const Candidates& found);

  /// A script of somebody's own, by the options that it takes.
  static Program guessed(const Candidate& one);

  static bool is_foreign(const ImportedText& made);

  // ---- commands

  ImportedText of_commands();

  /// What Ollama's server is started with holds for the models that other commands run or pull, which it serves.
  void join_server();

  /// What all commands have in common; which of them is asked.
  static ImportedText all_of(const std::vector<ImportedText>& read, const std::vector<const Candidate*>& apart);

  ImportedText refuse_others();

  ImportedText of_command(const Candidate& one);

  ImportedText of_engine(const Candidate& one);

  /// A script of somebody's own: what its launcher says is all there is.
  ImportedText of_launcher(const Candidate& one, const Arguments& arguments);

  ImportedText lacks_file(const Program& program, ImportedText& made);

  Config* file_named(const std::string& path);

  /// Puts the file's keys below those of the command. False where it is not there: `made` asks for it.
  bool merge_file(const Program& program, Arguments& arguments, ImportedText& made);

  Json accelerate_of(const scripts::Launch& launch, ImportedText& made);

  /// DeepSpeed's own file, as a section in place of its name.
  void resolve_deepspeed(Json& tree);
  /// Likewise JSON of FSDP, which transformers takes for fsdp_config, and ms-swift for both of its keys.
  void resolve_fsdp(Json& tree) const;

  /// TRL's command decides the method, which its keys only let guess: their defaults stand in trl/trainer/*_config.py.
  static void add_method(std::string_view method, Json& tree);

  /// What the command says over what the keys let guess. RLOO keeps what GRPO keeps, and a reference unless beta is 0: 0.05 by itself
  /// (trl/trainer/rloo_config.py). Simple self-distillation generates with the model that trains, and scores what it generated as GRPO does, without
  /// a reference (trl/experimental/ssd/ssd_trainer.py).
  static void set_method(std::string_view method, bool references, ImportedText& made);

  std::string gpus_of(const scripts::Launch& launch, const Json& accelerate) const;

  // ---- files

  ImportedText of_files();

  /// `gpus` are all of them, "" where nobody told.
  ImportedText read_tree(const configs::Format& format, Json tree, const std::vector<std::string>& duplicates, const std::string& gpus, std::string_view text = {});

  /// Puts what NeMo RL's recipe changes over the files that "defaults" name one after the other, as far as they are there; the first that is not.
  std::string resolve_base(Json& tree);
  /// Whether it is one of NeMo RL's files that the reader knows (examples/configs), so that a recipe is read without it.
  static bool is_usual_base(std::string_view path);

  /// One of the configurations that a module of Python registers; which is asked.
  ImportedText of_registry();

  ImportedText of_logs();

  void say_unfollowed(ImportedText& made) const;

  const Catalog& catalog_;
  std::span<const ImportText> texts_;
  const ImportAnswers& answers_;
  std::vector<scripts::Setting> given_;
  std::vector<scripts::NamedText> all_;
  Candidates candidates_;
  std::deque<std::string> blocks_; ///< of pages; others look into them
  std::deque<Config> configs_;
  std::vector<configs::RegisteredConfig> registered_;
  std::vector<logs::Log> logs_;
  std::vector<MeasuredFigure> measured_;
  std::string error_, remedy_;
  bool is_broken_ = false; ///< the error is that of a configuration
  bool is_document_ = false; ///< one of the texts is a page of documentation without a launch
  bool is_commands_ = false; ///< the text is commands with options, none of them a launch: no sentence
  bool too_long_ = false;
};

} // namespace plimsoll::io::programs
