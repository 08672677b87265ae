#include "files/programs/sentence.hpp"

#include "files/programs/finish.hpp"
#include "files/programs/machines.hpp"
#include "files/programs/name_words.hpp"
#include "files/programs/sentence_link.hpp"
#include "files/programs/sentence_machines.hpp"
#include "files/programs/sentence_phrases.hpp"
#include "files/programs/sentence_words.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kLongestName = 6;   ///< words: "RTX PRO 6000 Blackwell Workstation Edition"
constexpr std::size_t kMostCandidates = 8;

class Sentence {
public:
  Sentence(const Catalog& catalog, std::string_view text, ImportedText& into) : catalog_(catalog), known_(catalog), words_(words_in(text)), into_(into) {}

  bool read() {
    for (const auto& [field, text] : take_settings(words_)) set(field, text);
    phrases();
    training();
    nodes_ = take_nodes(words_);
    names();
    programs();
    if (const std::string host = take_host_memory(words_); !host.empty()) set("host_bytes", host);
    memory_alone();
    formats();
    for (std::size_t i = 0; i < words_.size(); ++i) number(i);
    whole_fleet();
    ambiguous();
    runner_of_files();
    if (into_.request.entries().empty() && into_.questions.empty()) return false;
    unknown_device();
    which_device();
    leftovers();
    return is_question_;
  }

private:
  void set(std::string_view field, std::string text) { into_.request.set(field, std::move(text)), ++into_.read; }

  bool has(std::string_view field) const { return into_.request.find(field) != nullptr; }

  std::string span(std::size_t from, std::size_t count) const {
    std::string text;
    for (std::size_t i = from; i < from + count; ++i) text += (text.empty() ? "" : " ") + words_[i].text;
    return text;
  }

  bool is_free(std::size_t from, std::size_t count) const {
    return from + count <= words_.size() && std::none_of(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.begin() + static_cast<std::ptrdiff_t>(from + count), [](const Word& word) { return word.used; });
  }

  void take(std::size_t from, std::size_t count) {
    for (std::size_t i = from; i < from + count; ++i) words_[i].used = true;
  }

  std::string_view lower(std::size_t at) const { return at < words_.size() ? std::string_view{words_[at].lower} : std::string_view{}; }

  /// What is told first stands, but for the task: a "fine-tuned" model is served where that is said behind.
  void phrases() {
    for (const auto& [field, text] : take_phrases(words_))
      if (field == "task" || !has(field)) set(field, text);
  }

  /// "train": what, the other words tell.
  void training() {
    bool trains = false, scratch = false;
    for (Word& word : words_) {
      if (is_one_of(word.lower, {"train", "training"})) trains = word.used = true;
      scratch = scratch || word.lower == "scratch";
    }
    trains = trains || has("sharding") || has("recompute"); // nobody serves so
    if (!trains || has("task")) return;
    set("task", scratch ? "pretrain" : "finetune");
    if (!scratch)
      into_.issues.push_back({Severity::note, "task", "Training is taken for fine-tuning.", "Choose Pre-train where the model is trained from nothing."});
  }

  /// The number of GPUs that stands there is that of a node, or of all; where neither is told it is asked back.
  void whole_fleet() {
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

  /// Devices and models, the longest names first: "A100 80GB" is not "A100", and "Llama 3 8B" not "Llama 3".
  void names() {
    for (std::size_t size = std::min(kLongestName, words_.size()); size > 0; --size)
      for (std::size_t i = 0; i + size <= words_.size(); ++i) {
        if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower)) continue;
        if (!has("device") && device(i, size)) continue;
        if (!has("model")) model(i, size);
      }
  }

  /// A name is looked for in all that is given: words before and behind it that stand in no device's name are not part of it.
  bool is_foreign(std::size_t at) const { return !is_digits(lower(at)) && lower(at) != "x" && !known_.may_be_device(words_[at].text); }

  bool device(std::size_t at, std::size_t size) {
    if (is_foreign(at) || is_foreign(at + size - 1)) return false;
    std::string text = span(at, size);
    if (!known_.may_be_device(text)) return false;
    NamedDevice named = device_named(catalog_, text);
    if (named.row == nullptr && text.ends_with('s')) text.pop_back(), named = device_named(catalog_, text); // "64 H100s"
    if (named.row == nullptr) return false;
    take(at, size);
    set("device", named.row->hardware.id);
    if (!named.candidates.empty()) into_.issues.push_back(taken_for(text, *named.row, named.candidates));
    is_question_ = true;
    if (named.count > 0) set("gpus", std::to_string(named.count));
    else counted_before(at);
    return true;
  }

  /// "64 H100", "64 x H100", "64 GPUs".
  void counted_before(std::size_t at) {
    if (at == 0 || has("gpus")) return;
    const std::size_t number = lower(at - 1) == "x" && at > 1 ? at - 2 : at - 1;
    if (words_[number].used || !is_digits(words_[number].lower) || words_[number].lower.size() > 7) return;
    take(number, at - number);
    set("gpus", words_[number].text);
  }

  void model(std::size_t at, std::size_t size) {
    const std::string text = span(at, size);
    if (!known_.may_be_model(text)) return;
    const NamedModel named = model_named(catalog_, text);
    if (named.row == nullptr) return;
    take(at, size);
    is_question_ = true;
    set("model", named.row->id);
    if (named.by_likeness)
      into_.issues.push_back({Severity::note, "model", quoted(std::string_view{text}) + " is taken for " + named.row->name + ", or a tuned version of it.", "Give its config.json where it has another shape."});
    if (!named.weights.empty()) weights(named.weights);
  }

  /// Adapters and engines read weights in a format of their own; a full fine-tune does not.
  void weights(const std::string& id) {
    if (!has("weight_dtype")) set("weight_dtype", id);
  }

  /// Engines and frameworks by their own names.
  void programs() {
    for (std::size_t size = 2; size > 0; --size)
      for (std::size_t i = 0; i + size <= words_.size(); ++i) {
        if (has("profile") || !is_free(i, size)) continue;
        const std::string text = span(i, size);
        for (const Catalog::ProfileRow* const named : profiles_named(catalog_, text)) {
          const Catalog::ProfileRow& row = *named;
          take(i, size);
          is_question_ = true;
          set("profile", row.id);
          if (!has("task") && row.for_training != row.for_inference) set("task", row.for_training ? "finetune" : "inference");
          break;
        }
      }
  }

  /// A card of which only the memory is told is one of several: it is asked back which.
  void memory_alone() {
    for (std::size_t i = 0; i < words_.size() && !has("device"); ++i) {
      if (words_[i].used) continue;
      std::string text = words_[i].lower;
      if (const std::size_t cross = text.find('x'); cross != std::string::npos && is_digits(text.substr(0, cross))) {
        set("gpus", text.substr(0, cross));
        text.erase(0, cross + 1);
      }
      const bool in_two = is_digits(text) && is_one_of(lower(i + 1), {"gb", "gib", "g"});
      for (const std::string_view unit : {"gib", "gb", "g"})
        if (text.ends_with(unit)) {
          text.resize(text.size() - unit.size());
          break;
        }
      if (!is_digits(text) || text.size() > 4 || (!in_two && text == words_[i].lower)) continue;
      std::size_t named = i; // "M2 Pro 16GB" is a device that nobody knows, not any of 16 GB
      while (named > 0 && !words_[named - 1].used && !is_filler(lower(named - 1))) --named;
      if (has_form_of_device(lower_case(span(named, i - named)))) continue;
      OpenQuestion question{"device", "Which GPU of " + text + " GB?", "input", {}};
      std::vector<const DeviceRow*> rows;
      for (const DeviceRow& row : catalog_.devices())
        if (std::to_string(row.hardware.label_gb) == text) rows.push_back(&row);
      std::ranges::stable_sort(rows, {}, [](const DeviceRow* row) { return std::pair{row->kind != "consumer", -row->release_year}; }); // what people have at home
      for (const DeviceRow* const row : rows)
        if (question.choices.size() < kMostCandidates) question.choices.push_back(row->hardware.id);
      if (question.choices.empty()) continue;
      take(i, in_two ? 2 : 1);
      counted_before(i);
      is_question_ = true;
      into_.questions.push_back(std::move(question));
      return;
    }
  }

  void formats() {
    for (Word& word : words_) {
      if (word.used || scale_of(word.lower) != 0) continue;
      const std::string id = weights_named(catalog_, word.lower);
      if (id.empty()) continue;
      word.used = true;
      weights(id);
    }
  }

  /// "batch" before the 4 of "batch size of 4".
  std::string_view word_before(std::size_t at) const {
    while (at > 0 && is_one_of(lower(at - 1), {"of", "size", "length", "="})) --at;
    return at > 0 ? lower(at - 1) : std::string_view{};
  }

  void number(std::size_t at) {
    Word& word = words_[at];
    const char scale = word.used ? '\0' : scale_of(word.lower);
    if (scale == 0) return;
    const std::string_view before = word_before(at), after = lower(at + 1);
    const auto tell = [&](std::string_view field) {
      word.used = true;
      if (!has(field)) set(field, word.text);
      return true;
    };
    const auto with_next = [&](std::string_view field) { return words_[at + 1].used = true, tell(field); };
    const auto with_last = [&](std::string_view field) {
      for (std::size_t i = at; i > 0 && !words_[i - 1].used; --i) {
        words_[i - 1].used = true;
        if (words_[i - 1].lower == before && (i < 2 || !is_length(lower(i - 2)))) break; // "seq len 4096"
      }
      return tell(field);
    };
    const bool is_data = scale == 'b' || scale == 't';
    if (is_load(after)) {
      if (is_load(lower(at + 2))) take(at + 2, 1); // "16 concurrent requests"
      return void(with_next("batch"));
    }
    if (is_one_of(after, {"gpu", "gpus", "card", "cards", "devices", "accelerators"}) && scale == '1') return void(with_next("gpus"));
    if (is_one_of(after, {"token", "tokens"})) return void(with_next(is_data ? data_field() : "context_tokens"));
    if (is_one_of(before, {"batch", "bs", "users", "concurrency"})) return void(with_last("batch"));
    if (before == "rank" && scale == '1') return void(with_last("rank"));
    if (is_length(before)) return void(with_last("context_tokens"));
    if (is_length(after)) return void(with_next("context_tokens"));
    if (is_one_of(before, {"tp", "pp", "dp", "ep"}) && scale == '1') return void(with_last(same_as(before)));
    if (scale == 'k') return void(tell("context_tokens"));
    if (scale == 't') return void(tell(data_field()));
  }

  /// Files of llama.cpp's formats are run by it, or by what stands on it.
  void runner_of_files() {
    const std::string* const typed = into_.request.find("weight_dtype");
    const std::string* const task = into_.request.find("task");
    const WeightSchemeRow* const row = typed == nullptr ? nullptr : catalog_.weights().find_row(*typed);
    if (row == nullptr || row->engine != "llama.cpp" || has("profile") || (task != nullptr && *task != "inference")) return;
    const std::string stored = *typed; // an entry more moves the others
    set("profile", "llama_cpp");
    into_.issues.push_back({Severity::note, "profile", "Weights in " + stored + " are taken to be run by llama.cpp.", "Choose the engine where another runs them."});
  }

  std::string_view data_field() const {
    const std::string* const task = into_.request.find("task");
    return task != nullptr && *task == "finetune" ? "dataset_tokens" : "train_tokens";
  }

  /// Names that several things have, and a size without a name: asked back with what they may be.
  void ambiguous() {
    for (std::size_t size = std::min<std::size_t>(3, words_.size()); size > 0; --size)
      for (std::size_t i = 0; i + size <= words_.size(); ++i) {
        if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower)) continue;
        const std::string text = span(i, size);
        if (!has("device") && !is_asked(into_, "device"))
          if (const NamedDevice named = device_named(catalog_, text); !named.candidates.empty()) {
            std::vector<std::string> ids;
            for (const DeviceRow* const row : named.candidates) ids.push_back(row->hardware.id);
            take(i, size);
            if (named.count > 0) set("gpus", std::to_string(named.count));
            else counted_before(i);
            ask("device", "Which " + text + "?", std::move(ids));
            continue;
          }
        if (has("model") || is_asked(into_, "model") || text.size() < 3) continue;
        if (const std::vector<std::string> ids = models_like(catalog_, text); !ids.empty()) {
          take(i, size);
          ask("model", "Which " + text + " model?", ids);
        }
      }
  }

  void ask(std::string_view field, std::string text, std::vector<std::string> choices) {
    if (choices.size() > kMostCandidates) choices.resize(kMostCandidates);
    into_.questions.push_back({std::string{field}, std::move(text), "input", std::move(choices)});
    is_question_ = true;
  }

  /// Words that stand together and name no device of the catalogue, but have the form of one: "GTX 1080 Ti", "P40", "M2 Pro".
  void unknown_device() {
    if (has("device") || is_asked(into_, "device") || !has("model")) return;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::size_t size = 0;
      while (i + size < words_.size() && !words_[i + size].used && !is_filler(words_[i + size].lower)) ++size;
      if (size == 0) continue;
      const std::string text = span(i, size);
      if (!has_form_of_device(lower_case(text))) {
        i += size;
        continue;
      }
      take(i, size);
      std::vector<std::string> ids = catalog_.similar_devices(text);
      if (ids.empty()) ids = catalog_.similar_devices("tesla " + text); // a board's code by itself
      return ask("device", "Which device is " + quoted(std::string_view{text}) + "? The catalogue has none of that name.", std::move(ids));
    }
  }

  /// "Which GPU" without one is what `fit` answers, not an estimate for another.
  void which_device() {
    if (has("device") || is_asked(into_, "device")) return;
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (is_one_of(lower(i), {"what", "which"}) && is_one_of(lower(i + 1), {"gpu", "gpus", "card", "cards", "hardware", "device"})) {
        take(i, 2);
        return ask("device", "Which GPU? The smallest that fits is what \"fit device\" looks for.", {"rtx4090", "rtx5090", "l40s", "a100-80-sxm", "h100-80-sxm", "h200-141-sxm", "b200"});
      }
  }

  /// A word that nobody knows may be what matters most: nothing is answered until it is left out or said otherwise.
  void leftovers() {
    std::string told;
    bool asks_load = false;
    for (const Word& word : words_) {
      if (word.used || is_filler(word.lower)) continue;
      into_.unread.push_back(word.text);
      told += (told.empty() ? "" : ", ") + quoted(std::string_view{word.text.size() > 40 ? word.text.substr(0, 40) : word.text});
      asks_load = asks_load || is_load(word.lower);
    }
    if (told.empty()) return;
    into_.issues.push_back({Severity::error, "", "Not understood: " + told + ".",
                            asks_load ? "The largest batch that fits is how many there is room for; a load tells how many within a latency. Or write a number of users."
                                      : "Leave it out, or say it otherwise: a model, a GPU, how many, a context such as 32k, users, a format or an engine."});
  }

  const Catalog& catalog_;
  NameWords known_;
  std::vector<Word> words_;
  ImportedText& into_;
  Nodes nodes_;
  bool is_question_ = false; ///< something was named that nothing but a question names
};

} // namespace

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

} // namespace plimsoll::io::programs
