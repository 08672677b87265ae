#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

LatentAttention read_latent(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  LatentAttention latent;
  const bool nested = read.nested();
  latent.heads = read.count("query_heads", names::kHeads, nested && draft.family.defaults.heads > 0 ? std::optional{draft.family.defaults.heads} : std::nullopt);
  latent.query_rank = read.count("q_lora_rank", {"q_lora_rank"}, 0); // null: queries come from one full matrix
  latent.kv_rank = read.count("kv_lora_rank", {"kv_lora_rank"}, 512);
  latent.nope_dim = read.count("qk_nope_head_dim", {"qk_nope_head_dim"}, 128);
  latent.rope_dim = read.count("qk_rope_head_dim", {"qk_rope_head_dim"}, 64);
  latent.value_dim = read.count("v_head_dim", {"v_head_dim"}, 128);
  latent.bias = read.flag("qkv_bias", {"attention_bias"}, false);
  return latent;
}

std::int64_t scaled(std::int64_t width, double factor) {
  constexpr double kMost = 16'777'216;
  const double product = static_cast<double>(width) * factor;
  return product < 1 ? 1 : static_cast<std::int64_t>(product < kMost ? product : kMost);
}

Tensor map_tensor(std::string_view name, TensorKind kind, Count rows, Count columns, Count copies) {
  return {.name = name, .kind = kind, .rows = rows, .columns = columns, .copies = copies, .active = copies};
}

Tensor vector_tensor(std::string_view name, TensorKind kind, Count size, Count copies) {
  return {.name = name, .kind = kind, .rows = size, .copies = copies, .active = copies, .matrix = false};
}

void add_tensors(std::vector<Tensor>& to, std::vector<Tensor> tensors, TensorKind kind, Count copies) {
  for (Tensor& tensor : tensors) {
    tensor.kind = kind;
    tensor.copies = copies * tensor.copies;
    tensor.active = copies * tensor.active;
    to.push_back(tensor);
  }
}

std::int64_t read_prediction_layers(ModelBuilder& draft, std::int64_t standard) {
  return draft.read.integer("prediction_layers", names::kPrediction, standard);
}

void add_prediction(ModelBuilder& draft, const Layer& layer, std::int64_t count, std::int64_t norms) {
  if (count == 0) return;
  Architecture& out = draft.out;
  out.prediction = {layer};
  out.prediction_depths = out.prediction_depths + Count{count};
  add_tensors(out.extras, tensors_of(layer, out.hidden_size, out.norm), TensorKind::prediction, Count{count});
  out.extras.push_back(map_tensor("eh_proj", TensorKind::prediction, out.hidden_size, Count{2} * out.hidden_size, Count{count}));
  out.extras.push_back(vector_tensor("mtp_norm", TensorKind::prediction, out.hidden_size, Count{count * norms}));
}

} // namespace plimsoll::io
