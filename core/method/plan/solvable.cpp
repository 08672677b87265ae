#include "method/plan/solvable.hpp"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

bool always(const Inputs&) noexcept { return true; }
/// The rank of RandLoRA is the size of one of its bases: the larger they are, the fewer it needs. Bat (MiSS)
/// has blocks of rank × rank, as many as there are whole ones. LoKr keeps a matrix whole where two thin ones would be larger.
bool has_rising_rank(const Inputs& inputs) noexcept {
  const TuningMethod method = inputs.tuning.method;
  return method != TuningMethod::randlora && method != TuningMethod::miss_bat && method != TuningMethod::lokr;
}
/// An interleaved schedule takes micro-batches in groups: numbers between them are not valid.
bool takes_any_number(const Inputs& inputs) noexcept { return inputs.strategy.virtual_stages == 1; }

struct Rising {
  std::string_view field;
  bool (*holds)(const Inputs&) noexcept = always;
};

/// More of these is more work or more to keep, never less memory: tests/laws/solver_laws.cpp tries it. Fields that are not here may
/// rise and fall: a degree of parallelism divides some tensors and adds buffers, a share of the device leaves room for one and takes it
/// from another.
constexpr std::array kRising{Rising{"context_tokens"}, Rising{"batch"},          Rising{"micro_batches", takes_any_number},
                             Rising{"mean_tokens"},    Rising{"prefill_tokens"}, Rising{"max_sequences"},
                             Rising{"gpu_layers"},     Rising{"rank", has_rising_rank}, Rising{"virtual_tokens"},
                             Rising{"adapters"},       Rising{"optimizer_rank"}, Rising{"beams"},
                             Rising{"lora_slots"},     Rising{"lora_rank"},    Rising{"draft_tokens"}};

std::int64_t layers_of(const Inputs& inputs) noexcept { return static_cast<std::int64_t>(inputs.model.pattern.size()); }

} // namespace

bool rises_with(const Field& field, const Inputs& inputs, const Profile&) noexcept {
  const auto row = std::ranges::find(kRising, field.name, &Rising::field);
  return row != kRising.end() && row->holds(inputs);
}

namespace planning {

bool is_solvable(const Field& field) noexcept {
  return field.kind == FieldKind::integer && field.get != nullptr && field.topic != Topic::model && field.topic != Topic::hardware;
}

Range range_of(const Field& field, const Inputs& inputs, const Profile& profile) noexcept {
  const bool counts_host = field.name == "gpu_layers" || field.name == "host_expert_layers"; // its 0 is a number; elsewhere 0 leaves the matter to engine or framework
  Range range{counts_host ? field.min : std::max<std::int64_t>(field.min, 1), field.max, 0};
  const std::int64_t layers = layers_of(inputs);
  // The head may count as a layer: scenario_of().
  if (counts_host) range.high = std::min(range.high, layers + (profile.inference.head_is_a_layer ? 1 : 0));
  for (const std::string_view of_layers : {"pipeline_parallel", "recompute_layers", "first_stage_layers", "last_stage_layers", "virtual_stages"})
    if (field.name == of_layers) range.high = std::clamp<std::int64_t>(layers, range.low, range.high);
  // Longer contexts than those that an engine reads in one pass are read in shorter passes.
  const bool by_context = field.name == "context_tokens" && !trains(inputs.workload.task) && inputs.workload.prefill_tokens == 0;
  if (by_context && profile.inference.whole_prompts.value > 0) range.cut = profile.inference.whole_prompts.value + 1;
  return range;
}

} // namespace planning

} // namespace plimsoll
