// Layers are divided over stages, and over the chunks of a stage, evenly unless first or last stage say otherwise. In flight:
//   GPipe         all micro-batches. Huang et al. 2019 (arXiv 1811.06965)
//   1F1B          min(m, p - rank). Narayanan et al. 2021 (arXiv 2104.04473)
//   interleaved   min(m v, 2 (p - rank - 1) + (v - 1) G + 1) chunks, G micro-batches of a chunk in turn: Megatron-LM,
//                 megatron/core/pipeline_parallel/schedules.py, get_pp_rank_microbatches
//   zero bubble   H1 as many as 1F1B's first stage on every stage, H2 2p - 1. Qi et al. 2023 (arXiv 2401.10241); V: p units of a
//                 whole stage on every rank. Qi et al. 2024 (arXiv 2405.15362)
//   DualPipe      p + 1 on two chunks, the weights twice: deepseek-ai/DualPipe, README
#include "plimsoll/method/pipeline.hpp"

#include <algorithm>
#include <numeric>

namespace plimsoll {

namespace {

/// The pipeline's chunks in the order in which a micro-batch passes them: chunk k of k_max, on which rank.
enum class Placement : unsigned char { round, folded, both_ways };

Placement placement_of(PipelineSchedule schedule) noexcept {
  switch (schedule) {
    case PipelineSchedule::zb_v:
    case PipelineSchedule::dualpipe_v: return Placement::folded;    // down the ranks and up again
    case PipelineSchedule::dualpipe: return Placement::both_ways;   // one copy each way
    default: return Placement::round;
  }
}

/// Layers before chunk `k` of `chunks`, with `layers` divided as evenly as whole layers can be.
std::int64_t boundary(std::int64_t layers, std::int64_t chunks, std::int64_t k) noexcept { return k == 0 ? 0 : k == chunks ? layers : layers * k / chunks; }

/// Chunk `k` of the model cut into `chunks` pieces; embedding and loss may stand for a layer each.
Chunk even_chunk(const Model& model, const Strategy& strategy, std::int64_t chunks, std::int64_t k) noexcept {
  const auto layers = static_cast<std::int64_t>(model.pattern.size());
  const std::int64_t before = strategy.embedding_in_split ? 1 : 0, after = strategy.loss_in_split ? 1 : 0;
  const auto clipped = [&](std::int64_t at) { return std::clamp(boundary(layers + before + after, chunks, at) - before, std::int64_t{0}, layers); };
  Chunk chunk;
  chunk.first = clipped(k);
  chunk.layers = clipped(k + 1) - chunk.first;
  chunk.embeds = k == 0;
  chunk.has_head = k == chunks - 1;
  return chunk;
}

/// Layers of a rank whose first or last stage is given, the others sharing the rest.
std::int64_t layers_of_rank(std::int64_t layers, const Strategy& strategy, std::int64_t rank) noexcept {
  const std::int64_t p = strategy.pipeline_parallel, first = strategy.first_stage_layers, last = strategy.last_stage_layers;
  if (rank == 0 && first > 0) return first;
  if (rank == p - 1 && last > 0) return last;
  const std::int64_t others = std::max<std::int64_t>(1, p - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0));
  const std::int64_t rest = std::max<std::int64_t>(0, layers - first - last), at = rank - (first > 0 ? 1 : 0);
  return boundary(rest, others, at + 1) - boundary(rest, others, at);
}

/// The same with virtual stages: every rank cuts its own layers, and the order of the model is chunk by chunk over the ranks.
Chunk uneven_chunk(const Model& model, const Strategy& strategy, std::int64_t rank, std::int64_t index) noexcept {
  const auto layers = static_cast<std::int64_t>(model.pattern.size());
  const std::int64_t p = strategy.pipeline_parallel, v = strategy.virtual_stages;
  Chunk chunk;
  for (std::int64_t i = 0; i <= index; ++i)
    for (std::int64_t r = 0; r < (i == index ? rank + 1 : p); ++r) {
      const std::int64_t own = layers_of_rank(layers, strategy, r);
      chunk.first += chunk.layers;
      chunk.layers = boundary(own, v, i + 1) - boundary(own, v, i);
    }
  chunk.embeds = index == 0 && rank == 0;
  chunk.has_head = index == v - 1 && rank == p - 1;
  return chunk;
}

/// Of `total` chunk passes that take `group` micro-batches of each of `chunks` chunks in turn, those of chunk `index`.
std::int64_t in_turn(std::int64_t total, std::int64_t group, std::int64_t chunks, std::int64_t index) noexcept {
  const std::int64_t round = group * chunks;
  return total / round * group + std::clamp(total % round - index * group, std::int64_t{0}, group);
}

std::int64_t interleaved(const Strategy& strategy, std::int64_t m, std::int64_t rank, std::int64_t index) noexcept {
  const std::int64_t p = strategy.pipeline_parallel, v = strategy.virtual_stages;
  const std::int64_t group = std::min(m, strategy.microbatch_group > 0 ? strategy.microbatch_group : p);
  const std::int64_t warm_up = 2 * (p - rank - 1) + (v - 1) * group + 1;
  return std::min(m, in_turn(std::min(m * v, warm_up), group, v, index));
}

/// Chunk `k` of a layout that is written out. Embedding and loss are at the ends.
Chunk written_chunk(const Strategy& strategy, std::size_t k) noexcept {
  const std::vector<std::int64_t>& layers = strategy.chunk_layers;
  Chunk chunk;
  chunk.first = std::accumulate(layers.begin(), layers.begin() + static_cast<std::ptrdiff_t>(k), std::int64_t{0});
  chunk.layers = layers[k];
  chunk.embeds = k == 0;
  chunk.has_head = k + 1 == layers.size();
  return chunk;
}

} // namespace

std::int64_t chunks_per_rank(const Strategy& strategy) noexcept {
  if (strategy.pipeline_parallel == 1) return 1;
  return placement_of(strategy.pipeline_schedule) == Placement::round ? strategy.virtual_stages : 2;
}

Chunk chunk_of(const Model& model, const Strategy& strategy, std::int64_t rank, std::int64_t index) noexcept {
  const std::int64_t p = strategy.pipeline_parallel;
  if (p == 1) return even_chunk(model, strategy, 1, 0);
  switch (placement_of(strategy.pipeline_schedule)) {
    case Placement::folded: return even_chunk(model, strategy, 2 * p, index == 0 ? rank : 2 * p - 1 - rank);
    case Placement::both_ways: return even_chunk(model, strategy, p, index == 0 ? rank : p - 1 - rank);
    case Placement::round: break;
  }
  const std::size_t written = strategy.chunk_layers.size();
  if (const auto k = static_cast<std::size_t>(index * p + rank); written == static_cast<std::size_t>(p * strategy.virtual_stages))
    return written_chunk(strategy, k);
  if (strategy.first_stage_layers > 0 || strategy.last_stage_layers > 0) return uneven_chunk(model, strategy, rank, index);
  return even_chunk(model, strategy, p * strategy.virtual_stages, index * p + rank);
}

Count micro_batches_in_flight(const Strategy& strategy, const Workload& workload, std::int64_t rank, std::int64_t index) noexcept {
  const std::int64_t p = strategy.pipeline_parallel, m = workload.micro_batches;
  if (p == 1) return Count{1};
  switch (strategy.pipeline_schedule) {
    case PipelineSchedule::gpipe: return Count{m};
    case PipelineSchedule::zb_h1:
    case PipelineSchedule::zb_v: return Count{std::min(m, p)};
    case PipelineSchedule::zb_h2: return Count{std::min(m, 2 * p - 1)};
    case PipelineSchedule::dualpipe: return Count{std::min(m, (p + 2 - index) / 2)};        // p + 1 on both chunks
    case PipelineSchedule::dualpipe_v: return Count{std::min(m, (2 * p + 2 - index) / 2)};  // 2p + 1 half stages
    case PipelineSchedule::one_f_one_b: break;
  }
  if (strategy.virtual_stages > 1) return Count{interleaved(strategy, m, rank, index)};
  return Count{std::min(m, p - rank)};
}

namespace {

/// Layers of a group among those of the model from `first` up to `end`; none where `first` is not before it.
Count among(const Model& model, std::uint16_t group, std::int64_t first, std::int64_t end) noexcept {
  return Count{first < end ? std::count(model.pattern.begin() + first, model.pattern.begin() + end, group) : 0};
}

} // namespace

Stage::Stage(const Model& model, const Strategy& strategy, const Workload& workload, std::int64_t rank) noexcept
    : model_(model), strategy_(strategy), workload_(workload), rank_(rank), whole_(strategy.pipeline_parallel == 1 && strategy.host_layers == 0) {
  if (strategy.pipeline_parallel > 1)
    for (std::size_t group = 0; group < std::min(kCounted, model.groups.size()); ++group) counted_.push_back({});
  for (std::int64_t index = 0, chunks = chunks_per_rank(strategy); index < chunks; ++index) {
    const Chunk chunk = chunk_of(model, strategy, rank, index);
    const Count alive = micro_batches_in_flight(strategy, workload, rank, index);
    if (chunk.embeds) embeds_ = true, embeddings_alive_ += alive;
    if (chunk.has_head) has_head_ = true, heads_alive_ += alive;
    for (std::size_t group = 0; group < counted_.size(); ++group) add(group, chunk, alive, counted_[group]);
  }
  if (strategy.head_on_host) has_head_ = false;
  if (!whole_ && strategy.pipeline_parallel == 1) count_all();
}

void Stage::count_all() noexcept {
  counted_.clear();
  for (std::size_t group = 0; group < std::min(kCounted, model_.groups.size()); ++group) counted_.push_back(count(group));
}

Stage Stage::of_host(const Model& model, const Strategy& strategy, const Workload& workload) noexcept {
  Stage stage{model, strategy, workload, 0};
  stage.whole_ = false;
  stage.host_ = true;
  stage.embeds_ = true;
  stage.has_head_ = strategy.head_on_host;
  stage.count_all();
  return stage;
}

Stage::Layers Stage::last(const LayerGroup& group, std::int64_t layers) const noexcept {
  const auto id = static_cast<std::uint16_t>(index_of(group));
  const std::int64_t all = std::ssize(model_.pattern), from = std::clamp<std::int64_t>(all - layers, 0, all);
  if (whole_) return {among(model_, id, from, all), among(model_, id, from, all)};
  Layers found;
  for (std::int64_t index = 0, chunks = chunks_per_rank(strategy_); index < chunks; ++index) {
    const Chunk chunk = chunk_of(model_, strategy_, rank_, index);
    const Count held = among(model_, id, std::max(chunk.first, from), chunk.first + chunk.layers);
    found.held += held;
    found.alive += held * micro_batches_in_flight(strategy_, workload_, rank_, index);
  }
  return found;
}

Count Stage::held_apart(std::uint16_t group, std::int64_t on_host) const noexcept {
  const std::int64_t all = std::ssize(model_.pattern), from = std::min(std::max(strategy_.host_layers, on_host), all);
  if (host_) return among(model_, group, 0, from);
  if (strategy_.pipeline_parallel == 1) return among(model_, group, from, all);
  Count held;
  for (std::int64_t index = 0, chunks = chunks_per_rank(strategy_); index < chunks; ++index) {
    const Chunk chunk = chunk_of(model_, strategy_, rank_, index);
    held += among(model_, group, std::max(chunk.first, from), chunk.first + chunk.layers);
  }
  return held;
}

void Stage::add(std::size_t group, const Chunk& chunk, Count alive, Layers& layers) const noexcept {
  const std::int64_t from = std::min<std::int64_t>(strategy_.host_layers, std::ssize(model_.pattern));
  const bool all_alike = model_.groups.size() == 1 && from == 0;
  const Count held = all_alike ? Count{chunk.layers} : among(model_, static_cast<std::uint16_t>(group), std::max(chunk.first, from), chunk.first + chunk.layers);
  layers.held += held;
  layers.alive += held * alive;
}

Stage::Layers Stage::count(std::size_t group) const noexcept {
  const auto id = static_cast<std::uint16_t>(group);
  const std::int64_t all = std::ssize(model_.pattern), from = std::min(strategy_.host_layers, all);
  if (host_ || strategy_.pipeline_parallel == 1) {
    const Count held = host_ ? among(model_, id, 0, from) : among(model_, id, from, all);
    return {held, held};
  }
  Layers layers;
  for (std::int64_t index = 0, chunks = chunks_per_rank(strategy_); index < chunks; ++index)
    add(group, chunk_of(model_, strategy_, rank_, index), micro_batches_in_flight(strategy_, workload_, rank_, index), layers);
  return layers;
}

} // namespace plimsoll
