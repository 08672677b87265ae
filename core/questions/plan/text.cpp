#include "questions/plan/text.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/plan.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace plimsoll::io {

namespace {

template <class Value> std::string label_of(std::string_view field, Value value) {
  for (const Choice& choice : find_field(field)->choices)
    if (choice.value == static_cast<std::int64_t>(value)) return std::string{label_of(choice)};
  return {};
}

std::string degrees(const PlanChoice& choice) {
  std::string text;
  const auto add = [&](std::string_view name, std::int64_t degree) {
    if (degree > 1) text += (text.empty() ? "" : " × ") + std::string{name} + " " + std::to_string(degree);
  };
  add("tensor", choice.tensor_parallel);
  add("context", choice.context_parallel);
  add("pipeline", choice.pipeline_parallel);
  add("data", choice.data_parallel);
  if (text.empty()) text = "one GPU";
  if (choice.expert_parallel > 1) text += ", experts " + std::to_string(choice.expert_parallel);
  if (choice.expert_tensor_parallel == 1 && choice.tensor_parallel > 1) text += ", each whole";
  return text;
}

std::string schedule(const PlanChoice& choice) {
  if (choice.pipeline_parallel == 1) return {};
  std::string text = ", " + label_of("pipeline_schedule", choice.schedule.schedule);
  if (choice.schedule.virtual_stages > 1) text += " with " + std::to_string(choice.schedule.virtual_stages) + " chunks";
  if (choice.chunk_layers > 0)
    text += " of " + std::to_string(choice.chunk_layers) + " layers, " + std::to_string(choice.first_chunk_layers) + " in the first, " + std::to_string(choice.last_chunk_layers) + " in the last";
  if (choice.embedding_in_split || choice.loss_in_split) text += ", ends as layers";
  if (choice.first_stage_layers > 0) text += ", " + std::to_string(choice.first_stage_layers) + " and " + std::to_string(choice.last_stage_layers) + " layers at the ends";
  return text;
}

std::string sharding(const PlanChoice& choice) {
  if (choice.sharding.sharding == Sharding::none) return {};
  std::string text = ", sharded: " + label_of("sharding", choice.sharding.sharding);
  if (choice.shard_group > 0) text += " in groups of " + std::to_string(choice.shard_group);
  if (choice.secondary_group > 0) text += " and a second time in groups of " + std::to_string(choice.secondary_group);
  if (choice.sharding.sharding == Sharding::parameters && !choice.sharding.reshard) text += ", kept for the backward pass";
  return text;
}

/// "norms, activation of experts".
std::string labels_of_parts(std::string_view field, std::int64_t parts) {
  std::string text;
  for (const Choice& part : find_field(field)->parts)
    if ((part.value & parts) != 0) text += (text.empty() ? "" : ", ") + std::string{label_of(part)};
  return text;
}

std::string recompute(const PlanChoice& choice) {
  const RecomputeChoice& one = choice.recompute;
  if (one.recompute == Recompute::none) return ", no recomputation";
  std::string text = ", recompute " + label_of("recompute", one.recompute);
  if (one.recompute == Recompute::full && one.layers > 1) text += " in segments of " + std::to_string(one.layers);
  else if (one.recompute == Recompute::block) text += ": " + std::to_string(one.layers) + " of a stage";
  else if (one.recompute == Recompute::selective && one.modules != kRecomputeCoreAttention) text += ": " + labels_of_parts("recompute_modules", one.modules);
  else if (one.recompute == Recompute::every_k) text += ": 1 of " + std::to_string(one.layers);
  return text;
}

std::string exchange(const PlanChoice& choice) {
  std::string text = choice.communication_overlap ? ", sums beside multiplications" : "";
  if (choice.dispatch == ExpertDispatch::once) text += ", tokens once a node";
  return choice.expert_overlap ? text + ", their exchange beside other passes" : text;
}

std::string offload(const PlanChoice& choice) { return choice.offload == Offload::none ? "" : ", offload: " + label_of("offload", choice.offload); }

/// "Does not fit" as it stands inside a sentence.
std::string in_sentence(std::string_view label) {
  std::string text{label};
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z' && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

} // namespace

std::string counts_text(const PlanAnswer& answer, std::string_view took) {
  const PlanCounts& counts = answer.counts;
  std::string text = format_count(Count{counts.tried}) + " strategies" + (took.empty() ? "" : " in ") + std::string{took} + ": " + format_count(Count{counts.held}) + " hold";
  for (std::size_t i = 0; i < kDropped; ++i)
    if (counts.dropped[i] > 0) text += "; " + in_sentence(plimsoll::text_of(static_cast<Dropped>(i)).label) + ": " + format_count(Count{counts.dropped[i]});
  std::vector<PlanCounts::Refused> refused{counts.refused.begin(), counts.refused.end()};
  std::erase_if(refused, [](const PlanCounts::Refused& one) { return one.strategies == 0; });
  sort_stably(refused, std::ranges::greater{}, &PlanCounts::Refused::strategies);
  for (const PlanCounts::Refused& one : refused)
    text += (&one == refused.data() ? "\nWhat forbids those that cannot run: " : "; ") + std::string{label_of(*find_field(one.field))} + " " + format_count(Count{one.strategies});
  if (answer.too_tight > 0) text += "\n" + format_count(Count{answer.too_tight}) + " better plans fit by their tensors alone, and not with the allocator's segments";
  return text;
}

std::string text_of_choice(const PlanChoice& choice) {
  const std::string batches = ", micro-batch " + std::to_string(choice.batch) + " × " + std::to_string(choice.micro_batches);
  return degrees(choice) + exchange(choice) + schedule(choice) + sharding(choice) + batches + recompute(choice) + offload(choice);
}

std::string rest_of_choice(const PlanChoice& choice) {
  const std::string text = exchange(choice) + schedule(choice) + sharding(choice) + recompute(choice) + offload(choice);
  return text.substr(std::string_view{", "}.size());
}

} // namespace plimsoll::io
