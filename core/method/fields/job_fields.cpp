// A whole training job: how much it trains on.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

using Pretraining = Rows<Topic::workload, kPretraining, &Inputs::job>;
using Finetuning = Rows<Topic::workload, kFinetuning, &Inputs::job>;
using Training = Rows<Topic::workload, kTraining, &Inputs::job>;

bool has_data_set(const Inputs& inputs) { return inputs.job.dataset_tokens > 0; }

constexpr std::int64_t kMostTokens = 1'000'000'000'000'000;

constexpr std::array kFields = {
    Pretraining::number<&Job::train_tokens>("train_tokens", "tokens in all", "tokens", 0, kMostTokens,
                                            "Tokens of the whole pre-training: asks for its time and GPU-hours. 0 asks for none."),
    Finetuning::number<&Job::dataset_tokens>("dataset_tokens", "data set", "tokens", 0, kMostTokens,
                                             "Tokens of the data set, padding included: asks for the time and GPU-hours of the whole fine-tuning. 0 asks for none."),
    needing({has_data_set, "Give dataset_tokens"},
            Finetuning::number<&Job::epochs>("epochs", "epochs", "times", 1, 10'000, "How often fine-tuning sees the data set.")),
    advanced(Training::flag<&Job::basis>("typical_job", "usual job",
                                         "The job's time is what published training jobs reached on such devices, whatever the layout: a first answer, from the "
                                         "model, its tokens and the device alone. Otherwise it is that of the step which everything else here describes, and "
                                         "what jobs lose beside it.")),
};

} // namespace

std::span<const Field> job() noexcept { return kRowsOf<kFields>; }
std::span<const std::string_view> job_help() noexcept { return kHelpOf<kFields>; }

} // namespace plimsoll::tables
