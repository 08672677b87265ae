// A whole training job: how much it trains on.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

using Pretraining = Rows<Topic::workload, kPretraining, &Inputs::job>;
using Finetuning = Rows<Topic::workload, kFinetuning, &Inputs::job>;
using Training = Rows<Topic::workload, kTraining, &Inputs::job>;

bool of_a_layout(const Inputs& inputs) { return inputs.job.basis == JobBasis::configured; }
bool counts_losses(const Inputs& inputs) { return of_a_layout(inputs) && inputs.job.counts_losses; }
constexpr Condition kLosses{counts_losses, "Set job_losses to true"};

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
    needing({of_a_layout, "Set typical_job to false"},
            advanced(Training::flag<&Job::counts_losses>("job_losses", "losses counted",
                                                 "Start-up, evaluation, checkpoints and failures are counted one by one. Otherwise a job takes as much longer than its steps as "
                                                 "published jobs did."))),
    needing(kLosses, advanced(Training::number<&Job::evaluation_tokens>("evaluation_tokens", "evaluation", "tokens", 0, kMostTokens,
                                                                        "Tokens that all evaluations of the job read, without training on them."))),
    needing(kLosses, advanced(Training::number<&Job::checkpoint_minutes>("checkpoint_minutes", "checkpoints", "minutes", 0, 1'000'000,
                                                                         "Minutes of training between checkpoints; 0 for the interval that loses the least."))),
    needing(kLosses, advanced(Training::number<&Job::checkpoint_bytes_per_s>(
                         "checkpoint_bytes_per_s", "checkpoint rate", "bytes/s", 1'000'000, 100'000'000'000'000,
                         "What one node writes to storage while all write, and reads when the job starts again. Without a value 1 GB/s: Llama 3's storage, 2 TB/s for 2,048 nodes."))),
    needing(kLosses, advanced(Training::flag<&Job::asynchronous_checkpoints>("checkpoint_async", "written meanwhile",
                                                                             "Training waits only while a checkpoint is copied to the host's memory, which writes it meanwhile."))),
    needing(kLosses, advanced(Training::number<&Job::failures_per_million_gpu_hours>(
                         "failures_per_million_gpu_hours", "failures", "per million GPU-hours", 0, 1'000'000,
                         "What interrupts the job without being planned. Llama 3's had 419 in 54 days on 16,384 GPUs: 20; Meta's research clusters 12 and 34."))),
    needing(kLosses, advanced(Training::number<&Job::restart_minutes>("restart_minutes", "restart", "minutes", 0, 100'000,
                                                                      "From a failure, or the start, until steps take their usual time: noticing, scheduling, loading code, warming up. "
                                                                      "Reading the checkpoint comes on top."))),
};

} // namespace

std::span<const Field> job() noexcept { return rows_of<kFields>(); }
std::span<const Texts> job_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
