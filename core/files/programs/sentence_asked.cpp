// What a line leaves open: asked back with what it may be, or refused by the words that nobody knows.
#include "files/programs/sentence_reader.hpp"

#include "files/programs/finish.hpp"
#include "plimsoll/catalog/names.hpp"
#include "method/sort_stably.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kMostCandidates = 8;

} // namespace

/// A card of which only the memory is told is one of several: it is asked back which.
void Sentence::memory_alone() {
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
    sort_stably(rows, {}, [](const DeviceRow* row) { return std::pair{row->kind != "consumer", -row->release_year}; }); // what people have at home
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

/// Names that several things have, and a size without a name: asked back with what they may be.
void Sentence::ambiguous() {
  for (std::size_t size = std::min<std::size_t>(3, words_.size()); size > 0; --size)
    for (std::size_t i = 0; i + size <= words_.size(); ++i) {
      if (!is_free(i, size) || is_filler(words_[i].lower) || is_filler(words_[i + size - 1].lower)) continue;
      const std::string text = span(i, size);
      if (!has("device") && !is_asked(into_, "device"))
        if (const auto [named, one, several] = devices_named(text); !named.candidates.empty()) {
          std::vector<std::string> ids;
          for (const DeviceRow* const row : named.candidates) ids.push_back(row->hardware.id);
          take(i, size);
          count_devices(i, named.count, several);
          ask("device", "Which " + one + "?", std::move(ids));
          continue;
        }
      if (has("model") || is_asked(into_, "model") || (text.size() < 3 && scale_of(words_[i].lower) != 'b')) continue;
      if (const std::vector<std::string> ids = models_like(catalog_, text); !ids.empty()) {
        take(i, size);
        ask("model", "Which " + text + " model?", ids);
      }
    }
}

void Sentence::ask(std::string_view field, std::string text, std::vector<std::string> choices) {
  if (choices.size() > kMostCandidates) choices.resize(kMostCandidates);
  into_.questions.push_back({std::string{field}, std::move(text), "input", std::move(choices)});
  is_question_ = true;
}

/// Words that stand together and name no device of the catalogue, but have the form of one: "GTX 1080 Ti", "P40", "M2 Pro".
void Sentence::unknown_device() {
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
void Sentence::which_device() {
  if (has("device") || is_asked(into_, "device")) return;
  for (std::size_t i = 0; i + 1 < words_.size(); ++i)
    if (is_one_of(lower(i), {"what", "which", "cheapest", "smallest", "best", "minimum"}) && is_one_of(lower(i + 1), {"gpu", "gpus", "card", "cards", "hardware", "device"})) {
      take(i, 2);
      return ask("device", "Which GPU? The smallest that fits is what \"fit device\" looks for.", {"rtx4090", "rtx5090", "l40s", "a100-80-sxm", "h100-80-sxm", "h200-141-sxm", "b200"});
    }
}

/// What waits on the host is told apart: states of the optimizer, or weights too.
void Sentence::offloaded() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    const bool cpu_first = lower(i) == "cpu" && is_one_of(lower(i + 1), {"offload", "offloading"}), to_cpu = is_one_of(lower(i), {"offload", "offloading"}) && is_one_of(lower(i + 1), {"cpu", "to"});
    if (words_[i].used || has("offload") || !(cpu_first || (to_cpu && (lower(i + 1) == "cpu" || lower(i + 2) == "cpu"))) || !trains()) continue;
    take(i, lower(i + 1) == "to" ? 3 : 2);
    return ask("offload", "What waits in the host's memory: the optimizer's states, or the weights too?", {"optimizer", "parameters"});
  }
}

/// A word that nobody knows may be what matters most: nothing is answered until it is left out or said otherwise.
void Sentence::leftovers() {
  std::string told;
  bool asks_load = false, asks_price = false, asks_length = false;
  for (const Word& word : words_) {
    if (word.used || is_filler(word.lower)) continue;
    into_.unread.push_back(word.text);
    told += (told.empty() ? "" : ", ") + quoted(std::string_view{word.text.size() > 40 ? word.text.substr(0, 40) : word.text});
    asks_load = asks_load || is_load(word.lower);
    asks_length = asks_length || is_length(word.lower);
    asks_price = asks_price || is_one_of(word.lower, {"cost", "costs", "price", "pricing", "cheap", "cheapest", "expensive", "budget"}) || word.lower.starts_with("$");
  }
  if (told.empty()) return;
  into_.issues.push_back({Severity::error, "", "Not understood: " + told + ".",
                          asks_price  ? "What GPUs cost follows once they are known: plimsoll cost, or the tab Money. Ask for a model on a GPU."
                          : asks_load ? "The largest batch that fits is how many there is room for; a load tells how many within a latency. Or write a number of users."
                          : asks_length ? "The longest context that fits is what \"fit\" looks for, with context_tokens as the largest. Or write a number of tokens."
                          : has("model") || is_asked(into_, "model")
                              ? "Leave it out, or say it otherwise: a model, a GPU, how many, a context such as 32k, users, a format or an engine."
                              : "Name a model of the catalogue, or give the config.json of another; a GPU, how many, a context such as 32k, users, a format or an engine."});
}

} // namespace plimsoll::io::programs
