#include "evidence/measured.hpp"

#include "evidence/readings.hpp"
#include "evidence/words.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/validate.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

bool is_size(const std::string& word) {
  if (word == "b" || word == "m") return true;
  const std::size_t digits = word.find_first_not_of("0123456789.");
  return digits > 0 && (digits == std::string::npos || (digits + 1 == word.size() && (word[digits] == 'b' || word[digits] == 'm')));
}

const ModelRow* model_with_letters(const std::string& letters) {
  const ModelRow* found = nullptr;
  for (const ModelRow& row : presets().models()) {
    const bool named = letters_of(row.id) == letters || letters_of(row.name) == letters ||
                       std::ranges::any_of(row.aliases, [&](const std::string& alias) { return letters_of(alias) == letters; });
    if (!named) continue;
    if (found != nullptr) return nullptr;
    found = &row;
  }
  return found;
}

// What the estimate does not follow yet. Rows that need it keep their inputs; each line goes when the estimate has learnt it.
std::string not_modelled_yet(const Inputs& inputs, const Profile& profile) {
  const bool described = profile.training.fp8.copies.basis != Basis::assumed;
  return inputs.strategy.fp8 != Fp8::none && !described ? "8-bit matrix multiplication is not described for this framework." : "";
}

std::int64_t rank_of(const Scenario& scenario, Ranks ranks) {
  switch (ranks) {
    case Ranks::first: return 0;
    case Ranks::last: return scenario.strategy.pipeline_parallel - 1;
    case Ranks::fullest: break;
  }
  return estimate(scenario).rank;
}

/// The framework's profile, or, until it has one, that of a plain PyTorch loop.
std::optional<Profile> profile_of(const MeasuredRow& row, Comparison& comparison) {
  const std::string& arch = row.inputs.hardware.arch;
  if (auto profile = presets().profile(row.profile, arch, row.inputs.implementation)) return profile;
  comparison.assumed.push_back("There is no profile of \"" + row.profile + "\": a plain PyTorch loop stands for it.");
  return presets().profile("pytorch", arch, row.inputs.implementation);
}

void set(Comparison& comparison, const MemoryRange& predicted) {
  comparison.modelled = true;
  comparison.predicted = predicted.expected.value;
  comparison.low = predicted.low.value;
  comparison.high = predicted.high.value;
}

} // namespace

const Catalog& presets() {
  static const Catalog catalog = Catalog::load();
  return catalog;
}

const ModelRow* find_model(std::string_view name) {
  if (name.empty()) return nullptr;
  if (const ModelRow* row = presets().find_model(name)) return row;
  if (const ModelRow* row = model_with_letters(letters_of(name))) return row;
  std::vector<std::string> words = words_of(name);
  const std::size_t all = words.size();
  while (words.size() > 1 && is_size(words.back()) && words.size() + 2 > all) words.pop_back();
  if (words.size() == all) return nullptr;
  std::string letters;
  for (const std::string& word : words) letters += letters_of(word);
  return model_with_letters(letters);
}

void read_device(std::string_view text, MeasuredRow& row) {
  const std::vector<std::string> words = words_of(text);
  const auto says = [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); };
  const DeviceRow* found = nullptr;
  bool sized = false;
  for (const DeviceRow& device : presets().devices()) {
    const std::vector<std::string> id = words_of(device.hardware.id);
    if (id.empty() || device.vendor == "Apple") continue;
    const bool card = id.front().starts_with("rtx") && id.front().size() > 3 && says(id.front().substr(3));
    if (!card && (id.front().find_first_of("0123456789") == std::string::npos || !says(id.front()))) continue;
    const std::string label = std::to_string(device.hardware.label_gb);
    const bool same_size = says(label + "gb") || says(label);
    if (found != nullptr && (sized || !same_size)) continue;
    found = &device;
    sized = same_size;
  }
  if (found == nullptr) {
    found = presets().find_device(kDefaultDevice);
    row.assumed.push_back("The device: \"" + std::string{text} + "\" is taken for " + found->hardware.name + ".");
  }
  row.inputs.hardware = found->hardware;
}

void store_base(std::string_view scheme, MeasuredRow& row) {
  std::optional<WeightScheme> found = presets().weights().find(scheme);
  if (!found) return row.decline("There is no weight format \"" + std::string{scheme} + "\".");
  // Lightning Fabric replaces every linear map, the output head among them (plugins/precision/bitsandbytes.py).
  if (row.profile == "litgpt")
    for (WeightRule& rule : found->rules) rule.kinds &= ~bit_of(TensorKind::head);
  row.inputs.weights = store(row.inputs.model, *found);
}

void read_bitsandbytes(std::initializer_list<std::string_view> texts, MeasuredRow& row) {
  constexpr Version kFreesInputs{0, 43, 2}; // github.com/bitsandbytes-foundation/bitsandbytes, pull request 1270
  for (const std::string_view text : texts)
    for (const char* name : {"bitsandbytes", "bnb"})
      if (const auto version = version_after(text, name)) {
        row.inputs.implementation.keeps_quantised_inputs = *version < kFreesInputs;
        return;
      }
  // LitGPT required 0.42 until it left Python 3.8 (litgpt, pyproject.toml), and the runs of its recipe table are of that time.
  row.inputs.implementation.keeps_quantised_inputs = row.profile == "litgpt";
  if (row.profile == "litgpt") return row.assumed.push_back("bitsandbytes is 0.42, as in LitGPT's other measurements of the time: 4-bit multiplications keep their inputs.");
  row.assumed.push_back("bitsandbytes is 0.43.2 or newer: 4-bit multiplications do not keep their inputs.");
}

void compile_all(MeasuredRow& row) {
  Implementation& code = row.inputs.implementation;
  code.norms = code.mlp = Fusion::compiled;
  if (code.loss == LossKernel::chunked && row.profile == "torchtune") code.loss = LossKernel::chunked_compiled;
  // Where torchtune compiles an ordinary loss, its own measurements show no less memory in it: its README, 60.0 and 51.0 GiB.
  if (code.loss != LossKernel::profile || row.profile != "torchtitan") return;
  code.loss = LossKernel::torch_float_compiled;
  row.assumed.push_back("The loss is compiled with the model.");
}

void predict(const MeasuredRow& row, Comparison& comparison) {
  comparison.reason = row.reason;
  if (!row.reason.empty()) return;
  const std::optional<Profile> profile = profile_of(row, comparison);
  if (!profile || !profile->for_training) return void(comparison.reason = "The profile \"" + row.profile + "\" does not exist yet.");
  if (comparison.reason = not_modelled_yet(row.inputs, *profile); !comparison.reason.empty()) return;
  for (const Issue& issue : validate(row.inputs))
    if (issue.severity == Severity::error) return void(comparison.reason = issue.message);

  comparison.profile = profile->id;
  const Constant& context = profile->runtime.context_bytes;
  if (row.reading == Reading::context) return set(comparison, {Bytes{context.value}, Bytes{context.low}, Bytes{context.high}});
  const Scenario scenario = scenario_of(row.inputs, *profile);
  if (row.reading == Reading::saved_per_layer) return set(comparison, range_around(saved_by_layer(scenario), profile->comparisons));
  if (row.reading == Reading::layer_forward)
    return set(comparison, range_around(saved_by_layer(scenario) + output_of_layer(scenario), profile->comparisons));
  const Estimate result = estimate_rank(scenario, rank_of(scenario, row.ranks));
  if (result.saturated) return void(comparison.reason = "Together these inputs need more than can be counted.");
  if (row.reading == Reading::loaded) {
    const Component tree = explain_moment(scenario, Moment::optimizer_step);
    return set(comparison, range_around(Bytes{amount_of(tree, "memory.weights")}, profile->comparisons));
  }
  const Footprint whole = footprint(scenario, result.rank);
  const MemoryRange& range = counted(whole, row.counter);
  const Bytes expected = row.reading == Reading::first_peak          ? first_peak(result) // as far off as any other step
                         : row.reading == Reading::first_micro_batch ? first_micro_batch(scenario, result.rank)
                                                                     : range.expected;
  set(comparison, range_as_of(range, expected));
}

void compare_measured(const MeasuredRow& row, std::string id, std::vector<Comparison>& into) {
  Comparison comparison;
  comparison.id = std::move(id);
  comparison.group = row.group;
  comparison.metric = row.metric;
  comparison.unit = "bytes";
  comparison.measured = row.bytes;
  comparison.assumed = row.assumed;
  if (row.counter == Counter::reserved && row.reason.empty())
    comparison.assumed.push_back("The allocator runs as the framework sets it up, and all batches have one length.");
  predict(row, comparison);
  into.push_back(std::move(comparison));
}

} // namespace plimsoll::io::accuracy
