// Commands: those that serve, and those that train with the files that they name.
#include "files/programs/importer.hpp"

#include "files/commands/read.hpp"
#include "files/commands/values.hpp"
#include "files/programs/engine_file.hpp"
#include "files/programs/finish.hpp"
#include "files/programs/launcher_examples.hpp"
#include "files/programs/launcher_file.hpp"
#include "files/programs/sentence.hpp"
#include "files/programs/reinforcement.hpp"
#include "files/scripts/marks.hpp"
#include "files/training/document.hpp"
#include "plimsoll/catalog/names.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kMostRead = 16; ///< commands that are read before one is chosen

std::string text_of(const Candidate& candidate) {
  std::string text;
  for (const std::string& word : candidate.launch.words) text += (text.empty() ? "" : " ") + scripts::shown(word);
  constexpr std::size_t kMost = 400;
  return text.size() > kMost ? text.substr(0, kMost) + " …" : text;
}

/// Variables in the value of an option, or in a name.
void ask_variables(ImportedText& made, const std::string& option, const std::string& text) {
  for (const std::string& variable : scripts::marked_names(text)) ask_variable(made, variable, option);
}

/// A file that the text refers to; where only running the script tells its name, what decides that.
void ask_named(ImportedText& made, const std::string& file) {
  if (!scripts::has_unknown(file.substr(file.find_last_of('/') + 1))) return ask_file(made, scripts::shown(file));
  ask_variables(made, "", file);
}

/// What a command of several says that not all of them do: they are told apart by it.
std::string own_words(const std::vector<const Candidate*>& all, std::size_t which) {
  constexpr std::size_t kMost = 60;
  std::string text;
  for (const std::string& word : all[which]->launch.words) {
    const bool everywhere = std::ranges::all_of(all, [&](const Candidate* one) { return std::ranges::find(one->launch.words, word) != one->launch.words.end(); });
    const std::string plain = scripts::shown(word);
    if (everywhere || plain.find('/') != std::string::npos || text.size() + plain.size() > kMost) continue;
    text += " " + plain;
  }
  return text.empty() ? "" : " (" + text.substr(1) + ")";
}

/// What the last value says of each variable of the library through which GPUs exchange, of engines and of training alike.
void read_variables(const std::vector<scripts::Setting>& environment, ImportedText& into) {
  for (const auto& [name, text] : environment) {
    const bool allocates = name == "PYTORCH_CUDA_ALLOC_CONF" || name == "PYTORCH_ALLOC_CONF";
    if (allocates && text.find("expandable_segments:True") != std::string::npos) into.request.set("expandable_segments", "on");
    const commands::Option* const option = commands::find_variable(name);
    if (option == nullptr) continue;
    const auto link = commands::link_of(text);
    if (scripts::has_mark(text)) ask_variables(into, name, text);
    else if (link) into.request.set(option->field, *link);
    else into.request.erase(option->field);
  }
}

} // namespace

Program Importer::guessed(const Candidate& one) {
  for (const configs::Format* format : {&configs::megatron(), &configs::nemo(), &configs::llama_factory(), &configs::trl(), &configs::trainer()}) {
    Program program = one.program;
    program.format = format;
    program.reads = format == &configs::nemo() ? Reads::overrides : Reads::arguments;
    Arguments arguments = arguments_of(one.launch, program);
    for (const Missing& missing : arguments.missing) { // an option is one whatever its variable says
      std::string name = missing.option.substr(std::min(missing.option.find_first_not_of('-'), missing.option.size()));
      if (program.reads == Reads::arguments && format == &configs::megatron()) std::ranges::replace(name, '_', '-');
      if (!name.empty() && !arguments.tree.contains(name)) arguments.tree[name] = "?";
    }
    if (arguments.tree.empty() || !format->recognises(configs::Document{arguments.tree})) continue;
    const bool plain = format == &configs::llama_factory() || format == &configs::trl() || format == &configs::trainer();
    if (plain && !arguments.tree.contains("per_device_train_batch_size")) continue; // scripts of everybody name a model and a length
    program.name = format->name;
    return program;
  }
  return one.program;
}

namespace {

/// Whether an option says which weights train, or in which bits they are held: without it an estimate is one of something else.
bool tells_what_trains(std::string_view option) {
  if (option == "use_peft" || option.starts_with("tune_")) return true;
  return std::ranges::any_of(std::array{"lora", "quant", "4bit", "8bit", "freeze"}, [&](std::string_view part) { return option.find(part) != std::string_view::npos; });
}

} // namespace

/// Whether a script of somebody's own takes so much that the program lacks, or says of adapters and bits what that has no word for, that it is another one:
/// Hugging Face's argument parser gives all of them the names of a few keys.
bool Importer::is_foreign(const ImportedText& made) {
  constexpr std::ptrdiff_t kMostOwn = 6;
  std::vector<std::string> own = made.unread;
  std::erase_if(own, [&](const std::string& path) { return std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.field == path && !issue.message.starts_with("A key is not known"); }); });
  return (made.format == configs::trl().id && std::ssize(own) > kMostOwn) || std::ranges::any_of(own, tells_what_trains);
}

void Importer::join_server() {
  const auto is_ollama = [](const Candidate& one) { return one.program.engine == &commands::ollama(); };
  const auto is_server = [&](const Candidate& one) { return is_ollama(one) && one.launch.words.size() > 1 && one.launch.words[1] == "serve"; };
  const auto writes_answers = [](const Candidate& one) { return one.program.engine == &commands::vllm() && one.launch.program() == "trl"; }; // for the training beside it, on GPUs of its own
  if (std::ranges::any_of(candidates_.all, [](const Candidate& one) { return one.program.purpose == Purpose::trains && is_wanted(one); })) std::erase_if(candidates_.all, writes_answers);
  std::vector<scripts::Setting> told;
  for (const Candidate& one : candidates_.all)
    if (is_server(one)) told.insert(told.end(), one.launch.environment.begin(), one.launch.environment.end());
  if (std::ranges::none_of(candidates_.all, [&](const Candidate& one) { return is_ollama(one) && !is_server(one); })) return;
  std::erase_if(candidates_.all, is_server);
  for (Candidate& one : candidates_.all)
    if (is_ollama(one)) one.launch.environment.insert(one.launch.environment.begin(), told.begin(), told.end());
}

ImportedText Importer::of_commands() {
  join_server();
  std::vector<const Candidate*> wanted;
  for (const Candidate& one : candidates_.all)
    if (is_wanted(one)) wanted.push_back(&one);
  if (wanted.empty()) return refuse_others();
  std::vector<ImportedText> read;
  std::vector<const Candidate*> apart;
  for (std::size_t i = 0; i < std::min(wanted.size(), kMostRead); ++i) {
    ImportedText one = of_command(*wanted[i]);
    if (wanted[i]->program.engine == nullptr) read_variables(wanted[i]->launch.environment, one);
    const bool again = std::ranges::any_of(read, [&](const ImportedText& other) { return other.request == one.request && other.name == one.name; });
    if (again) continue; // the same question on another node
    read.push_back(std::move(one));
    apart.push_back(wanted[i]);
  }
  const std::size_t chosen = answers_.command;
  ImportedText made = chosen > 0 && chosen <= read.size() ? read[chosen - 1] : read.size() == 1 ? read[0] : all_of(read, apart);
  if (chosen > read.size())
    made.issues.push_back({Severity::error, "command", "There is no command " + std::to_string(chosen) + ": the text starts " + std::to_string(read.size()) + ".", "Choose one from 1 to " + std::to_string(read.size()) + "."});
  if (read.size() > 1)
    for (const Candidate* one : apart) made.commands.push_back({one->launch.line, std::string{one->program.name}, std::string{name_of(one->program.purpose)}, text_of(*one)});
  say_unfollowed(made);
  return made;
}

ImportedText Importer::all_of(const std::vector<ImportedText>& read, const std::vector<const Candidate*>& apart) {
  const auto model_of = [](const ImportedText& one) {
    const std::string* const model = one.request.find("model");
    return model == nullptr || *model == "custom" ? std::string{} : *model;
  };
  const std::string model = model_of(read[0]);
  const bool alike = !model.empty() && std::ranges::all_of(read, [&](const ImportedText& one) { return model_of(one) == model; });
  const auto first = alike ? std::ranges::find_if(read, [](const ImportedText& one) { return one.ok && one.questions.empty(); }) : read.end();
  ImportedText made;
  if (first != read.end()) {
    made = *first;
  } else {
    made.ok = true;
    made.kind = read[0].kind;
    made.name = read[0].name;
    for (const Entry& entry : read[0].request.entries())
      if (entry.name != "model" && entry.name != "config" && std::ranges::all_of(read, [&](const ImportedText& one) { return one.request.find(entry.name) != nullptr && *one.request.find(entry.name) == entry.text; }))
        made.request.set(entry.name, entry.text);
  }
  std::string list;
  for (std::size_t i = 0; i < read.size(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + read[i].name + own_words(apart, i);
  made.questions.push_back({"command", "Which of the commands: " + list + "?" + (first == read.end() ? "" : " Number " + std::to_string(first - read.begin() + 1) + " is read."), "command"});
  return made;
}

ImportedText Importer::refuse_others() {
  ImportedText made;
  const Candidate& one = candidates_.all.front();
  const std::string what{name_of(one.program.purpose)};
  made.kind = "command_line";
  made.issues.push_back({Severity::error, "", "The text is about " + (what.empty() ? std::string{"no launch"} : what) + ": it starts " + std::string{one.program.name} + ", and no command that serves or trains a model as it is known here.",
                         std::string{kGiveLaunch}});
  return made;
}

ImportedText Importer::of_command(const Candidate& one) {
  for (Config& config : configs_) config.used = false;
  if (one.program.engine != nullptr) return of_engine(one);
  const Program program = one.program.known ? one.program : guessed(one);
  Arguments arguments = arguments_of(one.launch, program);
  if (program.format == nullptr) return of_launcher(one, arguments);
  ImportedText made;
  if (!arguments.file.empty() && !merge_file(program, arguments, made)) return made;
  if (program.reads == Reads::file && arguments.file.empty() && arguments.tree.empty()) return lacks_file(program, made);
  Json accelerate = accelerate_of(one.launch, made);
  add_launcher(arguments.tree, accelerate);
  if (program.format->id == configs::trl().id) add_method(program.method, arguments.tree);
  resolve_deepspeed(arguments.tree);
  resolve_fsdp(arguments.tree);
  const bool places = program.format == &verl() || program.format == &configs::nemo_rl(); // Ray does, by keys of theirs: what srun starts is its driver
  const std::string gpus = !places ? gpus_of(one.launch, accelerate) : answers_.gpus > 0 ? std::to_string(answers_.gpus) : std::string{};
  const Json stated = arguments.tree;
  std::vector<OpenQuestion> asked = std::move(made.questions);
  const bool references = !arguments.tree.contains("beta") || (arguments.tree["beta"] != Json(0) && arguments.tree["beta"] != Json(0.0));
  std::string line = "#"; // as comments of files quote it
  for (const std::string& word : one.launch.words) line += " " + word;
  made = read_tree(*program.format, std::move(arguments.tree), {}, gpus, line);
  if (!one.program.known && is_foreign(made)) return of_launcher(one, {stated, {}, arguments.missing});
  set_method(program.method, references, made);
  for (OpenQuestion& question : asked) made.questions.push_back(std::move(question));
  for (const Missing& missing : arguments.missing) ask_variable(made, missing.variable, missing.option);
  return made;
}

ImportedText Importer::of_engine(const Candidate& one) {
  scripts::Launch launch = one.launch;
  const std::string missing = add_engine_file(launch, one.program, [&](const std::string& name) -> const std::string* {
    for (const std::vector<scripts::NamedText>* texts : {&candidates_.written, &all_})
      for (const scripts::NamedText& text : *texts)
        if (scripts::same_file(text.name, scripts::shown(name))) return &text.text;
    return nullptr;
  });
  CommandLine line = commands::read_engine(catalog_, *one.program.engine, launch.words, one.program.first, launch.environment);
  std::string behind;
  for (const std::string& word : line.behind)
    if (word.find_first_of(" \t\n") == std::string::npos) behind += (behind.empty() ? "" : " ") + word; // a text in quotes is a prompt
  ImportedText made = of_line(std::move(line));
  if (!behind.empty() && texts_.size() == 1 && trimmed(texts_.front().text).find('\n') == std::string_view::npos) read_behind(catalog_, behind, made);
  if (!missing.empty()) ask_named(made, missing);
  return made;
}

ImportedText Importer::of_launcher(const Candidate& one, const Arguments& arguments) {
  ImportedText asked;
  Json tree = accelerate_of(one.launch, asked);
  const std::string gpus = gpus_of(one.launch, tree);
  const bool deepspeed = one.launch.launcher == "deepspeed";
  if (const auto file = arguments.tree.find("deepspeed_config"); deepspeed && file != arguments.tree.end() && file->is_string()) {
    if (Config* config = file_named(file->get<std::string>())) tree = config->tree, config->used = true;
    else ask_file(asked, file->get<std::string>());
  }
  ImportedText made;
  const bool tree_is_empty = tree.empty();
  if (tree_is_empty) {
    made.ok = true;
    made.kind = "training_config";
    made.request.set("task", "finetune");
  } else {
    made = read_tree(deepspeed ? configs::deepspeed() : configs::accelerate(), std::move(tree), {}, gpus);
  }
  made.name = scripts::shown(one.launch.words[0]);
  for (const auto& [key, value] : arguments.tree.items()) {
    if (!tells_what_trains(key) || configs::says_nothing(value)) continue;
    made.ok = false;
    made.issues.push_back({Severity::error, std::string{key}, made.name + " is not known here, and " + std::string{key} + " = " + quoted(std::string_view{configs::plain_text(value)}) + " changes what is kept.", "State the inputs yourself, or give the command of a trainer that is known."});
  }
  if (made.request.find("data_parallel") == nullptr && !gpus.empty()) set_gpus(made, gpus);
  const auto model = arguments.tree.find("model_name_or_path"); // so is it called wherever Hugging Face's argument parser reads
  if (model != arguments.tree.end() && model->is_string()) {
    const NamedModel named = model_named(catalog_, model->text());
    made.request.set("model", named.row != nullptr ? named.row->id : model->text());
    if (named.by_likeness) made.issues.push_back(built_alike("model", model->text(), *named.row));
  }
  for (OpenQuestion& question : asked.questions) made.questions.push_back(std::move(question));
  const bool nothing = tree_is_empty && one.launch.launcher.empty() && made.request.find("model") != nullptr; // of the run: a model alone is no question
  if (nothing) made.ok = false;
  made.issues.push_back({nothing ? Severity::error : Severity::warning, "", "What " + made.name + " trains by itself is not known here: its arguments are not read.", "State model, batch, context_tokens, precision and optimizer, or give the configuration of a framework."});
  if (deepspeed) made.name = "DeepSpeed";
  else if (one.launch.launcher == "accelerate") made.name = "Accelerate";
  return made;
}

ImportedText Importer::lacks_file(const Program& program, ImportedText& made) {
  made.kind = "training_config";
  made.name = program.name;
  made.ok = true;
  made.request.set("task", "finetune");
  made.questions.push_back({"file", "With which configuration file does " + std::string{program.name} + " start?", "file"});
  return std::move(made);
}

bool Importer::merge_file(const Program& program, Arguments& arguments, ImportedText& made) {
  Config* config = file_named(arguments.file);
  if (config == nullptr) // the only one of that format is meant, where nobody knows the name of either
    for (Config& each : configs_)
      if (each.format == program.format && (scripts::has_mark(arguments.file) || each.name.empty())) config = &each;
  std::string wanted = arguments.file;
  if (config != nullptr) {
    Json tree = config->tree;
    config->used = true;
    wanted = program.format == &configs::nemo_rl() ? resolve_base(tree) : "";
    overlay(tree, arguments.tree);
    arguments.tree = std::move(tree);
    if (wanted.empty() || (is_usual_base(wanted) && configs::Document{arguments.tree}.has("policy.model_name"))) return true;
  }
  made.kind = "training_config";
  made.name = program.name;
  made.format = program.format->id;
  made.source = program.format->source;
  made.ok = true;
  made.request.set("task", "finetune");
  ask_named(made, wanted);
  return false;
}

Json Importer::accelerate_of(const scripts::Launch& launch, ImportedText& made) {
  Json file = Json::object();
  Config* config = launch.accelerate_file.empty() ? nullptr : file_named(launch.accelerate_file);
  if (config == nullptr)
    for (Config& each : configs_)
      if (each.format == &configs::accelerate() && !each.used) config = &each;
  if (config != nullptr) config->used = true, file = config->tree;
  else if (const Json example = launcher_example(launch.accelerate_file); !example.empty()) file = example, made.issues.push_back(read_as_published(launch.accelerate_file));
  else if (!launch.accelerate_file.empty()) ask_file(made, scripts::shown(launch.accelerate_file));
  return accelerate_tree(file, launch.told);
}

void Importer::resolve_deepspeed(Json& tree) {
  Config* config = nullptr;
  if (tree.contains("deepspeed_config") && tree["deepspeed_config"].is_string() && (!tree.contains("deepspeed") || tree["deepspeed"].is_boolean())) { // deepspeed.add_config_arguments
    tree["deepspeed"] = Json(tree["deepspeed_config"]);
    tree.erase("deepspeed_config");
  }
  if (const auto at = tree.find("deepspeed"); at != tree.end() && at->is_string()) config = file_named(at->get<std::string>());
  const bool open = !tree.contains("deepspeed") || tree["deepspeed"].is_boolean();
  if (config == nullptr && open)
    for (Config& each : configs_)
      if (each.format == &configs::deepspeed() && !each.used) config = &each;
  if (config == nullptr || config->format != &configs::deepspeed()) return;
  config->used = true;
  tree["deepspeed"] = config->tree;
}

void Importer::resolve_fsdp(Json& tree) const {
  for (const char* key : {"fsdp", "fsdp_config"}) {
    const auto at = tree.find(key);
    if (at == tree.end() || !at->is_string() || !at->text().ends_with(".json")) continue;
    const std::string name = at->get<std::string>();
    for (const std::vector<scripts::NamedText>* texts : {&candidates_.written, &all_})
      for (const scripts::NamedText& text : *texts) {
        if (!scripts::same_file(text.name, scripts::shown(name))) continue;
        ParsedJson parsed = parse_python_json(text.text, {.bytes = kMostConfigBytes});
        if (!parsed.ok || !parsed.value.is_object()) continue;
        if (!parsed.value.contains("fsdp_config")) tree["fsdp_config"] = std::move(parsed.value);
        else tree["fsdp_config"] = parsed.value["fsdp_config"], tree["fsdp"] = parsed.value.contains("fsdp") ? parsed.value["fsdp"] : Json("full_shard");
        return;
      }
  }
}

void Importer::add_method(std::string_view method, Json& tree) {
  const auto usual = [&](const char* key, Json value) {
    if (!tree.contains(key)) tree[key] = std::move(value);
  };
  if (method == "dpo") usual("loss_type", "sigmoid"), usual("beta", 0.1);
  if (method == "kto") usual("desirable_weight", 1.0);
  if (method == "grpo" || method == "rloo") usual("num_generations", method == "grpo" ? 8U : 2U);
  if (method == "ssd") usual("num_generations", 1U);
  if (method == "reward") usual("center_rewards_coefficient", 0.0);
}

void Importer::set_method(std::string_view method, bool references, ImportedText& made) {
  if (method.empty()) return;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMethods{{{"sft", "none"}, {"dpo", "dpo"}, {"kto", "kto"}, {"grpo", "grpo"}, {"rloo", "grpo"}, {"ssd", "grpo"}, {"reward", "reward_model"}, {"orpo", "orpo"}}};
  const auto at = std::ranges::find(kMethods, method, &std::pair<std::string_view, std::string_view>::first);
  if (at == kMethods.end())
    return made.issues.push_back({Severity::error, "preference", "TRL's " + std::string{method} + " is no method that is known here.", "Import a command of sft, dpo, kto, orpo, grpo, rloo, ssd or reward."});
  made.request.set("preference", at->second);
  if (method == "rloo") made.request.set("kl_reference", references ? "true" : "false");
  std::erase_if(made.assumed, [](const std::string& text) { return text.starts_with("preference = "); });
}

std::string Importer::gpus_of(const scripts::Launch& launch, const Json& accelerate) const {
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
} // namespace plimsoll::io::programs
