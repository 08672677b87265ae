#pragma once
// Which way of training? Every combination of the degrees, schedules, shardings, micro-batches and recomputations that a question
// allows is a strategy. Each is judged by estimate()'s memory and step_time(), and the best are exactly those that judging every
// single one would find: bounds only drop what cannot be among them.

#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time_range.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What makes one plan better than another. Equals are told apart by time, cost, GPUs, headroom, and last by their number.
enum class Objective : unsigned char { time, cost, headroom, gpus, energy, safest };
inline constexpr std::size_t kObjectives = 6;
struct ObjectiveText {
  std::string_view id;    ///< e.g. "time"
  std::string_view label; ///< e.g. "fastest"
};
const ObjectiveText& text_of(Objective objective) noexcept;
std::optional<Objective> objective_of(std::string_view id) noexcept; ///< nothing where no objective has that id

/// GPUs that may be taken together.
struct Fleet {
  std::int64_t gpus = 1; ///< >= 1
  Money hourly;          ///< for all of them; 0 = not known, and then every plan on them costs 0
};

/// What strategies differ in besides whole numbers: device, method of tuning, format of frozen weights, optimizer, precision. Degrees,
/// sharding, micro-batches, recomputation and offload of its strategy are the search's; everything else of `inputs` stays.
struct PlanVariant {
  Inputs inputs;               ///< without validate() errors; no composition: models in roles are not searched
  Profile profile;             ///< for the inputs' task, on their device
  std::vector<Fleet> fleets;
};

struct ScheduleChoice {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::int64_t virtual_stages = 1;
  bool ends_count = false; ///< embedding and loss count as a layer each when layers are divided
  bool uneven_ends = false; ///< first and last stage have fewer layers than the others; not tried where stages divide the layers evenly
  bool written = false;     ///< layers of each chunk as sharding/ has them; not tried where there are none
  bool operator==(const ScheduleChoice&) const = default;
};
struct ShardingChoice {
  Sharding sharding = Sharding::none;
  bool in_node = false; ///< groups as large as a node's part of the replicas, each with a whole set of shards (HSDP, MiCS)
  bool reshard = true;  ///< Strategy::reshard_after_forward
  bool second = false;  ///< a second set of 16-bit weight shards in groups as large (ZeRO++ hpZ): Strategy::secondary_group
  bool operator==(const ShardingChoice&) const = default;
};
struct RecomputeChoice {
  Recompute recompute = Recompute::none;
  std::int64_t layers = 1; ///< Strategy::recompute_layers; at least as many as a stage has: not tried, unless 1
  std::uint32_t modules = kRecomputeCoreAttention; ///< Strategy::recompute_modules; not tried where framework or model have them not
  bool operator==(const RecomputeChoice&) const = default;
};

/// What a question states of what a search otherwise sets by the layout. Left out: sequence parallelism goes with tensor parallelism, embedding
/// and loss count as layers where the schedule choice says so, its uneven ends have as many layers as balance them, chunks are written out
/// where it says so, and groups are as large as a node's part of the replicas.
struct PlanPins {
  std::optional<bool> sequence_parallel, embedding_in_split, loss_in_split;
  std::int64_t first_stage_layers = 0, last_stage_layers = 0; ///< as in Strategy; 0 = not stated
  std::vector<std::int64_t> chunk_layers;                     ///< likewise, of pipelines with as many chunks; none = not stated
  std::int64_t shard_group = 0, secondary_group = 0;          ///< replicas of a group where a sharding choice has groups; 0 = not stated
  std::optional<bool> expert_overlap, communication_overlap;  ///< as in Implementation
  bool operator==(const PlanPins&) const = default;
};

/// The values that are combined. Degrees whose product with the replicas is not the fleet are not strategies, and neither are tensor groups
/// larger than a node, micro-batches that do not divide a replica's part of the global batch, schedules without a pipeline, and shardings
/// without replicas.
struct PlanAxes {
  std::vector<std::int64_t> tensor_parallel{1}, pipeline_parallel{1}, context_parallel{1}, expert_parallel{1}; ///< each >= 1
  std::vector<std::int64_t> expert_tensor_parallel{0}; ///< as in Strategy; those behind the first are tried where both tensor groups and GPUs with other experts are larger than one
  std::vector<std::int64_t> batch{1};      ///< sequences per micro-batch
  std::vector<ScheduleChoice> schedules{{}}; ///< of pipelines
  std::vector<ShardingChoice> shardings{{}}; ///< among replicas
  std::vector<Offload> offloads{Offload::none};
  std::vector<RecomputeChoice> recomputes{{}};
  /// Where GPUs divide experts. Neither is tried without: what is sent once or is hidden is never slower here, and takes no memory that is counted.
  ExpertDispatch dispatch = ExpertDispatch::profile;
  bool overlaps_tensor = false;  ///< tensor-parallel communication runs beside multiplications, where sequences are divided too
  bool overlaps_experts = false; ///< with several micro-batches, chunks where there is a pipeline, and layers that do not run again whole
  PlanPins pins;
};

/// What a framework can do: "plans" in its profile.
struct PlanAbilities {
  bool tensor_parallel = true, pipeline_parallel = true, context_parallel = true, expert_parallel = true;
  bool expert_tensor_parallel = false; ///< experts can be whole where tensor groups divide the rest
  bool interleaves = true, counts_ends = true; ///< chunks per stage; embedding and loss counted as layers
  bool sizes_ends = true;  ///< layers of the first and the last stage can be stated
  bool writes_chunks = false; ///< layers of every chunk can be written out
  bool segments = true;    ///< several layers can run again as one: Recompute::full with `layers` above 1
  std::vector<PipelineSchedule> schedules{PipelineSchedule::one_f_one_b};
  std::vector<ShardingChoice> shardings{{}};   ///< in_node and second as well where groups of shards are possible
  std::vector<Offload> offloads{Offload::none};
  std::vector<Recompute> recomputes{Recompute::none};
  std::vector<std::uint32_t> modules;  ///< sets of them that run again with Recompute::selective
  std::vector<std::string> sends_once; ///< architectures of GPUs on which tokens can go to experts once a node (ExpertDispatch::once)
  bool overlaps_tensor = false;        ///< tensor-parallel communication can run beside multiplications; of dense models, whose recipes let it
  bool overlaps_experts = false;       ///< the exchange with experts can run beside another micro-batch's passes
};

/// What people try for a model on its fleets, as far as the framework can do it: every degree that divides the GPUs, micro-batches of powers
/// of two, numbers of layers that run again in steps that widen.
PlanAxes usual_axes(const PlanVariant& variant, const PlanAbilities& abilities, std::int64_t global_batch);

struct PlanQuestion {
  std::vector<PlanVariant> variants;
  std::vector<PlanAxes> axes;          ///< one for each variant
  std::int64_t global_batch = 1;       ///< sequences of all replicas in one step; >= 1
  std::int64_t tokens = 1'000'000'000; ///< that every plan's time and cost are told for; >= 1
  Objective objective = Objective::time;
  std::optional<Money> budget;         ///< for `tokens`
  std::optional<Nanoseconds> deadline;
  std::size_t most = 10;               ///< plans in the ranking
  bool one_per_layout = true;          ///< of plans with the same variant, fleet and degrees only the best is ranked
  bool exhaustive = false;             ///< judge every strategy: slower, and the same plans
};

/// A strategy of a question.
struct PlanChoice {
  std::uint32_t variant = 0, fleet = 0; ///< places in the question
  std::int64_t gpus = 1, tensor_parallel = 1, pipeline_parallel = 1, context_parallel = 1, expert_parallel = 1, data_parallel = 1;
  std::int64_t expert_tensor_parallel = 0; ///< as in Strategy
  std::int64_t batch = 1, micro_batches = 1;
  ScheduleChoice schedule;
  bool sequence_parallel = false, embedding_in_split = false, loss_in_split = false; ///< as in Strategy
  std::int64_t first_stage_layers = 0, last_stage_layers = 0; ///< as in Strategy; of uneven ends
  std::int64_t first_chunk_layers = 0, chunk_layers = 0, last_chunk_layers = 0; ///< where chunks are written out: of the first, of each between, of the last
  ShardingChoice sharding;
  std::int64_t shard_group = 0, secondary_group = 0; ///< as in Strategy
  Offload offload = Offload::none;
  RecomputeChoice recompute;
  ExpertDispatch dispatch = ExpertDispatch::profile;
  bool expert_overlap = false, communication_overlap = false;
  bool operator==(const PlanChoice&) const = default;
};

/// A strategy that holds, and what it comes to.
struct Planned {
  std::uint64_t number = 0; ///< of strategies in order: the same however the search ran
  PlanChoice choice;
  Bytes needs;              ///< of the fullest GPU: Estimate's peak
  Bytes headroom;           ///< what is usable minus that; >= 0
  std::int64_t chance = 0;  ///< that memory runs out: chance_around(needs), in millionths
  bool timed = false;       ///< false: the device's rates are not published; the rest is 0 then
  TimeRange step;
  Nanoseconds time;         ///< of the question's tokens, with what jobs lose beside their steps
  Money cost;
  Energy energy;            ///< expected, at the building's meter

  static constexpr unsigned kNumbersOfLayout = 32; ///< bits: more than any layout has strategies
  std::uint64_t layout() const noexcept { return number >> kNumbersOfLayout; } ///< variant, fleet and degrees
};

/// Why a strategy is not among the plans.
enum class Dropped : unsigned char {
  invalid,  ///< validate() refuses it
  states,   ///< weights, gradients, optimizer states and buffers alone do not fit
  device,   ///< does not fit with activations
  untimed,  ///< how long it takes is not known, and the objective asks
  deadline,
  budget,
  beaten,   ///< no better than others that were found, whatever its memory: not looked at further
};
inline constexpr std::size_t kDropped = 7;
struct DroppedText {
  std::string_view id;    ///< e.g. "states"
  std::string_view label; ///< e.g. "States alone do not fit"
};
const DroppedText& text_of(Dropped reason) noexcept;

struct PlanCounts {
  std::int64_t tried = 0; ///< strategies: dropped ones and those that hold
  std::int64_t held = 0;
  std::array<std::int64_t, kDropped> dropped{};
  /// Of those that cannot run, the field that validate() refuses first; without a field at the end. What finds no place is the last's.
  struct Refused {
    std::string_view field; ///< e.g. "virtual_stages"
    std::int64_t strategies = 0;
  };
  std::array<Refused, 16> refused{};
  void refuse(std::string_view field, std::int64_t strategies) noexcept;
  PlanCounts& operator+=(const PlanCounts& other) noexcept;
};

struct PlanProgress {
  std::size_t layouts = 0; ///< combinations of variant, fleet and degrees that are done
  std::size_t of = 0;
  std::int64_t tried = 0;  ///< strategies
  bool done() const noexcept { return layouts == of; }
};

struct Plan {
  PlanProgress progress;       ///< results stand for what was searched so far
  PlanCounts counts;
  std::vector<Planned> best;   ///< best first
  /// The same, and of their layouts the best plans that leave more room, best first: where the whole process does not admit the best plan of
  /// a layout, the next may hold. None is behind the last of a full ranking; with every plan ranked by itself, or by its room, the best alone.
  std::vector<Planned> candidates;
  std::vector<Planned> front;  ///< timed plans that no other beats in time, cost and headroom at once; fastest first
};

/// The search, in steps that the caller sizes. The result depends on the question alone: not on the steps, nor on threads. Layouts are
/// taken in rounds, and a layout is bounded by what earlier rounds found and by itself.
class Planner {
public:
  /// The question must outlive it, and its variants, fleets and axes must be as their comments say.
  explicit Planner(const PlanQuestion& question);
  ~Planner();
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  /// Judges about `strategies` more; false when nothing is left. Nothing of it allocates per strategy.
  bool advance(std::int64_t strategies);
  PlanProgress progress() const noexcept;
  /// What was found so far.
  Plan plan() const;

  // For several threads, in place of advance(): search(0) to search(layouts_open() - 1), in any order and at once, then close().
  std::size_t layouts_open() const noexcept; ///< of the present round; 0 = nothing is left
  void search(std::size_t layout);
  void close();

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole search on this thread.
Plan plan(const PlanQuestion& question);

/// The inputs of a plan, as estimate() and everything else takes them.
Inputs inputs_of(const PlanQuestion& question, const PlanChoice& choice);

} // namespace plimsoll
