#pragma once
// How a question in a line is read: what is surest first, so that a number belongs to the word that it stands beside, and no word is read twice.

#include "files/programs/name_words.hpp"
#include "files/programs/sentence_machines.hpp"
#include "files/programs/sentence_words.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

bool is_told(const Request& request, std::string_view field, List texts);

class Sentence {
public:
  /// What `into` holds already stands, whatever the line says.
  Sentence(const Catalog& catalog, std::string_view text, ImportedText& into) : catalog_(catalog), known_(catalog), words_(words_in(text)), into_(into) {}

  /// False where the line is no question.
  bool read();

private:
  // ---- words

  void set(std::string_view field, std::string text) { into_.request.set(field, std::move(text)), ++into_.read; }
  bool has(std::string_view field) const { return into_.request.find(field) != nullptr; }
  bool is_told(std::string_view field, List texts) const { return programs::is_told(into_.request, field, texts); }
  bool trains() const { return is_told("task", {"finetune", "pretrain"}); }
  std::string span(std::size_t from, std::size_t count) const;
  bool is_free(std::size_t from, std::size_t count) const;
  void take(std::size_t from, std::size_t count) { programs::take(words_, from, from + count); }
  std::string_view lower(std::size_t at) const { return at < words_.size() ? std::string_view{words_[at].lower} : std::string_view{}; }

  // ---- what is said

  void phrases();
  void training();
  void optimizers();
  void names();
  bool is_foreign(std::size_t at) const;
  struct Devices {
    NamedDevice named;
    std::string text; ///< of one of them
    bool several = false;
  };
  Devices devices_named(std::string text) const;
  void count_devices(std::size_t at, std::int64_t told, bool several);
  bool device(std::size_t at, std::size_t size);
  bool may_be_model(std::size_t at, std::size_t size) const;
  void model(std::size_t at, std::size_t size);
  void other_model();
  void stated_size();
  void weights(const std::string& id);
  void programs();
  void formats();
  bool is_trained_in(std::string_view format);
  void runner_of_files();
  void fused_attention();

  // ---- numbers

  void counted_before(std::size_t at);
  std::string_view field_named(std::size_t at) const;
  std::size_t word_before(std::size_t at) const;
  bool is_named(std::size_t at) const;
  void number(std::size_t at);
  std::string_view data_field() const;
  void whole_fleet();

  // ---- what is asked back

  void memory_alone();
  void ambiguous();
  void ask(std::string_view field, std::string text, std::vector<std::string> choices);
  void unknown_device();
  void which_device();
  void offloaded();
  void leftovers();

  const Catalog& catalog_;
  NameWords known_;
  std::vector<Word> words_;
  ImportedText& into_;
  Nodes nodes_;
  std::size_t model_at_ = 0; ///< the first word of the model's name
  bool is_question_ = false; ///< something was named that nothing but a question names
};

} // namespace plimsoll::io::programs
