#include "method/fields/tables.hpp"

namespace plimsoll::tables {

namespace {

constexpr Choice kTasks[] = {
    {"inference", static_cast<std::int64_t>(Task::inference), "Serve", "Answer requests with a trained model."},
    {"finetune", static_cast<std::int64_t>(Task::finetune), "Fine-tune", "Train a trained model further: every parameter, or adapters."},
    {"pretrain", static_cast<std::int64_t>(Task::pretrain), "Pre-train", "Train a model from the start."},
};

constexpr Field kFields[] = {
    {.name = "task",
     .topic = Topic::task,
     .kind = FieldKind::choice,
     .label = "task",
     .unit = "",
     .help = "What the model is asked to do. Defaults of other inputs depend on it.",
     .choices = kTasks,
     .get = get<&Inputs::workload, &Workload::task>,
     .set = set<&Inputs::workload, &Workload::task>},
    {.name = "model",
     .topic = Topic::model,
     .kind = FieldKind::id,
     .label = "model",
     .unit = "",
     .help = "A model of the catalogue by its id or Hugging Face id, or \"custom\". Other model inputs change single facts of it."},
    {.name = "config",
     .topic = Topic::model,
     .kind = FieldKind::text,
     .label = "config.json",
     .unit = "",
     .help = "A model's config.json as published with it, used when model is \"custom\".",
     .advanced = true},
    {.name = "architecture",
     .topic = Topic::model,
     .kind = FieldKind::text,
     .label = "architecture",
     .unit = "",
     .help = "Reads the config as that model_type, whatever it says itself: for a new architecture that is built like a known one.",
     .advanced = true},
    {.name = "device",
     .topic = Topic::hardware,
     .kind = FieldKind::id,
     .label = "device",
     .unit = "",
     .help = "The accelerator that must hold it, by its catalogue id."},
    {.name = "profile",
     .topic = Topic::profile,
     .kind = FieldKind::id,
     .label = "implementation",
     .unit = "",
     .help = "Whose code runs: it decides what is kept in memory besides the model itself."},
};

} // namespace

std::span<const Field> question() noexcept { return rows_of<kFields>(); }
std::span<const Texts> question_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
