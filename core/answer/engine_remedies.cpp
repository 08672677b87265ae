#include "answer/engine_remedies.hpp"

#include "catalog/flags.hpp"
#include "plimsoll/method/solve.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::io {

namespace {

class Remedies {
public:
  explicit Remedies(const Answer& answer) : answer_(answer), profile_(answer.scenario.profile) {}

  std::vector<Remedy> list() && {
    const bool has_pool = answer_.judgement.pool.exists;
    if (answer_.judgement.verdict == Verdict::sequences) smallest("max_sequences", {answer_.judgement.asked.value});
    shorter_context();
    if (has_pool) larger_share();
    smaller_cache();
    if (has_pool) smaller_passes();
    other_split();
    experts_to_host();
    fewer_layers();
    more_gpus();
    return std::move(remedies_);
  }

private:
  bool holds(const Field& field, std::int64_t value) const {
    Inputs inputs = answer_.inputs;
    field.set(inputs, value);
    const Trial there = try_inputs(inputs, profile_, profile_, Judge::process);
    return there.holds() && there.judgement.fills <= there.usable; // passes keep what they need
  }

  void add(const Field& field, std::int64_t value) {
    std::string text = text_of(field, value);
    std::string flag = flag_of(answer_.profile_id, field.name, text, answer_.inputs.workload.batch);
    remedies_.push_back({std::string{field.name}, std::move(text), std::move(flag)});
  }

  /// The first of the values that holds.
  void smallest(std::string_view name, const std::vector<std::int64_t>& values) {
    const Field& field = *find_field(name);
    const auto is_in_range = [&](std::int64_t value) { return field.kind != FieldKind::integer || (value >= field.min && value <= field.max); };
    const auto at = std::ranges::find_if(values, [&](std::int64_t value) { return is_in_range(value) && holds(field, value); });
    if (at != values.end()) add(field, *at);
  }

  /// The longest that is held by as many sequences.
  void shorter_context() {
    const Field& field = *find_field("context_tokens");
    constexpr std::int64_t kShortest = 256; // a context that nobody would use is no remedy
    std::int64_t low = kShortest, high = answer_.inputs.workload.context_tokens - 1;
    if (low > high || !holds(field, low)) return;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (holds(field, middle)) low = middle;
      else high = middle - 1;
    }
    add(field, low);
  }

  void larger_share() {
    constexpr std::int64_t kStep = 10, kMost = 980;
    std::vector<std::int64_t> shares;
    for (std::int64_t share = answer_.scenario.serving.memory_permille / kStep * kStep + kStep; share <= kMost; share += kStep) shares.push_back(share);
    smallest("memory_fraction", shares);
  }

  /// Half as many bytes or less, where the engine has such a cache and the device multiplies what is in it.
  void smaller_cache() {
    const CacheDtype now = answer_.inputs.serving.kv_dtype;
    if (now != CacheDtype::bf16 && now != CacheDtype::fp16 && now != CacheDtype::fp32) return;
    const std::uint32_t known = profile_.inference.cache_dtypes;
    const bool blocks = profile_.inference.pass_buffers != PassBuffers::live_set;
    const CacheDtype dtype = blocks ? CacheDtype::q8_0 : CacheDtype::fp8;
    if (known != 0 && (known >> static_cast<unsigned>(dtype) & 1u) == 0) return;
    if (dtype == CacheDtype::fp8 && answer_.inputs.hardware.rates.of(Arithmetic::fp8) == 0) return;
    smallest("kv_dtype", {static_cast<std::int64_t>(dtype)});
  }

  void smaller_passes() {
    const std::int64_t asked = answer_.judgement.asked.value;
    if (asked < answer_.scenario.serving.max_sequences) smallest("max_sequences", {asked});
    std::vector<std::int64_t> passes;
    constexpr std::int64_t kLeast = 512;
    for (std::int64_t pass = answer_.scenario.workload.prefill_tokens / 2; pass >= kLeast; pass /= 2) passes.push_back(pass);
    smallest("prefill_tokens", passes);
  }

  /// Layers of the GPU that is full first go to the one with the most room, one after the other. The last GPU has the head besides.
  void other_split() {
    const std::size_t gpus = answer_.scenario.strategy.chunk_layers.size();
    if (answer_.judgement.verdict != Verdict::device || profile_.inference.odd_layers != OddLayers::with_head || gpus < 2 || gpus > kMaxRanks) return;
    Inputs inputs = answer_.inputs;
    std::vector<std::int64_t>& parts = inputs.strategy.tensor_split;
    parts = answer_.scenario.strategy.chunk_layers;
    parts.front() -= answer_.scenario.strategy.host_layers;
    ++parts.back();
    for (std::size_t moved = 0; moved < answer_.scenario.model.pattern.size(); ++moved) {
      const Estimate there = estimate(scenario_of(inputs, profile_));
      const auto left = [&](std::size_t gpu) { return Bytes{usable_on(inputs.hardware, static_cast<std::int64_t>(gpu))} - there.ranks[gpu].total; };
      std::size_t full = 0, roomy = 0;
      for (std::size_t gpu = 1; gpu < gpus; ++gpu) {
        if (left(gpu) < left(full)) full = gpu;
        if (left(roomy) < left(gpu)) roomy = gpu;
      }
      if (left(full) >= Bytes{0} && try_inputs(inputs, profile_, profile_, Judge::process).holds()) return add_split(parts);
      const std::int64_t least = full + 1 == gpus ? 2 : 1;
      if (full == roomy || parts[full] <= least) return;
      --parts[full], ++parts[roomy];
    }
  }

  void add_split(const std::vector<std::int64_t>& parts) {
    std::string text = text_of(parts), flag = flag_of(answer_.profile_id, "tensor_split", text, answer_.inputs.workload.batch);
    remedies_.push_back({"tensor_split", std::move(text), std::move(flag)});
  }

  /// Experts first: a step reads few of them, which costs less time than whole layers.
  void experts_to_host() {
    if (!profile_.inference.offloads_experts || answer_.judgement.verdict != Verdict::device) return;
    const FieldState* const field = answer_.find_field("host_expert_layers");
    if (field == nullptr || !field->applies) return;
    std::vector<std::int64_t> layers;
    const auto all = static_cast<std::int64_t>(answer_.scenario.model.pattern.size());
    for (std::int64_t on_host = answer_.inputs.serving.host_expert_layers + 1; on_host <= all; ++on_host) layers.push_back(on_host);
    smallest("host_expert_layers", layers);
  }

  /// As many on the GPU as there is room for.
  void fewer_layers() {
    if (!profile_.inference.offloads_layers || answer_.judgement.verdict != Verdict::device) return;
    std::vector<std::int64_t> layers;
    for (auto on = static_cast<std::int64_t>(answer_.scenario.model.pattern.size()); on > 0; --on) layers.push_back(on);
    smallest("gpu_layers", layers);
  }

  void more_gpus() {
    constexpr std::int64_t kNode = 8;
    std::vector<std::int64_t> degrees;
    if (profile_.inference.offloads_layers) return;
    for (std::int64_t gpus = 2 * answer_.inputs.strategy.tensor_parallel; gpus <= kNode; gpus *= 2) degrees.push_back(gpus);
    smallest("tensor_parallel", degrees);
  }

  const Answer& answer_;
  const Profile& profile_;
  std::vector<Remedy> remedies_;
};

} // namespace

std::vector<Remedy> engine_remedies(const Answer& answer) {
  if (trains(answer.inputs.workload.task) || answer.judgement.holds()) return {};
  return Remedies{answer}.list();
}

std::string remedies_text(const Answer& answer) {
  constexpr std::size_t kTold = 3;
  std::string text;
  std::size_t told = 0;
  for (const Remedy& remedy : answer.remedies) {
    if (remedy.flag.empty() || told == kTold) continue;
    text += (told++ == 0 ? " Add " : ", or ") + remedy.flag;
  }
  return text.empty() ? "" : text + ".";
}

} // namespace plimsoll::io
