#pragma once
// The field tables: one row per input. JSON keys, URL keys, command-line flags, JS properties, app rows, validation and the
// generated reference all come from these rows; to add an input, add a row.

#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class FieldKind : unsigned char {
  integer, ///< a whole number within [min, max]
  choice,  ///< one of `choices`
  flag,    ///< true or false
  id,      ///< the id of a catalogue entry: a model, a device, a profile
  text,    ///< free text: a config.json, the name of an architecture
};

enum class Topic : unsigned char { task, model, hardware, workload, tuning, strategy, parallel, profile, cost };

struct Choice {
  std::string_view name; ///< as written in URLs and JSON
  std::int64_t value;
  std::string_view label; ///< as shown to people, where a table writes it; that of choices of fields() stands apart: label_of()
  std::string_view help;  ///< likewise
};

using TaskSet = unsigned; ///< bit i: the field matters for Task i
inline constexpr TaskSet kServing = 1u;
inline constexpr TaskSet kTraining = 6u;
inline constexpr TaskSet kFinetuning = 2u;
inline constexpr TaskSet kPretraining = 4u;
inline constexpr TaskSet kAllTasks = 7u;

/// What must hold of other inputs for a field to have an effect.
struct Condition {
  bool (*holds)(const Inputs&) = nullptr; ///< null: always
  std::string_view remedy;                ///< what to do where it does not hold: "Set tensor_parallel above 1"
};

struct Field {
  std::string_view name; ///< snake_case; the same in C++, JSON, JS, URL; with '-' for '_' as HTML attribute and CLI flag
  Topic topic;
  FieldKind kind;
  std::string_view label; ///< short, as shown beside the value; where a table writes it, as help and the remedy: label_of()
  std::string_view unit;  ///< e.g. "tokens"; "" for none
  std::string_view help;  ///< one or two sentences
  TaskSet tasks = kAllTasks;
  bool advanced = false;  ///< folded away until asked for
  Condition needs{};      ///< where it does not hold, forms leave the field out and validate() warns of a value
  std::int64_t min = 0;   ///< integers only
  std::int64_t max = 0;
  std::array<std::int64_t, kTasks> defaults{}; ///< by Task; unused for ids and for model fields, whose default is the preset's
  std::span<const Choice> choices{};
  std::span<const Choice> parts{}; ///< of a choice whose values are sets of bits: what a set is written with, joined by commas, where no choice names it
  const std::vector<std::int64_t>& (*list)(const Inputs&) = nullptr; ///< of a text that is a list of whole numbers from min to max, joined by commas
  void (*set_list)(Inputs&, std::vector<std::int64_t>) = nullptr;
  std::int64_t (*get)(const Inputs&) = nullptr; ///< null for ids and texts
  void (*set)(Inputs&, std::int64_t) = nullptr;
  int decimals = 0;           ///< 3: people write 0.95, and the value is held in thousandths, as min, max and defaults are
  std::string_view former{};  ///< the name under which earlier versions wrote it, of decimals in thousandths; "" for none
};

/// All rows, in the order in which people should meet them.
std::span<const Field> fields() noexcept;

/// The rows of facts of a model: their order is that of ModelFacts.
std::span<const Field> model_facts() noexcept;

/// The position in ModelFacts of a row of model_facts(); kMostFacts for other fields.
std::size_t fact_index(const Field& field) noexcept;

/// The row of that name, or of that former name; null where there is none.
const Field* find_field(std::string_view name) noexcept;

// What people read of a row of fields(), or of a choice or part of one, stands apart from them, since every answer reads the rows and few read this: a page
// loads it later. A field of one's own says it itself.

std::string_view label_of(const Field& field) noexcept;
std::string_view label_of(const Choice& choice) noexcept;
/// A sentence or two.
std::string_view help_of(const Field& field) noexcept;
/// "" where there is nothing to tell.
std::string_view help_of(const Choice& choice) noexcept;
/// What to do where Field::needs does not hold; "" where it needs nothing.
std::string_view remedy_of(const Field& field) noexcept;

/// The choice of that name in a choice field, or null.
const Choice* find_choice(const Field& field, std::string_view name) noexcept;

/// The name of a choice value; "" when the field has no such value.
std::string_view choice_name(const Field& field, std::int64_t value) noexcept;

/// A value of the field as people and URLs write it: "8192", "bf16", "true", "q,v,down". Not for ids.
std::string text_of(const Field& field, std::int64_t value);

/// A list as people and URLs write it: "4,4,3,3"; "" for an empty one.
std::string text_of(std::span<const std::int64_t> list);

constexpr bool applies(const Field& field, Task task) noexcept {
  return (field.tasks >> static_cast<unsigned>(task) & 1u) != 0;
}

/// Whether the other inputs leave the field without effect, whatever its value.
inline bool is_idle(const Field& field, const Inputs& inputs) noexcept { return field.needs.holds != nullptr && !field.needs.holds(inputs); }

constexpr std::string_view name_of(Topic topic) noexcept {
  switch (topic) {
    case Topic::task: return "task";
    case Topic::model: return "model";
    case Topic::hardware: return "hardware";
    case Topic::workload: return "workload";
    case Topic::tuning: return "tuning";
    case Topic::strategy: return "strategy";
    case Topic::parallel: return "parallel";
    case Topic::profile: return "profile";
    case Topic::cost: return "cost";
  }
  return "";
}

} // namespace plimsoll
