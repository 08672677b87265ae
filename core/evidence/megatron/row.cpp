// A whole row: what it is, what is covered, what was measured.
#include "evidence/measured.hpp"
#include "evidence/megatron/parts.hpp"
#include "evidence/readings.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/footprint.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy {

namespace {

bool matches(const Json& row) {
  if (!row.is_object() || text_of(row, "kind") != "training") return false;
  const auto framework = row.find("framework");
  return framework != row.end() && text_of(*framework, "name") == "megatron";
}

std::vector<std::string> features_of(const Json& row) {
  std::vector<std::string> features;
  if (!row.is_object()) return features;
  const auto list = row.find("features");
  if (list == row.end() || !list->is_array()) return features;
  for (const Json& feature : *list)
    if (feature.is_string()) features.push_back(feature.get<std::string>());
  return features;
}

bool has(const std::vector<std::string>& features, std::string_view name) { return std::ranges::find(features, name) != features.end(); }

/// Rows that are alike in what they exercise, as far as their error is concerned.
std::string group_of(const Json& row, const std::vector<std::string>& features) {
  if (row.is_object() && row.contains("strategy") && row["strategy"].is_object() && !number_of(row["strategy"], "world")) return "release (world not recorded)";
  for (const char* alone : {"fsdp", "fp8", "distill", "flextron", "offload", "gdn", "dsa"})
    if (has(features, alone)) return alone;
  const bool local = has(features, "local_impl"), moe = has(features, "moe");
  if (has(features, "hybrid")) return moe ? "hybrid+moe" : "hybrid";
  if (has(features, "mla")) return moe ? "mla+moe" : "mla";
  if (moe) return has(features, "muon") ? "moe muon" : local ? "moe local" : "moe te";
  if (local) return has(features, "fp16") ? "dense local fp16" : "dense local";
  if (has(features, "recompute_full")) return "dense recompute";
  if (has(features, "uneven_pp")) return "dense uneven pp";
  if (has(features, "vpp")) return "dense vpp";
  return has(features, "cp") ? "dense cp" : "dense";
}

/// What runs beside the model, or keeps less of it on the GPU, in ways that no formula here describes.
void refuse_unmodelled(MegatronDraft& draft, const std::vector<std::string>& features) {
  static constexpr std::array<Word<const char*>, 4> kFeatures{{{"distill", "Distillation runs a second model, which is not covered."},
                                                               {"flextron", "Elastic training (Flextron) is not covered."},
                                                               {"offload", "Offloading of activations is not covered."},
                                                               {"dsa", "Sparse attention is not covered."}}};
  for (const Word<const char*>& feature : kFeatures)
    if (has(features, feature.text)) draft.reading.refuse(feature.value);
  static constexpr std::array<Word<const char*>, 4> kArguments{{{"--export-kd-cfg", kFeatures[0].value},
                                                                {"--fine-grained-activation-offloading", kFeatures[2].value},
                                                                {"--cpu-offloading", kFeatures[2].value},
                                                                {"--use-torch-fsdp2", "PyTorch's FSDP inside Megatron-LM is not covered."}}};
  for (const Word<const char*>& argument : kArguments)
    if (const Json* value = draft.arguments.find(argument.text.data()); value != nullptr && *value != Json(false)) draft.reading.refuse(argument.value);
}

/// GPUs as rows name them; sizes are the catalogue's matter.
void read_gpu(MegatronDraft& draft, const Json& row) {
  struct Gpu {
    std::string_view id, arch;
  };
  static constexpr std::array<Word<Gpu>, 6> kGpus{{{"A100-80GB", {"a100-80-sxm", "Ampere"}},
                                                   {"H100-80GB", {"h100-80-sxm", "Hopper"}},
                                                   {"H200-141GB", {"h200-141-sxm", "Hopper"}},
                                                   {"B200", {"b200", "Blackwell"}},
                                                   {"GB200", {"gb200", "Blackwell"}},
                                                   {"GB300", {"gb300", "Blackwell"}}}};
  const Section section(row, "gpu", draft.reading);
  if (!section.has("name")) draft.assume("GPU: A100 with 80 GB");
  const Gpu gpu = section.choice<Gpu>("name", kGpus, "A100-80GB");
  Hardware& hardware = draft.out.inputs.hardware;
  hardware.id = gpu.id;
  hardware.name = section.has("name") ? section.text("name") : "A100-80GB";
  hardware.arch = gpu.arch;
}

MegatronMeasured measured_of(const Json& row, Reading& reading) {
  const Section section(row, "measured", reading);
  MegatronMeasured measured;
  const auto bytes = [&](const char* key) { return section.optional_integer(key, 0, Bytes::kMax); };
  measured.allocated_first = bytes("allocated_first");
  measured.allocated_steady = bytes("allocated_steady");
  measured.peak_first = bytes("peak_first");
  measured.peak_steady = bytes("peak_steady");
  measured.first_iteration = section.integer("first_iteration", 0, 0, Bytes::kMax);
  return measured;
}

const char* profile_of(const MegatronRow& row) { return row.facts.transformer_engine ? "megatron" : "megatron_local"; }

Scenario scenario_of(const MegatronRow& row) {
  return plimsoll::scenario_of(row.inputs, *presets().profile(profile_of(row), row.inputs.hardware.arch, row.inputs.implementation));
}

Estimate last_rank(const Scenario& scenario) { return estimate_rank(scenario, scenario.strategy.pipeline_parallel - 1); }

/// Releases do not record how many GPUs ran: the fewest replicas, doubling, with which what is kept between steps is no more than was
/// measured, since anything that no formula knows only adds. Then the persistent part agrees by construction, and only activations
/// are a test.
void infer_world(MegatronRow& row) {
  if (row.facts.world || !row.reason.empty()) return;
  Strategy& strategy = row.inputs.strategy;
  const std::int64_t group = strategy.tensor_parallel * strategy.pipeline_parallel * strategy.context_parallel;
  const std::int64_t experts = strategy.expert_parallel * std::max<std::int64_t>(1, strategy.expert_tensor_parallel) * strategy.pipeline_parallel;
  constexpr std::int64_t kMostReplicas = 512;
  for (strategy.data_parallel = 1; strategy.data_parallel <= kMostReplicas; strategy.data_parallel *= 2) {
    const std::int64_t world = group * strategy.data_parallel;
    if (row.facts.dispatcher != Dispatcher::none && world % experts != 0) continue;
    if (!row.measured.allocated_steady || kept_between_steps(last_rank(scenario_of(row))).value > *row.measured.allocated_steady) continue;
    row.assumed.push_back("GPUs in all: " + std::to_string(world) + ", by what is kept between steps");
    return;
  }
  row.reason = "The number of GPUs is not recorded, and none of up to 512 replicas agrees with what was kept between steps.";
}

/// What the last pipeline stage holds between steps, and its peaks.
struct LastRank {
  MemoryRange kept, steady, first;
};

/// THE ONE PLACE where the last pipeline stage is asked for.
LastRank predict(const MegatronRow& row) {
  const Scenario scenario = scenario_of(row);
  const Estimate last = last_rank(scenario);
  const MemoryRange allocated = footprint(scenario, last.rank).allocated;
  const auto peak = [&](Bytes MomentUse::*of) {
    Bytes largest;
    for (std::size_t i = 0; i < last.moment_count; ++i) largest = max(largest, last.moments[i].*of);
    return range_as_of(allocated, largest);
  };
  const Bytes kept = kept_between_steps(last);
  return {{kept, kept, kept}, peak(&MomentUse::requested), peak(&MomentUse::first_step)};
}

void compare_row(const Json& json, std::vector<Comparison>& into) {
  const MegatronRow row = read_megatron(json);
  const bool modelled = row.reason.empty();
  const LastRank last = modelled ? predict(row) : LastRank{};
  const auto add = [&](const char* metric, std::optional<std::int64_t> measured, const MemoryRange& predicted) {
    Comparison comparison;
    comparison.id = row.id;
    comparison.group = row.group;
    comparison.metric = metric;
    comparison.unit = "bytes";
    comparison.measured = measured;
    comparison.assumed = row.assumed;
    comparison.reason = row.reason;
    comparison.modelled = modelled;
    comparison.profile = modelled ? profile_of(row) : "";
    comparison.predicted = predicted.expected.value;
    comparison.low = predicted.low.value;
    comparison.high = predicted.high.value;
    into.push_back(std::move(comparison));
  };
  add("allocated_steady", row.measured.allocated_steady, last.kept);
  add("peak_steady", row.measured.peak_steady, last.steady);
  if (!row.resumed && row.measured.first_iteration == 1) add("peak_first", row.measured.peak_first, last.first);
}

} // namespace

MegatronRow read_megatron(const Json& json) {
  MegatronRow row;
  Reading reading;
  if (!json.is_object()) {
    row.reason = "A row is an object, not " + quoted(json) + ".";
    return row;
  }
  const std::vector<std::string> features = features_of(json);
  row.id = text_of(json, "id");
  row.config = text_of(json, "config_id");
  row.twin = text_of(json, "dup_of");
  row.group = group_of(json, features);
  row.resumed = text_of(json, "run") != "first run";
  row.facts.container = text_of(json, "container");
  if (const auto source = json.find("source"); source != json.end()) row.facts.recorded = text_of(*source, "golden_date");

  MegatronDraft draft{json, row, reading};
  row.measured = measured_of(json, reading);
  read_gpu(draft, json);
  read_model(draft);
  refuse_unmodelled(draft, features); // whoever is refused from here on still has a model
  read_strategy(draft);
  read_layout(draft);
  read_implementation(draft);
  row.reason = std::move(reading.reason);
  row.assumed = std::move(reading.assumed);
  infer_world(row);
  return row;
}

Schema megatron() { return {"megatron", matches, compare_row}; }

} // namespace plimsoll::io::accuracy
