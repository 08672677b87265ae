#pragma once
// Which layers a pipeline rank holds, and how many micro-batches of each are alive at its fullest moment.

#include "plimsoll/method/inplace_vector.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/workload.hpp"

#include <cstddef>
#include <cstdint>

namespace plimsoll {

/// Layers [first, first + layers) of a model's pattern.
struct Chunk {
  std::int64_t first = 0;
  std::int64_t layers = 0;
  bool embeds = false;   ///< holds the embedding too
  bool has_head = false; ///< holds final norm, output head and loss too
};

/// Model chunks on one rank: virtual_stages, or two for schedules that run the pipeline in both directions.
std::int64_t chunks_per_rank(const Strategy& strategy) noexcept;

/// Chunk `index` of a rank. `rank` is below pipeline_parallel, `index` below chunks_per_rank().
Chunk chunk_of(const Model& model, const Strategy& strategy, std::int64_t rank, std::int64_t index) noexcept;

/// Micro-batches of that chunk whose activations the rank holds at its fullest moment: once the warm-up is over.
Count micro_batches_in_flight(const Strategy& strategy, const Workload& workload, std::int64_t rank, std::int64_t index) noexcept;

class KindCounts;
class LayerSums;
struct Term;
namespace memory {
struct StatePlan;
}

/// What all walks of one strategy's terms ask for again, prepared once (moments/prepared.hpp) by those who only add terms up: they get
/// sums in the place of terms that come and go together. Null: walks count as they go, and every term is given.
struct Shared {
  const KindCounts* kinds = nullptr;  ///< of parameters
  const LayerSums* layers = nullptr;  ///< of what layers keep for their backward pass
  const memory::StatePlan* plan = nullptr; ///< where training states are
  Term* sum = nullptr;                ///< is the term of every sum in turn; there with any of the others
};

/// One pipeline rank's part of a model. Asked dozens of times in one estimate, so that its layers are counted once, when it is made.
class Stage {
public:
  Stage(const Model& model, const Strategy& strategy, const Workload& workload, std::int64_t rank) noexcept;

  /// The same with what is shared, which must outlive it.
  Stage(const Model& model, const Strategy& strategy, const Workload& workload, std::int64_t rank, Shared shared) noexcept
      : Stage(model, strategy, workload, rank) { shared_ = shared; }

  /// What an engine leaves to the host's memory: token table, the first layers, the head where the GPU has none of it.
  static Stage of_host(const Model& model, const Strategy& strategy, const Workload& workload) noexcept;

  std::int64_t rank() const noexcept { return rank_; }
  Shared shared() const noexcept { return shared_; }
  void share(Shared shared) noexcept { shared_ = shared; }
  /// The same for whoever asks for every term.
  Stage apart() const noexcept {
    Stage stage = *this;
    stage.shared_ = {};
    return stage;
  }
  bool is_host() const noexcept { return host_; }
  bool embeds() const noexcept { return embeds_; }
  bool has_head() const noexcept { return has_head_; }
  /// Whether it runs the model's prediction depths: they follow the last layer, before the loss.
  bool predicts() const noexcept { return has_head_ && model_.prediction_depths > Count{0}; }
  /// Layers of a group that the rank holds.
  Count held(const LayerGroup& group) const noexcept { return layers_of(group).held; }
  /// Those of which it holds that kind of tensors: the host may keep routed experts or MLPs of layers whose other tensors the GPU has.
  Count held(const LayerGroup& group, TensorKind kind) const noexcept {
    const std::int64_t apart = is_routed(kind) ? strategy_.host_expert_layers : kind == TensorKind::mlp ? strategy_.host_mlp_layers : 0;
    return apart == 0 ? held(group) : held_apart(static_cast<std::uint16_t>(index_of(group)), apart);
  }
  /// Layers of a group times the micro-batches whose activations they keep.
  Count alive(const LayerGroup& group) const noexcept { return layers_of(group).alive; }
  /// Both, of those of the group's layers that are among the last `layers` of the model.
  struct Layers {
    Count held, alive;
  };
  Layers last(const LayerGroup& group, std::int64_t layers) const noexcept;
  /// Micro-batches that have passed the embedding, or the head, and not yet come back.
  Count embeddings_alive() const noexcept { return embeddings_alive_; }
  Count heads_alive() const noexcept { return heads_alive_; }

private:
  static constexpr std::size_t kCounted = 8; ///< groups whose layers are remembered; hardly any model has more

  std::size_t index_of(const LayerGroup& group) const noexcept { return static_cast<std::size_t>(&group - model_.groups.data()); }
  Layers layers_of(const LayerGroup& group) const noexcept {
    if (whole_) return {group.layers, group.layers};
    const std::size_t index = index_of(group);
    return index < counted_.size() ? counted_[index] : count(index);
  }
  Layers count(std::size_t group) const noexcept;
  void count_all() noexcept;
  /// What one chunk of the rank adds, with so many micro-batches of it alive.
  void add(std::size_t group, const Chunk& chunk, Count alive, Layers& layers) const noexcept;
  Count held_apart(std::uint16_t group, std::int64_t on_host) const noexcept;

  const Model& model_;
  const Strategy& strategy_;
  const Workload& workload_;
  std::int64_t rank_;
  bool whole_; ///< there is one stage, and it holds every layer
  bool host_ = false;
  bool embeds_ = false, has_head_ = false;
  Count embeddings_alive_, heads_alive_;
  Shared shared_;
  InplaceVector<Layers, kCounted> counted_; ///< none where the stage is whole
};

} // namespace plimsoll
