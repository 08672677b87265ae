#pragma once
// What trains when fine-tuning: every parameter, or small adapters beside frozen weights.

#include <cstdint>

namespace plimsoll {

enum class TuningMethod : unsigned char {
  full,   ///< every parameter
  lora,   ///< two thin matrices beside each target. Hu et al. 2021 (arXiv 2106.09685); rsLoRA and PiSSA weigh the same
  dora,   ///< LoRA and one magnitude per output channel. Liu et al. 2024 (arXiv 2402.09353)
  ia3,    ///< one scale per channel of keys, values and MLP. Liu et al. 2022 (arXiv 2205.05638)
  prompt, ///< learned vectors in front of every sequence. Lester et al. 2021 (arXiv 2104.08691)
  prefix, ///< learned keys and values in front of every sequence, in every layer. Li and Liang 2021 (arXiv 2101.00190)
  bottleneck, ///< two thin matrices after attention and MLP. Houlsby et al. 2019 (arXiv 1902.00751)
  norms,  ///< only the norms train
  head,   ///< only the output head trains
};

/// Which linear maps get adapters: any of these together.
enum TuningTarget : std::uint32_t {
  kTargetQuery = 1u << 0,
  kTargetKey = 1u << 1,
  kTargetValue = 1u << 2,
  kTargetOutput = 1u << 3,
  kTargetGate = 1u << 4,
  kTargetUp = 1u << 5,
  kTargetDown = 1u << 6,
  kTargetEmbedding = 1u << 7,
  kTargetHead = 1u << 8,
};
inline constexpr std::uint32_t kTargetQueryValue = kTargetQuery | kTargetValue;
inline constexpr std::uint32_t kTargetAttention = kTargetQuery | kTargetKey | kTargetValue | kTargetOutput;
inline constexpr std::uint32_t kTargetMlp = kTargetGate | kTargetUp | kTargetDown;
inline constexpr std::uint32_t kTargetAllLinear = kTargetAttention | kTargetMlp;

/// Number format of adapters.
enum class AdapterDtype : unsigned char { profile, fp32, half };

struct Tuning {
  TuningMethod method = TuningMethod::full;
  std::int64_t rank = 16;          ///< lora, dora, bottleneck; >= 1
  std::uint32_t targets = kTargetQueryValue;
  AdapterDtype adapter_dtype = AdapterDtype::profile;
  bool adapter_dropout = false;    ///< dropout before the adapter keeps a mask and the dropped input
  bool adapter_bias = false;       ///< a bias on the second thin matrix
  std::int64_t virtual_tokens = 20; ///< prompt, prefix; >= 1
  std::int64_t adapters = 1;       ///< loaded at once; all of them weigh, one trains; >= 1
};

} // namespace plimsoll
