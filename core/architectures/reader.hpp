#pragma once
// Reads single fields of a config.json, trusting nothing: what is missing, of the wrong kind or out of range becomes an issue that
// names the field by its path. Facts that people can change are read under the name of their field: a changed fact wins over the
// file, and what was used is written down.

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Names under which files state one thing, best first. A dot leads into a nested object: "attn_config.kv_n_heads".
using Names = std::span<const char* const>;
using NameList = std::initializer_list<const char*>;

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

class ConfigReader {
public:
  /// `object` is the language model's part of the file, `path` where it stands, "" for the whole file.
  ConfigReader(const Json& object, std::string path, const Overrides& overrides, ImportedModel& imported)
      : object_(object), path_(std::move(path)), overrides_(overrides), imported_(imported) {}

  // Facts: `field` is the name of a row of model_facts().

  /// The overridden value, else the first of `names` that is there and not null, else `standard`; without any an error.
  std::int64_t integer(std::string_view field, Names names, std::optional<std::int64_t> standard = {});
  std::int64_t integer(std::string_view field, NameList names, std::optional<std::int64_t> standard = {}) {
    return integer(field, Names{names.begin(), names.size()}, standard);
  }
  Count count(std::string_view field, NameList names, std::optional<std::int64_t> standard = {}) { return Count{integer(field, names, standard)}; }
  bool flag(std::string_view field, Names names, bool standard);
  bool flag(std::string_view field, NameList names, bool standard) { return flag(field, Names{names.begin(), names.size()}, standard); }
  /// A fact that files do not state as such: `standard` unless overridden.
  std::int64_t fact(std::string_view field, std::int64_t standard);
  template <class Enum> Enum choice(std::string_view field, Enum standard) {
    return static_cast<Enum>(fact(field, static_cast<std::int64_t>(standard)));
  }
  bool overridden(std::string_view field) const { return overrides_.facts.contains(field); }
  /// How to name a fact in an issue: by its field when it was overridden, else by the path of where the file states it.
  std::string where(std::string_view field) const;

  // What people cannot change.

  std::int64_t number(NameList names, Range range, std::optional<std::int64_t> standard = {});
  double real(NameList names, Range range, double standard);
  bool says(Names names, bool standard);
  bool says(NameList names, bool standard) { return says(Names{names.begin(), names.size()}, standard); }
  std::string text(NameList names, std::string_view standard);
  /// A list of whole numbers (also true and false); nothing when absent.
  std::optional<std::vector<std::int64_t>> numbers(NameList names, Range range);
  /// A list of names; nothing when absent.
  std::optional<std::vector<std::string>> words(NameList names);

  /// The value, or null when absent or null in the file.
  const Json* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The file says null, which classes that have a default understand as "none".
  bool says_null(const char* name) const;
  /// The first of the names that is there; `found` becomes it.
  const Json* find_any(Names names, std::string_view& found) const;

  /// A reader of a nested object for what people cannot change; nothing when there is none.
  std::optional<ConfigReader> inside(const char* name) const;

  /// A reader of `object`, which stands at `name` in this one.
  ConfigReader at(const Json& object, std::string_view name) const { return {object, path_of(name), overrides_, imported_}; }

  /// A reader of the whole file.
  ConfigReader outermost(const Json& file) const { return {file, "", overrides_, imported_}; }

  std::string path_of(std::string_view name) const;
  [[gnu::cold]] void report(Severity severity, std::string_view name, std::string message, std::string remedy);
  /// An error at a whole path or fact, as where() gives it.
  [[gnu::cold]] void report_at(std::string path, std::string message, std::string remedy);
  [[gnu::cold]] void note(std::string_view name, std::string message, std::string remedy) { report(Severity::note, name, std::move(message), std::move(remedy)); }
  bool failed() const { return has_errors(imported_.issues); }
  bool nested() const { return !path_.empty(); }
  const ImportedModel& imported() const { return imported_; }

private:
  std::optional<std::int64_t> whole(std::string_view name, const Json& value, Range range, const std::string& range_text);
  std::int64_t use(std::string_view field, std::int64_t value);

  const Json& object_;
  std::string path_;
  const Overrides& overrides_;
  ImportedModel& imported_;
  std::map<std::string, std::string, std::less<>> sources_; ///< for each fact, the path that the file states it at
};

/// List entries by layer. What-if runs may have more layers than the file lists: the list then starts again.
template <class T> const T& by_layer(const std::vector<T>& list, std::size_t layer) { return list[layer % list.size()]; }

} // namespace plimsoll::io
