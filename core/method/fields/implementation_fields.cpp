// Which code runs, where the framework leaves a choice.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Text kStandard = "as the framework does";
constexpr Text kStandardHelp = "What the framework does unless told otherwise.";

constexpr Choice kAttentionKernels[] = {
    {"profile", value(AttentionKernel::profile), kStandard, kStandardHelp},
    {"flash", value(AttentionKernel::flash), "FlashAttention", "Keeps queries, keys, values, output and one number per head and query."},
    {"cudnn", value(AttentionKernel::cudnn), "cuDNN", "cuDNN's fused attention: the same, without a copy of the output in another layout."},
    {"fused_softmax", value(AttentionKernel::fused_softmax), "fused softmax", "Matrix multiplications around a fused softmax, which is kept in 16 bits."},
    {"eager", value(AttentionKernel::eager), "eager", "Operation by operation; the softmax is kept as the model's code casts it."},
};
constexpr Choice kSwitches[] = {
    {"profile", value(Switch::profile), "as the framework does", "What the framework's launcher sets."},
    {"on", value(Switch::on), "on", "Set."},
    {"off", value(Switch::off), "off", "Not set."},
};
constexpr Choice kFusions[] = {
    {"profile", value(Fusion::profile), kStandard, kStandardHelp},
    {"eager", value(Fusion::eager), "eager", "Operation by operation, each keeping what its backward needs."},
    {"fused", value(Fusion::fused), "fused", "One kernel that keeps its input (Transformer Engine, Liger, apex)."},
    {"compiled", value(Fusion::compiled), "compiled", "torch.compile: chains of pointwise operations are recomputed."},
};
constexpr Choice kExpertKernels[] = {
    kFusions[0], kFusions[1], kFusions[2], kFusions[3],
    {"in_products", value(Fusion::in_products), "in the multiplications", "Grouped multiplications activate, and quantise for the next one (Transformer Engine's NVTE_CUTEDSL_FUSED_GROUPED_MLP)."},
};
constexpr Choice kLossKernels[] = {
    {"profile", value(LossKernel::profile), kStandard, kStandardHelp},
    {"hf_causal_lm", value(LossKernel::hf_causal_lm), "transformers", "transformers' loss function; the training loop still holds the logits."},
    {"hf_trainer", value(LossKernel::hf_trainer), "transformers, Trainer", "The same, with the logits dropped before the backward pass."},
    {"hf_shifted", value(LossKernel::hf_shifted), "transformers, older", "fp32 logits and a shifted contiguous copy of them."},
    {"torch_cross_entropy", value(LossKernel::torch_cross_entropy), "PyTorch", "F.cross_entropy on the logits as they are."},
    {"torch_float", value(LossKernel::torch_float), "PyTorch, fp32 logits", "F.cross_entropy on logits cast to fp32; the 16-bit ones are dropped."},
    {"torch_float_compiled", value(LossKernel::torch_float_compiled), "PyTorch, fp32 logits, compiled", "The same under torch.compile."},
    {"torch_float_kept", value(LossKernel::torch_float_kept), "PyTorch, fp32 logits, kept", "The same, with the fp32 logits kept until the next ones are there."},
    {"chunked", value(LossKernel::chunked), "chunked", "Chunk by chunk over logits that exist as a whole (torchtune)."},
    {"chunked_compiled", value(LossKernel::chunked_compiled), "chunked, compiled", "The same under torch.compile."},
    {"linear_chunked", value(LossKernel::linear_chunked), "head and loss chunked", "Output head and loss together, chunk by chunk."},
    {"megatron", value(LossKernel::megatron), "Megatron-LM", "Cross-entropy over a vocabulary that the tensor-parallel group divides."},
    {"megatron_fused", value(LossKernel::megatron_fused), "Megatron-LM, fused", "The same, jit-fused."},
    {"te_fused", value(LossKernel::te_fused), "Transformer Engine", "The gradient takes the place of the logits."},
    {"te_fused_out_of_place", value(LossKernel::te_fused_out_of_place), "Transformer Engine, out of place", "The gradient is kept beside the logits."},
    {"liger", value(LossKernel::liger), "Liger", "Liger's cross-entropy: the gradient takes the place of the logits."},
    {"liger_fused_linear", value(LossKernel::liger_fused_linear), "Liger, head and loss", "Logits never exist as a whole."},
};

constexpr Choice kTrainingGraphs[] = {
    {"none", value(TrainingGraphs::none), "none", "The host launches each kernel."},
    {"layers", value(TrainingGraphs::layers), "layers", "Layers but for their experts, whose rows differ each time."},
    {"iteration", value(TrainingGraphs::iteration), "iteration", "Both passes as a whole; experts have room for a fixed number of rows."},
};
constexpr Choice kDispatches[] = {
    {"profile", value(ExpertDispatch::profile), kStandard, kStandardHelp},
    {"all_to_all", value(ExpertDispatch::all_to_all), "all to all", "Each GPU gets the tokens of its experts."},
    {"all_gather", value(ExpertDispatch::all_gather), "all gather", "Every GPU of the group gets all tokens, and keeps what it computed of them."},
    {"once", value(ExpertDispatch::once), "once a node", "A token goes once to each node that has any of its experts, or within a node to each GPU (DeepEP, HybridEP)."},
};

using Row = Rows<Topic::profile, kTraining, &Inputs::implementation>;

constexpr Condition kExperts{has_experts, "Choose a model with experts"};

bool computes_in_fp32(const Inputs& inputs) { return inputs.strategy.precision == Precision::fp32; }
bool defers_head(const Inputs& inputs) { return inputs.implementation.defer_head_gradient; }

constexpr std::array kFields = {
    advanced(Row::choice<&Implementation::attention>("attention", "attention", kAttentionKernels, "Kernels of attention's core.")),
    advanced(Row::choice<&Implementation::norms>("norms", "norms", kFusions, "How the operations of a norm run.")),
    advanced(Row::choice<&Implementation::mlp>("mlp", "gated MLP", kFusions, "How the activation of the MLP and its gate run.")),
    advanced(Row::choice<&Implementation::loss>("loss", "loss", kLossKernels, "How logits become a loss.")),
    advanced(Row::flag<&Implementation::hidden_dropout>("hidden_dropout", "hidden dropout", "Dropout after embedding, attention and MLP keeps a mask.")),
    advanced(Row::flag<&Implementation::attention_dropout>("attention_dropout", "attention dropout", "Dropout on the softmax of attention.")),
    advanced(Row::flag<&Implementation::deterministic>("deterministic", "deterministic", "Kernels that give equal bits in every run.")),
    advanced(Row::flag<&Implementation::attention_mask>("attention_mask", "attention mask",
                                                        "Every micro-batch comes with a mask of tokens × tokens, one byte each.")),
    needing({has_pipeline, "Set pipeline_parallel above 1"},
            advanced(Row::flag<&Implementation::defer_head_gradient>(
                "defer_head_gradient", "deferred head gradient", "The output head's weight gradient waits for idle time of the pipeline (Megatron-LM)."))),
    needing({has_tensor_group, "Set tensor_parallel above 1"},
            advanced(Row::flag<&Implementation::communication_overlap>(
                "communication_overlap", "overlapped communication",
                "Tensor-parallel communication overlaps with multiplication, in buffers of its own (Transformer Engine)."))),
    advanced(Row::choice<&Implementation::training_graphs>("training_graphs", "CUDA graphs", kTrainingGraphs,
                                                           "Passes that are captured and replayed wait for no host that launches their kernels (Megatron-LM's --cuda-graph-impl). Their memory is not counted.")),
    advanced(Row::flag<&Implementation::fused_gradient_accumulation>("fused_gradient_accumulation", "fused accumulation",
                                                                     "Weight gradients are multiplied straight into the main gradients.")),
    needing({freezes_weights, "Choose a method that freezes weights, such as lora"},
            advanced(Row::flag<&Implementation::keeps_quantised_inputs>(
                "keeps_quantised_inputs", "quantised inputs kept",
                "Multiplications with frozen quantised weights keep their inputs, as bitsandbytes did before 0.43.2."))),
    needing(kExperts, advanced(Row::choice<&Implementation::experts>("experts_kernel", "experts", kExpertKernels,
                                                                     "How the activation of experts, their gate and the router's weights run."))),
    needing(kExperts, advanced(Row::choice<&Implementation::dispatch>("dispatch", "dispatch", kDispatches, "How tokens reach the GPUs that hold their experts."))),
    needing({divides_experts, "Set expert_parallel above 1"},
            advanced(Row::flag<&Implementation::expert_overlap>("expert_overlap", "overlapped experts", "The exchange with experts runs beside another micro-batch's passes (Megatron-LM's "
                                                                                                        "--overlap-moe-expert-parallel-comm, DualPipe)."))),
    needing(kExperts, advanced(Row::flag<&Implementation::router_fp32>("router_fp32", "router in fp32", "Scores and probabilities of the router are kept in fp32."))),
    needing(kExperts, advanced(Row::flag<&Implementation::grouped_experts>("grouped_experts", "grouped experts",
                                                                           "One grouped multiplication for all experts of a GPU, with workspaces of its own."))),
    needing({defers_head, "Set defer_head_gradient"},
            advanced(Row::number<&Implementation::deferred_micro_batches>("deferred_micro_batches", "deferred", "micro-batches", 0, 1'000'000,
                                                                          "Micro-batches whose head gradient may wait; 0 for all of a step."))),
    needing({computes_in_fp32, "Set precision to fp32"},
            advanced(Row::choice<&Implementation::tf32>("tf32", "TF32", kSwitches,
                                                        "Whether matrices in fp32 are multiplied in TF32, as torch.set_float32_matmul_precision says."))),
    advanced(Row::choice<&Implementation::expandable_segments>("expandable_segments", "expandable segments", kSwitches,
                                                               "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True: the allocator's segments grow in place, so that blocks are cut "
                                                               "to size and little is reserved in vain.")),
    advanced(Row::number<&Implementation::workspace_kib>("workspace_kib", "cuBLAS workspace", "KiB", 0, 16'777'216,
                                                         "Size of each workspace, as CUBLAS_WORKSPACE_CONFIG sets it; 0 for the library's default.")),
};

} // namespace

std::span<const Field> implementation() noexcept { return rows_of<kFields>(); }
std::span<const Texts> implementation_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
