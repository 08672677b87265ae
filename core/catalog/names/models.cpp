// Which model a name means. First as it stands, then without what only tells the storage, then without what only tells the tuning; at last
// a family with a size, where just one model is that. What is left over decides nothing by itself: it is asked back.
#include "catalog/kept.hpp"
#include "catalog/names/weights.hpp"
#include "plimsoll/catalog/names.hpp"
#include "method/sort_stably.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io {

namespace {

using names::Words;

/// Words that makers hang on a model's name without changing its shape.
constexpr std::array<std::string_view, 21> kTuned{"instruct", "chat",   "it",       "hf",  "base", "text", "gguf", "unsloth", "dynamic", "quantized", "i1",
                                                  "imatrix",  "ud",     "marlin",   "sft", "dpo",  "pt",   "ct",   "latest",  "abliterated", "uncensored"};
/// Makers that stand before the name itself.
constexpr std::array<std::string_view, 6> kMakers{"meta", "nvidia", "c4ai", "ibm", "lmstudio", "mistralai"};

/// The last part of a path without what only files have; a tag of Ollama whole.
std::string_view file_name(std::string_view text) {
  while (text.ends_with('/') || text.ends_with('\\')) text.remove_suffix(1);
  text.remove_prefix(std::min(text.find_last_of("/\\") + 1, text.size()));
  if (lower_case(text).ends_with(".gguf")) text.remove_suffix(5);
  return text.substr(0, text.find("-00001-of-"));
}

Words without_tuning(Words words) {
  if (words.size() > 1 && std::ranges::find(kMakers, words.front()) != kMakers.end()) words.erase(words.begin());
  std::erase_if(words, [](const std::string& word) { return std::ranges::find(kTuned, word) != kTuned.end(); });
  return words;
}

/// A name in its words without what tells the tuning or the plain format of its weights.
Words plain_words(std::string_view name) {
  Words parts = names::parts_of(name);
  std::erase_if(parts, [](const std::string& part) { return part == "bf16" || part == "fp16"; });
  return without_tuning(names::words_of(parts));
}

using ModelWords = Catalog::ModelWords;

/// Owners of repositories are not part of a name. What Ollama calls "latest" is one of several sizes: it counts as it stands, not in its words.
ModelWords words_of(const ModelRow& row) {
  ModelWords words;
  const auto add = [&](std::string_view name) {
    words.whole.push_back(names::words_of(name));
    words.plain.push_back(plain_words(name));
  };
  add(row.id);
  for (const std::vector<std::string>* list : {&row.aliases(), &row.tuned()})
    for (const std::string& alias : *list)
      if (!alias.ends_with(":latest")) add(file_name(alias));
  return words;
}

/// The row that has a model of this very name among its tuned ones.
const ModelRow* tuned_as(const Catalog& catalog, std::string_view text) {
  const std::string wanted = lower_case(text);
  for (const ModelRow& row : catalog.models())
    if (std::ranges::any_of(row.tuned(), [&](const std::string& name) { return lower_case(name) == wanted; })) return &row;
  return nullptr;
}

using Names = std::vector<Words> ModelWords::*;

const ModelRow* row_of(const Catalog& catalog, const Words& wanted, Names names) {
  const std::vector<ModelWords>& all = catalog.model_words();
  const auto at = wanted.empty() ? all.end() : std::ranges::find_if(all, [&](const ModelWords& one) { return std::ranges::find(one.*names, wanted) != (one.*names).end(); });
  return at == all.end() ? nullptr : &catalog.models()[static_cast<std::size_t>(at - all.begin())];
}

/// What a name leaves open of a row that has all of its words: the more, the less likely it is meant.
struct Left {
  int sizes = 0, numbers = 0, words = 0;
  auto operator<=>(const Left&) const = default;
};

/// Nothing where the row does not have every word of `wanted`, in whatever order.
std::optional<Left> left_of(const ModelWords& names, const Words& wanted) {
  std::optional<Left> best;
  for (Words rest : names.plain) {
    const bool has_all = std::ranges::all_of(wanted, [&](const std::string& word) {
      const auto at = std::ranges::find(rest, word);
      if (at == rest.end()) return false;
      rest.erase(at);
      return true;
    });
    if (!has_all) continue;
    Left left;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const bool marks_size = (rest[i] == "a" || rest[i] == "e") && i + 1 < rest.size() && names::is_size(rest[i + 1]); // "a3b": active parameters
      if (marks_size || names::is_size(rest[i])) ++left.sizes;
      else if (names::is_number(rest[i]) || rest[i] == "v") ++left.numbers;
      else ++left.words;
    }
    if (!best || std::pair{left.words, left} < std::pair{best->words, *best}) best = left;
  }
  return best;
}

/// A family, with or without its size: one model if just one is that, and candidates otherwise.
void find_family(const Catalog& catalog, const Words& wanted, NamedModel& into) {
  const bool has_word = std::ranges::any_of(wanted, [](const std::string& word) { return word.size() > 1 && !names::is_size(word) && !names::is_number(word); });
  if (!has_word) return; // "8b" is nobody's name
  const bool has_size = std::ranges::any_of(wanted, names::is_size);
  std::vector<std::pair<Left, const ModelRow*>> found;
  for (std::size_t i = 0; i < catalog.models().size(); ++i)
    if (const std::optional<Left> left = left_of(catalog.model_words()[i], wanted)) found.emplace_back(*left, &catalog.models()[i]);
  sort_stably(found, {}, [](const auto& one) { return std::tuple{one.first.words, one.first.numbers, one.first.sizes}; });
  const auto is_plain = [&](const Left& left) { return left.words == 0 && left.numbers == 0; };
  const auto plain = std::ranges::count_if(found, [&](const auto& one) { return is_plain(one.first); });
  const bool is_one = plain == 1 || (plain == 0 && has_size && found.size() == 1 && found.front().first.words == 0);
  if (is_one) {
    into.row = found.front().second;
    into.by_likeness = !is_plain(found.front().first);
    return;
  }
  for (const auto& [left, row] : found) into.candidates.push_back(row);
}

/// A name that tells of parts that see or hear, of a row that has the language model alone: "Nemotron-Nano-12B-v2-VL".
bool leaves_towers(std::string_view text, const ModelRow& row) {
  const Words parts = names::parts_of(file_name(text)), known = names::parts_of(row.id);
  return std::ranges::any_of(parts, [&](const std::string& part) {
    return (part == "vl" || part == "omni" || part == "vision" || part == "audio") && std::ranges::find(known, part) == known.end();
  });
}

/// An id, an alias or a tuned version, letter by letter.
NamedModel as_written(const Catalog& catalog, std::string_view text) {
  NamedModel model;
  model.row = catalog.find_model(text);
  if (model.row == nullptr && !names::has_control(text)) {
    model.row = tuned_as(catalog, text);
    model.by_likeness = model.row != nullptr && leaves_towers(text, *model.row);
  }
  return model;
}

} // namespace

const std::vector<ModelWords>& Catalog::model_words() const {
  return kept_->words([&] {
    std::vector<ModelWords> all;
    for (const ModelRow& row : models_) all.push_back(words_of(row));
    return all;
  });
}

NamedModel model_named(const Catalog& catalog, std::string_view text) {
  NamedModel model = as_written(catalog, text);
  if (model.row != nullptr || names::has_control(text)) return model;
  Words parts = names::parts_of(file_name(text));
  model.row = row_of(catalog, names::words_of(parts), &ModelWords::whole);
  if (model.row != nullptr) return model;
  const names::StatedWeights stated = names::take_weights(catalog.weights(), text, parts);
  const Words words = names::words_of(parts);
  Words plain = without_tuning(words);
  const auto found = [&] {
    model.weights = stated.id;
    model.weights_assumed = stated.assumed;
    return model;
  };
  model.row = row_of(catalog, words, &ModelWords::whole);
  if (model.row != nullptr) return found();
  std::erase_if(plain, names::is_serial);
  model.row = row_of(catalog, plain, &ModelWords::plain);
  model.by_likeness = model.row != nullptr && plain != words;
  if (model.row != nullptr) return found();
  find_family(catalog, plain, model);
  return model.row != nullptr ? found() : model;
}

std::string weights_named(const Catalog& catalog, std::string_view text) {
  Words parts = names::parts_of(text);
  std::string id = names::take_weights(catalog.weights(), text, parts).id;
  return parts.empty() ? id : std::string{};
}

Issue built_alike(std::string_view field, std::string_view typed, const ModelRow& row) {
  if (leaves_towers(typed, row)) return {Severity::warning, std::string{field}, quoted(typed) + " is taken to be built as " + row.name + ", without the parts of it that see or hear.", "Import its config.json, or take what they need off usable_bytes."};
  return {Severity::note, std::string{field}, quoted(typed) + " is taken to be built as " + row.name + ".", field == "model" ? "Import its config.json where it is not." : "Choose another " + std::string{field} + " where it is not."};
}

} // namespace plimsoll::io
