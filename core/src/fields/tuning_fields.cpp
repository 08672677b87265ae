// What trains when fine-tuning.
#include "fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kMethods[] = {
    {"full", value(TuningMethod::full), "every parameter", "All weights train."},
    {"lora", value(TuningMethod::lora), "LoRA", "Two thin matrices beside each target; rsLoRA and PiSSA weigh the same."},
    {"dora", value(TuningMethod::dora), "DoRA", "LoRA and one magnitude per output channel."},
    {"ia3", value(TuningMethod::ia3), "IA3", "One scale per channel of keys, values and MLP."},
    {"prompt", value(TuningMethod::prompt), "prompt tuning", "Learned vectors in front of every sequence."},
    {"prefix", value(TuningMethod::prefix), "prefix tuning", "Learned keys and values in front of every sequence, in every layer."},
    {"bottleneck", value(TuningMethod::bottleneck), "bottleneck adapters", "Two thin matrices after attention and MLP."},
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
constexpr Choice kAdapterDtypes[] = {
    {"profile", value(AdapterDtype::profile), "as the framework does", "What the framework does for this precision."},
    {"fp32", value(AdapterDtype::fp32), "fp32", "4 bytes per number."},
    {"half", value(AdapterDtype::half), "16 bits", "2 bytes per number, in the format of the computation."},
};

bool is_low_rank(const Inputs& inputs) { return inputs.tuning.method == TuningMethod::lora || inputs.tuning.method == TuningMethod::dora; }
bool has_rank(const Inputs& inputs) { return is_low_rank(inputs) || inputs.tuning.method == TuningMethod::bottleneck; }
bool has_virtual_tokens(const Inputs& inputs) {
  return inputs.tuning.method == TuningMethod::prompt || inputs.tuning.method == TuningMethod::prefix;
}
bool has_adapters(const Inputs& inputs) {
  const TuningMethod method = inputs.tuning.method;
  return method != TuningMethod::full && method != TuningMethod::norms && method != TuningMethod::head;
}

constexpr Condition kLowRank{is_low_rank, "Choose lora or dora as method"};
constexpr Condition kAdapters{has_adapters, "Choose a method with adapters, such as lora"};

using Row = Rows<Topic::tuning, kFinetuning, &Inputs::tuning>;

constexpr std::array kFields = {
    Row::choice<&Tuning::method>("method", "what trains", kMethods, "Every parameter, some of them, or small adapters beside frozen weights."),
    needing({has_rank, "Choose lora, dora or bottleneck as method"},
            Row::number<&Tuning::rank>("rank", "rank", "channels", 1, 65'536, "Width between the two thin matrices of an adapter.")),
    needing(kLowRank, Row::choice<&Tuning::targets>("targets", "targets", kTargets, "Which linear maps get adapters.")),
    needing({has_virtual_tokens, "Choose prompt or prefix as method"},
            Row::number<&Tuning::virtual_tokens>("virtual_tokens", "virtual tokens", "tokens", 1, 65'536, "Learned tokens in front of every sequence.")),
    needing(kAdapters, advanced(Row::choice<&Tuning::adapter_dtype>("adapter_dtype", "adapter format", kAdapterDtypes, "Number format of adapters."))),
    needing(kLowRank, advanced(Row::flag<&Tuning::adapter_dropout>("adapter_dropout", "adapter dropout",
                                                                   "Dropout before the adapter keeps a mask and the dropped input."))),
    needing(kLowRank, advanced(Row::flag<&Tuning::adapter_bias>("adapter_bias", "adapter bias", "A bias on the second thin matrix."))),
    needing(kAdapters, advanced(Row::number<&Tuning::adapters>("adapters", "loaded adapters", "adapters", 1, 10'000,
                                                               "Adapters loaded at once: all of them weigh, one trains."))),
};

} // namespace

std::span<const Field> tuning() noexcept { return kFields; }

} // namespace plimsoll::tables
