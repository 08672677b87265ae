// The table. What a method keeps follows from which operations of its forward() have an operand that trains: a product with a trained
// matrix saves its other operand, one with a frozen matrix saves nothing but what the input gradient needs (PyTorch,
// tools/autograd/derivatives.yaml). The adapter's input is a copy where its format differs from the activations'.
#include "method/tuning/methods.hpp"

#include "method/tuning/shapes.hpp"

namespace plimsoll::tuning {

namespace {

using enum TuningMethod;

constexpr Count one_rank(const Tuning& t, const Site&) noexcept { return shapes::rank(t); }
/// The input's projection on both halves, its standard deviation and the noise.
constexpr Count four_ranks(const Tuning& t, const Site&) noexcept { return Count{4} * shapes::rank(t); }
/// Every block mixes what all blocks make of the input.
constexpr Count block_ranks(const Tuning& t, const Site&) noexcept { return shapes::at_least_one(t.blocks) * shapes::rank(t) + Count{t.second_rank > 0 ? t.second_rank : 0}; }

constexpr Count two_ranks(const Tuning& t, const Site&) noexcept { return Count{2} * shapes::rank(t); }
constexpr Count three_ranks(const Tuning& t, const Site&) noexcept { return Count{3} * shapes::rank(t); }
constexpr Count cluster_ranks(const Tuning& t, const Site&) noexcept {
  return shapes::rank(t) + shapes::at_least_one(t.vectors) * shapes::at_least_one(t.second_rank);
}
/// The identity that the reflections multiply, and the product before each of them unless they are made orthogonal first.
constexpr Count reflections(const Tuning& t) noexcept { return Count{1} + (t.orthogonal ? Count{0} : shapes::rank(t)); }

constexpr Count one_square(const Tuning&) noexcept { return Count{1}; }
constexpr Count smaller_side(const Tuning&, const Site& s) noexcept { return shapes::smaller(s); }

constexpr Kept kLowRank{.known = true, .input_adapter = 1, .inner = one_rank};
// Weight changes made as a whole: x · delta saves x and delta.
constexpr Kept kDelta{.known = true, .input_adapter = 1, .weights_adapter = 1};
// The changed weight in its own format takes the frozen one's place: x · weight saves both.
constexpr Kept kNewWeight{.known = true, .input_compute = 1, .weights_compute = 1};
constexpr Kept kNothing{.known = true};

constexpr std::array<Method, kTuningMethods> kMethods{{
    {full, "full", "Full fine-tuning", "FULL_FINETUNING", "method_comparison/MetaMathQA/run.py", nullptr, shapes::full, kNothing},
    {lora, "lora", "LoRA", "LORA", "lora/layer.py", shapes::low_rank, nullptr, kLowRank, shapes::frozen_half},
    // The magnitude multiplies the base output and the adapter's output; both are saved. The norm's own path is detached.
    {dora, "dora", "DoRA", "", "lora/dora.py", shapes::dora, nullptr,
     {.known = true, .input_adapter = 1, .output_adapter = 1, .output_compute = 1, .inner = one_rank}, shapes::frozen_half},
    // A scale of the output saves it; one of the MLP's input saves a copy of that (memory.cpp).
    {ia3, "ia3", "IA3", "IA3", "ia3/layer.py", shapes::ia3, nullptr, {.known = true, .output_compute = 1}},
    {prompt, "prompt", "Prompt tuning", "PROMPT_TUNING", "prompt_tuning/model.py", nullptr, shapes::prompt, kNothing},
    {prefix, "prefix", "Prefix tuning", "PREFIX_TUNING", "prefix_tuning/model.py", nullptr, shapes::prefix, kNothing},
    {bottleneck, "bottleneck", "Bottleneck adapters", "", "arXiv 1902.00751, section 2.1", nullptr, shapes::bottleneck, kNothing},
    {norms, "norms", "LayerNorm tuning", "LN_TUNING", "ln_tuning/layer.py", nullptr, shapes::norms, kNothing},
    {head, "head", "Head only", "", "the model's own output head", nullptr, shapes::head, kNothing},
    {adalora, "adalora", "AdaLoRA", "ADALORA", "adalora/layer.py", shapes::adalora, nullptr, kLowRank},
    {gralora, "gralora", "GraLoRA", "GRALORA", "gralora/layer.py", shapes::gralora, nullptr,
     {.known = true, .input_adapter = 1, .inner = block_ranks}},
    // The matrices are frozen: only what the two vectors multiply is saved.
    {vera, "vera", "VeRA", "VERA", "vera/layer.py", shapes::vera, nullptr, {.known = true, .output_adapter = 1, .inner = one_rank}},
    {pvera, "pvera", "PVeRA", "PVERA", "pvera/layer.py", shapes::pvera, nullptr,
     {.known = true, .output_adapter = 1, .inner = four_ranks}},
    {loha, "loha", "LoHa", "LOHA", "loha/layer.py", shapes::loha, nullptr, kDelta},
    {lokr, "lokr", "LoKr", "LOKR", "lokr/layer.py", shapes::lokr, nullptr, kDelta},
    {hira, "hira", "HiRA", "HIRA", "hira/layer.py", shapes::plain_pair, nullptr, kDelta},
    {oft, "oft", "OFT", "OFT", "oft/layer.py", shapes::oft, nullptr, {.known = true, .input_adapter = 1}},
    {boft, "boft", "BOFT", "BOFT", "boft/layer.py", shapes::boft, nullptr, {}},
    {hra, "hra", "HRA", "HRA", "hra/layer.py", shapes::hra, nullptr,
     // The weight's copy and its product with the reflections.
     {.known = true, .input_adapter = 1, .weights_adapter = 2, .squares = reflections}},
    {fourier, "fourier", "FourierFT", "FOURIERFT", "fourierft/layer.py", shapes::coefficients, nullptr, kDelta, nullptr, 16},
    // The transposed convolution of the inverse transform saves its input, as large as the weight.
    {wavelet, "wavelet", "WaveFT", "WAVEFT", "waveft/layer.py", shapes::coefficients, nullptr,
     {.known = true, .input_adapter = 1, .weights_adapter = 2}, nullptr, 16},
    {vblora, "vblora", "VB-LoRA", "VBLORA", "vblora/layer.py", shapes::vblora, shapes::bank, {.known = true, .input_adapter = 1, .inner = one_rank}},
    // The input is summed in groups before it meets the matrix: only the sums are saved.
    {miss, "miss", "MiSS", "MISS", "miss/layer.py", shapes::miss, nullptr, {.known = true, .inner = one_rank}},
    // The reordered weight and the changed weight, both in the adapter's format.
    {miss_bat, "miss_bat", "MiSS, bat", "", "miss/layer.py", shapes::miss_bat, nullptr,
     {.known = true, .input_adapter = 1, .weights_adapter = 2}},
    // The output and its rotated copy, each multiplied with trained numbers.
    {road, "road", "RoAd", "ROAD", "road/layer.py", shapes::road, nullptr, {.known = true, .output_adapter = 2}},
    // Rows and columns in 32 bits, and in 64 bits inside the sparse tensor of each forward pass.
    {shira, "shira", "SHiRA", "SHIRA", "shira/layer.py", shapes::plain_pair, nullptr, kNewWeight, nullptr, 8 + 16},
    {tinylora, "tinylora", "TinyLoRA", "TINYLORA", "tinylora/model.py", nullptr, shapes::tinylora, {.known = true, .inner = one_rank}},
    {unilora, "unilora", "Uni-LoRA", "UNILORA", "unilora/layer.py", nullptr, shapes::one_vector, kLowRank, shapes::unilora_places},
    // Scales train on the smaller basis only: it, the larger one's slice, and what the smaller one multiplies.
    {randlora, "randlora", "RandLoRA", "RANDLORA", "randlora/layer.py", shapes::randlora, nullptr,
     {.known = true, .inner = smaller_side, .weights_adapter = 1, .squares = one_square, .squares_smaller = true}},
    {c3a, "c3a", "C3A", "C3A", "c3a/layer.py", shapes::c3a, nullptr, {.known = true, .input_adapter = 1}},
    {delora, "delora", "DeLoRA", "DELORA", "delora/layer.py", shapes::delora, nullptr,
     {.known = true, .input_adapter = 1, .inner = two_ranks}},
    {glora, "glora", "GLoRA", "GLORA", "glora/layer.py", shapes::glora, nullptr, kNewWeight},
    {lily, "lily", "Lily", "LILY", "lily/layer.py", shapes::lily, nullptr, {.known = true, .input_adapter = 1, .inner = one_rank}},
    // The base output meets the trained subspace.
    {deft, "deft", "DEFT", "DEFT", "deft/layer.py", shapes::deft, nullptr,
     {.known = true, .input_adapter = 1, .output_adapter = 1, .inner = two_ranks}},
    // Bases wait in the host's memory: V as the activations are, U in fp32; the projected input in fp32; places moved and put in order.
    {frod, "frod", "FRoD", "FROD", "frod/layer.py", shapes::frod, nullptr,
     {.known = true, .input_adapter = 1, .weights_adapter = 1, .squares = one_square, .squares_compute = true}, nullptr, 16 + 16},
    // The weight's copy, which the first matrix reads, and the change itself.
    {peanut, "peanut", "PEANuT", "PEANUT", "peanut/layer.py", shapes::peanut, nullptr,
     {.known = true, .input_adapter = 1, .weights_adapter = 2}},
    // Outer matrices are frozen: the input of each of the three trained steps between them.
    {psoft, "psoft", "PSOFT", "PSOFT", "psoft/layer.py", shapes::psoft, nullptr, {.known = true, .inner = three_ranks},
     shapes::psoft_subspace},
    // The frozen projection, and what each cluster's first matrix makes of it.
    {adamss, "adamss", "AdaMSS", "ADAMSS", "adamss/layer.py", shapes::adamss, nullptr, {.known = true, .inner = cluster_ranks},
     shapes::adamss_projection},
    // A sum saves nothing.
    {beft, "beft", "BEFT", "BEFT", "beft/layer.py", shapes::beft, nullptr, kNothing},
    {poly, "poly", "Poly", "POLY", "poly/layer.py", shapes::poly, nullptr, kLowRank},
    {ptuning, "ptuning", "P-tuning", "P_TUNING", "p_tuning/model.py", nullptr, shapes::ptuning, kNothing},
    {multitask_prompt, "multitask_prompt", "Multitask prompt tuning", "MULTITASK_PROMPT_TUNING", "multitask_prompt_tuning/model.py", nullptr,
     shapes::multitask_prompt, kNothing},
    {adaption_prompt, "adaption_prompt", "LLaMA-Adapter", "ADAPTION_PROMPT", "adaption_prompt/layer.py", nullptr, shapes::adaption_prompt, kNothing},
    {tokens, "tokens", "Trainable tokens", "TRAINABLE_TOKENS", "trainable_tokens/layer.py", nullptr, shapes::prompt, kNothing},
    {last_layers, "last_layers", "Last layers", "", "hiyouga/LLaMA-Factory, src/llamafactory/model/adapter.py, _setup_freeze_tuning", nullptr, shapes::last_layers, kNothing},
}};

constexpr bool in_order() noexcept {
  for (std::size_t i = 0; i < kMethods.size(); ++i)
    if (static_cast<std::size_t>(kMethods[i].method) != i) return false;
  return true;
}
static_assert(in_order(), "the rows stand in the order of TuningMethod");

} // namespace

const std::array<Method, kTuningMethods>& methods() noexcept { return kMethods; }

const Method& row_of(TuningMethod method) noexcept {
  const auto index = static_cast<std::size_t>(method);
  return kMethods[index < kMethods.size() ? index : 0];
}

} // namespace plimsoll::tuning
