#pragma once
// Texts that start programs, whichever they are, as one question: scripts and command lines, configurations of training, what describes containers,
// logs. Several texts that belong together are read together: a training configuration with the file of its launcher, a command line with the
// config.json of its model. What they leave open is asked back (questions.hpp), and answers to that are taken here.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/questions.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io {

struct ImportText {
  std::string_view text;
  std::string_view name{}; ///< of its file; tells which text another one refers to
};

/// What people know and files leave open.
struct ImportAnswers {
  std::int64_t gpus = 0;      ///< in all; 0 = not told
  std::string device{};       ///< an id of the catalogue; "" = not told
  std::string vocab{};        ///< the tokenizer's vocabulary, as a number or by the tokenizer's name: "gpt2", "llama3"
  std::int64_t context = 0;   ///< tokens of a sequence; 0 = not told
  std::size_t command = 0;    ///< which of several commands, from 1 on; 0 = not told
  std::vector<std::pair<std::string, std::string>> variables{}; ///< of the shell, by name
  Request model{};            ///< what tells the model, of a config.json or of headers of weights that were given beside; without entries = not told
};

/// A command of a script that a question could be about.
struct StartedCommand {
  std::size_t line = 1;
  std::string program; ///< as people write it
  std::string purpose; ///< "serving", "training", "evaluation", "generation", "conversion"
  std::string text;    ///< without what starts it; variables that nobody sets as $NAME
};

/// What a log says was measured, by the names of docs/evidence.md.
struct MeasuredFigure {
  std::string counter, value, unit; ///< the value as a decimal number
  std::optional<std::int64_t> rank{}, step{};
};

struct ImportedText {
  bool ok = false;           ///< something was recognised and has no error: what follows holds
  std::string_view kind = "unknown"; ///< "command_line", "training_config", "log", "question": a line of people's own
  std::string name;          ///< of the program, as people write it
  std::string format, source; ///< of a training configuration: its id, and where its keys are documented
  Request request;
  std::int64_t read = 0, harmless = 0;
  std::vector<std::string> unread, assumed;
  Issues issues;
  std::vector<OpenQuestion> questions;
  std::vector<StartedCommand> commands; ///< where a script has more than one
  std::vector<MeasuredFigure> measured;
};

/// Whether a text may be one of these: no binary file and no web page. Any bytes are fine.
bool may_be_importable(std::string_view text);

/// Reads the texts as one question. Never throws on any text.
ImportedText import_texts(const Catalog& catalog, std::span<const ImportText> texts, const ImportAnswers& answers = {});
/// The same with a catalogue that is loaded when it is needed.
ImportedText import_texts(std::span<const ImportText> texts, const ImportAnswers& answers = {});

/// Reads files as one question: at most one of them tells the model (a config.json, or weights, of which there may be several), the others are texts. Kind "unknown" without an issue
/// where they are a model alone, which read_model_file() and import_json() read.
const Catalog& own_catalog(); ///< what functions without one read: loaded when the first of them is called
ImportedText import_files(const Catalog& catalog, std::span<const ImportFile> files, const ImportAnswers& answers = {});
/// The same with a catalogue that is loaded when it is needed.
ImportedText import_files(std::span<const ImportFile> files, const ImportAnswers& answers = {});

/// Answers as JSON: {"gpus", "device", "vocab", "context_tokens", "command", "set": {NAME: value}}, all optional; other keys get an issue.
ImportAnswers import_answers_from_json(std::string_view text, Issues& issues);

/// What import_json() says of one file and imported_text_json() of several; `answers` as import_answers_from_json() takes them.
std::string import_files_json(std::span<const ImportFile> files, std::string_view answers);

/// {"ok", "kind", "engine" or "format", "name" and "source", "issues", "fields", "parameters": null, "query", "questions", "read", "harmless", "unread",
/// "assumed", "commands", "measured"}.
std::string imported_text_json(const ImportedText& imported);

} // namespace plimsoll::io
