// "dtype_amp": number formats of weights, gradients, optimizer states and computation.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

namespace plimsoll::io::accuracy::measured_training {

namespace {

enum Meaning : int { kBf16, kFp16, kFp32, kFp32Weights, kPureBf16, kBf16Compute, kFp16Compute, kAmp, kMaster, kFp32Gradients, kFp8, kFp8Weights, kFp32Adapters, kShards, kUnstated };

constexpr Phrase kPhrases[] = {
    {"bf16", kBf16},
    {"bfloat16", kBf16},
    {"bf16 params grads optimizer", kPureBf16},
    {"bf16 params grads states", kPureBf16},
    {"bf16 weights grads adam", kPureBf16},
    {"bf16 weights and grads", kPureBf16},
    {"bf16 weights", kPureBf16},
    {"bf16 true", kPureBf16},
    {"pure bf16", kPureBf16},
    {"bf16 states", kPureBf16},
    {"bf16 compute", kBf16Compute},
    {"bf16 activations", kBf16Compute},
    {"fp16", kFp16},
    {"fp16 params", kFp16},
    {"bf16 params", kBf16},
    {"float16", kFp16},
    {"fp16 activations", kFp16Compute},
    {"fp16 compute", kFp16Compute},
    {"fp32", kFp32},
    {"float32", kFp32},
    {"fp32 params grads adam", kFp32Weights},
    {"fp32 params", kFp32Weights},
    {"fp32 weights", kFp32Weights},
    {"amp", kAmp},
    {"autocast", kAmp},
    {"mixed", kAmp},
    {"mixed precision", kAmp},
    {"no amp", kNothing},
    {"fp32 master", kMaster},
    {"fp32 master weights", kMaster},
    {"fp32 main params", kMaster},
    {"fp32 main grads", kFp32Gradients},
    {"fp32 grads", kFp32Gradients},
    {"fp32 gradients", kFp32Gradients},
    {"fp8", kFp8},
    {"fp8 matmul", kFp8},
    {"fp8 current scaling", kFp8},
    {"fp8 delayed scaling", kFp8},
    {"fp8 params", kFp8Weights},
    {"fp8 param gather", kFp8Weights},
    {"adapter weights fp32 autocast adapter dtype", kFp32Adapters},
    {"adapter weights fp32", kFp32Adapters},
    {"fp32 adapters", kFp32Adapters},
    {"logits upcast to fp32 by hf llama", kNothing},
    {"fsdp2 mixedprecision", kShards},
    {"int4 gptq base", kNothing}, // "quant" has it
    {"not stated", kUnstated},
    {"unknown", kUnstated},
};

} // namespace

void read_precision(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "dtype_amp");
  const Understood words = understand(text, kPhrases);
  if (!words.rest.empty()) return into.decline(not_understood("dtype_amp", text, words.rest));
  if (words.says(kUnstated) || words.meanings.empty()) return into.decline(not_covered_text("dtype_amp", text));
  Strategy& strategy = into.inputs.strategy;
  if (words.says(kFp8)) strategy.fp8 = Fp8::compute;
  if (words.says(kFp8Weights)) strategy.fp8 = Fp8::parameters;
  if (words.says(kFp32Gradients)) strategy.gradient_dtype = GradientDtype::fp32;
  if (words.says(kFp32Adapters)) into.inputs.tuning.adapter_dtype = AdapterDtype::fp32;
  const Framework* framework = framework_of(row);
  const bool master = words.says(kMaster) || words.says(kFp32Gradients) || (framework != nullptr && framework->keeps_master);
  const bool shards = words.says(kShards) || (framework != nullptr && (framework->profile == "fsdp1" || framework->profile == "fsdp2" || framework->profile == "torchtitan"));
  const bool bf16 = words.says(kBf16) || words.says(kBf16Compute), fp16 = words.says(kFp16) || words.says(kFp16Compute);
  if (bf16 && fp16) into.assumed.push_back("Of \"" + text + "\", bfloat16 was used: both weigh the same.");
  if (shards && bf16 && (words.says(kFp32Weights) || words.says(kAmp))) {
    strategy.regime = Regime::sharded_bf16; // FSDP's mixed precision gathers 16-bit copies; nothing is autocast
  } else if (words.says(kFp32Weights)) {
    strategy.regime = bf16 ? Regime::mixed_bf16 : fp16 ? Regime::mixed_fp16 : Regime::fp32;
  } else if (words.says(kPureBf16)) {
    strategy.regime = Regime::bf16;
  } else if (words.says(kAmp)) {
    const bool half = framework != nullptr && framework->loads_half;
    strategy.regime = bf16 ? (half ? Regime::bf16 : master ? Regime::master_bf16 : Regime::mixed_bf16) : (master ? Regime::master_fp16 : Regime::mixed_fp16);
    if (half) into.assumed.push_back("The framework loads the weights in 16 bits before autocast.");
  } else if (bf16) {
    strategy.regime = master ? Regime::master_bf16 : Regime::bf16;
    into.assumed.push_back(master ? "The framework keeps an fp32 master copy beside bf16 weights." : "Weights are in bf16, like the computation.");
  } else if (fp16) {
    if (!master && into.inputs.tuning.method == TuningMethod::full) return into.decline("Training in fp16 without a master copy is no regime of ours.");
    strategy.regime = master ? Regime::master_fp16 : Regime::mixed_fp16;
    into.assumed.push_back(master ? "The framework keeps an fp32 master copy beside fp16 weights." : "Adapters train in fp32 under autocast to fp16.");
  } else {
    strategy.regime = Regime::fp32;
  }
}

} // namespace plimsoll::io::accuracy::measured_training
