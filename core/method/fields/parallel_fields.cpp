// How many GPUs divide what.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kContextMethods[] = {
    {"ring", value(ContextMethod::ring), "ring", "Keys and values go around block by block (ring attention)."},
    {"all_gather", value(ContextMethod::all_gather), "gather", "Each GPU gathers all keys and values of a layer."},
    {"ulysses", value(ContextMethod::ulysses), "by heads", "Tokens are exchanged for heads around attention (DeepSpeed-Ulysses)."},
};

using Row = Rows<Topic::parallel, kTraining, &Inputs::strategy>;
using Anytime = Rows<Topic::parallel, kAllTasks, &Inputs::strategy>;

using Served = Rows<Topic::parallel, kServing, &Inputs::strategy>;

bool answers_only(const Inputs& inputs) { return inputs.serving.disaggregation == Disaggregation::decode; }

constexpr std::int64_t kMostGpus = 1024; // of one group
constexpr std::int64_t kMostReplicas = 65'536;
constexpr std::int64_t kMostMultiple = 1'000'000;

constexpr std::array kFields = {
    Anytime::number<&Strategy::tensor_parallel>("tensor_parallel", "tensor", "GPUs", 1, kMostGpus,
                                                "GPUs that share one replica by splitting heads and MLP channels."),
    advanced(Anytime::number<&Strategy::vocab_multiple>("vocab_multiple", "vocabulary in steps of", "tokens", 0, kMostMultiple,
                                                        "The vocabulary is filled up to a multiple of so many tokens, with Megatron-LM on each GPU of a tensor-parallel "
                                                        "group: its --make-vocab-size-divisible-by; 0 for the framework's own, 1 for none.")),
    needing({has_tensor_group, "Set tensor_parallel above 1"},
            advanced(Row::flag<&Strategy::sequence_parallel>(
                "sequence_parallel", "sequence parallel", "The tensor-parallel group also divides the tokens between its matrix multiplications."))),
    advanced(Row::number<&Strategy::context_parallel>("context_parallel", "context", "GPUs", 1, kMostGpus, "GPUs that divide each sequence among them.")),
    needing({has_context_group, "Set context_parallel above 1"},
            Row::choice<&Strategy::context_method>("context_method", "context method", kContextMethods,
                                                   "How the GPUs of a context-parallel group see each other's keys and values.")),
    needing({has_experts, "Choose a model with experts"},
            Anytime::number<&Strategy::expert_parallel>("expert_parallel", "expert", "GPUs", 1, kMostGpus,
                                                        "GPUs that divide the experts of each layer, each with whole ones.")),
    needing({has_experts, "Choose a model with experts"},
            advanced(Row::number<&Strategy::expert_tensor_parallel>("expert_tensor_parallel", "expert tensor", "GPUs", 0, kMostGpus,
                                                                    "GPUs that divide each expert; 0 for as many as divide the rest of the layer."))),
    needing({divides_experts, "Set expert_parallel above 1"},
            in_thousandths("expert_load_permille",
                           advanced(Row::number<&Strategy::expert_load_permille>("expert_load", "busiest experts", "of an even share", 1000, 1'000'000,
                                                                                 "Tokens that reach the GPU whose experts get the most, over an even share, such as 1.25; "
                                                                                 "where a capacity factor drops what is above it, that factor.")))),
    Anytime::number<&Strategy::data_parallel>("data_parallel", "data", "replicas", 1, kMostReplicas,
                                              "Copies of the model that work on different sequences. When training, they average gradients; some engines let them "
                                              "divide the experts."),
    needing({answers_only, "Set disaggregation=decode"},
            advanced(Served::number<&Strategy::prefill_replicas>("prefill_replicas", "prefill servers", "servers", 0, kMostReplicas,
                                                                 "Servers that only read prompts, beside the replicas that answer (xPyD: x of them, data_parallel is y). "
                                                                 "0 = not stated."))),
    needing({answers_only, "Set disaggregation=decode"},
            advanced(Served::number<&Strategy::prefill_tensor_parallel>("prefill_tensor_parallel", "prefill tensor", "GPUs", 0, kMostGpus,
                                                                        "GPUs that share one prefill server; 0 for as many as tensor_parallel."))),
};

} // namespace

std::span<const Field> parallel() noexcept { return rows_of<kFields>(); }
std::span<const Texts> parallel_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
