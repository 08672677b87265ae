// From a scenario to words.
#include "files/commands/engine.hpp"
#include "plimsoll/catalog/names.hpp"
#include "files/commands/sizes.hpp"
#include "files/commands/values.hpp"
#include "files/commands/words.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/sharding.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

using namespace commands;

class Writer {
public:
  Writer(const Catalog& catalog, const Answer& answer, const Engine& engine) : catalog_(catalog), answer_(answer), engine_(engine) {}

  std::string run() && {
    words_.emplace_back(engine_.command);
    write_model();
    for (const Option& option : engine_.options) write(option);
    write_method();
    note_what_is_left();
    std::string text = "# " + answer_.inputs.hardware.name + ", " + format_count(answer_.estimate.gpus) + (answer_.estimate.gpus == Count{1} ? " GPU\n" : " GPUs\n");
    for (const std::string& note : notes_) text += "# " + note + "\n";
    for (std::size_t i = 0; i < words_.size(); ++i) text += (i == 0 ? "" : " \\\n  ") + words_[i];
    return text + "\n";
  }

private:
  bool by_cells() const { return engine_.id == llama_cpp().id; }
  /// llama.cpp's fork has options and formats of its own.
  bool is_fork() const { return by_cells() && answer_.scenario.profile.id == "ik_llama_cpp"; }

  const FieldState* state(std::string_view field) const {
    const FieldState* const found = answer_.find_field(field);
    said_.emplace_back(found == nullptr ? field : found->field->name); // options may know it by another name
    return found;
  }

  void add(const Option& option, std::string_view text) { words_.push_back(std::string{written_name(option)} + (text.empty() ? "" : " " + quoted_word(text))); }

  /// The Hugging Face id where the catalogue has one; a file of llama.cpp has the quantisation in its name.
  void write_model() {
    said_.insert(said_.end(), {"model", "task", "device", "profile", "weight_dtype"});
    const ModelRow* const row = catalog_.find_model(answer_.inputs.model.id);
    const std::string weights = answer_.inputs.weights.scheme;
    const bool named = row != nullptr;
    if (!named) notes_.push_back("the model is described by a config or by facts: put its folder or file in place of MODEL");
    if (by_cells()) {
      const WeightSchemeRow* const scheme = catalog_.weights().find_row(weights);
      const bool is_file = scheme != nullptr && (scheme->engine == "llama.cpp" || (is_fork() && scheme->engine == "ik_llama.cpp"));
      if (is_fork()) notes_.push_back("profile=ik_llama_cpp: start the llama-server of ik_llama.cpp");
      if (!is_file) notes_.push_back("weight_dtype=" + weights + ": no GGUF file holds it");
      words_.push_back("--model " + quoted_word((named ? row->id : "MODEL") + (is_file ? "-" + file_suffix(scheme->id) : "") + ".gguf"));
      return;
    }
    const auto slash = named ? std::ranges::find_if(row->aliases(), [](const std::string& alias) { return alias.find('/') != std::string::npos; }) : std::vector<std::string>::const_iterator{};
    const std::string id = !named ? "MODEL" : slash != row->aliases().end() ? *slash : row->id;
    if (engine_.positional_model) words_.back() += " " + quoted_word(id);
    else words_.push_back("--model-path " + quoted_word(id));
    write_weights(weights);
  }

  /// q4_k_m is written Q4_K_M, gguf_f16 F16.
  static std::string file_suffix(std::string_view weights) {
    if (weights.starts_with("gguf_")) weights.remove_prefix(5);
    std::string text{weights};
    for (char& c : text)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
  }

  void write_weights(const std::string& weights) {
    if (weights == answer_.weights_default) return;
    const std::string_view method = quantization_text(engine_, weights);
    if (!method.empty()) return void(words_.push_back("--quantization " + std::string{method}));
    const bool plain = weights == "fp16" || weights == "fp32" || weights == "bf16";
    if (plain && engine_.id != tensorrt_llm().id) return void(words_.push_back("--dtype " + std::string{weights == "fp16" ? "float16" : weights == "fp32" ? "float32" : "bfloat16"}));
    notes_.push_back("weight_dtype=" + weights + ": put a checkpoint that holds it in place of the model");
  }

  /// --enable-lora where there is a slot; --lora-paths, which wants paths, is not written.
  void enable(const Option& option) {
    const FieldState* const field = answer_.find_field(option.field.substr(0, option.field.find('=')));
    if (field != nullptr && option.takes == Takes::none && field->field->get(answer_.inputs) > 0) add(option, "");
  }

  void write(const Option& option) {
    if (option.reading == Reading::enables) return enable(option);
    const FieldState* const field = option.reading == Reading::harmless || option.reading == Reading::memory || option.reading == Reading::memory_above_one ||
                                            option.reading == Reading::happens || option.reading == Reading::model || option.reading == Reading::speculation || option.reading == Reading::media || option.reading == Reading::repository ||
                                            option.reading == Reading::quantization || option.reading == Reading::dtype
                                        ? nullptr
                                        : state(option.field);
    if (field == nullptr || !field->applies) return;
    const Workload& work = answer_.inputs.workload;
    const std::string value = value_text(answer_, *field->field);
    if (!option.in_file.empty()) return field->changed ? void(notes_.push_back(std::string{field->field->name} + "=" + value + ": write it as " + std::string{option.in_file} + " in the file of --config")) : void();
    switch (option.reading) {
      case Reading::cells: return add(option, std::to_string((Count{work.context_tokens} * Count{work.batch}).value));
      case Reading::slots: return work.batch > 1 ? add(option, value) : void();
      case Reading::whole:
        if (option.field == "draft_tokens" && says_method() && engine_.id == vllm().id) return; // write_method()
        return field->changed || option.field == "context_tokens" ? add(option, value) : void();
      case Reading::tensor_group: return write_group(option, *field, value);
      case Reading::whole_experts: return write_experts(option);
      case Reading::algorithm: return write_algorithm(option);
      case Reading::split: return write_split(option);
      case Reading::share: return answer_.inputs.serving.memory_permille > 0 ? add(option, share_text(answer_.inputs.serving.memory_permille)) : void();
      case Reading::draft_model: return value.empty() ? void() : add(option, by_cells() ? value + ".gguf" : value);
      case Reading::layers: return add(option, answer_.inputs.serving.gpu_layers >= Serving::kAllLayers ? "all" : value);
      case Reading::cache_dtype: return write_cache(option, *field, value);
      case Reading::bytes:
      case Reading::gibibytes:
      case Reading::rank_gigabytes: return field->changed ? write_size(option, *field) : void();
      case Reading::role: return option.takes == Takes::one && field->changed && value != "none" ? add(option, value) : void();
      case Reading::transfer: return field->changed && value != "none" ? add(option, std::string{R"({"kv_connector": "NixlConnector", "kv_role": ")"} + (value == "prefill" ? "kv_producer" : "kv_consumer") + "\"}") : void();
      case Reading::exchange: return field->changed ? write_exchange(option, value) : void();
      case Reading::switched_on: return write_switch(option, *field, value);
      case Reading::latent:
      case Reading::latent_buffer: return field->changed ? write_latent(option, *field, value) : void();
      case Reading::switched_off: return field->changed && value == "off" ? add(option, "") : void();
      default: return;
    }
  }

  /// What ik_llama.cpp's -mla and -amb say; llama.cpp has no such option.
  void write_latent(const Option& option, const FieldState& field, const std::string& value) {
    const bool once = value == "latent", both = value == "latent_and_values";
    const bool flash = answer_.inputs.serving.flash_attention == Switch::on; // with which mode 1 keeps the vectors once
    if (!is_fork() || (both && flash)) return void(notes_.push_back(std::string{field.field->name} + "=" + value + ": no option says so"));
    if (option.reading == Reading::latent_buffer) return add(option, std::to_string(answer_.inputs.serving.latent_buffer_bytes >> 20));
    if (value != "profile") add(option, once ? "3" : both ? "1" : "0");
  }

  void write_size(const Option& option, const FieldState& field) {
    const std::int64_t bytes = field.field->get(answer_.inputs);
    const SizeText size = size_text(option, bytes, gpus_of_a_replica(answer_.inputs.strategy).value);
    if (option.reading == Reading::rank_gigabytes) words_.push_back("--enable-hierarchical-cache");
    add(option, size.text);
    if (!size.exact) notes_.push_back(std::string{field.field->name} + "=" + std::to_string(bytes) + ": the option has no finer unit");
  }

  void write_exchange(const Option& option, const std::string& value) {
    if (engine_.id == vllm().id) return value == "deepep" ? void(notes_.push_back("expert_exchange=deepep: vLLM has deepep_high_throughput or deepep_low_latency")) : add(option, value == "deepep_normal" ? "deepep_high_throughput" : value);
    add(option, "deepep");
    if (value != "deepep") words_.push_back("--deepep-mode " + value.substr(std::string_view{"deepep_"}.size()));
  }

  /// Replicas that attend apart are members of one tensor-parallel group of SGLang.
  void write_group(const Option& option, const FieldState& field, const std::string& value) {
    const Strategy& strategy = answer_.inputs.strategy;
    const bool apart = answer_.inputs.serving.data_parallel_attention == Switch::on && strategy.data_parallel > 1;
    if (apart) add(option, std::to_string((Count{strategy.tensor_parallel} * Count{strategy.data_parallel}).value));
    else if (field.changed) add(option, value);
  }

  /// All GPUs that share experts keep whole ones, or none does.
  void write_experts(const Option& option) {
    const Strategy& strategy = answer_.inputs.strategy;
    if (strategy.expert_parallel <= 1 || option.field.empty()) return;
    const Count gpus = Count{strategy.tensor_parallel} * Count{strategy.data_parallel};
    if (gpus == Count{strategy.expert_parallel}) return add(option, "");
    notes_.push_back("expert_parallel=" + std::to_string(strategy.expert_parallel) + ": " + std::string{engine_.name} + " divides experts among all " +
                     std::to_string(gpus.value) + " GPUs or none");
  }

  /// Whether prediction layers, heads made for the model or n-grams draft.
  bool says_method() const {
    const Serving& serving = answer_.inputs.serving;
    return serving.predicts_drafts || (serving.draft_tokens > 0 && serving.drafter != Drafter::model);
  }

  std::string drafter() const { return answer_.inputs.serving.predicts_drafts ? "mtp" : value_text(answer_, *find_field("drafter")); }

  /// vLLM's methods; heads made for the model are a repository of their own.
  void write_method() {
    const Serving& serving = answer_.inputs.serving;
    if (!says_method() || engine_.id != vllm().id) return;
    said_.insert(said_.end(), {"predicts_drafts", "draft_tokens", "drafter"});
    const std::int64_t tokens = std::max<std::int64_t>(serving.draft_tokens, 1);
    const std::string method = drafter(), heads = method == "mtp" || method == "ngram" ? "" : "\"model\": \"DRAFTER\", ";
    words_.push_back("--speculative-config " + quoted_word("{\"method\": \"" + method + "\", " + heads + "\"num_speculative_tokens\": " + std::to_string(tokens) + "}"));
  }

  void write_algorithm(const Option& option) {
    said_.emplace_back("predicts_drafts");
    if (!says_method()) return answer_.inputs.role_models.empty() ? void() : add(option, "STANDALONE");
    const std::string method = drafter();
    if (method == "medusa") return void(notes_.push_back("drafter=medusa: " + std::string{engine_.name} + " has no such drafter"));
    add(option, method == "mtp" ? "NEXTN" : method == "eagle" ? "EAGLE" : method == "eagle3" ? "EAGLE3" : "NGRAM");
  }

  void write_split(const Option& option) {
    const std::int64_t gpus = answer_.inputs.strategy.pipeline_parallel;
    if (gpus <= 1) return;
    said_.emplace_back("tensor_split");
    const std::vector<std::int64_t>& stated = answer_.inputs.strategy.tensor_split;
    const std::vector<std::int64_t> even(static_cast<std::size_t>(gpus), 1);
    if (!stated.empty() || answer_.inputs.hardware.usable_each.empty()) add(option, text_of(stated.empty() ? even : stated)); // else what is free decides
  }

  /// llama.cpp keeps f16 unless it is told otherwise, keys and values each; other engines what they compute in, and both alike.
  void write_cache(const Option& option, const FieldState& field, const std::string& value) {
    if (by_cells()) {
      const std::string of_both = value == "same" ? value_text(answer_, *find_field("kv_dtype")) : value;
      if ((of_both == "fp16" || of_both == "bf16") && !answer_.find_field("kv_dtype")->changed && !field.changed) return;
      return add_cache(option, of_both);
    }
    if (field.changed && value != "same") add_cache(option, value);
  }

  void add_cache(const Option& option, const std::string& value) {
    const std::string_view text = cache_dtype_text(engine_, value);
    if (text.empty()) notes_.push_back(std::string{option.field} + "=" + value + ": " + std::string{engine_.name} + " has no such cache");
    else add(option, text);
  }

  void write_switch(const Option& option, const FieldState& field, const std::string& value) {
    if (!field.changed || value == "profile") return;
    const bool on = value == "on" || value == "true";
    if (option.takes == Takes::truth) add(option, on ? "on" : "off");
    else if (on) add(option, "");
    else notes_.push_back(std::string{field.field->name} + "=" + value + ": no option says so");
  }

  void note_what_is_left() {
    for (const FieldState& state : answer_.fields) {
      const std::string_view name = state.field->name;
      if (!state.applies || !state.changed || std::ranges::find(said_, name) != said_.end()) continue;
      const std::string value = state.field->kind == FieldKind::text ? "…" : value_text(answer_, *state.field);
      const bool by_clients = name == "batch";
      notes_.push_back(std::string{name} + "=" + value + (by_clients ? ": as many requests as clients send at once" : ": no option says so"));
    }
  }

  const Catalog& catalog_;
  const Answer& answer_;
  const Engine& engine_;
  std::vector<std::string> words_, notes_;
  mutable std::vector<std::string> said_;
};

/// The line is written all the same, for people change it; what becomes of it stands above it.
void warn_of(const Answer& answer, ExportedCommand& exported) {
  Answer judged = answer;
  add_footprint(judged);
  const std::string said = judged.headline.verdict + " " + judged.headline.rest;
  exported.text = "# " + said + "\n" + exported.text;
  exported.issues.push_back({Severity::warning, "", said, "Change what it names before you start it."});
}

} // namespace

std::vector<std::string_view> exportable_engines() {
  std::vector<std::string_view> ids;
  for (const Engine* engine : engines())
    if (!engine->command.empty()) ids.push_back(engine->id);
  return ids;
}

ExportedCommand export_command_line(const Catalog& catalog, const Answer& answer, std::string_view engine) {
  ExportedCommand exported;
  const auto refuse = [&](std::string field, std::string message, std::string remedy) {
    exported.issues.push_back({Severity::error, std::move(field), std::move(message), std::move(remedy)});
    return exported;
  };
  const auto ids = exportable_engines();
  if (std::ranges::find(ids, engine) == ids.end())
    return refuse("to", "There is no command line of " + quoted(engine) + ".", "Write " + joined_with_or({ids.begin(), ids.end()}) + ".");
  exported.issues = answer.issues;
  if (!answer.ok) return exported;
  if (trains(answer.inputs.workload.task)) return refuse("task", "An inference engine does not train.", "Choose inference as task.");
  const auto row = std::ranges::find(engines(), engine, [](const Engine* one) { return one->id; });
  exported.text = Writer{catalog, answer, **row}.run();
  exported.ok = true;
  if (!answer.judgement.holds()) warn_of(answer, exported);
  return exported;
}

} // namespace plimsoll::io
