// From words to a request.
#include "files/commands/connectors.hpp"
#include "files/commands/dotted.hpp"
#include "files/commands/request_builder.hpp"
#include "files/commands/read.hpp"
#include "files/commands/sizes.hpp"
#include "files/commands/values.hpp"
#include "files/scripts/marks.hpp"
#include "files/training/document.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace commands;

/// An option is no negative number.
bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.'; }

class Reader {
public:
  Reader(std::vector<Word> words, Start start, RequestBuilder& into) : words_(std::move(words)), engine_(*start.engine), first_(start.first), draft_(into), line_(into.line) {}

  void run() {
    line_.ok = true;
    line_.engine = engine_.name;
    draft_.set("task", "inference");
    draft_.set("profile", engine_.id);
    read_variables();
    for (at_ = first_; at_ < words_.size() && !words_[at_].ends_command; ++at_) read_word();
  }

private:
  /// What stays as it was typed and is not in the estimate.
  void leave(std::string typed, std::string message, std::string remedy) {
    typed = scripts::shown(typed), message = scripts::shown(message);
    const std::string name = typed.substr(0, typed.find_first_of(" ="));
    line_.unread.push_back(std::move(typed));
    draft_.say(Severity::warning, name, std::move(message), std::move(remedy));
  }

  void read_variables() {
    for (std::size_t i = 0; i < first_; ++i) {
      const std::string& word = words_[i].text;
      const std::string name = word.substr(0, word.find('='));
      const Option* option = find_variable(engine_, name);
      if (option != nullptr && name.size() < word.size()) read_text(*option, name, word.substr(name.size() + 1), word);
    }
  }

  void read_word() {
    const std::string word = words_[at_].text;
    if (!is_option(word)) return is_open(word) ? read_open(word) : read_positional(word);
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* const option = find_option(engine_, word);
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
    if (word == "api_server" || word == "serve" || word == "..." || word == "…") return void(++line_.harmless); // a manual's "and so on"
    if (!engine_.positional_model || draft_.model) return ++line_.harmless, line_.behind.push_back(word);
    if (scripts::has_mark(word) && !scripts::ends_known(word)) return miss_model(word, "the model");
    draft_.model = scripts::shown(word);
    ++line_.read;
  }

  void read_unknown(const std::string& word) {
    std::string typed = scripts::shown(word);
    if (word.find('=') == std::string::npos && has_next() && !is_option(words_[at_ + 1].text)) typed += " " + quoted_word(scripts::shown(words_[++at_].text));
    leave(typed, quoted(std::string_view{typed}) + " is not an option that is known of " + std::string{engine_.name} + ".",
          "Leave it out where it has no effect on memory; otherwise take what it needs off usable_bytes.");
  }

  void read_negated(const Option& option, const std::string& name) {
    if (option.reading == Reading::switched_on) return draft_.set(option.field, is_choice(option.field) ? "off" : "false"), void(++line_.read);
    if (option.reading == Reading::switched_off) return draft_.set(option.field, "on"), void(++line_.read);
    if (option.reading != Reading::happens) return void(++line_.harmless); // what matters is left out
    leave(name, name + " changes what the engine does by itself, which the estimate does not follow.", "Take what it needs off usable_bytes.");
  }

  static bool is_choice(std::string_view field) { return find_field(field) != nullptr && find_field(field)->kind == FieldKind::choice; }

  void refuse(const std::string& name, const std::string& typed, std::string_view wanted) {
    leave(typed, quoted(std::string_view{typed}) + " is not " + std::string{wanted} + ".", "Write " + name + " with " + std::string{wanted} + ".");
  }

  /// A word that is nothing but variables which nobody sets: the model where one may stand, else options that may be missing.
  static bool is_open(const std::string& word) { return scripts::has_mark(word) && (word.find_first_of("/.:") == std::string::npos || scripts::without_unset(word).empty()); }

  void read_open(const std::string& word) {
    if (engine_.positional_model && !draft_.model && !draft_.asks_model) return miss_model(word, "the model");
    if (scripts::has_unknown(word)) return miss(word, "");
    line_.empty_variables.push_back(scripts::shown(word)); // empty to the shell
  }

  void miss(const std::string& text, const std::string& option) {
    for (std::string& name : scripts::marked_names(text)) line_.missing.push_back({std::move(name), option});
  }

  void miss_model(const std::string& text, const std::string& option) {
    draft_.asks_model = true;
    miss(text, option);
  }

  /// Whether the option's value becomes an input: one that is left out of the estimate anyway is not asked for.
  static bool is_input(Reading reading) { return reading != Reading::harmless && reading != Reading::happens && reading != Reading::visible && reading != Reading::memory && reading != Reading::memory_above_one; }

  void read_text(const Option& option, const std::string& name, const std::string& text, const std::string& typed) {
    if (scripts::has_mark(text) && is_input(option.reading)) {
      const bool model = option.reading == Reading::model || option.reading == Reading::repository;
      if (!model) return miss(text, name);
      if (!scripts::ends_known(text)) return miss_model(text, name);
    }
    switch (option.reading) {
      case Reading::harmless: return void(++line_.harmless);
      case Reading::happens: return void(++line_.read);
      case Reading::memory: return read_memory(option, name, typed);
      case Reading::memory_above_one: {
        const auto number = whole_of(text);
        return number && *number <= 1 ? void(++line_.read) : read_memory(option, name, typed);
      }
      case Reading::whole:
      case Reading::tensor_group: return read_whole(option, name, text, typed);
      case Reading::whole_experts: draft_.whole_experts = true; return void(++line_.read);
      case Reading::split: return read_split(name, text, typed);
      case Reading::split_mode: return draft_.whole_on_one = text == "none", draft_.whole_on_one || text == "layer" ? void(++line_.read) : read_memory(option, name, typed);
      case Reading::visible: draft_.visible = scripts::has_mark(text) ? 0 : std::ssize(configs::split_list(text)); return void(++line_.read);
      case Reading::apart: return link_of(text) ? taken(option.field, *link_of(text)) : void(++line_.harmless);
      case Reading::longest: return read_longest(name, text, typed);
      case Reading::algorithm: return read_algorithm(name, text, typed);
      case Reading::fork: draft_.fork = true; return void(++line_.harmless);
      case Reading::places: return read_places(name, text);
      case Reading::experts_on_host: return taken("host_expert_layers", std::to_string(Serving::kAllLayers));
      case Reading::bytes:
      case Reading::gibibytes:
      case Reading::rank_gigabytes: return read_bytes(option, name, text, typed);
      case Reading::role: return read_role(option, name, text, typed);
      case Reading::transfer: return read_transfer(name, text, typed);
      case Reading::lmcache: return read_lmcache(option.field, text, draft_) ? void(++line_.read) : refuse(name, typed, "a number of gigabytes");
      case Reading::exchange: return read_exchange(text);
      case Reading::exchange_mode: draft_.exchange_mode = text; return void(++line_.read);
      case Reading::balancing: return read_balancing(name, text, typed);
      case Reading::latent:
      case Reading::latent_buffer: return read_latent(option, name, text, typed);
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
        if (*number > 0) (option.reading == Reading::cells ? draft_.cells : draft_.slots) = *number;
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
        draft_.dtype = *dtype;
        return void(++line_.read);
      }
      case Reading::quantization: return read_quantization(name, text, typed);
      case Reading::draft_model:
        if (text.empty()) return refuse(name, typed, "a model");
        draft_.draft_model = text;
        return void(++line_.read);
      case Reading::speculation: return read_speculation(name, text, typed);
      case Reading::media: return read_media(name, text, typed);
      case Reading::enables: {
        const std::size_t equals = option.field.find('=');
        if (line_.request.find(option.field.substr(0, equals)) == nullptr) draft_.set(option.field.substr(0, equals), option.field.substr(equals + 1));
        return draft_.adapters = true, void(++line_.read);
      }
      case Reading::model:
      case Reading::repository:
        if (text.empty()) return refuse(name, typed, "a model");
        if (engine_.one_after_another && draft_.model && *draft_.model != scripts::shown(text))
          return draft_.say(Severity::error, name, "The line runs several models one after the other.", "Give it with one of them.");
        draft_.model = scripts::shown(text);
        draft_.from_repository = option.reading == Reading::repository;
        return void(++line_.read);
      case Reading::switched_off: {
        const Truth truth = truth_of(text).value_or(Truth{true, true});
        return taken(option.field, truth.on ? "off" : "on");
      }
      case Reading::switched_on: {
        const Truth truth = truth_of(text).value_or(Truth{true, true});
        if (!truth.stated) return void(++line_.read);
        return taken(option.field, is_choice(option.field) ? (truth.on ? "on" : "off") : (truth.on ? "true" : "false"));
      }
    }
  }

  void taken(std::string_view field, std::string_view text) {
    draft_.set(field, text);
    ++line_.read;
  }

  static constexpr std::int64_t kMegabyte = 1'048'576, kMostMegabytes = 1'000'000;

  void read_latent(const Option& option, const std::string& name, const std::string& text, const std::string& typed) {
    const bool mode = option.reading == Reading::latent;
    const auto number = whole_of(text);
    if (!number || *number > (mode ? 3 : kMostMegabytes)) return refuse(name, typed, mode ? "a number from 0 to 3" : "a number of megabytes");
    draft_.fork = true;
    if (mode) draft_.latent = *number, ++line_.read;
    else taken(option.field, std::to_string(*number * kMegabyte));
  }

  void read_longest(const std::string& name, const std::string& text, const std::string& typed) {
    const auto cells = longest_test(text, name == "-pg" || name == "-gp");
    if (!cells) return refuse(name, typed, "numbers separated by commas");
    draft_.cells = std::max(draft_.cells, *cells);
    ++line_.read;
  }

  void read_places(const std::string& name, std::string_view text) {
    const auto places = places_of(text);
    if (!places) return draft_.say(Severity::error, name, quoted(text) + " is no list of patterns with = and a device behind each.", "Write it like exps=CPU.");
    for (const auto& [pattern, device] : *places) draft_.places.push_back({name, pattern, device});
    ++line_.read;
  }

  void read_bytes(const Option& option, const std::string& name, const std::string& text, const std::string& typed) {
    const std::optional<std::int64_t> bytes = stated_bytes(option, text);
    if (!bytes) return refuse(name, typed, option.reading == Reading::bytes ? "a number of bytes" : "a number of gigabytes");
    if (option.reading == Reading::rank_gigabytes) return draft_.cache_of_rank = *bytes, void(++line_.read);
    taken(option.field, std::to_string(*bytes));
  }

  void read_role(const Option& option, const std::string& name, const std::string& given, const std::string& typed) {
    if (option.takes == Takes::none) return taken(option.field, name.find("prefill") != std::string::npos ? "prefill" : "decode");
    const std::string text = lower_case(given);
    if (text == "null" || text == "agg" || text == "hybrid") return void(++line_.read);
    if (text != "prefill" && text != "decode") return refuse(name, typed, "prefill, decode or null");
    taken(option.field, text);
  }

  void read_transfer(const std::string& name, const std::string& text, const std::string& typed) {
    const ParsedJson parsed = parse_json(text);
    if (!parsed.ok || !parsed.value.is_object()) return refuse(name, typed, "a JSON object");
    if (!read_connector(parsed.value, draft_)) return leave(typed, name + " names a connector whose buffers are not in the estimate.", "Take what they need off usable_bytes.");
    ++line_.read;
  }

  /// vllm/config/parallel.py, All2AllBackend; sgl-project/sglang, python/sglang/srt/server_args.py, moe_a2a_backend.
  void read_exchange(const std::string& text) {
    if (text == "deepep_high_throughput") return taken("expert_exchange", "deepep_normal");
    if (text == "deepep" || text == "deepep_low_latency") return taken("expert_exchange", text);
    ++line_.harmless;
  }

  void read_balancing(const std::string& name, const std::string& text, const std::string& typed) {
    const ParsedJson parsed = parse_json(text);
    if (!parsed.ok || !parsed.value.is_object()) return refuse(name, typed, "a JSON object");
    if (const auto copies = parsed.value.find("num_redundant_experts"); copies != parsed.value.end() && copies->is_number_unsigned()) draft_.set("redundant_experts", dump(*copies));
    ++line_.read;
  }

  void read_memory(const Option& option, const std::string& name, const std::string& typed) {
    leave(typed, name + " is not in the estimate: " + std::string{option.field} + ".", "Take what it needs off usable_bytes, or add what it saves.");
  }

  /// NEXTN drafts with the model's own prediction layers, and so does EAGLE where the model has them and no draft is named: sgl-project/sglang, python/sglang/srt/server_args.py.
  void read_algorithm(const std::string& name, const std::string& text, const std::string& typed) {
    if (text == "EAGLE3" || text == "eagle3" || text == "eagle") return taken("drafter", lower_case(text)); // LMDeploy writes them small
    if (text == "NGRAM") return taken("drafter", "ngram");
    if (text == "STANDALONE") return void(++line_.read); // the draft model is named apart
    if (text != "NEXTN" && text != "EAGLE" && !text.ends_with("_mtp")) return leave(typed, name + " is not in the estimate: a draft model with its cache.", "Take what it needs off usable_bytes.");
    draft_.predicts = true;
    if (text == "EAGLE") draft_.otherwise = "eagle";
    ++line_.read;
  }

  /// GPUs get layers one after the other, in proportion to the numbers: ggml-org/llama.cpp, src/llama-model.cpp.
  void read_split(const std::string& name, const std::string& text, const std::string& typed) {
    const std::vector<std::int64_t> parts = split_of(text);
    if (parts.empty()) return refuse(name, typed, "numbers separated by commas");
    taken("pipeline_parallel", std::to_string(parts.size()));
    if (std::ranges::any_of(parts, [&](std::int64_t part) { return part != parts.front(); })) draft_.set("tensor_split", text_of(parts));
  }

  /// vllm/config/speculative.py, SpeculativeConfig: a method without a model of its own has weights that no catalogue row tells.
  void read_speculation(const std::string& name, const std::string& text, const std::string& typed) {
    const ParsedJson parsed = parse_json(text);
    if (!parsed.ok || !parsed.value.is_object()) return refuse(name, typed, "a JSON object");
    const auto tokens = parsed.value.find("num_speculative_tokens"), model = parsed.value.find("model"), method = parsed.value.find("method");
    if (tokens != parsed.value.end() && tokens->is_number_unsigned()) draft_.set("draft_tokens", dump(*tokens));
    const bool by_model = model != parsed.value.end() && model->is_string() && (method == parsed.value.end() || *method == "draft_model");
    constexpr std::array<std::string_view, 4> kDrafters{"ngram", "eagle", "eagle3", "medusa"};
    const std::string named = method != parsed.value.end() && method->is_string() ? method->get<std::string>() : "";
    if (std::ranges::find(kDrafters, named) != kDrafters.end()) return taken("drafter", named);
    if (model == parsed.value.end() && named.ends_with("mtp")) draft_.predicts = true;
    else if (by_model) draft_.draft_model = model->get<std::string>();
    else return leave(typed, name + " names a method whose weights are not in the estimate.", "Take what they need off usable_bytes.");
    ++line_.read;
  }

  /// The most that a request may have is taken as what it has: the engine makes room for that.
  void read_media(const std::string& name, const std::string& text, const std::string& typed) {
    const auto limits = media_limits(text);
    if (!limits) return refuse(name, typed, "a JSON object of numbers, or pairs such as image=2");
    for (const auto& [kind, most] : *limits) {
      if (kind == "image" && most > 0) draft_.set("images", std::to_string(most));
      else if (most > 0) leave(typed, name + " allows for " + kind + ", whose length it does not say.", "State video_frames or audio_seconds.");
    }
    ++line_.read;
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
    if (text == "auto") draft_.say(Severity::note, "gpu_layers", "The engine puts as many layers on the GPU as fit; the estimate is for all.", "Write the number that its log shows.");
  }

  void read_quantization(const std::string& name, const std::string& text, const std::string& typed) {
    const auto method = quantization_of(text);
    if (method && method->weights.empty()) return void(++line_.read); // the checkpoint says
    if (!method) return leave(typed, name + " " + quoted(std::string_view{text}) + " is no format of weights that is known.", "Choose one as weight_dtype.");
    draft_.weights = method->weights;
    ++line_.read;
    draft_.method = method->assumed ? text : std::string{};
  }

  std::vector<Word> words_;
  const Engine& engine_;
  std::size_t first_;
  std::size_t at_ = 0;
  RequestBuilder& draft_;
  CommandLine& line_;
};

} // namespace

namespace commands {

CommandLine read_engine(const Catalog& catalog, const Engine& engine, const std::vector<std::string>& words, std::size_t first, const std::vector<scripts::Setting>& environment) {
  CommandLine line;
  RequestBuilder draft{engine, line};
  std::vector<Word> all;
  for (const auto& [name, text] : environment) all.push_back({name + "=" + text, false});
  const std::size_t before = all.size();
  for (const std::string& word : words) all.push_back({word, false});
  Reader{join_members(engine.options, all), {&engine, before + first}, draft}.run();
  settle(catalog, draft);
  return line;
}

} // namespace commands

} // namespace plimsoll::io
