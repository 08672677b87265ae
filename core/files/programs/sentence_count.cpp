// Which input a number is of: what stands beside it says so.
#include "files/programs/sentence_reader.hpp"

#include "files/programs/sentence_numbers.hpp"

#include <string>
#include <utility>

namespace plimsoll::io::programs {

namespace {

/// Words of inputs that stand behind their number: "3 epochs", not "3 batch".
bool follows_number(std::string_view word) { return is_one_of(word, {"epochs", "epoch", "generations", "rollouts", "images", "image", "frames", "loras"}); }

} // namespace

/// "64 H100", "64 x H100", "64 GPUs"; not the 64 of "batch 64 H100".
void Sentence::counted_before(std::size_t at) {
  if (at == 0 || has("gpus")) return;
  const bool crossed = lower(at - 1) == "x" && at > 1;
  const std::size_t number = crossed ? at - 2 : at - 1;
  if (words_[number].used || !is_digits(words_[number].lower) || words_[number].lower.size() > 7 || (!crossed && is_named(number))) return;
  take(number, at - number);
  set("gpus", words_[number].text);
}

/// The input of the word that ends there, or of it and the one before: "tensor parallel", "grad accum".
std::string_view Sentence::field_named(std::size_t at) const {
  const bool in_two = at > 0 && !words_[at - 1].used;
  const std::string_view field = in_two ? field_beside(words_[at - 1].lower + "_" + words_[at].lower) : std::string_view{};
  return field.empty() ? field_beside(lower(at)) : field;
}

/// "batch" before the 4 of "batch size of 4"; itself where there is none.
std::size_t Sentence::word_before(std::size_t at) const {
  std::size_t before = at;
  while (before > 0 && is_one_of(lower(before - 1), {"of", "size", "length", "=", "steps", "count"})) --before;
  return before > 0 ? before - 1 : at;
}

/// Whether the word before a number is of it: that of "4k context 8 H100" is of the 4k.
bool Sentence::is_named(std::size_t at) const {
  const std::size_t before = word_before(at);
  const std::string_view word = lower(before);
  if (before == at || words_[before].used || (!is_length(word) && !is_one_of(word, {"batch", "bs", "users", "concurrency"}) && field_named(before).empty())) return false;
  const bool follows_too = is_length(word) || is_load(word) || follows_number(word);
  return !follows_too || before == 0 || words_[before - 1].used || scale_of(lower(before - 1)) == 0 || scale_of(lower(before - 1)) == 'b' || is_named(before - 1);
}

void Sentence::number(std::size_t at) {
  Word& word = words_[at];
  const char scale = word.used ? '\0' : scale_of(word.lower);
  if (scale == 0) return;
  const std::size_t naming = word_before(at);
  const std::string_view before = is_named(at) ? lower(naming) : std::string_view{}, after = at + 1 < words_.size() && !words_[at + 1].used ? lower(at + 1) : std::string_view{};
  const auto tell = [&](std::string_view field) { // of two numbers for one input, the second is not answered past
    word.used = !has(field) || is_told(field, {word.text});
    if (!has(field)) set(field, word.text);
  };
  const auto with_next = [&](std::string_view field) { words_[at + 1].used = true, tell(field); };
  const auto with_last = [&](std::string_view field) {
    take(naming, at - naming);
    if (naming > 0 && is_length(before) && is_length(lower(naming - 1))) words_[naming - 1].used = true; // "seq len 4096"
    tell(field);
  };
  const bool is_data = scale == 'b' || scale == 't' || (scale == 'm' && trains() && !is_length(lower(at + 2)) && !is_length(lower(at + 3)));
  const std::string_view at_once = has("prompt_tokens") && has("answer_tokens") ? "concurrency" : "batch"; // of a load; what fits follows from it
  if (scale == 'b' && (is_load(after) || is_length(after))) return; // the size of a model, of "70b seq 4k"
  if (is_load(after) && !is_length(before)) { // not "ctx 8k users 16"
    if (is_load(lower(at + 2))) take(at + 2, 1); // "16 concurrent requests"
    return with_next(at_once);
  }
  if (is_one_of(after, {"gpu", "gpus", "card", "cards", "devices", "accelerators"}) && scale == '1') return with_next("gpus");
  if (is_one_of(before, {"batch", "bs"})) return with_last("batch");
  if (is_one_of(before, {"users", "concurrency"})) return with_last(at_once);
  if (is_length(before)) return with_last("context_tokens");
  if (const std::string_view field = before.empty() ? before : field_named(naming); !field.empty()) {
    if (naming > 0 && field_beside(words_[naming - 1].lower + "_" + words_[naming].lower) == field) words_[naming - 1].used = true; // named by two words
    return with_last(field);
  }
  if (is_one_of(after, {"token", "tokens"})) {
    if (const std::size_t what = at + (lower(at + 2) == "of" ? 3 : 2); !is_data && is_length(lower(what))) take(what, 1); // "32k tokens of context"
    return with_next(is_data ? data_field() : "context_tokens");
  }
  if (is_length(after)) return with_next("context_tokens");
  if (follows_number(after) && scale == '1') return with_next(field_beside(after));
  if (scale == 'k') return tell("context_tokens");
  if (scale == 't') return tell(data_field());
}

std::string_view Sentence::data_field() const {
  const std::string* const task = into_.request.find("task");
  return task != nullptr && *task == "finetune" ? "dataset_tokens" : "train_tokens";
}

/// The number of GPUs that stands there is that of a node, or of all; where neither is told it is asked back.
void Sentence::whole_fleet() {
  if (nodes_.count == 0) return;
  const std::string* const told = into_.request.find("gpus");
  const std::int64_t gpus = told == nullptr ? 0 : counted(*told);
  const bool each = nodes_.each || nodes_.count == 1, known = gpus > 0 && (each || (nodes_.together && gpus % nodes_.count == 0));
  const std::string* const task = into_.request.find("task");
  if (known && task != nullptr && *task != "inference") set("gpus_per_node", std::to_string(each ? gpus : gpus / nodes_.count)); // an engine's answer does not hang on it
  if (known && each) set("gpus", std::to_string(gpus * nodes_.count));
  if (known) return;
  OpenQuestion question{"gpus", "How many GPUs are there in all, on " + std::to_string(nodes_.count) + " nodes?", "input", {}};
  if (gpus > 0) question.choices = {std::to_string(gpus), std::to_string(gpus * nodes_.count)};
  else question.choices = {std::to_string(8 * nodes_.count), std::to_string(4 * nodes_.count)}; // what nodes have, as a rule
  into_.request.erase("gpus");
  into_.questions.push_back(std::move(question));
  is_question_ = true;
}

} // namespace plimsoll::io::programs
