#include "files/programs/finish.hpp"

#include "files/programs/vocabulary.hpp"
#include "files/training/document.hpp"
#include "method/sharding/fleet.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

std::int64_t degree(const Request& request, std::string_view field) {
  const std::string* const text = request.find(field);
  return text == nullptr ? 1 : std::max<std::int64_t>(1, configs::whole_number(*text).value_or(1));
}

bool trains(const Request& request) {
  const std::string* const task = request.find("task");
  return task != nullptr && *task != "inference";
}

/// A model that is not in the catalogue is asked for by its config.json.
void ask_model(const Catalog& catalog, ImportedText& into) {
  const std::string* const model = into.request.find("model");
  if (model == nullptr || *model == "custom" || into.request.find("config") != nullptr || catalog.find_model(*model) != nullptr) return;
  const std::string name = *model;
  into.request.erase("model");
  std::erase_if(into.issues, [](const Issue& issue) { return issue.field == "model" && issue.severity == Severity::warning; });
  into.questions.insert(into.questions.begin(), {"model", "How is " + name + " built? The catalogue does not have it: give its config.json too, or name a model that is built alike.", "input"});
}

void take_answers(const Catalog& catalog, const ImportAnswers& answers, ImportedText& into) {
  if (!answers.model.entries().empty()) {
    for (const char* field : {"model", "config"}) into.request.erase(field);
    for (const Entry& entry : answers.model.entries()) into.request.set(entry.name, entry.text);
  }
  if (!answers.device.empty()) {
    if (catalog.find_device(answers.device) == nullptr)
      into.issues.push_back({Severity::error, "device", "There is no device " + quoted(std::string_view{answers.device}) + ".", "Choose one that plimsoll catalog devices lists."});
    else into.request.set("device", answers.device);
  }
  if (answers.context > 0) into.request.set("context_tokens", std::to_string(answers.context));
  if (!answers.vocab.empty()) {
    const auto tokens = vocabulary_of(answers.vocab);
    if (!tokens) into.issues.push_back({Severity::error, "vocab", "There is no tokenizer " + quoted(std::string_view{answers.vocab}) + ".", "Write the number of its tokens, or gpt2, llama2, llama3, mistral, gemma2, cl100k_base, o200k_base, bert-uncased or t5."});
    else if (into.request.find("vocab_size") == nullptr && into.request.find("model") != nullptr && *into.request.find("model") == "custom") into.request.set("vocab_size", std::to_string(*tokens));
  }
}

} // namespace

bool is_asked(const ImportedText& in, std::string_view field) { return std::ranges::find(in.questions, field, &OpenQuestion::field) != in.questions.end(); }

void ask_variable(ImportedText& into, const std::string& variable, const std::string& option) {
  if (is_asked(into, variable)) return;
  const std::string what = option.empty() ? " here" : option == "the model" ? ", the model" : ", which " + option + " takes";
  into.questions.push_back({variable, "What is $" + variable + what + "? The text does not set it.", "set"});
}

void ask_file(ImportedText& into, const std::string& name) {
  if (is_asked(into, name)) return;
  into.questions.push_back({name, "What does " + name + " say? The text refers to it: give that file too.", "file"});
}

void say_empty(ImportedText& into, const std::vector<std::string>& variables) {
  std::string names;
  for (const std::string& name : variables) names += (names.empty() ? "" : ", ") + name;
  if (names.empty()) return;
  into.issues.push_back({Severity::note, "", "The text does not set " + names + "; a shell takes that as empty.", "Set it where it holds options: --set NAME=value."});
}

void set_gpus(ImportedText& into, const std::string& gpus) {
  const auto number = configs::whole_number(gpus);
  if (!number || *number < 1) return;
  Strategy strategy;
  strategy.tensor_parallel = degree(into.request, "tensor_parallel");
  strategy.pipeline_parallel = degree(into.request, "pipeline_parallel");
  strategy.context_parallel = degree(into.request, "context_parallel");
  const std::int64_t replicas = replicas_on(*number, strategy);
  if (replicas < 1) {
    into.issues.push_back({Severity::error, "gpus", gpus + " GPUs do not come apart into replicas of tensor, pipeline and context parallelism.", "Give a number of GPUs that these degrees divide."});
    return;
  }
  into.request.set("data_parallel", std::to_string(replicas));
  std::erase_if(into.issues, [](const Issue& issue) { return issue.field == "data_parallel" && issue.severity == Severity::note; });
  std::erase_if(into.assumed, [](const std::string& text) { return text.starts_with("data_parallel = "); });
}

void finish(const Catalog& catalog, const ImportAnswers& answers, ImportedText& into) {
  take_answers(catalog, answers, into);
  if (answers.gpus > 0 && into.request.find("task") != nullptr && !trains(into.request))
    into.issues.push_back({Severity::warning, "gpus", "An engine's line says itself on how many GPUs it runs; " + std::to_string(answers.gpus) + " are not looked at.", "Set tensor_parallel or data_parallel."});
  if (has_errors(into.issues)) into.ok = false;
  if (!into.ok) return into.questions.clear();
  const bool first_is_read = into.request.find("model") != nullptr; // of several commands
  const bool waits = std::ranges::any_of(into.questions, [&](const OpenQuestion& question) { return question.answer != "input" && !(first_is_read && question.answer == "command"); });
  if (waits) into.request.erase("model"), into.request.erase("config"); // half a question has no answer: it is read again with what is told
  ask_model(catalog, into);
  for (OpenQuestion& question : open_questions(into.request)) {
    if (question.field == "model" && (waits || is_asked(into, "model"))) continue;
    if (!is_asked(into, question.field)) into.questions.push_back(std::move(question));
  }
  if (waits || !trains(into.request)) return;
  if (into.request.find("data_parallel") == nullptr && into.request.find("gpus") == nullptr && !is_asked(into, "gpus")) into.questions.push_back({"gpus", "On how many GPUs in all?", "gpus"});
  if (into.request.find("context_tokens") == nullptr) into.questions.push_back({"context_tokens", "How many tokens has a training sequence?", "input"});
}

} // namespace plimsoll::io::programs
