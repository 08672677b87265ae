#include "questions/plan/searched.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

template <class Choice, class Matches> void keep(std::vector<Choice>& choices, Matches&& matches) {
  std::erase_if(choices, [&](const Choice& choice) { return !matches(choice); });
}

/// Changes each choice, and leaves those that have become alike once.
template <class Choice, class Change> void change(std::vector<Choice>& choices, Change&& each) {
  std::vector<Choice> changed;
  for (Choice choice : choices) {
    each(choice);
    if (std::ranges::find(changed, choice) == changed.end()) changed.push_back(choice);
  }
  choices = std::move(changed);
}

constexpr SearchedField kSearched[] = {
    {"tensor_parallel", [](PlanAxes& axes, std::int64_t value) { axes.tensor_parallel = {value}; }},
    {"sequence_parallel", [](PlanAxes& axes, std::int64_t value) { axes.pins.sequence_parallel = value != 0; }},
    {"pipeline_parallel", [](PlanAxes& axes, std::int64_t value) { axes.pipeline_parallel = {value}; }},
    {"context_parallel", [](PlanAxes& axes, std::int64_t value) { axes.context_parallel = {value}; }},
    {"expert_parallel", [](PlanAxes& axes, std::int64_t value) { axes.expert_parallel = {value}; }},
    {"expert_tensor_parallel", [](PlanAxes& axes, std::int64_t value) { axes.expert_tensor_parallel = {value}; }},
    {"data_parallel", nullptr},
    {"micro_batches", nullptr},
    {"batch", [](PlanAxes& axes, std::int64_t value) { axes.batch = {value}; }},
    {"pipeline_schedule",
     [](PlanAxes& axes, std::int64_t value) {
       const auto schedule = static_cast<PipelineSchedule>(value);
       keep(axes.schedules, [&](const ScheduleChoice& choice) { return choice.schedule == schedule; });
       if (axes.schedules.empty()) axes.schedules = {{schedule, 1, false}};
     }},
    {"virtual_stages",
     [](PlanAxes& axes, std::int64_t value) {
       const ScheduleChoice first = axes.schedules.front();
       keep(axes.schedules, [&](const ScheduleChoice& choice) { return choice.virtual_stages == value; });
       if (axes.schedules.empty()) axes.schedules = {{first.schedule, value, false}};
     }},
    {"embedding_in_split",
     [](PlanAxes& axes, std::int64_t value) {
       axes.pins.embedding_in_split = value != 0;
       if (value != 0) change(axes.schedules, [](ScheduleChoice& choice) { choice.written = false; });
     }},
    {"loss_in_split",
     [](PlanAxes& axes, std::int64_t value) {
       axes.pins.loss_in_split = value != 0;
       if (value != 0) change(axes.schedules, [](ScheduleChoice& choice) { choice.written = false; });
       if (axes.pins.embedding_in_split) change(axes.schedules, [](ScheduleChoice& choice) { choice.ends_count = false; }); // both are said
     }},
    {"first_stage_layers",
     [](PlanAxes& axes, std::int64_t value) {
       axes.pins.first_stage_layers = value;
       change(axes.schedules, [](ScheduleChoice& choice) { choice.uneven_ends = choice.written = false; });
     }},
    {"last_stage_layers",
     [](PlanAxes& axes, std::int64_t value) {
       axes.pins.last_stage_layers = value;
       change(axes.schedules, [](ScheduleChoice& choice) { choice.uneven_ends = choice.written = false; });
     }},
    {"chunk_layers", nullptr, [](PlanAxes& axes, std::vector<std::int64_t> layers) {
       axes.pins.chunk_layers = std::move(layers);
       change(axes.schedules, [](ScheduleChoice& choice) { choice.uneven_ends = choice.written = choice.ends_count = false; });
     }},
    {"sharding",
     [](PlanAxes& axes, std::int64_t value) {
       const auto sharding = static_cast<Sharding>(value);
       keep(axes.shardings, [&](const ShardingChoice& choice) { return choice.sharding == sharding; });
       if (axes.shardings.empty()) axes.shardings = {{sharding}};
     }},
    {"reshard_after_forward",
     [](PlanAxes& axes, std::int64_t value) {
       change(axes.shardings, [&](ShardingChoice& choice) {
         if (choice.sharding == Sharding::parameters) choice.reshard = value != 0; // of the others nothing is gathered
       });
     }},
    {"shard_group",
     [](PlanAxes& axes, std::int64_t value) {
       const bool tries_groups = std::ranges::any_of(axes.shardings, &ShardingChoice::in_node); // else what is stated may run all the same
       if (value != 0 && !tries_groups) change(axes.shardings, [](ShardingChoice& choice) { choice.in_node = choice.sharding != Sharding::none; });
       keep(axes.shardings, [&](const ShardingChoice& choice) { return choice.in_node == (value != 0); });
       axes.pins.shard_group = value;
     }},
    {"secondary_group",
     [](PlanAxes& axes, std::int64_t value) {
       keep(axes.shardings, [&](const ShardingChoice& choice) { return choice.second == (value != 0); });
       axes.pins.secondary_group = value;
     }},
    {"offload", [](PlanAxes& axes, std::int64_t value) { axes.offloads = {static_cast<Offload>(value)}; }},
    {"recompute",
     [](PlanAxes& axes, std::int64_t value) {
       const auto recompute = static_cast<Recompute>(value);
       keep(axes.recomputes, [&](const RecomputeChoice& choice) { return choice.recompute == recompute; });
       if (axes.recomputes.empty()) axes.recomputes = {{recompute, 1}};
     }},
    {"recompute_modules",
     [](PlanAxes& axes, std::int64_t value) {
       change(axes.recomputes, [&](RecomputeChoice& choice) {
         if (choice.recompute == Recompute::selective) choice.modules = static_cast<std::uint32_t>(value);
       });
     }},
    {"dispatch", [](PlanAxes& axes, std::int64_t value) { axes.dispatch = static_cast<ExpertDispatch>(value); }},
    {"communication_overlap", [](PlanAxes& axes, std::int64_t value) { axes.pins.communication_overlap = value != 0; }},
    {"expert_overlap", [](PlanAxes& axes, std::int64_t value) { axes.pins.expert_overlap = value != 0; }},
    {"recompute_layers",
     [](PlanAxes& axes, std::int64_t value) { change(axes.recomputes, [&](RecomputeChoice& choice) { choice.layers = value; }); }},
};

} // namespace

std::span<const SearchedField> searched_fields() noexcept { return kSearched; }

bool is_searched(std::string_view field) noexcept { return std::ranges::find(kSearched, field, &SearchedField::field) != std::ranges::end(kSearched); }

} // namespace plimsoll::io
