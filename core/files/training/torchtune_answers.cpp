// pytorch/torchtune, recipes/ppo_full_finetune_single_device.py and recipes/dev/grpo_full_finetune_distributed.py. Both generate with the weights
// that train, in batches of forward_batch_size, which their other models score; log-probabilities come from a log-softmax of the logits as they
// are (torchtune/rlhf/sequence_processing.py, logits_to_logprobs).
#include "files/training/torchtune_answers.hpp"

#include "files/training/torchtune_models.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

std::optional<std::int64_t> product(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::optional{(Count{*a} * Count{*b}).value} : std::nullopt;
}

/// A prompt, which the tokenizer cuts, and an answer.
void read_lengths(Document& document, RequestBuilder& draft) {
  const auto prompt = document.whole("tokenizer.max_seq_len"), answer = document.whole("max_generated_tokens");
  draft.set_if("completion_tokens", answer);
  if (prompt && answer) return draft.set("context_tokens", (Count{*prompt} + Count{*answer}).value);
  document.is_auto("tokenizer.max_seq_len");
  draft.say(Severity::note, "context_tokens", "tokenizer.max_seq_len or max_generated_tokens is not stated: sequences are as long as the data.", "Set context_tokens to the longest prompt with its answer.");
}

void read_generation(Document& document, RequestBuilder& draft) {
  draft.set("rollout_engine", "shared");
  draft.set_if("rollout_prompts", document.whole("forward_batch_size"));
  draft.set_if("answer_epochs", document.whole("ppo_epochs"));
  draft.set_assumed("loss", "torch_cross_entropy", "log-probabilities come from a log-softmax of 16-bit logits; it is counted over prompts too, of which the recipe takes answers alone");
  read_lengths(document, draft);
}

/// What a builder is told of a shape, against that of the model. A single score has no vocabulary; its table of tokens has.
void compare_shape(Document& document, const std::string& section, const Model& model) {
  const LayerGroup& layer = model.groups.front();
  const std::array<std::pair<const char*, Count>, 6> known{{{"num_layers", Count{static_cast<std::int64_t>(model.pattern.size())}},
                                                           {"embed_dim", model.hidden_size},
                                                           {"vocab_size", model.vocab_size},
                                                           {"num_heads", layer.attention.query_heads},
                                                           {"num_kv_heads", layer.attention.kv_heads},
                                                           {"intermediate_dim", layer.mlp.intermediate_size}}};
  for (const auto& [name, size] : known) {
    const std::string key = section + "." + name;
    const auto stated = document.whole(key);
    if (stated && *stated != size.value) document.differs(key, std::to_string(size.value) + ", as " + model.name + " has it");
  }
  for (const char* harmless : {"num_classes", "attn_dropout", "max_seq_len", "norm_eps", "rope_base"}) document.take(section + "." + harmless);
}

/// The builder of a model with one score in place of logits, by the model beneath it.
std::string_view beneath(std::string_view name) {
  if (name == "mistral_reward_7b") return "mistral_7b";
  return name == "llama2_reward_7b" ? "llama2_7b" : "";
}

/// The reward model and the critic are made alike: torchtune/modules/classifier.py, or a builder of their own.
void read_scored(Document& document, RequestBuilder& draft) {
  const std::string section = "reward_and_value_model", component = document.text(section + "._component_"), base = document.text(section + ".base_model_path");
  const TorchtuneBuilder* const row = torchtune_builder(base.empty() ? beneath(last_name(component)) : last_name(base));
  if (row == nullptr) return document.refuse(section + "._component_", "a builder of a model of the catalogue with one class");
  const ModelRow* const known = draft.catalog.find_model(row->id);
  const ImportedModel model = known == nullptr ? ImportedModel{} : draft.catalog.model(*known);
  if (model.model) compare_shape(document, section, *model.model);
  if (draft.text("model") == row->id) return;
  draft.set("reward_model", row->id);
  draft.set("critic_model", row->id);
}

void read_ppo(Document& document, RequestBuilder& draft) {
  draft.set("preference", "ppo");
  const std::string component = document.text("policy_model._component_");
  const TorchtuneBuilder* const row = torchtune_builder(last_name(component));
  if (component.empty()) draft.miss_model("The file");
  else draft.name_model(row != nullptr ? row->id : last_name(component));
  draft.set("method", "full");
  read_scored(document, draft);
  read_generation(document, draft);
  draft.set_if("scoring_batch", document.whole("forward_batch_size"));
  draft.set_if("step_prompts", document.whole("batch_size"));
  const auto sequences = document.whole("ppo_batch_size"), steps = document.whole("gradient_accumulation_steps");
  if (sequences && steps && *steps > 0 && *sequences % *steps == 0) draft.set("batch", *sequences / *steps);
  else if (sequences) document.refuse("ppo_batch_size", "a multiple of gradient_accumulation_steps");
  draft.set_if("micro_batches", steps);
  if (document.truth("enable_kv_cache") == false) document.differs("enable_kv_cache", "true, which the estimate takes: without a cache every token reads all before it again");
  draft.set("data_parallel", 1);
}

/// The policy stays gathered, to generate; every sequence of a step is in one pass.
void read_grpo(Document& document, RequestBuilder& draft) {
  draft.set("preference", "grpo");
  draft.set("kl_reference", "true");
  draft.set("reshard_after_forward", "false");
  const auto answers = document.whole("grpo_samples");
  draft.set_if("group_size", answers);
  draft.set_if("batch", product(document.whole("batch_size"), answers));
  draft.set_if("scoring_batch", product(document.whole("forward_batch_size"), answers));
  document.take_section("ref_checkpointer"); // the reference is built as the policy is
  read_generation(document, draft);
}

} // namespace

bool read_torchtune_answers(Document& document, RequestBuilder& draft) {
  if (document.has_section("orchestration")) { // recipes/dev/async_grpo_full_finetune_distributed.py
    draft.refuse("orchestration", "The asynchronous recipe has inference by vLLM, post-processing and training on GPUs of their own, and is not read here.", "State the training by hand: preference=grpo, with rollout_engine=separate.");
    return false;
  }
  const bool ppo = document.has_section("policy_model") || document.has_section("reward_and_value_model"), grpo = document.has("grpo_samples");
  if (ppo) read_ppo(document, draft);
  else if (grpo) read_grpo(document, draft);
  return ppo || grpo;
}

std::string_view torchtune_answers_harmless() noexcept {
  return "ref_policy_checkpointer* value_checkpointer* reward_checkpointer* num_steps temperature top_k min_response_length penalise_no_eos reward_penalty stop_token_ids whiten_rewards "
         "gamma lmbda kl_coeff loss.epsilon loss.epsilon_low loss.epsilon_high loss.kl_coeff loss.value_coeff loss.value_clip_range save_every_n_epochs name base_model_path reward_functions*";
}

} // namespace plimsoll::io::configs
