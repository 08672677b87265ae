// Towers that hear: huggingface/transformers, src/transformers/models/voxtral/modeling_voxtral.py, whose encoder is Whisper's
// (src/transformers/models/whisper/modeling_whisper.py).
#include "architectures/towers.hpp"

#include <utility>

namespace plimsoll::io::towers {

namespace {

constexpr Range kNumbers{1, 16'777'216};

class Tower {
public:
  void add(Tensor tensor, Count layers = Count{1}) {
    tensor.copies = layers;
    tensors_.push_back(std::move(tensor));
  }
  void map(std::string_view name, Count rows, Count columns, Count layers = Count{1}) { add(map_tensor(name, TensorKind::audio, rows, columns), layers); }
  void vector(std::string_view name, Count size, Count layers = Count{1}) { add(vector_tensor(name, TensorKind::audio, size), layers); }
  void norm(std::string_view name, Count size, Count layers = Count{1}) { add(vector_tensor(name, TensorKind::audio, size), Count{2} * layers); } // weight and bias

  Tensors taken() { return std::move(tensors_); }

private:
  Tensors tensors_;
};

} // namespace

Tensors voxtral(ConfigReader& audio, Count text) {
  Tower tower;
  const Count width{audio.number({"hidden_size"}, kNumbers, 1280)}, mlp{audio.number({"intermediate_size"}, kNumbers, 5120)};
  const Count layers{audio.number({"num_hidden_layers"}, {1, 10'000}, 32)}, bins{audio.number({"num_mel_bins"}, kNumbers, 128)};
  constexpr Count kWindow{3}; // of both convolutions
  tower.map("conv1", width, kWindow * bins);
  tower.map("conv2", width, kWindow * width);
  for (const char* name : {"conv1.bias", "conv2.bias"}) tower.vector(name, width);
  tower.map("embed_positions", Count{audio.number({"max_source_positions"}, kNumbers, 1500)}, width);
  for (const char* name : {"q_proj", "k_proj", "v_proj", "out_proj"}) tower.map(name, width, width, layers);
  for (const char* name : {"q_proj.bias", "v_proj.bias", "out_proj.bias", "fc2.bias"}) tower.vector(name, width, layers); // keys have none
  tower.map("fc1", mlp, width, layers);
  tower.vector("fc1.bias", mlp, layers);
  tower.map("fc2", width, mlp, layers);
  for (const char* name : {"self_attn_layer_norm", "final_layer_norm"}) tower.norm(name, width, layers);
  tower.norm("layer_norm", width);
  tower.map("projector.linear_1", text, mlp); // four frames of the encoder in one row of its MLP's width
  tower.map("projector.linear_2", text, text);
  return tower.taken();
}

} // namespace plimsoll::io::towers
