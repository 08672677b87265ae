#pragma once
// What is known of a format of configuration files: how it is told from others, read and written, and what its other keys do.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

enum class Syntax : unsigned char { json, yaml, toml, arguments, overrides };

/// How much keys matter that no input stands for.
enum class Weight : unsigned char {
  shifts, ///< an estimate without them is off by what they do, which is said
  decides ///< an estimate without them is one of something else: there is none
};

/// Keys that may matter for memory and that no input stands for.
struct Effect {
  std::string_view keys;   ///< names with spaces between them; "name*" stands for all that begin so, "name[].x" for x in every place of a list
  std::string_view effect; ///< what they do, as a sentence
  bool always = false;     ///< also where the value is false, 0 or empty, which otherwise says what happens anyway
  Weight weight = Weight::shifts;
};

/// A scenario on its way into a file.
struct Source {
  const Catalog& catalog;
  const Answer& answer;

  const Inputs& inputs() const { return answer.inputs; }
  const Strategy& strategy() const { return answer.inputs.strategy; }
  const Tuning& tuning() const { return answer.inputs.tuning; }
  const Workload& workload() const { return answer.inputs.workload; }
  const Implementation& implementation() const { return answer.inputs.implementation; }
  bool is_adapter() const { return freezes(workload().task, tuning()); }
  /// As people and URLs write it; "" where there is no such field.
  std::string text(std::string_view field) const;
};

/// How a training program takes what it is told.
enum class Reads : unsigned char {
  arguments, ///< --name value
  overrides, ///< name=value
  file,      ///< a configuration file, and arguments that change it
};

/// A program that trains from such a configuration, by what is typed to start it.
struct Command {
  std::string_view program;       ///< its name, or the end of its path or module
  std::string_view then{};        ///< the word behind it; "" for any
  Reads reads = Reads::arguments;
  std::string_view file_option{}; ///< names the configuration file; "" = a word without an option
  std::string_view method{};      ///< "sft", "dpo"; "" where the command does not say
  bool takes_method = false;      ///< another word may stand before the arguments
  std::string_view name{};        ///< as people write it, where it is not the format's
  std::string_view usual_file{};  ///< a configuration file of that name says what the program takes by itself: it need not be given
};

struct Format {
  std::string_view id;     ///< of exports
  std::string_view name;   ///< as people write it
  std::string_view source; ///< repository and path that documents the keys
  Syntax syntax;           ///< it is written in; JSON and YAML are read for each other
  bool (*recognises)(const Document&);
  void (*read)(Document&, RequestBuilder&);
  void (*write)(const Source&, Json&); ///< null where such files are read only
  std::string_view harmless;         ///< names with spaces between them, as in Effect
  std::span<const Effect> effects{};
  std::string_view shared_harmless{}; ///< of the library that the program hands its keys to
  std::span<const Effect> shared_effects{};
  std::span<const Command> commands{};
};

#define PLIMSOLL_FORMAT(name) const Format& name() noexcept;
#include "files/training/formats.inc"
#undef PLIMSOLL_FORMAT

/// All of them, those with the surest signs first.
std::span<const Format* const> formats() noexcept;

/// A text as a tree, and the format that it has.
struct Recognised {
  const Format* format = nullptr; ///< null where it is none
  Json tree;
  std::vector<std::string> duplicates; ///< keys that stand twice
  std::string error, remedy;           ///< why a text that begins like such a file is no tree
};
Recognised recognise(std::string_view text);
/// Whether something fills in the text before a program reads it, as Helm does with charts.
bool is_template(std::string_view text);

/// Whether one of the names in `keys` is the path: of those without '*' and "[]", or of all.
enum class Names : unsigned char { exact, any };
bool names(std::string_view keys, std::string_view path, Names which = Names::any);

} // namespace plimsoll::io::configs
