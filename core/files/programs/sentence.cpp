#include "files/programs/sentence.hpp"

#include "catalog/names/words.hpp"
#include "files/programs/machines.hpp"
#include "files/programs/name_words.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/catalog/search.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

namespace {

struct Word {
  std::string text, lower;
  bool used = false;
};

constexpr std::size_t kLongestName = 6;   ///< words: "RTX PRO 6000 Blackwell Workstation Edition"
constexpr std::size_t kMostCandidates = 8;

using List = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, List list) { return std::ranges::find(list, word) != list.end(); }

/// Words of a question that tell nothing by themselves.
bool is_filler(std::string_view word) {
  return is_one_of(word, {"a",    "an",   "the",  "on",   "in",     "at",    "of",   "for",  "with",  "and",  "or",    "my",   "i",     "we",    "it",     "is",     "are",   "do",   "does",  "can",
                          "will", "fit",  "fits", "run",  "runs",   "use",   "using", "to",  "how",   "much", "many",  "what", "which", "need", "needs",  "have",   "has",   "memory", "vram", "gpu",
                          "gpus", "card", "cards", "each", "model", "length", "up",  "into", "from",  "than", "would", "me",   "there", "x",     "large", "long", "single", "per", "please", "one", "once", "scratch", "only"});
}

bool is_length(std::string_view word) { return is_one_of(word, {"context", "ctx", "seq", "seqlen", "window"}); }

bool is_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }); }

/// A number with at most a point and one of k, m, b and t behind it: its suffix, '1' for none, 0 where it is no such number.
char scale_of(std::string_view word) {
  if (word.empty() || word.front() < '0' || word.front() > '9') return 0;
  const std::size_t end = std::min(word.find_first_not_of("0123456789."), word.size());
  if (end == word.size()) return '1';
  return end + 1 == word.size() && is_one_of(word.substr(end), {"k", "m", "b", "t"}) ? word[end] : '\0';
}

/// Signs that part words; a comma within a number does not.
std::vector<Word> words_in(std::string_view text) {
  std::string plain;
  const auto is_digit_at = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("×")) plain += " x ", ++i;
    else if (text[i] == ',' && i > 0 && is_digit_at(i - 1) && is_digit_at(i + 1) && is_digit_at(i + 2) && is_digit_at(i + 3) && !is_digit_at(i + 4)) continue;
    else plain += std::string_view{" \t\r\n,;?!()\"'`*+"}.find(text[i]) != std::string_view::npos ? ' ' : text[i];
  }
  std::vector<Word> words;
  for (std::size_t at = plain.find_first_not_of(' '); at != std::string::npos; at = plain.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(plain.find(' ', at), plain.size());
    std::string word = plain.substr(at, end - at);
    while (word.size() > 1 && (word.ends_with('.') || word.ends_with(':'))) word.pop_back();
    words.push_back({word, lower_case(word)});
    at = end;
  }
  return words;
}

/// The name of a model in an address: "Qwen/Qwen3-32B" of Hugging Face's, "qwen3:32b" of Ollama's; the word itself where it is none.
std::string named_at(std::string_view word) {
  std::string_view rest = word;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) rest.remove_prefix(scheme + 3);
  if (rest.starts_with("www.")) rest.remove_prefix(4);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const auto behind = [&](List hosts, std::size_t parts) -> std::string {
    for (const std::string_view host : hosts) {
      if (!rest.starts_with(host)) continue;
      const std::string_view path = rest.substr(host.size());
      std::size_t end = 0;
      for (std::size_t part = 0; part < parts && end != std::string_view::npos; ++part) end = path.find('/', part == 0 ? 0 : end + 1);
      return std::string{path.substr(0, end)};
    }
    return {};
  };
  if (std::string name = behind({"huggingface.co/", "hf.co/", "modelscope.cn/models/"}, 2); !name.empty()) return name;
  if (std::string name = behind({"ollama.com/library/"}, 1); !name.empty()) return name;
  return std::string{word};
}

class Sentence {
public:
  Sentence(const Catalog& catalog, std::string_view text, ImportedText& into) : catalog_(catalog), known_(catalog), words_(words_in(text)), into_(into) {}

  bool read() {
    for (Word& word : words_) word.text = named_at(word.text), word.lower = lower_case(word.text);
    tasks();
    names();
    programs();
    memory_alone();
    formats();
    for (std::size_t i = 0; i < words_.size(); ++i) number(i);
    ambiguous();
    if (into_.request.entries().empty() && into_.questions.empty()) return false;
    unknown_device();
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

  void tasks() {
    bool trains = false, scratch = false;
    for (Word& word : words_) {
      const std::string_view w = word.lower;
      const auto tell = [&](std::string_view task) { word.used = true, into_.request.set("task", task), ++into_.read; };
      if (is_one_of(w, {"serve", "serving", "inference", "chat", "infer"})) tell("inference");
      else if (is_one_of(w, {"finetune", "fine-tune", "finetuning", "fine-tuning", "fine-tuned", "sft"})) tell("finetune");
      else if (is_one_of(w, {"pretrain", "pre-train", "pretraining", "pre-training"})) tell("pretrain");
      else if (is_one_of(w, {"lora", "qlora"})) {
        tell("finetune");
        into_.request.set("method", "lora");
        if (w == "qlora") into_.request.set("weight_dtype", "nf4");
      } else if (is_one_of(w, {"train", "training"})) trains = word.used = true;
      else if (w == "scratch") scratch = true;
    }
    if (!trains || has("task")) return;
    set("task", scratch ? "pretrain" : "finetune");
    if (!scratch)
      into_.issues.push_back({Severity::note, "task", "\"train\" is taken for fine-tuning.", "Choose Pre-train where the model is trained from nothing."});
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

  bool device(std::size_t at, std::size_t size) {
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

  void number(std::size_t at) {
    Word& word = words_[at];
    const char scale = word.used ? '\0' : scale_of(word.lower);
    if (scale == 0) return;
    const std::string_view before = at > 0 ? lower(at - 1) : std::string_view{}, after = lower(at + 1);
    const auto tell = [&](std::string_view field) {
      word.used = true;
      if (!has(field)) set(field, word.text);
      return true;
    };
    const auto with_next = [&](std::string_view field) { return words_[at + 1].used = true, tell(field); };
    const auto with_last = [&](std::string_view field) { return words_[at - 1].used = true, tell(field); };
    const bool is_data = scale == 'b' || scale == 't';
    if (is_one_of(after, {"user", "users", "request", "requests", "concurrent", "sequences", "streams", "chats", "people"})) return void(with_next("batch"));
    if (is_one_of(after, {"gpu", "gpus", "card", "cards", "devices", "accelerators"}) && scale == '1') return void(with_next("gpus"));
    if (is_one_of(after, {"token", "tokens"})) return void(with_next(is_data ? data_field() : "context_tokens"));
    if (is_length(after)) return void(with_next("context_tokens"));
    if (is_length(before)) return void(with_last("context_tokens"));
    if (is_one_of(before, {"batch", "bs", "users", "concurrency"})) return void(with_last("batch"));
    if (scale == 'k') return void(tell("context_tokens"));
    if (scale == 't') return void(tell(data_field()));
  }

  std::string_view data_field() const {
    const std::string* const task = into_.request.find("task");
    return task != nullptr && *task == "finetune" ? "dataset_tokens" : "train_tokens";
  }

  /// Names that several things have, and a size without a name: asked back with what they may be.
  void ambiguous() {
    const auto is_asked = [&](std::string_view field) { return std::ranges::find(into_.questions, field, &OpenQuestion::field) != into_.questions.end(); };
    for (std::size_t size = std::min<std::size_t>(3, words_.size()); size > 0; --size)
      for (std::size_t i = 0; i + size <= words_.size(); ++i) {
        if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower)) continue;
        const std::string text = span(i, size);
        if (!has("device") && !is_asked("device"))
          if (const NamedDevice named = device_named(catalog_, text); !named.candidates.empty()) {
            std::vector<std::string> ids;
            for (const DeviceRow* const row : named.candidates) ids.push_back(row->hardware.id);
            take(i, size);
            if (named.count > 0) set("gpus", std::to_string(named.count));
            else counted_before(i);
            ask("device", "Which " + text + "?", std::move(ids));
            continue;
          }
        if (has("model") || is_asked("model") || text.size() < 3) continue;
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
    const auto is_asked = std::ranges::find(into_.questions, "device", &OpenQuestion::field) != into_.questions.end();
    if (has("device") || is_asked || !has("model")) return;
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

  void leftovers() {
    std::string told;
    for (const Word& word : words_) {
      if (word.used || is_filler(word.lower)) continue;
      into_.unread.push_back(word.text);
      told += (told.empty() ? "" : ", ") + quoted(std::string_view{word.text.size() > 40 ? word.text.substr(0, 40) : word.text});
    }
    if (!told.empty()) into_.issues.push_back({Severity::warning, "", "Not understood: " + told + ".", "Write a model, a GPU, how many, a context such as 32k, users, a format or an engine."});
  }

  const Catalog& catalog_;
  NameWords known_;
  std::vector<Word> words_;
  ImportedText& into_;
  bool is_question_ = false; ///< something was named that nothing but a question names
};

/// The question of a link, or of what stands behind its '?'; nothing where it has none of our inputs.
bool read_link(std::string_view text, ImportedText& into) {
  if (text.find_first_of(" \t\r\n") != std::string_view::npos) return false;
  std::string_view query = text.substr(0, text.find('#'));
  if (const std::size_t mark = query.find('?'); mark != std::string_view::npos) query.remove_prefix(mark + 1);
  else if (query.find("://") != std::string_view::npos) return false;
  if (query.find('=') == std::string_view::npos) return false;
  Issues issues;
  Request request = request_from_query(query, issues);
  const bool is_ours = std::ranges::any_of(request.entries(), [](const Entry& entry) { return find_field(entry.name) != nullptr || !same_as(entry.name).empty(); });
  if (!is_ours) return false;
  into.read = static_cast<std::int64_t>(request.entries().size());
  into.request = std::move(request);
  into.issues = std::move(issues);
  return true;
}

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
  made.ok = true;
  made.kind = "question";
  into = std::move(made);
  return true;
}

} // namespace plimsoll::io::programs
