#pragma once
// What trains when fine-tuning: every parameter, or small adapters beside frozen weights. core/method/tuning/methods.cpp has a row for
// each method: what it trains beside one linear map, and what it keeps there for the backward pass.

#include "plimsoll/method/workload.hpp"

#include <cstdint>

namespace plimsoll {

enum class TuningMethod : unsigned char {
  full,   ///< every parameter
  lora,   ///< two thin matrices beside each target. Hu et al. 2021 (arXiv 2106.09685); rsLoRA, PiSSA, OLoRA, EVA and CorDA weigh the same
  dora,   ///< LoRA and one magnitude per output channel. Liu et al. 2024 (arXiv 2402.09353)
  ia3,    ///< one scale per channel of keys, values and MLP. Liu et al. 2022 (arXiv 2205.05638)
  prompt, ///< learned vectors in front of every sequence. Lester et al. 2021 (arXiv 2104.08691)
  prefix, ///< learned keys and values in front of every sequence, in every layer. Li and Liang 2021 (arXiv 2101.00190)
  bottleneck, ///< two thin matrices after attention and MLP. Houlsby et al. 2019 (arXiv 1902.00751)
  norms,  ///< only the norms train
  head,   ///< only the output head trains
  adalora, ///< thin matrices with one trained singular value per rank. Zhang et al. 2023 (arXiv 2303.10512)
  gralora, ///< thin matrices block by block. Jung et al. 2025 (arXiv 2505.20355)
  vera,    ///< two vectors per target around matrices that all share and nobody trains. Kopiczko et al. 2023 (arXiv 2310.11454)
  pvera,   ///< VeRA with a mean and a variance per rank
  loha,    ///< a product, element by element, of two low-rank matrices. Hyeon-Woo et al. 2021 (arXiv 2108.06098)
  lokr,    ///< a Kronecker product. Yeh et al. 2023 (arXiv 2309.14859)
  hira,    ///< the weight times a low-rank matrix, element by element. Huang et al. 2025 (ICLR)
  oft,     ///< block-diagonal rotations of the input. Qiu et al. 2023 (arXiv 2306.07280)
  boft,    ///< butterfly factors of rotations. Liu et al. 2023 (arXiv 2311.06243)
  hra,     ///< a chain of Householder reflections. Yuan et al. 2024 (arXiv 2405.17484)
  fourier, ///< coefficients of a sparse spectrum of the weight's change (FourierFT). Gao et al. 2024 (arXiv 2405.03003)
  wavelet, ///< coefficients of its wavelet transform (WaveFT). Bilican et al. 2025 (arXiv 2505.12532)
  vblora,  ///< thin matrices mixed from a bank of vectors that all share. Li et al. 2024 (arXiv 2405.15179)
  miss,    ///< one matrix of rank rows, its input summed in groups (MiSS, Bone). Kang and Yin 2024 (arXiv 2409.15371)
  miss_bat, ///< MiSS that multiplies the weight's own blocks
  road,    ///< rotations of pairs of output channels. Liao and Monz 2024 (arXiv 2409.00119)
  shira,   ///< a sparse change of the weight itself. Bhardwaj et al. 2024 (arXiv 2406.13175)
  tinylora, ///< a few numbers per group of targets. Morris et al. 2026 (arXiv 2602.04118)
  unilora, ///< one vector for the whole model. Li et al. 2025 (arXiv 2506.00799)
  randlora, ///< scales of random bases that all share. Albert et al. 2025 (arXiv 2502.00987)
  c3a,     ///< block-circular convolution. Chen et al. 2024 (arXiv 2407.19342)
  delora,  ///< LoRA with a trained norm. Bini et al. 2025 (arXiv 2503.18225)
  glora,   ///< paths that scale and shift weight and bias. Chavan et al. 2023 (arXiv 2306.07967)
  lily,    ///< thin matrices shared between layers, mixed by a router
  deft,    ///< removal of a subspace of the weight and injection beside it
  frod,    ///< a sparse change in a basis that layers share
  peanut,  ///< a small network from the weight to its change
  psoft,   ///< a rotation inside the principal subspace
  adamss,  ///< low-rank updates of clusters of rows
  beft,    ///< one bias per target
  poly,    ///< LoRAs mixed per task. Ponti et al. 2022 (arXiv 2202.13914)
  ptuning, ///< prompt vectors out of an encoder. Liu et al. 2021 (arXiv 2103.10385)
  multitask_prompt, ///< a shared prompt times low-rank ones per task. Wang et al. 2023 (arXiv 2303.02861)
  adaption_prompt,  ///< prompt vectors and one gate in the attention of the last layers. Zhang et al. 2023 (arXiv 2303.16199)
  tokens,  ///< chosen rows of the embedding table
  last_layers, ///< all weights of the last layers; nothing before them has gradients
};
inline constexpr int kTuningMethods = 45;

/// Which tensors train or get adapters: any of these together.
enum TuningTarget : std::uint32_t {
  kTargetQuery = 0x001,
  kTargetKey = 0x002,
  kTargetValue = 0x004,
  kTargetOutput = 0x008,
  kTargetGate = 0x010,
  kTargetUp = 0x020,
  kTargetDown = 0x040,
  kTargetEmbedding = 0x080,
  kTargetHead = 0x100,
  kTargetMixer = 0x200,    ///< input and output maps of state spaces and linear attention
  kTargetNorms = 0x400,   ///< of layers; TuningMethod::norms only
  kTargetFinalNorm = 0x800,
};
inline constexpr std::uint32_t kTargetQueryValue = kTargetQuery | kTargetValue;
inline constexpr std::uint32_t kTargetAttention = kTargetQuery | kTargetKey | kTargetValue | kTargetOutput;
inline constexpr std::uint32_t kTargetMlp = kTargetGate | kTargetUp | kTargetDown;
inline constexpr std::uint32_t kTargetAllLinear = kTargetAttention | kTargetMlp | kTargetMixer;
inline constexpr std::uint32_t kTargetAllNorms = kTargetNorms | kTargetFinalNorm;
inline constexpr std::uint32_t kTargetEmbeddingAndHead = kTargetEmbedding | kTargetHead;

/// Number format of adapters.
enum class AdapterDtype : unsigned char { profile, fp32, half };

/// A half of a pair of thin matrices that does not train.
enum class FrozenHalf : unsigned char {
  none,
  down, ///< the one that reads the input (LoRA-FA)
  up,   ///< the one that writes the output (MiCA)
};

/// What a path of GLoRA is made of.
enum class PathForm : unsigned char { low_rank, vector, constant, none };

/// What turns the vectors of ptuning and prefix into prompts.
enum class PromptEncoder : unsigned char { none, mlp, lstm };

struct Tuning {
  TuningMethod method = TuningMethod::full;
  std::int64_t rank = 16;          ///< methods with thin matrices; >= 1
  std::uint32_t targets = kTargetQueryValue;
  AdapterDtype adapter_dtype = AdapterDtype::profile;
  bool adapter_dropout = false;    ///< dropout before the adapter keeps a mask and the dropped input
  bool adapter_bias = false;       ///< a bias on the second thin matrix
  FrozenHalf frozen_half = FrozenHalf::none;
  std::uint32_t modules_to_save = 0; ///< beside adapters: embedding and head that train whole, as copies of the frozen ones (kTargetEmbedding, kTargetHead)
  bool quantised_head = false;     ///< frozen quantised weights: the output head is stored as the other maps are
  std::int64_t virtual_tokens = 20; ///< prompts, prefix; tokens: rows that train; >= 1
  std::int64_t trained_layers = 2; ///< last_layers: how many; >= 1
  std::int64_t adapters = 1;       ///< loaded at once; all of them weigh, one trains; >= 1

  PromptEncoder encoder = PromptEncoder::none; ///< prefix, ptuning
  std::int64_t encoder_size = 0;   ///< channels of that encoder; 0 = the width of a prompt vector
  std::int64_t encoder_layers = 2; ///< of an LSTM encoder; >= 1
  std::int64_t prompt_layers = 0;  ///< adaption_prompt: the last layers; 0 = all
  std::int64_t tasks = 1;          ///< multitask_prompt, poly; >= 1
  std::int64_t block_size = 0;     ///< oft, boft, c3a: channels of a block; 0 = `blocks` says how many
  std::int64_t blocks = 1;         ///< oft, boft, gralora: blocks along the input; >= 1
  std::int64_t factors = 1;        ///< boft: butterfly factors; >= 1
  bool share_blocks = false;       ///< oft: one block for all
  std::int64_t second_rank = 0;    ///< gralora: of the plain pair beside the blocks; adamss: of one cluster; miss: columns of a tiled matrix (0 = all)
  std::int64_t coefficients = 1000; ///< fourier, wavelet: per target; tinylora, unilora: per vector; >= 1
  std::int64_t vectors = 256;      ///< vblora: in the bank; adamss: clusters; lily: output matrices; poly: skills; >= 1
  std::int64_t vector_length = 256; ///< vblora; >= 1
  std::int64_t stride = 1;         ///< lily: layers that share an input matrix; >= 1
  std::int64_t splits = 1;         ///< poly: parts of the channels that are mixed apart; >= 1
  std::int64_t depth = 0;          ///< peanut: matrices in all, the outer two included; 0 counts as 2
  std::int64_t per_channel = 1;    ///< road: 1, 2 or 4: the number of its variant
  std::int64_t millionths = 0;     ///< frod: of the numbers of a square matrix that train
  std::int64_t tying_millionths = 0; ///< tinylora: how far targets share, 10^6 = all
  std::int64_t kronecker_factor = -1; ///< lokr: the smaller factor of a width; -1 = closest to its square root
  bool orthogonal = false;         ///< hra: reflections are made orthogonal before they multiply
  bool decompose_both = false;     ///< lokr: the first matrix may be thin as well
  bool removal_only = false;       ///< deft: no injection matrix
  bool rotation = true;            ///< psoft: the inner matrix is a rotation
  bool full_decomposition = true; ///< psoft: of the whole decomposition rather than of a low-rank one
  bool input_scale = true;         ///< psoft: a magnitude per rank before it
  bool output_scale = true;        ///< psoft: and one after it
  PathForm weight_paths = PathForm::low_rank;  ///< glora: A and B
  PathForm bias_path = PathForm::low_rank;     ///< glora: C, where the target has a bias
  PathForm bias_vectors = PathForm::constant;  ///< glora: D and E, likewise
};

/// Whether the model's weights are frozen, all of them or all but those that Tuning names.
constexpr bool freezes(Task task, const Tuning& tuning) noexcept { return task == Task::finetune && tuning.method != TuningMethod::full; }

/// The norms that TuningMethod::norms trains: all where targets name none.
constexpr std::uint32_t norm_targets(const Tuning& tuning) noexcept {
  const std::uint32_t named = tuning.targets & kTargetAllNorms;
  return named != 0 ? named : kTargetAllNorms;
}

/// Whole modules that train beside adapters: none where the method has no adapters.
constexpr std::uint32_t copied_modules(const Tuning& tuning) noexcept {
  switch (tuning.method) {
    case TuningMethod::full:
    case TuningMethod::norms:
    case TuningMethod::head:
    case TuningMethod::last_layers: return 0;
    default: return tuning.modules_to_save;
  }
}

/// Which of the model's own weights train, and so keep the inputs that their gradients need.
struct Trains {
  bool matrices = true;   ///< of layers
  bool norms = true;      ///< of layers
  bool final_norm = true;
  bool head = true;
};
constexpr Trains trains(Task task, const Tuning& tuning) noexcept {
  if (!freezes(task, tuning)) return {};
  const bool norms = tuning.method == TuningMethod::norms;
  const bool layers = tuning.method == TuningMethod::last_layers; // those in front of them keep nothing at all
  return {.matrices = layers,
          .norms = layers || (norms && (norm_targets(tuning) & kTargetNorms) != 0),
          .final_norm = norms && (norm_targets(tuning) & kTargetFinalNorm) != 0,
          .head = tuning.method == TuningMethod::head || (copied_modules(tuning) & kTargetHead) != 0};
}

} // namespace plimsoll
