// From a file to a request.
#include "files/training/read.hpp"

#include "files/training/format.hpp"
#include "files/training/fsdp.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/training_config.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace configs;

const Effect* effect_of(std::span<const Effect> effects, std::string_view path) {
  const auto at = std::ranges::find_if(effects, [&](const Effect& effect) { return names(effect.keys, path); });
  return at == effects.end() ? nullptr : &*at;
}

/// What nobody read: every leaf ends up counted or named.
class Rest {
public:
  Rest(const Format& format, TrainingConfig& config) : format_(format), config_(config) {}

  void sort(const Leaf& leaf) {
    std::string_view path = leaf.path;
    const bool nested = path.starts_with("deepspeed.") && format_.id != deepspeed().id; // its section within another file
    if (nested) path.remove_prefix(10);
    if (is_harmless(path, nested, Names::exact)) return void(++config_.harmless);
    const Effect* effect = effect_of(nested ? deepspeed().effects : format_.effects, path);
    if (effect == nullptr && !nested) effect = effect_of(format_.shared_effects, path);
    if (effect != nullptr) return (effect->always && !leaf.value->is_null()) || !says_nothing(*leaf.value) ? list(leaf, *effect) : void(++config_.read);
    if (is_harmless(path, nested, Names::any) || leaf.value->is_null()) return void(++config_.harmless); // null stands for what happens anyway
    config_.unread.push_back(leaf.path);
    unknown_.push_back(leaf.path);
  }

  /// One note for all keys that nobody knows.
  void tell_unknown() {
    if (unknown_.empty()) return;
    constexpr std::size_t kMostNamed = 12;
    std::string list;
    for (std::size_t i = 0; i < std::min(unknown_.size(), kMostNamed); ++i) list += (i == 0 ? "" : ", ") + unknown_[i];
    if (unknown_.size() > kMostNamed) list += " and " + std::to_string(unknown_.size() - kMostNamed) + " others";
    const bool one = unknown_.size() == 1;
    config_.issues.push_back({Severity::note, one ? unknown_.front() : "",
                              (one ? "A key is" : std::to_string(unknown_.size()) + " keys are") + std::string{" not known of "} + std::string{format_.name} + ": " + list + ".",
                              "Where one changes what is kept in memory, set the input that does the same."});
  }

private:
  /// A whole name comes before those that stand for many.
  bool is_harmless(std::string_view path, bool nested, Names which) const {
    if (path == "_comment") return true;
    if (nested) return names(deepspeed().harmless, path, which);
    return names(format_.harmless, path, which) || names(format_.shared_harmless, path, which) || (path.starts_with("fsdp_config.") && names(kFsdpHarmless, path, which));
  }

  void list(const Leaf& leaf, const Effect& effect) {
    config_.unread.push_back(leaf.path);
    if (effect.weight == Weight::decides)
      return config_.issues.push_back({Severity::error, leaf.path, leaf.path + " = " + quoted(std::string_view{plain_text(*leaf.value)}) + " is not covered: " + std::string{effect.effect},
                                       "Leave the key out for an estimate without it, or set the input that does the same where there is one."});
    warn(leaf.path, leaf.path + " = " + quoted(std::string_view{plain_text(*leaf.value)}) + " is not in the estimate: " + std::string{effect.effect},
         "Set the input that does the same where there is one, or take what it needs off usable_bytes.");
  }

  void warn(std::string_view path, std::string message, std::string remedy) {
    config_.issues.push_back({Severity::warning, std::string{path}, std::move(message), std::move(remedy)});
  }

  const Format& format_;
  TrainingConfig& config_;
  std::vector<std::string> unknown_;
};

} // namespace

namespace configs {

TrainingConfig read_as(const Catalog& catalog, const Format& format, const Json& tree, const std::vector<std::string>& duplicates, std::string_view text, std::int64_t gpus) {
  TrainingConfig config;
  config.ok = true;
  config.format = format.id;
  config.name = format.name;
  config.source = format.source;
  RequestBuilder draft{catalog, config};
  draft.gpus = gpus;
  draft.set("task", "finetune");
  Document document{tree, text};
  format.read(document, draft);
  for (const std::string& key : duplicates)
    draft.say(Severity::warning, key, quoted(std::string_view{key}) + " stands twice; the last value counts.", "Keep one of the two.");
  for (const Document::Refusal& refusal : document.refusals()) {
    config.unread.push_back(refusal.path);
    const bool variable = refusal.value.starts_with('$'); // of a shell, or of OmegaConf
    draft.say(variable || refusal.is_near ? Severity::warning : Severity::error, refusal.path, refusal.path + " is " + quoted(std::string_view{refusal.value}) + ", which is not " + refusal.wanted + ".",
              variable ? "Give the text that sets " + refusal.value + " too, or write its value." : "Write " + refusal.wanted + ".");
  }
  Rest rest{format, config};
  for (const Leaf& leaf : document.leaves()) {
    if (leaf.state == LeafState::read) ++config.read;
    else if (leaf.state == LeafState::untouched) rest.sort(leaf);
  }
  rest.tell_unknown();
  config.ok = !has_errors(config.issues);
  return config;
}

} // namespace configs

bool is_training_config(std::string_view text) {
  return recognise(text).format != nullptr;
}

bool may_be_training_config(std::string_view text) {
  const bool printable = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; });
  if (!printable || text.starts_with('<')) return false; // a web page
  const Recognised found = recognise(text);
  return found.format != nullptr || !found.error.empty();
}

TrainingConfig read_training_config(const Catalog& catalog, std::string_view text, std::int64_t gpus) {
  TrainingConfig config;
  const auto refuse = [&](std::string message, std::string remedy) {
    config.issues.push_back({Severity::error, "", std::move(message), std::move(remedy)});
    return std::move(config);
  };
  if (text.size() > kMostConfigBytes)
    return refuse("The text is " + std::to_string(text.size()) + " bytes long; at most " + std::to_string(kMostConfigBytes) + " are read.", "Give the configuration alone.");
  const Recognised found = recognise(text);
  if (found.format == nullptr)
    return refuse(found.error.empty() ? "The text is no configuration file that is known." : found.error,
                  !found.remedy.empty() ? found.remedy : "Give a file of DeepSpeed, Accelerate, transformers, Axolotl, LLaMA-Factory, ms-swift, TRL, LitGPT, torchtune or torchtitan, arguments of Megatron-LM or overrides of NeMo.");
  return configs::read_as(catalog, *found.format, found.tree, found.duplicates, text, gpus);
}

TrainingConfig read_training_config(std::string_view text) {
  return read_training_config(own_catalog(), text);
}

} // namespace plimsoll::io
