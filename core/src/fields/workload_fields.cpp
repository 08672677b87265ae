#include "fields/tables.hpp"

namespace plimsoll::tables {

namespace {

constexpr Field kFields[] = {
    {.name = "context_tokens",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "context",
     .unit = "tokens",
     .help = "Tokens per sequence: prompt and answer together when serving, the training sequence otherwise. "
             "Without a value, at most what the model was made for.",
     .min = 1,
     .max = 100'000'000,
     .defaults = {8192, 4096, 4096},
     .get = get<&Inputs::workload, &Workload::context_tokens>,
     .set = set<&Inputs::workload, &Workload::context_tokens>},
    {.name = "batch",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "batch",
     .unit = "sequences",
     .help = "Serving: sequences that one replica holds at once. Training: sequences per micro-batch on one GPU.",
     .min = 1,
     .max = 1'000'000,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::workload, &Workload::batch>,
     .set = set<&Inputs::workload, &Workload::batch>},
    {.name = "micro_batches",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "micro-batches",
     .unit = "per step",
     .help = "Micro-batches that one replica runs before the optimizer steps: gradient accumulation, and what fills a pipeline.",
     .tasks = kTraining,
     .min = 1,
     .max = 1'000'000,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::workload, &Workload::micro_batches>,
     .set = set<&Inputs::workload, &Workload::micro_batches>},
    {.name = "prefill_tokens",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "prefill pass",
     .unit = "tokens",
     .help = "The most tokens that one forward pass takes while prompts are read (chunked prefill).",
     .tasks = kServing,
     .advanced = true,
     .min = 1,
     .max = 100'000'000,
     .defaults = {8192, 8192, 8192},
     .get = get<&Inputs::workload, &Workload::prefill_tokens>,
     .set = set<&Inputs::workload, &Workload::prefill_tokens>},
};

} // namespace

std::span<const Field> workload() noexcept { return kFields; }

} // namespace plimsoll::tables
