#pragma once
// The command lines that start inference engines: what people have becomes a request, and a scenario becomes a command line.
// vLLM, SGLang, llama.cpp, TensorRT-LLM, LMDeploy and Ollama.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// What is read of one text; what follows is refused with an issue.
inline constexpr std::size_t kMostCommandBytes = 64 << 10;

/// A variable that nobody sets, and the option whose value it is.
struct MissingValue {
  std::string variable, option;
  bool operator==(const MissingValue&) const = default;
};

struct CommandLine {
  bool ok = false;        ///< an engine was recognised: what follows holds
  std::string engine;     ///< as people write it, e.g. "vLLM"
  Request request;        ///< task, profile, model and what the options say
  std::int64_t read = 0;  ///< options that became inputs, or that say what happens anyway
  std::int64_t harmless = 0; ///< options without an effect on memory, such as a port
  std::vector<std::string> unread; ///< as typed: options that may matter and are not in the estimate; each has an issue
  std::vector<MissingValue> missing; ///< of options that may matter
  std::vector<std::string> behind; ///< words that belong to no option and are not the model
  std::vector<std::string> empty_variables; ///< "$NAME" in place of options that a variable may hold; nobody sets it, and it is taken as empty
  Issues issues;
};

/// Whether some word of the text starts an engine that is known. Any bytes are fine.
bool is_command_line(std::string_view text);

/// Reads text as a shell would split it: quotes, backslashes at the ends of lines, comments, VARIABLE=value in front. It may be within
/// a longer line, such as `docker run … vllm/vllm-openai --model …`. Never throws on any text. Models are looked up by their Hugging Face
/// id, by the name of a file, or by the rest of a name without "-Instruct" and the like, which gets a note.
CommandLine read_command_line(const Catalog& catalog, std::string_view text);

/// The same with a catalogue that is loaded when the first command line is read: for readers of files of any kind.
CommandLine read_command_line(std::string_view text);

/// {"ok", "kind": "command_line", "engine", "issues", "fields", "parameters": null, "query", "questions", "read", "harmless",
/// "unread"}.
std::string command_line_json(const CommandLine& line);

/// The engines that export_command_line() writes for: "vllm", "sglang", "llama_cpp", "tensorrt_llm".
std::vector<std::string_view> exportable_engines();

struct ExportedCommand {
  bool ok = false;
  bool binary = false; ///< the text is a file of bytes, which no JSON can hold
  std::string text; ///< comments with what the command line cannot say, then the command line; reading it gives what it can say
  Issues issues;
};
/// `answer` must be ok and about inference; anything else is an issue, as is an engine that is not known.
ExportedCommand export_command_line(const Catalog& catalog, const Answer& answer, std::string_view engine);

/// {"ok", "issues", "text"}.
std::string export_json(const ExportedCommand& exported);

} // namespace plimsoll::io
