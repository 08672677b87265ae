#pragma once
// A command line while it is read.

#include "files/commands/engine.hpp"
#include "files/commands/words.hpp"
#include "plimsoll/files/command_line.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::commands {

struct Start {
  const Engine* engine = nullptr; ///< null where no engine is started
  std::size_t first = 0;          ///< the first word behind
};
/// Whether the words from that one on start an engine.
Start start_at(const std::vector<Word>& words, std::size_t i);

/// What options said, with what becomes inputs only together with others.
struct RequestBuilder {
  RequestBuilder(const Engine& of, CommandLine& into) : engine(of), line(into) {}

  void set(std::string_view field, std::string_view text) { line.request.set(field, text); }
  void say(Severity severity, std::string_view field, std::string message, std::string remedy) {
    line.issues.push_back({severity, std::string{field}, std::move(message), std::move(remedy)});
  }
  /// A method of quantisation whose bits and groups only the checkpoint knows.
  void assume_weights(std::string_view method);

  const Engine& engine;
  CommandLine& line;
  std::optional<std::string> model; ///< as typed
  bool asks_model = false;          ///< a variable that nobody sets stands in its place
  std::optional<std::string> draft_model; ///< as typed
  bool from_repository = false;     ///< of GGUF files
  std::string weights;              ///< a format; "" where none was stated
  std::string method;               ///< the one under which `weights` were stated, where it leaves bits and groups to the checkpoint
  std::string dtype;                ///< of weights that nobody quantised
  std::int64_t cells = 0, slots = 0; ///< 0 where none were stated
  std::int64_t visible = 0;         ///< GPUs that the process sees; 0 = nobody said
  bool whole_on_one = false;        ///< one GPU takes the model whole, however many there are
  bool fork = false;                ///< an option was there that only ik_llama.cpp has
  std::int64_t latent = -1;         ///< what its -mla says; -1 = nothing
  bool whole_experts = false;       ///< GPUs that share experts keep whole ones
  std::int64_t cache_of_rank = 0;   ///< bytes of the host's memory for caches of each GPU; 0 = none were stated
  struct LmCache {
    bool used = false, local_cpu = true;
    std::int64_t host = 5'368'709'120; ///< bytes of each GPU's part: 5 GB unless it is told otherwise (LMCache, docs/source/api_reference/configurations.rst)
    std::int64_t drives = 0;
  } lmcache;
  std::string exchange_mode;        ///< which of DeepEP's kernels; "" where nobody said
  struct Place {
    std::string name, pattern, device; ///< the option as typed, a regular expression of tensors' names, and where they are
  };
  std::vector<Place> places;        ///< in their order: the first that matches counts
  bool adapters = false;            ///< an option lets adapters in: sizes of theirs have no effect without it
  bool predicts = false;            ///< prediction layers of the model are to draft …
  std::string_view otherwise;       ///< … or this drafter, where it has none
};

/// Puts into the request where tensors are that options place one by one (llama.cpp's --override-tensor); an error where no input says it.
void settle_places(const Catalog& catalog, RequestBuilder& into);

/// Puts into the request what follows from all options together.
void settle(const Catalog& catalog, RequestBuilder& into);

} // namespace plimsoll::io::commands
