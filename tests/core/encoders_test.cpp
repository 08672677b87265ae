// Encoders, encoder-decoders, text diffusion and classifiers by their config.json; published sizes of whole files.
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/speed.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

Model model_of(const std::string& config) {
  const io::ImportedModel imported = io::import_huggingface_config(config);
  for (const Issue& issue : imported.issues) UNSCOPED_INFO(issue.field << ": " << issue.message);
  REQUIRE(imported.model);
  return *imported.model;
}

std::int64_t parameters_of(const std::string& config) { return count_parameters(model_of(config)).value; }

std::int64_t sum_of(const Component& part, const std::string& id) {
  if (part.id.starts_with(id)) return part.amount;
  std::int64_t sum = 0;
  for (const Component& inner : part.parts) sum += sum_of(inner, id);
  return sum;
}

const std::string kOmni = R"({"model_type":"qwen2_5_omni","thinker_config":{"model_type":"qwen2_5_omni_thinker",
  "audio_config":{"model_type":"qwen2_5_omni_audio_encoder","d_model":1280,"encoder_attention_heads":20,"encoder_ffn_dim":5120,"encoder_layers":32,"num_mel_bins":128,"output_dim":3584},
  "vision_config":{"model_type":"qwen2_5_omni_vision_encoder","depth":32,"hidden_size":1280,"intermediate_size":3420,"num_heads":16,"out_hidden_size":3584,"patch_size":14,"spatial_merge_size":2,"temporal_patch_size":2},
  "text_config":{"model_type":"qwen2_5_omni_text","hidden_size":3584,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"intermediate_size":18944,"vocab_size":152064,"tie_word_embeddings":false}}})";

} // namespace

TEST_CASE("classes that classify have their own head in place of the model's") {
  const std::string roberta = R"("model_type":"roberta","hidden_size":1024,"num_hidden_layers":24,"num_attention_heads":16,"intermediate_size":4096,"vocab_size":50265,
    "max_position_embeddings":514,"type_vocab_size":1)";
  CHECK(parameters_of(R"({"architectures":["RobertaForSequenceClassification"],"id2label":{"0":"a","1":"b","2":"c"},)" + roberta + "}") == 355'362'819); // roberta-large-mnli
  CHECK(parameters_of(R"({"architectures":["RobertaForTokenClassification"],"num_labels":9,)" + roberta + "}") == 354'310'144 + 9 * 1025);
  CHECK(parameters_of(R"({"architectures":["DistilBertForSequenceClassification"],"model_type":"distilbert","dim":768,"n_layers":6,"n_heads":12,"hidden_dim":3072,
    "vocab_size":30522,"max_position_embeddings":512})") == 66'955'010); // distilbert-base-uncased-finetuned-sst-2-english
  CHECK(parameters_of(R"({"architectures":["BertForSequenceClassification"],"num_labels":5,"model_type":"bert","hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,
    "intermediate_size":3072,"vocab_size":30522,"max_position_embeddings":512,"type_vocab_size":2})") == 109'482'240 + 5 * 769);
  const Model reward = model_of(R"({"architectures":["LlamaForSequenceClassification"],"num_labels":1,"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
    "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256,"tie_word_embeddings":false})");
  CHECK(count_parameters(reward).value == 8'030'261'248 - 128'256 * 4096 + 4096);
  CHECK(!reward.has_head);
}

TEST_CASE("what hears beside a language model is counted") {
  const Model omni = model_of(kOmni); // the safetensors index of the thinker: 8,931,813,888
  CHECK(count_parameters(omni).value == 7'615'616'512);
  CHECK(count_parameters(omni, TensorKind::vision).value == 676'550'144);
  CHECK(count_parameters(omni, TensorKind::audio).value == 8'931'813'888 - 7'615'616'512 - 676'550'144);
  const Model audio = model_of(R"({"model_type":"qwen2_audio","audio_config":{"model_type":"qwen2_audio_encoder","d_model":1280,"encoder_attention_heads":20,"encoder_ffn_dim":5120,
    "encoder_layers":32,"num_mel_bins":128,"max_source_positions":1500},"text_config":{"model_type":"qwen2","intermediate_size":11008,"vocab_size":156032,"max_position_embeddings":8192}})");
  CHECK(count_parameters(audio).value + count_parameters(audio, TensorKind::audio).value == 8'397'094'912);
  const Model gemma = model_of(R"({"model_type":"gemma3n","audio_config":{"model_type":"gemma3n_audio"},"text_config":{"model_type":"gemma3n_text","hidden_size":2048,"num_hidden_layers":30,
    "intermediate_size":8192,"vocab_size":262400,"num_kv_shared_layers":10,"laurel_rank":64,"altup_num_inputs":4,"hidden_size_per_layer_input":256,"vocab_size_per_layer_input":262144}})");
  const Model third = model_of(R"({"model_type":"qwen3_omni_moe","thinker_config":{"model_type":"qwen3_omni_moe_thinker",
    "audio_config":{"model_type":"qwen3_omni_moe_audio_encoder","d_model":1280,"encoder_attention_heads":20,"encoder_ffn_dim":5120,"encoder_layers":32,"num_mel_bins":128,
    "output_dim":2048,"downsample_hidden_size":480},"vision_config":{"model_type":"qwen3_omni_moe_vision_encoder","depth":27,"hidden_size":1152,"intermediate_size":4304,"num_heads":16,
    "out_hidden_size":2048,"patch_size":16,"spatial_merge_size":2,"temporal_patch_size":2,"num_position_embeddings":2304,"deepstack_visual_indexes":[8,16,24]},
    "text_config":{"model_type":"qwen3_omni_moe_text","hidden_size":2048,"num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"num_experts":128,
    "num_experts_per_tok":8,"moe_intermediate_size":768,"vocab_size":152064,"tie_word_embeddings":false}}})");
  CHECK(count_parameters(third).value + count_parameters(third, TensorKind::vision).value + count_parameters(third, TensorKind::audio).value == 31'719'205'488); // the files of the Thinking model
  // 12 blocks of 56,644,800, two convolutions and a map; 128 tokens of its own, two norms and a map to the width.
  CHECK(count_parameters(gemma, TensorKind::audio).value == 681'348'640 + 3'345'408);
}

TEST_CASE("Whisper's decoder keeps keys and values of 1,500 encoder tokens, however long its own text is") {
  const io::Answer answer = test::answer_to("model=whisper-large-v3&device=rtx4090&profile=transformers&weight_dtype=fp16&batch=4&context_tokens=448");
  const Component memory = explain(answer.scenario, answer.estimate).memory;
  CHECK(sum_of(memory, "memory.kv_cache") == 4 * 32 * (2 * 1280 * 2 * 448 + 2 * 1280 * 2 * 1500));
  CHECK(sum_of(memory, "memory.weights") == std::int64_t{2} * 1'543'490'560);
}

TEST_CASE("text diffusion keeps nothing between passes, and no rate of tokens is told of it") {
  const io::Answer answer = test::answer_to("model=llada-8b&device=h100-80-sxm&profile=transformers");
  CHECK(sum_of(explain(answer.scenario, answer.estimate).memory, "memory.kv_cache") == 0);
  CHECK(!speed(answer.scenario).exists);
  CHECK(sum_of(explain(answer.scenario, answer.estimate).memory, "memory.weights") == std::int64_t{2} * 8'015'581'184);
}
