// From words to a request.
#include "io/commands/engine.hpp"
#include "io/commands/models.hpp"
#include "io/commands/values.hpp"
#include "io/commands/words.hpp"
#include "io/json.hpp"
#include "plimsoll/io/command_line.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace commands;

std::string_view base_name(std::string_view word) { return word.substr(std::min(word.find_last_of("/\\") + 1, word.size())); }

struct Start {
  const Engine* engine = nullptr;
  std::size_t first = 0; ///< the first word behind
};

bool is_at(const Marker& marker, const std::vector<Word>& words, std::size_t i) {
  const std::string& word = words[i].text;
  if (marker.within) return word.find(marker.program) != std::string::npos;
  if (base_name(word) != marker.program) return false;
  return marker.then.empty() || (i + 1 < words.size() && words[i + 1].text == marker.then);
}

Start start_of(const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const Engine* engine : engines())
      for (const Marker& marker : engine->markers)
        if (is_at(marker, words, i)) return {engine, i + (marker.then.empty() ? 1u : 2u)};
  return {};
}

/// An option is no negative number.
bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.'; }

class Reader {
public:
  Reader(const Catalog& catalog, std::vector<Word> words, Start start, CommandLine& into)
      : catalog_(catalog), words_(std::move(words)), engine_(*start.engine), first_(start.first), line_(into) {}

  void run() {
    line_.ok = true;
    line_.engine = engine_.name;
    set("task", "inference");
    set("profile", engine_.id);
    read_variables();
    for (at_ = first_; at_ < words_.size() && !words_[at_].ends_command; ++at_) read_word();
    settle_model();
    settle_cells();
    settle_cache();
  }

private:
  void set(std::string_view field, std::string_view text) { line_.request.set(field, text); }

  void say(Severity severity, std::string_view field, std::string message, std::string remedy) {
    line_.issues.push_back({severity, std::string{field}, std::move(message), std::move(remedy)});
  }

  /// What stays as it was typed and is not in the estimate.
  void leave(std::string typed, std::string message, std::string remedy) {
    const std::string name = typed.substr(0, typed.find_first_of(" ="));
    line_.unread.push_back(std::move(typed));
    say(Severity::warning, name, std::move(message), std::move(remedy));
  }

  void read_variables() {
    for (std::size_t i = 0; i < first_; ++i) {
      const std::string& word = words_[i].text;
      const std::size_t equals = word.find('=');
      const Option* option = equals == std::string::npos ? nullptr : find_option(engine_.variables, word.substr(0, equals));
      if (option != nullptr) read_text(*option, word.substr(0, equals), word.substr(equals + 1), word);
    }
  }

  void read_word() {
    const std::string word = words_[at_].text;
    if (!is_option(word)) return read_positional(word);
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* const option = find_option(engine_.options, word);
    if (option == nullptr) return read_unknown(word);
    std::string text = equals == std::string::npos ? "" : word.substr(equals + 1), typed = word;
    const bool negated = (name.starts_with("--no-") || name.starts_with("--no_")) && !is_written_so(*option, name);
    if (equals == std::string::npos && !negated) take_values(*option, text, typed);
    if (negated) read_negated(*option, name);
    else read_text(*option, name, text, typed);
  }

  static bool is_written_so(const Option& option, std::string_view name) { return (" " + std::string{option.names}).find(" " + std::string{name}) != std::string::npos; }

  bool has_next() const { return at_ + 1 < words_.size() && !words_[at_ + 1].ends_command; }

  void take_values(const Option& option, std::string& text, std::string& typed) {
    const auto take = [&] {
      text += (text.empty() ? "" : " ") + words_[++at_].text;
      typed += " " + quoted_word(words_[at_].text);
    };
    switch (option.takes) {
      case Takes::none: return;
      case Takes::one: return has_next() && !is_option(words_[at_ + 1].text) ? take() : void();
      case Takes::truth: return has_next() && truth_of(words_[at_ + 1].text) ? take() : void();
      case Takes::many:
        while (has_next() && !is_option(words_[at_ + 1].text)) take();
        return;
    }
  }

  void read_positional(const std::string& word) {
    if (!engine_.positional_model || model_ || word == "api_server" || word == "serve") return void(++line_.harmless);
    model_ = word;
    ++line_.read;
  }

  void read_unknown(const std::string& word) {
    std::string typed = word;
    if (word.find('=') == std::string::npos && has_next() && !is_option(words_[at_ + 1].text)) typed += " " + quoted_word(words_[++at_].text);
    leave(typed, quoted(std::string_view{typed}) + " is not an option that is known of " + std::string{engine_.name} + ".",
          "Leave it out where it has no effect on memory; otherwise take what it needs off usable_bytes.");
  }

  void read_negated(const Option& option, const std::string& name) {
    if (option.reading == Reading::switched_on) return set(option.field, is_choice(option.field) ? "off" : "false"), void(++line_.read);
    if (option.reading != Reading::happens) return void(++line_.harmless); // what matters is left out
    leave(name, name + " changes what the engine does by itself, which the estimate does not follow.", "Take what it needs off usable_bytes.");
  }

  static bool is_choice(std::string_view field) { return find_field(field) != nullptr && find_field(field)->kind == FieldKind::choice; }

  void refuse(const std::string& name, const std::string& typed, std::string_view wanted) {
    leave(typed, quoted(std::string_view{typed}) + " is not " + std::string{wanted} + ".", "Write " + name + " with " + std::string{wanted} + ".");
  }

  void read_text(const Option& option, const std::string& name, const std::string& text, const std::string& typed) {
    switch (option.reading) {
      case Reading::harmless: return void(++line_.harmless);
      case Reading::happens: return void(++line_.read);
      case Reading::memory: return read_memory(option, name, typed);
      case Reading::memory_above_one: {
        const auto number = whole_of(text);
        return number && *number <= 1 ? void(++line_.read) : read_memory(option, name, typed);
      }
      case Reading::whole: return read_whole(option, name, text, typed);
      case Reading::share: {
        const auto share = thousandths_of_share(text);
        if (!share || *share == 0) return refuse(name, typed, "a fraction above 0 and at most 1");
        return taken(option.field, std::to_string(*share));
      }
      case Reading::layers: return read_layers(name, text, typed);
      case Reading::cells:
      case Reading::slots: {
        const auto number = whole_of(text);
        if (!number) return text == "-1" ? void(++line_.read) : refuse(name, typed, "a whole number");
        if (*number > 0) (option.reading == Reading::cells ? cells_ : slots_) = *number;
        return void(++line_.read);
      }
      case Reading::cache_dtype: {
        const auto dtype = cache_dtype_of(text);
        if (!dtype) return refuse(name, typed, "a cache format that is known");
        return dtype->empty() ? void(++line_.read) : taken(option.field, *dtype);
      }
      case Reading::dtype: {
        const auto dtype = dtype_of(text);
        if (!dtype) return refuse(name, typed, "a number format that is known");
        dtype_ = *dtype;
        return void(++line_.read);
      }
      case Reading::quantization: return read_quantization(name, text, typed);
      case Reading::model:
      case Reading::repository:
        if (text.empty()) return refuse(name, typed, "a model");
        model_ = text;
        from_repository_ = option.reading == Reading::repository;
        return void(++line_.read);
      case Reading::switched_on: {
        const Truth truth = truth_of(text).value_or(Truth{true, true});
        if (!truth.stated) return void(++line_.read);
        return taken(option.field, is_choice(option.field) ? (truth.on ? "on" : "off") : (truth.on ? "true" : "false"));
      }
    }
  }

  void taken(std::string_view field, std::string_view text) {
    set(field, text);
    ++line_.read;
  }

  void read_memory(const Option& option, const std::string& name, const std::string& typed) {
    leave(typed, name + " is not in the estimate: " + std::string{option.field} + ".", "Take what it needs off usable_bytes, or add what it saves.");
  }

  void read_whole(const Option& option, const std::string& name, const std::string& text, const std::string& typed) {
    if (text == "auto" || text == "-1") return void(++line_.read); // the engine decides
    const auto number = whole_of(text);
    if (!number) return refuse(name, typed, "a whole number");
    if (option.field == "context_tokens" && *number == 0) return void(++line_.read); // the model's own
    taken(option.field, std::to_string(*number));
  }

  void read_layers(const std::string& name, const std::string& text, const std::string& typed) {
    const auto number = whole_of(text);
    if (!number && text != "all" && text != "auto" && !text.starts_with("-")) return refuse(name, typed, "a number of layers");
    if (number) return taken("gpu_layers", std::to_string(*number));
    ++line_.read;
    if (text == "auto") say(Severity::note, "gpu_layers", "The engine puts as many layers on the GPU as fit; the estimate is for all.", "Write the number that its log shows.");
  }

  void read_quantization(const std::string& name, const std::string& text, const std::string& typed) {
    const auto method = quantization_of(text);
    if (method && method->weights.empty()) return void(++line_.read); // the checkpoint says
    if (!method) return leave(typed, name + " " + quoted(std::string_view{text}) + " is no format of weights that is known.", "Choose one as weight_dtype.");
    weights_ = method->weights;
    ++line_.read;
    if (method->assumed) assumed_weights(text);
  }

  void assumed_weights(std::string_view method) {
    say(Severity::note, "weight_dtype", quoted(method) + " leaves bits and groups to the checkpoint; " + weights_ + " is assumed.", "Choose another weight_dtype where it has others.");
  }

  /// The name that was typed stays in the request where the catalogue does not have it: resolving says so.
  void settle_model() {
    if (!model_) return say(Severity::warning, "model", "The command line names no model.", "Choose one as model.");
    const NamedModel named = model_named(catalog_, *model_);
    set("model", named.row != nullptr ? named.row->id : *model_);
    if (named.by_likeness)
      say(Severity::note, "model", quoted(std::string_view{*model_}) + " is taken to be built as " + named.row->name + ".", "Import its config.json where it is not.");
    if (weights_.empty() && !named.weights.empty()) {
      weights_ = named.weights;
      if (named.weights_assumed) assumed_weights(*model_);
    }
    const bool files = engine_.id == llama_cpp().id || engine_.id == ollama().id;
    if (weights_.empty() && files && (from_repository_ || engine_.id == ollama().id)) {
      weights_ = "q4_k_m"; // common/arg.cpp: "default to Q4_K_M"; ollama pulls the same
      say(Severity::note, "weight_dtype", "No quantisation is named; Q4_K_M, which is taken by itself, is assumed.", "Choose another weight_dtype.");
    }
    if (named.row == nullptr) return settle_weights(false, 0);
    const ImportedModel model = import_model(*named.row);
    settle_weights(!model.quantization_config.empty(), model.model ? model.model->max_context.value : 0);
  }

  /// `dtype` is what a quantised checkpoint computes in, and of others what they are stored in. Engines prepare for the model's longest
  /// context unless they are told otherwise; Ollama for 4096 tokens (envconfig/config.go).
  void settle_weights(bool quantised, std::int64_t longest) {
    if (weights_.empty() && !quantised) weights_ = dtype_;
    if (!weights_.empty()) set("weight_dtype", weights_);
    if (line_.request.find("context_tokens") != nullptr || cells_ > 0) return;
    const std::int64_t context = engine_.id == ollama().id ? 4096 : longest;
    if (context <= 0) return;
    set("context_tokens", std::to_string(context));
    say(Severity::note, "context_tokens", "No context is stated: " + std::to_string(context) + " tokens, as the engine takes by itself.", "Write the context that you need.");
  }

  /// llama.cpp's slots divide the cells, or share them: the memory is the same.
  void settle_cells() {
    if (slots_ > 1) set("batch", std::to_string(slots_));
    if (cells_ > 0) set("context_tokens", std::to_string(std::max<std::int64_t>(cells_ / std::max<std::int64_t>(slots_, 1), 1)));
    if (cells_ > 0 && slots_ > 1 && cells_ % slots_ != 0)
      say(Severity::note, "context_tokens", std::to_string(slots_) + " slots do not divide " + std::to_string(cells_) + " cells evenly.", "Write a context that they divide.");
  }

  /// llama.cpp keeps keys and values in f16, each unless it is told otherwise.
  void settle_cache() {
    if (engine_.id != llama_cpp().id) return;
    const bool keys = line_.request.find("kv_dtype") != nullptr, values = line_.request.find("value_dtype") != nullptr;
    if (keys && !values) set("value_dtype", "fp16");
    if (values && !keys) set("kv_dtype", "fp16");
  }

  const Catalog& catalog_;
  std::vector<Word> words_;
  const Engine& engine_;
  std::size_t first_;
  std::size_t at_ = 0;
  CommandLine& line_;
  std::optional<std::string> model_;
  bool from_repository_ = false;
  std::string weights_, dtype_;
  std::int64_t cells_ = 0, slots_ = 0;
};

} // namespace

bool is_command_line(std::string_view text) {
  if (text.size() > kMostCommandBytes || text.find('\0') != std::string_view::npos) return false;
  return start_of(split_words(text)).engine != nullptr;
}

CommandLine read_command_line(const Catalog& catalog, std::string_view text) {
  CommandLine line;
  const auto refuse = [&](std::string message, std::string remedy) {
    line.issues.push_back({Severity::error, "", std::move(message), std::move(remedy)});
    return line;
  };
  if (text.size() > kMostCommandBytes) return refuse("The command line is longer than 64 KiB.", "Give the line that starts the engine, and nothing else.");
  std::vector<Word> words = split_words(text);
  const Start start = start_of(words);
  if (start.engine == nullptr)
    return refuse("This is no command line that starts an engine which is known.",
                  "Give one that begins with vllm serve, python -m sglang.launch_server, llama-server, trtllm-serve, lmdeploy serve or ollama run.");
  Reader{catalog, std::move(words), start, line}.run();
  return line;
}

CommandLine read_command_line(std::string_view text) {
  static const Catalog kCatalog = Catalog::load();
  return read_command_line(kCatalog, text);
}

} // namespace plimsoll::io
