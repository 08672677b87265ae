// Nemotron-H (arXiv 2504.03624) and Nemotron 3: every layer is one block, Mamba-2, attention, an MLP or experts, by a letter each.
#include "architectures/families/hybrid.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// Letters of hybrid_override_pattern, or the words of later files.
std::string read_letters(ModelBuilder& draft, const char* pattern, const char* words) {
  ConfigReader& read = draft.read;
  std::string letters = read.text({pattern}, "");
  if (letters.empty())
    for (const std::string& word : read.words({words}).value_or(std::vector<std::string>{}))
      letters += word == "mamba" || word == "linear_attention" ? 'M' : word == "attention" || word == "full_attention" ? '*' : word == "moe" ? 'E' : word == "mlp" ? '-' : '?';
  constexpr std::size_t kMostLayers = 10'000;
  if (letters.size() > kMostLayers || letters.find_first_not_of("M*E-") != std::string::npos) {
    const char* name = read.has(pattern) ? pattern : words;
    read.report(Severity::error, name, read.path_of(name) + " is " + quoted(*read.find(name)) + ", where up to 10000 layers of kinds M, *, - and E are needed.",
                "Correct the value in the file.");
    return {};
  }
  return letters;
}

} // namespace

void build_nemotron_h(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Layer block = read_block(draft);
  const Attention attention = read_attention(draft);
  const std::string letters = read_letters(draft, "hybrid_override_pattern", read.has("layers_block_type") ? "layers_block_type" : "layer_types");
  std::string predicted = read_letters(draft, "mtp_hybrid_override_pattern", "mtp_layers_block_type");
  const std::int64_t count = read_prediction_layers(draft);
  if (predicted.empty()) predicted = "*E";
  if (count == 0) predicted.clear();
  if (letters.empty()) {
    if (!read.failed())
      read.report(Severity::error, "hybrid_override_pattern", read.path_of("hybrid_override_pattern") + " is missing: without it the kinds of layers are unknown.",
                  "Paste the whole config.json of the model.");
    return;
  }
  const auto layers = static_cast<std::size_t>(read.fact("layers", static_cast<std::int64_t>(letters.size())));
  const auto has = [&](char letter) { return (letters + predicted).find(letter) != std::string::npos; };

  Mamba2 ssm;
  if (has('M')) ssm = read_mamba2(draft, {.inner_from_heads = true, .heads = 128, .groups = 8});
  Mlp mlp = block.mlp;
  if (has('-')) mlp.intermediate_size = read_mlp_width(draft);
  Moe moe;
  if (has('E')) {
    moe = read_moe(draft, draft.family.experts);
    moe.latent_size = read.count("expert_latent_size", {"moe_latent_size"}, 0);
  }
  const auto layer_of = [&](char letter) {
    Layer layer = block;
    layer.mlp = {};
    if (letter == 'M') layer.recurrence = ssm;
    else if (letter == '*') layer.attention = attention;
    else if (letter == '-') layer.mlp = mlp;
    else layer.moe = moe;
    return layer;
  };
  for (std::size_t i = 0; i < layers; ++i) draft.out.layers.push_back(layer_of(letters[i % letters.size()]));
  if (count == 0) return;
  Architecture& out = draft.out;
  out.prediction_depths = Count{count};
  for (const char letter : predicted) {
    out.prediction.push_back(layer_of(letter));
    add_tensors(out.extras, tensors_of(out.prediction.back(), out.hidden_size, out.norm), TensorKind::prediction, Count{count});
  }
  out.extras.push_back(map_tensor("eh_proj", TensorKind::prediction, out.hidden_size, Count{2} * out.hidden_size, Count{count}));
  out.extras.push_back(vector_tensor("mtp_norm", TensorKind::prediction, out.hidden_size, Count{3 * count}));
}

} // namespace plimsoll::io
