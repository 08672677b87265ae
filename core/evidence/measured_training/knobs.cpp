// "other_knobs": a key and a value for whatever else the source tells. A key that is not in the table is not understood.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::measured_training {

namespace {

enum class Use : unsigned char {
  none,     ///< says nothing about memory, or another field says the same
  capped,   ///< sequences are at most as long as stated
  compiled, ///< torch.compile
  chunked,  ///< the loss is computed chunk by chunk
  cut,      ///< cut cross-entropy: logits never exist as a whole
  linear,   ///< number format of the linear maps
  variant,  ///< which of several trainers
  fused_loss, ///< Megatron-LM's --cross-entropy-loss-fusion, true or the name of an implementation
  accumulation, ///< weight gradients are added to the main gradients by the matrix multiplication
  deterministic,
  dropout,
  attention_dropout,
  hidden_dropout,
  uncovered,
};

struct Knob {
  std::string_view key;
  Use use = Use::none;
};

constexpr Knob kKnobs[] = {
    {"compile", Use::compiled},
    {"chunked_ce", Use::chunked},
    {"cut_cross_entropy", Use::cut},
    {"linear", Use::linear},
    {"fp8", Use::linear},
    {"variant", Use::variant},
    {"dataset", Use::capped},
    {"pad", Use::capped},
    {"max_length", Use::capped},
    {"max_seq_len", Use::capped},
    {"mean_tokens_per_sample", Use::capped},
    {"sample_packing", Use::none},
    {"packed", Use::none},
    {"packed_fixed_length", Use::none},
    {"model_max_length", Use::none}, // padded to it
    {"lazy_preprocess", Use::none},
    {"lm_head_chunk", Use::none},   // LitGPT's profile
    {"tied_embeddings", Use::none}, // LitGPT's profile
    {"limit_all_gathers", Use::none},
    {"batch_size_eval", Use::none},
    {"sorted_or_bucketed", Use::none},
    {"global_batch", Use::none},
    {"gbs", Use::none},
    {"authors_estimate", Use::none},
    {"grouped_gemm", Use::none},
    {"dispatcher", Use::none},
    {"task", Use::none},
    {"framework", Use::none},
    {"factor", Use::none},
    {"hidden", Use::none},
    {"ffn", Use::none},
    {"cross_entropy_fusion", Use::fused_loss},
    {"cross_entropy_loss_fusion", Use::fused_loss},
    {"cross_entropy", Use::fused_loss},
    {"loss", Use::fused_loss},
    {"gradient_accumulation_fusion", Use::accumulation},
    {"grad_accum_fusion", Use::accumulation},
    {"deterministic", Use::deterministic},
    {"deterministic_mode", Use::deterministic},
    {"dropout", Use::dropout},
    {"hidden_dropout", Use::hidden_dropout},
    {"attention_dropout", Use::attention_dropout},
    {"vocab", Use::none}, // of the model: read with it
    {"padded_vocab", Use::none},
    {"vocab_size", Use::none},
    {"transformer_impl", Use::none},
    {"te_version", Use::none},
    {"te", Use::none},
    {"rank", Use::none}, // "metric" or "notes" say which
    {"stage", Use::none},
    {"container", Use::none},
    {"test_case", Use::none},
    {"commit", Use::none},
    {"launch", Use::none},
    {"use_cache", Use::uncovered},
    {"inference", Use::uncovered},
    {"frozen", Use::uncovered},
    {"cuda_graphs", Use::uncovered},
    {"trainer", Use::uncovered},
    {"expert_capacity", Use::uncovered},
    {"sequence_parallel_input_regather", Use::uncovered},
};

constexpr std::string_view kCapped = "Every sequence is as long as its limit.";

/// "te", "native", or true for Megatron-LM's own.
void read_fused_loss(const Json& value, MeasuredRow& into) {
  const std::string text = value.is_string() ? letters_of(value.get<std::string>()) : "native";
  LossKernel& loss = into.inputs.implementation.loss;
  if (text == "te" || text == "tefused" || text == "transformerengine") loss = LossKernel::te_fused_out_of_place;
  else if (text == "native" || text == "fused") loss = LossKernel::megatron_fused;
  else if (text == "unfused" || text == "none") loss = LossKernel::megatron;
  else into.decline("The loss " + quoted(value) + " is not known.");
}

/// Dropout probability above 0, or true.
bool drops(const Json& value) { return value.is_boolean() ? value.get<bool>() : value.is_number() && value.get<double>() > 0; }

bool is_false(const Json& value) { return value.is_null() || (value.is_boolean() && !value.get<bool>()); }

void read_linear(const Json& value, MeasuredRow& into) {
  enum Meaning : int { kPlain, kFp8, kCompile, kOther };
  constexpr Phrase kPhrases[] = {
      {"bf16", kPlain}, {"bf16 eager", kPlain}, {"bf16 compile", kCompile}, {"fp8", kFp8}, {"fp8 tensorwise", kFp8}, {"fp8 rowwise", kFp8}, {"torchao", kFp8},
  };
  const std::string text = value.is_string() ? value.get<std::string>() : quoted(value);
  const Understood words = understand(text, kPhrases);
  if (!words.rest.empty() || words.meanings.empty()) return into.decline(not_covered_text("linear", text));
  if (words.says(kFp8)) into.inputs.strategy.fp8 = Fp8::compute;
  if (words.says(kCompile)) compile_all(into);
}

void read_knob(const std::string& key, const Json& value, MeasuredRow& into) {
  Implementation& code = into.inputs.implementation;
  const auto knob = std::ranges::find(kKnobs, key, &Knob::key);
  if (knob == std::end(kKnobs)) return into.decline("The row's knob " + quoted(std::string_view{key}) + " is not understood.");
  if (knob->use == Use::none || is_false(value)) return;
  switch (knob->use) {
    case Use::none: return;
    case Use::capped:
      if (key == "max_length" || key == "max_seq_len" || key == "mean_tokens_per_sample" || key == "dataset")
        if (std::ranges::find(into.assumed, kCapped) == into.assumed.end()) into.assumed.emplace_back(kCapped);
      return;
    case Use::compiled: return compile_all(into);
    case Use::chunked: 
      code.loss = into.profile == "torchtitan"       ? LossKernel::linear_chunked
                  : code.norms == Fusion::compiled   ? LossKernel::chunked_compiled
                                                     : LossKernel::chunked;
      return;
    case Use::cut: code.loss = LossKernel::linear_chunked; return;
    case Use::linear: return read_linear(value, into);
    case Use::variant:
      if (!value.is_string() || (value.get<std::string>() != "hf" && value.get<std::string>() != "hf-fa2"))
        into.decline("The trainer " + quoted(value) + " has no profile.");
      return;
    case Use::fused_loss: return read_fused_loss(value, into);
    case Use::accumulation: code.fused_gradient_accumulation = true; return;
    case Use::deterministic: code.deterministic = true; return;
    case Use::dropout: code.hidden_dropout = code.attention_dropout = drops(value); return;
    case Use::hidden_dropout: code.hidden_dropout = drops(value); return;
    case Use::attention_dropout: code.attention_dropout = drops(value); return;
    case Use::uncovered: return into.decline("The row's knob " + quoted(std::string_view{key}) + " has no field.");
  }
}

} // namespace

void read_knobs(const Json& row, MeasuredRow& into) {
  const Json* knobs = member_of(row, "other_knobs");
  if (knobs == nullptr) return;
  if (!knobs->is_object()) return into.decline("The row's \"other_knobs\" is no object.");
  for (const auto& [key, value] : knobs->items()) read_knob(key, value, into);
  for (const char* key : {"packed", "packed_fixed_length", "sample_packing"})
    if (const Json* packed = member_of(*knobs, key); packed != nullptr && !is_false(*packed)) std::erase(into.assumed, kCapped);
}

} // namespace plimsoll::io::accuracy::measured_training
