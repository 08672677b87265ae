#include "files/programs/sentence.hpp"

#include "files/programs/finish.hpp"
#include "files/programs/machines.hpp"
#include "files/programs/sentence_link.hpp"
#include "files/programs/sentence_numbers.hpp"
#include "files/programs/sentence_phrases.hpp"
#include "files/programs/sentence_reader.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kLongestName = 6; ///< words: "RTX PRO 6000 Blackwell Workstation Edition"

/// Where it begins a name it is a verb; within one it tells how a model was made: "DeepSeek R1 Distill Llama 70B".
bool distils_by(std::string_view word) { return is_one_of(word, {"distill", "distil", "distilling", "distillation"}); }

/// "qwen 32b" has the letters of Ollama's qwen:32b, which is one of several Qwen of that size.
bool is_tag_alone(const ModelRow& row, std::string_view text) {
  const std::string letters = letters_and_digits(text);
  if (text.find(':') != text.npos || letters_and_digits(row.id).starts_with(letters) || letters_and_digits(row.name).starts_with(letters)) return false;
  return std::ranges::any_of(row.aliases(), [&](const std::string& alias) { return alias.find(':') != alias.npos && letters_and_digits(alias) == letters; });
}

/// Words that name a format beside another which says more: the 4 bits of "AWQ int4", the container of "GGUF Q5_K_M".
bool says_less(std::string_view word) { return is_one_of(word, {"gguf", "int4", "int8", "4bit", "8bit", "4-bit", "8-bit", "bnb", "qat"}); }

} // namespace

bool Sentence::read() {
  for (const auto& [field, text] : take_settings(words_)) set(field, text);
  for (const auto& [field, text] : take_caches(words_))
    if (!has(field)) set(field, text);
  phrases();
  training();
  nodes_ = take_nodes(words_);
  names();
  other_model();
  stated_size();
  programs();
  if (const std::string host = take_host_memory(words_); !host.empty()) set("host_bytes", host);
  memory_alone();
  formats();
  optimizers();
  for (const auto& [field, text] : take_amounts(words_)) {
    const std::string_view input = field == "answer_tokens" && is_told("task", {"finetune"}) ? std::string_view{"completion_tokens"} : std::string_view{field}; // of a step that learns from its answers
    if (!has(input)) set(input, text);
  }
  for (std::size_t i = 0; i < words_.size(); ++i) number(i);
  whole_fleet();
  ambiguous();
  runner_of_files();
  fused_attention();
  if (into_.request.entries().empty() && into_.questions.empty()) return false;
  unknown_device();
  which_device();
  offloaded();
  leftovers();
  return is_question_;
}

bool is_told(const Request& request, std::string_view field, List texts) {
  const std::string* const told = request.find(field);
  return told != nullptr && is_one_of(*told, texts);
}

std::string Sentence::span(std::size_t from, std::size_t count) const {
  std::string text;
  for (std::size_t i = from; i < from + count; ++i) text += (text.empty() ? "" : " ") + words_[i].text;
  return text;
}

bool Sentence::is_free(std::size_t from, std::size_t count) const {
  return from + count <= words_.size() && std::none_of(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.begin() + static_cast<std::ptrdiff_t>(from + count), [](const Word& word) { return word.used; });
}

/// What is told first stands, but for the task: a "fine-tuned" model is served where that is said behind.
void Sentence::phrases() {
  for (const auto& [field, text] : take_phrases(words_))
    if (field == "task" || !has(field)) set(field, text);
}

/// "train": what, the other words tell.
void Sentence::training() {
  bool trained = false, scratch = false;
  for (Word& word : words_) {
    if (is_one_of(word.lower, {"train", "training"})) trained = word.used = true;
    scratch = scratch || word.lower == "scratch";
  }
  trained = trained || has("sharding") || has("recompute"); // nobody serves so
  if (!trained || has("task")) return;
  set("task", scratch ? "pretrain" : "finetune");
  if (!scratch)
    into_.issues.push_back({Severity::note, "task", "Training is taken for fine-tuning.", "Choose Pre-train where the model is trained from nothing."});
}

/// By the names of its choices; "AdamW" and its kin are phrases.
void Sentence::optimizers() {
  const Field* const field = find_field("optimizer");
  for (Word& word : words_) {
    if (word.used || find_choice(*field, spelled(word.lower)) == nullptr) continue;
    word.used = true;
    if (!has("optimizer")) set("optimizer", spelled(word.lower));
  }
}

/// Devices and models, the longest names first: "A100 80GB" is not "A100", and "Llama 3 8B" not "Llama 3".
void Sentence::names() {
  for (std::size_t size = std::min(kLongestName, words_.size()); size > 0; --size)
    for (std::size_t i = 0; i + size <= words_.size(); ++i) {
      if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower)) continue;
      if (!has("device") && device(i, size)) continue;
      if (!has("model")) model(i, size);
    }
}

/// A name is looked for in all that is given: words before and behind it that stand in no device's name are not part of it.
bool Sentence::is_foreign(std::size_t at) const { return !is_digits(lower(at)) && lower(at) != "x" && !known_.may_be_device(words_[at].text); }

/// What is named once, or several of it: "64 H100s".
Sentence::Devices Sentence::devices_named(std::string text) const {
  NamedDevice named = device_named(catalog_, text);
  const bool several = named.row == nullptr && named.candidates.empty() && text.ends_with('s');
  if (several) text.pop_back(), named = device_named(catalog_, text);
  return {std::move(named), std::move(text), several};
}

/// How many of the device at `at` there are: `told` by its name, before it, or asked back where there are some.
void Sentence::count_devices(std::size_t at, std::int64_t told, bool several) {
  if (told > 0) set("gpus", std::to_string(told));
  else counted_before(at);
  if ((several || (at > 0 && lower(at - 1) == "many")) && !has("gpus") && nodes_.count == 0)
    ask("gpus", "How many GPUs? The fewest that fit are what \"fit\" looks for, with gpus as the smallest.", {"1", "2", "4", "8", "16"});
}

bool Sentence::device(std::size_t at, std::size_t size) {
  if (is_foreign(at) || is_foreign(at + size - 1)) return false;
  const std::string typed = span(at, size);
  if (!known_.may_be_device(typed)) return false;
  const auto [named, text, several] = devices_named(typed);
  if (named.row == nullptr) return false;
  take(at, size);
  set("device", named.row->hardware.id);
  if (!named.candidates.empty()) into_.issues.push_back(taken_for(text, *named.row, named.candidates));
  is_question_ = true;
  count_devices(at, named.count, several);
  return true;
}

/// An address begins a name: what stands before it is not part of it, though it would be of a path.
bool Sentence::may_be_model(std::size_t at, std::size_t size) const {
  for (std::size_t i = at + 1; i < at + size; ++i)
    if (words_[i].text.find('/') != std::string::npos) return false;
  if (size > 1 && distils_by(lower(at))) return false;
  bool sized = false; // a number behind the size counts what follows: "llama 70b q4 2 3090" is no Llama 2
  for (std::size_t i = at; i + 1 < at + size; ++i) sized = sized || scale_of(lower(i)) == 'b';
  if (sized && is_digits(lower(at + size - 1)) && at + size < words_.size() && known_.may_be_device(words_[at + size].text)) return false;
  return known_.may_be_model(span(at, size));
}

void Sentence::model(std::size_t at, std::size_t size) {
  if (!may_be_model(at, size)) return;
  const std::string text = span(at, size);
  const NamedModel named = model_named(catalog_, text);
  if (named.row == nullptr) return;
  take(at, size);
  is_question_ = true;
  set("model", named.row->id);
  model_at_ = at;
  if (named.by_likeness || is_tag_alone(*named.row, text))
    into_.issues.push_back({Severity::note, "model", quoted(std::string_view{text}) + " is taken for " + named.row->name + ", or a tuned version of it.", "Give its config.json where it has another shape."});
  if (!named.weights.empty()) weights(named.weights);
}

/// A second model teaches the first or drafts for it, where the line says so: "distill A into B", "A with B as draft".
void Sentence::other_model() {
  bool distils = false;
  for (Word& word : words_)
    if (!word.used && distils_by(word.lower)) word.used = distils = true;
  if (distils) set("task", "finetune"), set("preference", "distillation");
  const bool drafts = std::ranges::any_of(words_, [](const Word& word) { return is_one_of(word.lower, {"draft", "drafter", "speculative"}); });
  if (!has("model") || (!distils && !drafts)) return;
  for (std::size_t size = std::min(kLongestName, words_.size()); size > 0; --size)
    for (std::size_t i = 0; i + size <= words_.size(); ++i) {
      if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower) || !may_be_model(i, size)) continue;
      const NamedModel named = model_named(catalog_, span(i, size));
      if (named.row == nullptr) continue;
      const auto between = [&](List list) {
        for (std::size_t at = std::min(i, model_at_); at < std::max(i, model_at_); ++at)
          if (is_one_of(lower(at), list)) return true;
        return false;
      };
      const bool second_learns = i > model_at_ ? between({"into", "to"}) : between({"from", "by"});
      if (distils && !second_learns && !(i > model_at_ ? between({"from", "by"}) : between({"into", "to"}))) return; // nobody says who teaches
      take(i, size);
      const std::string first = *into_.request.find("model");
      if (distils) set("teacher_model", second_learns ? first : named.row->id);
      if (distils && second_learns) set("model", named.row->id);
      if (!distils) {
        set("draft_model", named.row->id);
        for (Word& word : words_) word.used = word.used || is_one_of(word.lower, {"draft", "drafter", "speculative", "decoding", "assistant"});
      }
      return;
    }
}

/// The size of a model that its name says as well: the 16b of "DeepSeek Coder V2 Lite 16B".
void Sentence::stated_size() {
  if (!has("model")) return;
  const std::string id = *into_.request.find("model") + "-";
  for (Word& word : words_)
    if (!word.used && scale_of(word.lower) == 'b' && id.find("-" + word.lower + "-") != std::string::npos) word.used = true;
}

/// Adapters and engines read weights in a format of their own; a full fine-tune does not.
void Sentence::weights(const std::string& id) {
  if (!has("weight_dtype")) set("weight_dtype", id);
}

/// Engines and frameworks by their own names.
void Sentence::programs() {
  for (std::size_t size = 2; size > 0; --size)
    for (std::size_t i = 0; i + size <= words_.size(); ++i) {
      if (!is_free(i, size)) continue;
      const std::string text = span(i, size);
      for (const Catalog::ProfileRow* const named : profiles_named(catalog_, text)) {
        const Catalog::ProfileRow& row = *named;
        if (has("profile") && !is_told("profile", {row.id})) break;
        take(i, size);
        is_question_ = true;
        if (!has("profile")) set("profile", row.id);
        if (!has("task") && row.for_training != row.for_inference) set("task", row.for_training ? "finetune" : "inference");
        break;
      }
    }
}

/// What is told first stands; another format beside it is a contradiction, unless it says less of the same.
void Sentence::formats() {
  for (const bool vague : {false, true})
    for (Word& word : words_) {
      if (word.used || scale_of(word.lower) != 0 || says_less(word.lower) != vague) continue;
      const std::string id = weights_named(catalog_, word.lower);
      if (id.empty()) continue;
      if (!is_trained_in(id) && has("weight_dtype") && !vague && !is_told("weight_dtype", {id})) continue;
      word.used = true;
      if (!is_trained_in(id)) weights(id);
      else if (id == "fp32" && !has("precision")) set("precision", id);
    }
}

/// Weights that all train have numbers of a precision: 16 bits are what it is by itself, or mixed with 32.
bool Sentence::is_trained_in(std::string_view format) {
  return is_one_of(format, {"bf16", "fp16", "fp32"}) && (is_told("task", {"pretrain"}) || (is_told("task", {"finetune"}) && (is_told("method", {"full"}) || !has("method"))));
}

/// Files of llama.cpp's formats are run by it, or by what stands on it.
void Sentence::runner_of_files() {
  const std::string* const typed = into_.request.find("weight_dtype");
  const std::string* const task = into_.request.find("task");
  const WeightSchemeRow* const row = typed == nullptr ? nullptr : catalog_.weights().find_row(*typed);
  if (row == nullptr || row->engine != "llama.cpp" || has("profile") || (task != nullptr && *task != "inference")) return;
  const std::string stored = *typed; // an entry more moves the others
  set("profile", "llama_cpp");
  into_.issues.push_back({Severity::note, "profile", "Weights in " + stored + " are taken to be run by llama.cpp.", "Choose the engine where another runs them."});
}

/// Fused attention is what engines run by themselves, but for llama.cpp's switch; in training it is a kernel.
void Sentence::fused_attention() {
  if (!is_told("attention", {"flash"}) || trains()) return;
  into_.request.erase("attention");
  if (is_told("profile", {"llama_cpp", "ollama"})) set("flash_attention", "on");
}

bool read_sentence(const Catalog& catalog, std::string_view text, ImportedText& into) {
  text = trimmed(text);
  while (text.ends_with('\n') || text.ends_with('\r')) text = trimmed(text.substr(0, text.size() - 1));
  constexpr std::ptrdiff_t kMostBreaks = 3; // files have more lines: nobody asks a question in them
  if (text.empty() || text.size() > kMostSentenceBytes || std::ranges::count(text, '\n') > kMostBreaks) return false;
  for (const std::string_view mark : {"{", " = \"", " = [", "();", "</"}) // of a configuration or a program
    if (text.find(mark) != std::string_view::npos) return false;
  ImportedText made;
  if (!read_link(text, made) && !Sentence{catalog, text, made}.read()) return false;
  made.ok = !has_errors(made.issues);
  made.kind = "question";
  into = std::move(made);
  return true;
}

void read_behind(const Catalog& catalog, std::string_view words, ImportedText& into) {
  if (words.size() > kMostSentenceBytes) return;
  ImportedText made = into;
  const bool names_something = Sentence{catalog, words, made}.read(), says_where = words.starts_with("on ") || words.starts_with("with ");
  if (!says_where && (!names_something || made.unread.size() > into.unread.size())) return;
  const auto divides = [&](std::string_view name) { return into.request.find(name) != nullptr; };
  const std::string* const gpus = made.request.find("gpus");
  if (gpus != nullptr && counted(*gpus) > 1 && !divides("tensor_parallel") && !divides("pipeline_parallel") && !divides("data_parallel") && !is_told(into.request, "profile", {"llama_cpp", "ollama"}))
    made.issues.push_back({Severity::warning, "gpus", "As it stands the command takes one GPU; that it shall take all " + *gpus + " is what is estimated.", "Say in the command how it divides the model among them."});
  into = std::move(made);
  into.ok = !has_errors(into.issues);
}

} // namespace plimsoll::io::programs
