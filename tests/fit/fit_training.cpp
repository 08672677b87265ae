// fit_training [MEMBER | rows] < ROWS: what training gets of a device's rates (core/catalog/data/efficiency/training.json), fitted on published throughput. A row is a
// line of four texts with tabs between them: configuration, query, a figure, and its unit: tokens/s (of a GPU) or s (of a step). Prints what the rows of the fit and those
// that were left out are off by, with "rows" one by one, and the constants that fit all. Rows of one configuration are all in the fit or all left out.
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/request/request.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace plimsoll;

struct Run {
  Scenario scenario;
  double measured = 0;
  unsigned part = 0; ///< of kFolds
  std::string query;
};

constexpr unsigned kFolds = 4;
const char* only = nullptr; ///< the member that is fitted, the others staying; null for all

struct Member {
  const char* name;
  Constant TrainingEfficiency::*of;
  bool by_arch;
  std::int64_t least, most;
};
constexpr Member kMembers[] = {{"matrices", &TrainingEfficiency::matrices, true, 300, 1000},
                               {"matrices_fp8", &TrainingEfficiency::matrices_fp8, true, 300, 1000},
                               {"grouped", &TrainingEfficiency::grouped, true, 200, 1000},
                               {"attention", &TrainingEfficiency::attention, true, 60, 700},
                               {"elementwise_bytes", &TrainingEfficiency::elementwise_bytes, false, 60, 600},
                               {"logit_bytes", &TrainingEfficiency::logit_bytes, false, 10, 80},
                               {"routed_bytes", &TrainingEfficiency::routed_bytes, false, 10, 200},
                               {"drag", &TrainingEfficiency::drag, false, 0, 400},
                               {"gather_drag", &TrainingEfficiency::gather_drag, false, 0, 1000},
                               {"tensor_exposed", &TrainingEfficiency::tensor_exposed, false, 300, 1000},
                               {"tensor_overlapped", &TrainingEfficiency::tensor_overlapped, false, 50, 1000},
                               {"network", &TrainingEfficiency::network, false, 300, 950}};

/// One number of the data: constants that are chosen by a kernel have the same value where they are the same number.
using Key = std::string;

Key key_of(const Member& member, const Run& run) {
  return std::string{member.name} + (member.by_arch ? " " + run.scenario.hardware.arch : "") + " " + std::to_string((run.scenario.profile.efficiency.*member.of).value);
}

unsigned part_of(const std::string& configuration) {
  std::uint32_t hash = 2166136261u;
  for (const char c : configuration) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  hash ^= hash >> 13;
  hash *= 0x5bd1e995u;
  return (hash ^ hash >> 15) % kFolds;
}

std::vector<Run> read(const io::Catalog& catalog) {
  std::vector<Run> runs;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream parts{line};
    std::string configuration, query, measured, unit;
    std::getline(parts, configuration, '\t');
    std::getline(parts, query, '\t');
    std::getline(parts, measured, '\t');
    std::getline(parts, unit, '\t');
    Issues issues;
    io::Answer answer = io::answer(catalog, io::request_from_query(query, issues));
    const StepTime step = answer.ok ? step_time(answer.scenario) : StepTime{};
    if (!step.known) {
      std::fprintf(stderr, "not answered: %s\n", query.c_str());
      continue;
    }
    const double figure = std::stod(measured), tokens = static_cast<double>(step.tokens.value) / static_cast<double>(step.gpus.value);
    runs.push_back({std::move(answer.scenario), unit == "s" ? tokens / figure : figure, part_of(configuration), query});
  }
  return runs;
}

using Values = std::map<Key, std::int64_t>;

double log_error(const Run& run, const std::vector<Key>& keys, const Values& values) {
  Scenario& scenario = const_cast<Scenario&>(run.scenario);
  for (std::size_t i = 0; i < keys.size(); ++i) (scenario.profile.efficiency.*kMembers[i].of).value = values.at(keys[i]);
  return std::log(static_cast<double>(step_time(scenario).tokens_per_gpu.value) / 1000 / run.measured);
}

struct Fit {
  const std::vector<Run>& runs;
  std::vector<std::vector<Key>> keys; ///< by run and member

  /// Absolute errors, none of which counts above a half, and a little for leaving what was there.
  double loss(const Values& values, const Values& before, unsigned left_out) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].part == left_out) continue;
      sum += std::min(std::abs(log_error(runs[i], keys[i], values)), 0.5);
      ++count;
    }
    double away = 0;
    for (const auto& [key, value] : values) {
      const double moved = std::log((static_cast<double>(value) + 1) / (static_cast<double>(before.at(key)) + 1));
      away += moved * moved;
    }
    return sum / std::max(count, 1) + 0.04 * away;
  }

  Values run(const Values& before, unsigned left_out) const {
    Values values = before;
    double best = loss(values, before, left_out);
    for (const double step : {0.25, 0.1, 0.04, 0.02})
      for (bool better = true; better;) {
        better = false;
        for (auto& [key, value] : values) {
          if (only != nullptr && !key.starts_with(only)) continue;
          const Member& member = *std::ranges::find_if(kMembers, [&](const Member& one) { return key.starts_with(std::string{one.name} + " "); });
          for (const double sign : {1.0, -1.0}) {
            const std::int64_t was = value;
            value = std::clamp(static_cast<std::int64_t>(std::llround(static_cast<double>(was + 2) * (1 + sign * step) - 2)), member.least, member.most);
            const double now = loss(values, before, left_out);
            if (now < best - 1e-6) best = now, better = true;
            else value = was;
          }
        }
      }
    return values;
  }
};

void print(const char* what, std::vector<double> errors) {
  if (errors.empty()) return;
  std::ranges::sort(errors);
  std::printf("%-24s %4zu rows, median %5.1f %%, p90 %5.1f %%\n", what, errors.size(), 100 * errors[errors.size() / 2], 100 * errors[errors.size() * 9 / 10]);
}

} // namespace

int main(int count, char** arguments) {
  const bool rows = count > 1 && std::string_view{arguments[1]} == "rows";
  if (count > 1 && !rows) only = arguments[1];
  const io::Catalog catalog = io::Catalog::load();
  const std::vector<Run> runs = read(catalog);
  Fit fit{runs, {}};
  Values before;
  for (const Run& run : runs) {
    std::vector<Key>& keys = fit.keys.emplace_back();
    for (const Member& member : kMembers) before.emplace(keys.emplace_back(key_of(member, run)), (run.scenario.profile.efficiency.*member.of).value);
  }
  std::vector<double> all_left_out;
  for (unsigned part = 0; part < kFolds; ++part) {
    const Values values = fit.run(before, part);
    std::vector<double> in, out, was;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double error = std::abs(std::exp(log_error(runs[i], fit.keys[i], values)) - 1);
      (runs[i].part == part ? out : in).push_back(error);
      if (runs[i].part == part && rows) std::printf("%+7.1f %% %s\n", 100 * (std::exp(log_error(runs[i], fit.keys[i], values)) - 1), runs[i].query.c_str());
      if (runs[i].part == part) was.push_back(std::abs(std::exp(log_error(runs[i], fit.keys[i], before)) - 1));
    }
    all_left_out.insert(all_left_out.end(), out.begin(), out.end());
    print("before, left out", was);
    print("in the fit", in);
    print("left out", out);
  }
  print("left out of four fits", all_left_out);
  std::printf("fitted on all rows\n");
  for (const auto& [key, value] : fit.run(before, kFolds)) std::printf("  %-40s %lld\n", key.c_str(), static_cast<long long>(value));
}
