#include "method/time/learning/answers.hpp"

#include "method/kernels/gpu.hpp"
#include "method/time/load/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace plimsoll::timing {

AnswerLengths lengths_of(const Scenario& policy) noexcept {
  const Composition& composition = policy.composition;
  const std::int64_t context = std::max<std::int64_t>(policy.workload.context_tokens, 2);
  AnswerLengths lengths;
  lengths.longest = composition.completion_tokens > 0 ? composition.completion_tokens : std::max<std::int64_t>(context - std::max<std::int64_t>(composition.mean_prompt_tokens, 1), 1);
  lengths.answer = composition.mean_answer_tokens > 0 ? std::min(composition.mean_answer_tokens, lengths.longest) : lengths.longest;
  lengths.prompt = composition.mean_prompt_tokens > 0 ? composition.mean_prompt_tokens : std::max<std::int64_t>(context - lengths.longest, 1);
  return lengths;
}

UpdateRows rows_of_update(const Scenario& policy) noexcept {
  const Workload& work = policy.workload;
  const Count rows = Count{work.batch} * Count{work.micro_batches} * Count{policy.strategy.data_parallel};
  if (work.batching != Batching::packed || !generates(policy.composition.method)) return {rows, Count{1}, Count{1}};
  constexpr std::size_t kPacked = 128; // that stand for all
  const AnswerLengths lengths = lengths_of(policy);
  std::array<std::int64_t, kPacked> left{}; // of rows that are begun
  std::size_t begun = 0;
  for (std::size_t i = kPacked; i > 0; --i) {
    const std::int64_t tokens = std::min(lengths.prompt + length_at(lengths, (static_cast<double>(i) - 0.5) / static_cast<double>(kPacked)), work.context_tokens);
    std::size_t row = 0;
    while (row < begun && left[row] < tokens) ++row;
    if (row == begun) left[begun++] = work.context_tokens;
    left[row] -= tokens;
  }
  return {rows, Count{static_cast<std::int64_t>(kPacked)}, Count{static_cast<std::int64_t>(begun)}};
}

Count answers_of(const Scenario& policy) noexcept {
  const Composition& composition = policy.composition;
  if (generates(composition.method) && composition.step_prompts > 0)
    return Count{composition.step_prompts} * Count{composition.method == Preference::grpo ? composition.group_size : 1};
  const UpdateRows update = rows_of_update(policy);
  return max(Count{(update.rows * update.sequences).value / update.filled.value}, Count{1});
}

namespace {

/// Mean of an exponential distribution that is cut off at 1, where its density has fallen to `end` of what it is at 0.
double mean_of(double end) noexcept { return -1 / natural_logarithm(end) - end / (1 - end); }

/// Its value below which that share lies; 0 < mean < 1/2.
double falling_at(double mean, double share) noexcept {
  double low = 0.5;
  while (mean_of(low) > mean) low /= 2;
  double high = low * 2 < 1 ? low * 2 : 0.9999999;
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (mean_of(middle) < mean ? low : high) = middle;
  }
  return natural_logarithm(1 - share * (1 - low)) / natural_logarithm(low);
}

} // namespace

std::int64_t length_at(const AnswerLengths& lengths, double share) noexcept {
  constexpr double kNearEnd = 0.002, kNearMiddle = 0.002; // beyond what doubles hold, and where the density hardly falls
  const double longest = static_cast<double>(lengths.longest);
  if (lengths.answer >= lengths.longest) return lengths.longest; // nobody said that any are shorter
  const double mean = std::clamp(static_cast<double>(lengths.answer) / longest, kNearEnd, 1 - kNearEnd);
  double at = share;
  if (mean < 0.5 - kNearMiddle) at = falling_at(mean, share);
  else if (mean > 0.5 + kNearMiddle) at = 1 - falling_at(1 - mean, 1 - share);
  return std::clamp<std::int64_t>(kernels::whole_part(at * longest + 0.5), 1, lengths.longest);
}

} // namespace plimsoll::timing
