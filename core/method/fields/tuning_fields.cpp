// What trains when fine-tuning.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

// Low rank, rotations, changes of the weight, scales and biases, prompts, parts of the model. Methods whose activations nobody has read
// in their source are left out (Kept::known in tuning/methods.hpp).
constexpr Choice kMethods[] = {
    {"full", value(TuningMethod::full), "every parameter", "All weights train."},
    {"lora", value(TuningMethod::lora), "LoRA", "Two thin matrices beside each target; rsLoRA and PiSSA weigh the same."},
    {"dora", value(TuningMethod::dora), "DoRA", "LoRA and one magnitude per output channel."},
    {"adalora", value(TuningMethod::adalora), "AdaLoRA", "Thin matrices with one trained singular value per rank."},
    {"gralora", value(TuningMethod::gralora), "GraLoRA", "Thin matrices block by block."},
    {"vera", value(TuningMethod::vera), "VeRA", "Two vectors per target around matrices that all share and nobody trains."},
    {"pvera", value(TuningMethod::pvera), "PVeRA", "VeRA with a mean and a variance per rank."},
    {"loha", value(TuningMethod::loha), "LoHa", "A product, element by element, of two low-rank matrices."},
    {"lokr", value(TuningMethod::lokr), "LoKr", "A Kronecker product."},
    {"hira", value(TuningMethod::hira), "HiRA", "The weight times a low-rank matrix, element by element."},
    {"vblora", value(TuningMethod::vblora), "VB-LoRA", "Thin matrices mixed from a bank of vectors that all share."},
    {"tinylora", value(TuningMethod::tinylora), "TinyLoRA", "A few numbers per group of targets."},
    {"unilora", value(TuningMethod::unilora), "Uni-LoRA", "One vector for the whole model."},
    {"delora", value(TuningMethod::delora), "DeLoRA", "LoRA with a trained norm."},
    {"glora", value(TuningMethod::glora), "GLoRA", "Paths that scale and shift weight and bias."},
    {"lily", value(TuningMethod::lily), "Lily", "Thin matrices shared between layers, mixed by a router."},
    {"randlora", value(TuningMethod::randlora), "RandLoRA", "Scales of random bases that all share."},
    {"poly", value(TuningMethod::poly), "Poly", "LoRAs mixed per task."},
    {"adamss", value(TuningMethod::adamss), "AdaMSS", "Low-rank updates of clusters of rows."},
    {"deft", value(TuningMethod::deft), "DEFT", "Removal of a subspace of the weight and injection beside it."},
    {"oft", value(TuningMethod::oft), "OFT", "Block-diagonal rotations of the input."},
    {"hra", value(TuningMethod::hra), "HRA", "A chain of Householder reflections."},
    {"psoft", value(TuningMethod::psoft), "PSOFT", "A rotation inside the principal subspace."},
    {"road", value(TuningMethod::road), "RoAd", "Rotations of pairs of output channels."},
    {"c3a", value(TuningMethod::c3a), "C3A", "Block-circular convolution."},
    {"miss", value(TuningMethod::miss), "MiSS", "One matrix of rank rows, its input summed in groups; formerly Bone."},
    {"miss_bat", value(TuningMethod::miss_bat), "MiSS, bat", "MiSS that multiplies the weight's own blocks."},
    {"fourier", value(TuningMethod::fourier), "FourierFT", "Coefficients of a sparse spectrum of the weight's change."},
    {"wavelet", value(TuningMethod::wavelet), "WaveFT", "Coefficients of its wavelet transform."},
    {"shira", value(TuningMethod::shira), "SHiRA", "A sparse change of the weight itself."},
    {"frod", value(TuningMethod::frod), "FRoD", "A sparse change in a basis that layers share."},
    {"peanut", value(TuningMethod::peanut), "PEANuT", "A small network from the weight to its change."},
    {"ia3", value(TuningMethod::ia3), "IA3", "One scale per channel of keys, values and MLP."},
    {"beft", value(TuningMethod::beft), "BEFT", "One bias per target."},
    {"bottleneck", value(TuningMethod::bottleneck), "bottleneck adapters", "Two thin matrices after attention and MLP."},
    {"prompt", value(TuningMethod::prompt), "prompt tuning", "Learned vectors in front of every sequence."},
    {"ptuning", value(TuningMethod::ptuning), "P-tuning", "Prompt vectors out of an encoder."},
    {"multitask_prompt", value(TuningMethod::multitask_prompt), "multitask prompt tuning", "A shared prompt times low-rank ones per task."},
    {"prefix", value(TuningMethod::prefix), "prefix tuning", "Learned keys and values in front of every sequence, in every layer."},
    {"adaption_prompt", value(TuningMethod::adaption_prompt), "LLaMA-Adapter", "Prompt vectors and one gate in the attention of the last layers."},
    {"tokens", value(TuningMethod::tokens), "trainable tokens", "Chosen rows of the embedding table."},
    {"last_layers", value(TuningMethod::last_layers), "last layers", "All weights of the last layers train; nothing in front of them keeps anything for a backward pass."},
    {"norms", value(TuningMethod::norms), "norms", "Only the norms train."},
    {"head", value(TuningMethod::head), "output head", "Only the output head trains."},
};
constexpr Choice kTargets[] = {
    {"qv", kTargetQueryValue, "query, value", "The query and value projections."},
    {"qkv", kTargetQuery | kTargetKey | kTargetValue, "query, key, value", "The query, key and value projections."},
    {"attention", kTargetAttention, "attention", "The query, key, value and output projections."},
    {"mlp", kTargetMlp, "MLP", "The gate, up and down projections."},
    {"all_linear", kTargetAllLinear, "all linear maps", "All projections of attention and MLP."},
};
constexpr Choice kTargetParts[] = {
    {"q", kTargetQuery, "query", "The query projection."},
    {"k", kTargetKey, "key", "The key projection."},
    {"v", kTargetValue, "value", "The value projection."},
    {"o", kTargetOutput, "output", "The output projection of attention."},
    {"gate", kTargetGate, "gate", "The gate of a gated MLP."},
    {"up", kTargetUp, "up", "The first map of the MLP."},
    {"down", kTargetDown, "down", "The last map of the MLP."},
    {"mixer", kTargetMixer, "mixer", "Input and output maps of state spaces and linear attention."},
    {"embedding", kTargetEmbedding, "embedding", "The embedding table."},
    {"head", kTargetHead, "head", "The output head."},
    {"norms", kTargetNorms, "norms", "Norms of layers, where norms are what trains."},
    {"final_norm", kTargetFinalNorm, "final norm", "The norm behind the last layer, likewise."},
};
constexpr Choice kSavedModules[] = {
    {"none", 0, "none", "Embedding and head stay frozen."},
    {"embedding_and_head", kTargetEmbeddingAndHead, "embedding and head", "Both, as where tokens were added."},
    {"embedding", kTargetEmbedding, "embedding", "The embedding table."},
    {"head", kTargetHead, "head", "The output head."},
};
constexpr Choice kAdapterDtypes[] = {
    {"profile", value(AdapterDtype::profile), "as the framework does", "What the framework does for this precision."},
    {"fp32", value(AdapterDtype::fp32), "fp32", "4 bytes per number."},
    {"half", value(AdapterDtype::half), "16 bits", "2 bytes per number, in the format of the computation."},
};

constexpr Choice kWeightPaths[] = {
    {"low_rank", value(PathForm::low_rank), "low rank", "Two thin matrices."},
    {"vector", value(PathForm::vector), "vector", "One number per channel."},
    {"constant", value(PathForm::constant), "constant", "One number."},
    {"none", value(PathForm::none), "none", "No such path."},
};
constexpr Choice kBiasPaths[] = {kWeightPaths[0], kWeightPaths[1], kWeightPaths[3]};
constexpr Choice kFrozenHalves[] = {
    {"none", value(FrozenHalf::none), "none", "Both thin matrices train."},
    {"down", value(FrozenHalf::down), "the one that reads", "The matrix that reads the input is frozen (LoRA-FA)."},
    {"up", value(FrozenHalf::up), "the one that writes", "The matrix that writes the output is frozen (MiCA)."},
};
constexpr Choice kRoadVariants[] = {
    {"1", 1, "1", "One rotation for each pair of channels."},
    {"2", 2, "2", "Two numbers for each channel."},
    {"4", 4, "4", "Four numbers for each channel."},
};
constexpr Choice kDecompositions[] = {
    {"full", 1, "full", "The whole decomposition of the weight."},
    {"low_rank", 0, "low rank", "A randomised one of low rank."},
};
constexpr Choice kEncoders[] = {
    {"none", value(PromptEncoder::none), "none", "The vectors themselves are learned."},
    {"mlp", value(PromptEncoder::mlp), "MLP", "An MLP makes them of learned vectors."},
    {"lstm", value(PromptEncoder::lstm), "LSTM", "An LSTM makes them of learned vectors."},
};

using enum TuningMethod;

template <TuningMethod... Methods> bool is_one_of(const Inputs& inputs) { return ((inputs.tuning.method == Methods) || ...); }

constexpr auto has_rank = is_one_of<lora, dora, adalora, gralora, vera, pvera, randlora, loha, lokr, hira, vblora, delora, glora, lily, poly, adamss, deft, hra, psoft,
                                    miss, miss_bat, shira, peanut, bottleneck, tinylora, unilora, multitask_prompt>;
constexpr auto has_virtual_tokens = is_one_of<prompt, ptuning, multitask_prompt, prefix, adaption_prompt, tokens>;
bool has_targets(const Inputs& inputs) { return text_of(inputs.tuning.method).per_target || is_one_of<tinylora, unilora, norms>(inputs); }
bool has_adapters(const Inputs& inputs) { return !is_one_of<full, norms, head, last_layers>(inputs); }

constexpr Condition kLowRank{is_one_of<lora, dora>, "Choose lora or dora as method"};
constexpr Condition kAdapters{has_adapters, "Choose a method with adapters, such as lora"};

using Row = Rows<Topic::tuning, kFinetuning, &Inputs::tuning>;

constexpr std::int64_t kMost = 1'000'000;

constexpr std::array kFields = {
    Row::choice<&Tuning::method>("method", "what trains", kMethods, "Every parameter, some of them, or small adapters beside frozen weights."),
    needing({has_rank, "Choose a method with thin matrices, such as lora"},
            Row::number<&Tuning::rank>("rank", "rank", "channels", 1, 65'536, "Width between the two thin matrices of an adapter.")),
    needing({has_targets, "Choose a method with targets, such as lora"},
            of_parts(kTargetParts, Row::choice<&Tuning::targets>("targets", "targets", kTargets,
                                                                 "Which linear maps get adapters: one of the names, or any of q, k, v, o, gate, up, down, mixer, "
                                                                 "embedding and head, joined by commas."))),
    needing({is_one_of<last_layers>, "Choose last_layers as method"},
            Row::number<&Tuning::trained_layers>("trained_layers", "trained layers", "layers", 1, 10'000, "How many of the last layers train; embedding, head and final norm are frozen.")),
    needing({has_virtual_tokens, "Choose prompt, prefix or another method with learned tokens"},
            Row::number<&Tuning::virtual_tokens>("virtual_tokens", "virtual tokens", "tokens", 1, 65'536, "Learned tokens, most often in front of every sequence.")),
    needing(kAdapters, advanced(Row::choice<&Tuning::adapter_dtype>("adapter_dtype", "adapter format", kAdapterDtypes, "Number format of adapters."))),
    needing({has_targets, "Choose a method with targets, such as lora"},
            advanced(Row::flag<&Tuning::adapter_dropout>("adapter_dropout", "adapter dropout", "Dropout before the adapter keeps a mask and the dropped input."))),
    needing(kLowRank, advanced(Row::flag<&Tuning::adapter_bias>("adapter_bias", "adapter bias", "A bias on the second thin matrix."))),
    needing({is_one_of<lora>, "Choose lora as method"},
            advanced(Row::choice<&Tuning::frozen_half>("frozen_half", "frozen half", kFrozenHalves, "A half of each pair of thin matrices that does not train."))),
    needing(kAdapters, advanced(Row::choice<&Tuning::modules_to_save>("modules_to_save", "whole modules besides", kSavedModules,
                                                                      "Which modules train whole beside the adapters, as copies (PEFT's modules_to_save)."))),
    needing(kAdapters, advanced(Row::number<&Tuning::adapters>("adapters", "loaded adapters", "adapters", 1, 10'000,
                                                               "Adapters loaded at once: all of them weigh, one trains."))),
    needing({is_one_of<oft, gralora>, "Choose oft or gralora as method"},
            advanced(Row::number<&Tuning::blocks>("adapter_blocks", "adapter blocks", "blocks", 1, 65'536, "Blocks that an adapter divides its input into."))),
    needing({is_one_of<oft, c3a>, "Choose oft or c3a as method"},
            advanced(Row::number<&Tuning::block_size>("adapter_block_size", "adapter block size", "channels", 0, 65'536,
                                                      "Channels of one block; 0 leaves it to the number of blocks."))),
    needing({is_one_of<gralora, adamss, miss>, "Choose gralora, adamss or miss as method"},
            advanced(Row::number<&Tuning::second_rank>("second_rank", "second rank", "channels", 0, 65'536,
                                                       "gralora: of the plain pair beside the blocks; adamss: of one cluster; miss: columns of a tiled matrix."))),
    needing({is_one_of<fourier, wavelet, tinylora, unilora>, "Choose fourier, wavelet, tinylora or unilora as method"},
            advanced(Row::number<&Tuning::coefficients>("coefficients", "coefficients", "numbers", 1, kMost, "Trained numbers per target, or per shared vector."))),
    needing({is_one_of<vblora, adamss, lily, poly>, "Choose vblora, adamss, lily or poly as method"},
            advanced(Row::number<&Tuning::vectors>("adapter_vectors", "shared parts", "parts", 1, 65'536,
                                                   "vblora: vectors in the bank; adamss: clusters; lily: output matrices; poly: skills."))),
    needing({is_one_of<vblora>, "Choose vblora as method"},
            advanced(Row::number<&Tuning::vector_length>("vector_length", "vector length", "numbers", 1, 65'536, "Numbers of one vector in the bank."))),
    needing({is_one_of<ptuning, prefix>, "Choose ptuning or prefix as method"},
            advanced(Row::choice<&Tuning::encoder>("prompt_encoder", "prompt encoder", kEncoders, "What makes the prompts."))),
    needing({is_one_of<ptuning, prefix>, "Choose ptuning or prefix as method"},
            advanced(Row::number<&Tuning::encoder_size>("prompt_encoder_size", "width of the prompt encoder", "channels", 0, 65'536,
                                                        "Channels inside it; 0 = those of a prompt vector."))),
    needing({is_one_of<adaption_prompt>, "Choose adaption_prompt as method"},
            advanced(Row::number<&Tuning::prompt_layers>("prompt_layers", "layers with prompts", "layers", 0, 65'536, "The last layers get prompts; 0 = all."))),
    needing({is_one_of<multitask_prompt, poly>, "Choose multitask_prompt or poly as method"},
            advanced(Row::number<&Tuning::tasks>("tuning_tasks", "tasks", "tasks", 1, 65'536, "Tasks that share the adapters."))),
    needing({freezes_weights, "Choose a method that freezes weights, such as lora"},
            advanced(Row::flag<&Tuning::quantised_head>("quantised_head", "quantised head",
                                                        "The output head is quantised as the other maps are: Lightning Fabric's bitsandbytes, as LitGPT uses it."))),
    needing({is_one_of<ptuning>, "Choose ptuning as method"},
            advanced(Row::number<&Tuning::encoder_layers>("prompt_encoder_layers", "depth of the prompt encoder", "layers", 1, 64, "Layers of an LSTM encoder."))),
    needing({is_one_of<oft>, "Choose oft as method"}, advanced(Row::flag<&Tuning::share_blocks>("block_share", "shared block", "One block rotates all parts of the input."))),
    needing({is_one_of<lily>, "Choose lily as method"},
            advanced(Row::number<&Tuning::stride>("adapter_stride", "layers that share", "layers", 1, 65'536, "Neighbouring layers that share an input matrix."))),
    needing({is_one_of<poly>, "Choose poly as method"},
            advanced(Row::number<&Tuning::splits>("adapter_splits", "splits", "parts", 1, 65'536, "Parts of the channels that are mixed apart."))),
    needing({is_one_of<peanut>, "Choose peanut as method"},
            advanced(Row::number<&Tuning::depth>("adapter_depth", "adapter depth", "matrices", 0, 64, "Matrices in all, the outer two included; 0 counts as 2."))),
    needing({is_one_of<road>, "Choose road as method"},
            advanced(Row::choice<&Tuning::per_channel>("road_variant", "variant", kRoadVariants, "Trained numbers for each output channel."))),
    needing({is_one_of<frod>, "Choose frod as method"},
            advanced(Row::number<&Tuning::millionths>("trained_millionths", "share that trains", "millionths", 0, kMost, "Of the numbers of a square matrix."))),
    needing({is_one_of<tinylora>, "Choose tinylora as method"},
            advanced(Row::number<&Tuning::tying_millionths>("tying_millionths", "tied targets", "millionths", 0, kMost, "How far targets share their numbers; 1,000,000 where all do."))),
    needing({is_one_of<lokr>, "Choose lokr as method"},
            advanced(Row::number<&Tuning::kronecker_factor>("kronecker_factor", "Kronecker factor", "channels", -1, 65'536,
                                                            "The smaller factor of a width; -1 for the one closest to its square root."))),
    needing({is_one_of<lokr>, "Choose lokr as method"}, advanced(Row::flag<&Tuning::decompose_both>("decompose_both", "both decomposed", "The first matrix may be thin as well."))),
    needing({is_one_of<hra>, "Choose hra as method"},
            advanced(Row::flag<&Tuning::orthogonal>("orthogonal_reflections", "orthogonal reflections", "Reflections are made orthogonal before they multiply."))),
    needing({is_one_of<deft>, "Choose deft as method"}, advanced(Row::flag<&Tuning::removal_only>("removal_only", "removal only", "Nothing is injected beside what is removed."))),
    needing({is_one_of<psoft>, "Choose psoft as method"},
            advanced(Row::flag<&Tuning::rotation>("psoft_rotation", "rotation", "The inner matrix is a rotation rather than any matrix."))),
    needing({is_one_of<psoft>, "Choose psoft as method"},
            advanced(Row::choice<&Tuning::full_decomposition>("psoft_decomposition", "decomposition", kDecompositions, "What the principal subspace is taken from."))),
    needing({is_one_of<psoft>, "Choose psoft as method"},
            advanced(Row::flag<&Tuning::input_scale>("psoft_input_scale", "scale before", "A magnitude for each rank before the inner matrix."))),
    needing({is_one_of<psoft>, "Choose psoft as method"},
            advanced(Row::flag<&Tuning::output_scale>("psoft_output_scale", "scale behind", "A magnitude for each rank behind it."))),
    needing({is_one_of<glora>, "Choose glora as method"},
            advanced(Row::choice<&Tuning::weight_paths>("glora_weight_paths", "paths of the weight", kWeightPaths, "What scales and shifts the weight is made of."))),
    needing({is_one_of<glora>, "Choose glora as method"},
            advanced(Row::choice<&Tuning::bias_path>("glora_bias_path", "path to the bias", kBiasPaths, "What leads from the weight to the bias, where a target has one."))),
    needing({is_one_of<glora>, "Choose glora as method"},
            advanced(Row::choice<&Tuning::bias_vectors>("glora_bias_vectors", "paths of the bias", kWeightPaths, "What scales and shifts the bias, likewise."))),
};

} // namespace

std::span<const Field> tuning() noexcept { return rows_of<kFields>(); }
std::span<const Texts> tuning_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
