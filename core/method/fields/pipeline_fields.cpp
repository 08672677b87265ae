// Pipeline parallelism: which stage has which layers, and in which order the stages run.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

#include <array>
#include <utility>
#include <vector>

namespace plimsoll::tables {

namespace {

constexpr Choice kSchedules[] = {
    {"1f1b", value(PipelineSchedule::one_f_one_b), "1F1B", "One forward, one backward; interleaved where a stage has several chunks."},
    {"gpipe", value(PipelineSchedule::gpipe), "GPipe", "All forward passes, then all backward passes."},
    {"zb_h1", value(PipelineSchedule::zb_h1), "ZB-H1", "Zero bubble with about the memory of 1F1B."},
    {"zb_h2", value(PipelineSchedule::zb_h2), "ZB-H2", "Zero bubble with about twice the activations."},
    {"zb_v", value(PipelineSchedule::zb_v), "ZB-V", "Zero bubble over two chunks per GPU, laid out as a V."},
    {"dualpipe", value(PipelineSchedule::dualpipe), "DualPipe", "Micro-batches enter from both ends; each GPU holds two stages."},
    {"dualpipe_v", value(PipelineSchedule::dualpipe_v), "DualPipeV", "DualPipe folded into a V, on half the GPUs."},
};

constexpr Condition kPipeline{has_pipeline, "Set pipeline_parallel above 1"};
constexpr std::int64_t kMostStages = 64;
constexpr std::int64_t kMostLayers = 10'000;

using Row = Rows<Topic::parallel, kTraining, &Inputs::strategy>;

using Anytime = Rows<Topic::parallel, kAllTasks, &Inputs::strategy>;

constexpr Field detail(Field field) { return needing(kPipeline, advanced(field)); }

constexpr std::array kFields = {
    Anytime::number<&Strategy::pipeline_parallel>("pipeline_parallel", "pipeline", "stages", 1, kMostStages,
                                                  "Stages that hold consecutive layers and hand activations on."),
    needing(kPipeline, Row::choice<&Strategy::pipeline_schedule>("pipeline_schedule", "schedule", kSchedules,
                                                                 "In which order a pipeline's stages run forward and backward passes.")),
    detail(Row::number<&Strategy::virtual_stages>("virtual_stages", "chunks", "per stage", 1, kMostStages,
                                                  "Model chunks that each stage holds, for interleaved 1F1B.")),
    needing({is_interleaved, "Set virtual_stages above 1"},
            advanced(Row::number<&Strategy::microbatch_group>("microbatch_group", "micro-batch group", "micro-batches", 0, 1'000'000,
                                                              "Micro-batches that one chunk takes in turn when interleaved; 0 for as many as stages."))),
    detail(Row::number<&Strategy::first_stage_layers>("first_stage_layers", "first stage", "layers", 0, kMostLayers,
                                                      "Layers of the first stage; 0 for as many as the others.")),
    detail(Row::number<&Strategy::last_stage_layers>("last_stage_layers", "last stage", "layers", 0, kMostLayers,
                                                     "Layers of the last stage; 0 for as many as the others.")),
    detail({.name = "chunk_layers",
            .topic = Topic::parallel,
            .kind = FieldKind::text,
            .label = "layers of each chunk",
            .unit = "layers",
            .help = "Where a layout is written out: layers of each stage in the order of the model, joined by commas, such as 4,4,4,3; with several chunks per "
                    "stage, of each chunk. The other fields of how layers are divided are not read then.",
            .tasks = kTraining,
            .min = 0,
            .max = kMostLayers,
            .list = [](const Inputs& inputs) -> const std::vector<std::int64_t>& { return inputs.strategy.chunk_layers; },
            .set_list = [](Inputs& inputs, std::vector<std::int64_t> layers) { inputs.strategy.chunk_layers = std::move(layers); }}),
    detail({.name = "tensor_split",
            .topic = Topic::parallel,
            .kind = FieldKind::text,
            .label = "parts of the layers",
            .unit = "",
            .help = "Parts of the layers that the GPUs get one after the other, in proportion, joined by commas: llama.cpp's --tensor-split, such as 3,1. Without a "
                    "value as much as each GPU has memory.",
            .tasks = kServing,
            .min = 0,
            .max = 900'000'000,
            .list = [](const Inputs& inputs) -> const std::vector<std::int64_t>& { return inputs.strategy.tensor_split; },
            .set_list = [](Inputs& inputs, std::vector<std::int64_t> parts) { inputs.strategy.tensor_split = std::move(parts); }}),
    detail(Row::flag<&Strategy::embedding_in_split>("embedding_in_split", "embedding as layer",
                                                    "The embedding counts as a layer when layers are divided among stages.")),
    detail(Row::flag<&Strategy::loss_in_split>("loss_in_split", "loss as layer",
                                               "Head and loss count as a layer when layers are divided among stages.")),
};

} // namespace

std::span<const Field> pipeline() noexcept { return rows_of<kFields>(); }
std::span<const Texts> pipeline_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
