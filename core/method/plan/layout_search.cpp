#include "method/plan/layout_search.hpp"

#include "method/plan/layouts.hpp"
#include "method/sharding/fleet.hpp"
#include "method/validate/checks.hpp"
#include "plimsoll/method/chance.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/validate.hpp"

#include <algorithm>

namespace plimsoll::planning {

namespace {

/// Whether framework and model have what would run again, or leave the device. Leaves the last recomputation in the inputs.
std::vector<char> runs_of(Inputs& inputs, const Profile& profile, const std::vector<RecomputeChoice>& recomputes) {
  std::vector<char> runs;
  runs.reserve(recomputes.size());
  for (const RecomputeChoice& choice : recomputes) {
    inputs.strategy.recompute = choice.recompute;
    inputs.strategy.recompute_modules = choice.modules;
    checks::Findings findings{nullptr};
    checks::modules(inputs, profile.training.modules, findings);
    const bool offloads = choice.recompute != Recompute::offloaded || profile.training.offload.inputs;
    runs.push_back(!findings.refused() && offloads);
  }
  return runs;
}

} // namespace

LayoutSearch::LayoutSearch(const PlanQuestion& question, const Scenario& scenario, const PlanChoice& layout, std::uint64_t first_number, const Found& shared)
    : question_(question), axes_(question.axes[layout.variant]), variant_(question.variants[layout.variant]), scenario_(scenario), inputs_(searched_inputs(variant_)),
      choice_(layout), number_(first_number), shared_(shared), found_{Ranking{question.objective, question.one_per_layout ? 1 : question.most}, {}, {}, {}},
      roomier_(question.objective, Bytes{scenario.hardware.usable_bytes}, question.one_per_layout && question.objective != Objective::headroom && question.objective != Objective::safest),
      memory_(scenario_, axes_.recomputes.size()), runs_(runs_of(inputs_, variant_.profile, axes_.recomputes)), tried_(axes_.recomputes.size()), running_(running_of(variant_, variant_.fleets[layout.fleet])), passes_(axes_.recomputes.size() + 1) {}

std::int64_t LayoutSearch::advance(std::int64_t strategies) {
  const std::uint64_t before = number_;
  while (!done_ && number_ - before < static_cast<std::uint64_t>(std::max<std::int64_t>(strategies, 1))) step();
  return static_cast<std::int64_t>(number_ - before);
}

void LayoutSearch::step() {
  const bool has_pipeline = choice_.pipeline_parallel > 1;
  switch (level_) {
    case Level::batch:
      if (batch_ == axes_.batch.size()) {
        batch_ = 0;
        done_ = ++schedule_ >= (has_pipeline ? axes_.schedules.size() : 1);
      } else if (open_batch()) {
        sharding_ = 0;
        level_ = Level::sharding;
      } else {
        ++batch_;
      }
      return;
    case Level::sharding:
      if (sharding_ >= (has_replicas(scenario_.strategy) ? axes_.shardings.size() : 1)) {
        ++batch_;
        level_ = Level::batch;
      } else if (open_sharding()) {
        offload_ = 0;
        level_ = Level::offload;
      } else {
        ++sharding_;
      }
      return;
    case Level::offload:
      if (offload_ == axes_.offloads.size()) {
        ++sharding_;
        level_ = Level::sharding;
      } else if (is_tried(axes_.offloads[offload_]) && open_offload()) {
        recompute_ = 0;
        level_ = Level::recompute;
      } else {
        ++offload_;
      }
      return;
    case Level::recompute: break;
  }
  if (recompute_ == axes_.recomputes.size()) {
    ++offload_;
    level_ = Level::offload;
    return;
  }
  if (tried_[recompute_]) judge();
  ++recompute_;
}

void LayoutSearch::find_tried() {
  const std::int64_t layers = layers_of_stage(static_cast<std::int64_t>(scenario_.model.pattern.size()), scenario_.strategy);
  const bool overlap_stated = states_overlap();
  recomputes_ = 0;
  for (std::size_t i = 0; i < tried_.size(); ++i) {
    const RecomputeChoice& recompute = axes_.recomputes[i];
    const bool tried = runs_[i] && (recompute.layers == 1 || recompute.layers < layers) && (!overlap_stated || lets_overlap(recompute));
    tried_[i] = tried;
    recomputes_ += tried ? 1 : 0;
  }
}

/// Weights leave the device only where they are gathered anyhow (ZeRO-Infinity, FSDP's CPU offload).
bool LayoutSearch::is_tried(Offload offload) const noexcept { return offload != Offload::parameters || choice_.sharding.sharding == Sharding::parameters; }

void LayoutSearch::apply_choice() noexcept { apply(choice_, scenario_.strategy, scenario_.workload, scenario_.implementation); }

bool LayoutSearch::open_batch() {
  choice_.schedule = choice_.pipeline_parallel > 1 ? axes_.schedules[schedule_] : ScheduleChoice{};
  choice_.embedding_in_split = axes_.pins.embedding_in_split.value_or(choice_.schedule.ends_count) && choice_.pipeline_parallel > 1;
  choice_.loss_in_split = axes_.pins.loss_in_split.value_or(choice_.schedule.ends_count) && choice_.pipeline_parallel > 1;
  choice_.batch = axes_.batch[batch_];
  choice_.sharding = {};
  choice_.shard_group = choice_.secondary_group = 0;
  choice_.offload = Offload::none;
  choice_.recompute = {};
  apply_choice();
  if (!set_ends()) return false;
  apply_choice();
  write_chunks(axes_.pins, choice_, scenario_.strategy);
  choice_.micro_batches = micro_batches_for(question_.global_batch, scenario_.workload, scenario_.strategy);
  if (choice_.micro_batches == 0) return false;
  if (states_overlap() && !lets_overlap({})) return false;
  choice_.expert_overlap = overlaps_experts();
  apply_choice();
  opened_ = false;
  for (std::optional<PassTime>& passes : passes_) passes.reset();
  apply(choice_, inputs_.strategy, inputs_.workload, inputs_.implementation);
  write_chunks(axes_.pins, choice_, inputs_.strategy);
  refusals_ = Refusals{inputs_, variant_.profile};
  find_tried();
  return true;
}

/// Megatron-LM, megatron/training/arguments.py: overlap_moe_expert_parallel_comm asks for virtual stages where there is a pipeline, and refuses
/// layers, or experts, that run again whole.
bool LayoutSearch::lets_overlap(const RecomputeChoice& recompute) const noexcept {
  const bool in_turn = choice_.pipeline_parallel == 1 || choice_.schedule.virtual_stages > 1;
  const bool in_parts = recompute.recompute == Recompute::selective && (recompute.modules & kRecomputeExperts) == 0;
  return choice_.micro_batches > 1 && in_turn && (recompute.recompute == Recompute::none || in_parts);
}

bool LayoutSearch::overlaps_experts() const noexcept {
  if (choice_.expert_parallel <= 1) return false;
  return axes_.pins.expert_overlap.value_or(axes_.overlaps_experts && lets_overlap(choice_.recompute));
}

bool LayoutSearch::states_overlap() const noexcept {
  return choice_.expert_parallel > 1 && axes_.overlaps_experts && axes_.pins.expert_overlap.value_or(false);
}

bool LayoutSearch::set_ends() noexcept {
  const bool has_pipeline = choice_.pipeline_parallel > 1;
  choice_.first_stage_layers = has_pipeline ? axes_.pins.first_stage_layers : 0;
  choice_.last_stage_layers = has_pipeline ? axes_.pins.last_stage_layers : 0;
  const auto layers = static_cast<std::int64_t>(scenario_.model.pattern.size());
  if (const std::size_t stated = axes_.pins.chunk_layers.size(); stated > 0) return static_cast<std::int64_t>(stated) == choice_.pipeline_parallel * choice_.schedule.virtual_stages;
  const WrittenLayers written = choice_.schedule.written ? written_layers(layers, scenario_.strategy) : WrittenLayers{};
  const bool whole = choice_.schedule.virtual_stages == 1; // said shorter
  choice_.first_chunk_layers = whole ? 0 : written.first;
  choice_.chunk_layers = whole ? 0 : written.each;
  choice_.last_chunk_layers = whole ? 0 : written.last;
  if (choice_.schedule.written && whole) choice_.first_stage_layers = written.first, choice_.last_stage_layers = written.last;
  if (choice_.schedule.written) return written.each > 0;
  if (!choice_.schedule.uneven_ends) return true;
  const StageEnds ends = uneven_ends(layers, scenario_.strategy);
  choice_.first_stage_layers = ends.first;
  choice_.last_stage_layers = ends.last;
  return ends.first > 0;
}

bool LayoutSearch::open_sharding() {
  if (has_replicas(scenario_.strategy)) choice_.sharding = axes_.shardings[sharding_];
  else if (axes_.pins.shard_group > 0 || axes_.pins.secondary_group > 0) return false; // nobody to be in a group with
  const std::int64_t in_node = replicas_in_node(scenario_.hardware.gpus_per_node, scenario_.strategy);
  const auto group = [&](bool has_groups, std::int64_t stated) { return !has_groups ? 0 : stated > 0 ? stated : in_node; };
  choice_.shard_group = group(choice_.sharding.in_node, axes_.pins.shard_group);
  choice_.secondary_group = group(choice_.sharding.second, axes_.pins.secondary_group);
  if ((choice_.sharding.in_node && choice_.shard_group == 0) || (choice_.sharding.second && choice_.secondary_group == 0)) return false;
  choice_.offload = Offload::none;
  choice_.recompute = {};
  apply(choice_, inputs_.strategy, inputs_.workload, inputs_.implementation);
  const std::string_view refused = refusals_.first(inputs_, variant_.profile);
  if (refused.empty()) {
    if (!opened_) memory_.open_layout();
    opened_ = true;
    return true;
  }
  const std::int64_t strategies = recomputes_ * std::ranges::count_if(axes_.offloads, [&](Offload offload) { return is_tried(offload); });
  found_.counts.refuse(refused, strategies);
  drop(Dropped::invalid, strategies);
  return false;
}

bool LayoutSearch::open_offload() {
  choice_.offload = axes_.offloads[offload_];
  choice_.recompute = {};
  choice_.expert_overlap = overlaps_experts();
  apply_choice();
  memory_.open_states();
  if (question_.exhaustive) return true;
  const Bytes headroom = Bytes{scenario_.hardware.usable_bytes} - memory_.states();
  if (headroom < Bytes{0}) return drop(Dropped::states, recomputes_), false;
  least_ = least_work(scenario_, passes_.back(), running_);
  least_.headroom = headroom;
  least_.chance = chance_of(memory_.states());
  least_.offloads = choice_.offload != Offload::none;
  std::optional<Dropped> reason = over_limits(least_);
  if (!reason && excludes(least_)) reason = Dropped::beaten;
  if (reason) drop(*reason, recomputes_);
  return !reason;
}

void LayoutSearch::drop(Dropped reason, std::int64_t strategies) {
  found_.counts.dropped[static_cast<std::size_t>(reason)] += strategies;
  found_.counts.tried += strategies;
  number_ += static_cast<std::uint64_t>(strategies);
}

std::optional<Dropped> LayoutSearch::over_limits(const Figures& figures) const noexcept {
  const bool needs_time = question_.deadline || question_.budget || (question_.objective != Objective::headroom && question_.objective != Objective::gpus && question_.objective != Objective::safest);
  if (!figures.timed) return needs_time ? std::optional{Dropped::untimed} : std::nullopt;
  if (question_.deadline && figures.time > *question_.deadline) return Dropped::deadline;
  if (question_.budget && figures.cost > *question_.budget) return Dropped::budget;
  return std::nullopt;
}

/// What beats it has a lower number: it was found before.
bool LayoutSearch::excludes(const Figures& bound) const noexcept {
  if (!shared_.ranking.excludes(bound) && (!found_.ranking.excludes(bound) || !roomier_.excludes(bound))) return false;
  return found_.front.excludes(bound) || shared_.front.excludes(bound);
}

/// It grows with what is needed.
std::int64_t LayoutSearch::chance_of(Bytes needs) const noexcept { return chance_around(needs, variant_.profile, Bytes{scenario_.hardware.usable_bytes}); }

void LayoutSearch::judge() {
  choice_.recompute = axes_.recomputes[recompute_];
  choice_.expert_overlap = overlaps_experts();
  apply_choice();
  const Bytes needs = memory_.peak(recompute_), headroom = Bytes{scenario_.hardware.usable_bytes} - needs;
  if (headroom < Bytes{0}) return drop(Dropped::device, 1);
  Figures bound = least_;
  bound.headroom = headroom;
  bound.chance = chance_of(needs);
  if (!question_.exhaustive && excludes(bound)) return drop(Dropped::beaten, 1);
  Planned planned;
  planned.number = number_;
  planned.choice = choice_;
  planned.needs = needs;
  planned.headroom = headroom;
  planned.chance = bound.chance;
  set_work(planned, scenario_, passes_[recompute_], running_);
  if (const std::optional<Dropped> reason = over_limits(figures_of(planned))) return drop(*reason, 1);
  ++found_.counts.held;
  ++found_.counts.tried;
  ++number_;
  found_.add(planned);
  roomier_.add(planned);
}

} // namespace plimsoll::planning
