// fit_serving ENGINE < ROWS: what an engine adds to the kernels of a step, fitted on closed-load runs. A row is a line of four texts with tabs
// between them: configuration, query, milliseconds to the first token, milliseconds for each further one. Prints key and value, line by line,
// and on standard error what the runs that were left out are off by. Rows of one configuration are all in the fit or all left out.
// --report only prints errors, --fitted those of the runs in the fit, --rows each of these besides: constants and forms are chosen by what
// these two print. --ranges prints nothing but how far runs of the fit were.
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/kernels.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/request/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace plimsoll;

struct Run {
  std::string configuration;
  Scenario scenario;
  LoadLimits limits;
  double first = 0, each = 0; ///< ms
  bool left_out = false;
};

constexpr std::uint32_t kFolds = 5; ///< in which configurations of the fit are put aside

struct Knob {
  const char* name;
  double StepTimes::*member;
};
constexpr std::array<Knob, 9> kKnobs{{{"step", &StepTimes::step}, {"sequence", &StepTimes::sequence}, {"layer", &StepTimes::layer}, {"token_bytes", &StepTimes::token_bytes},
                                      {"prompt_layer", &StepTimes::prompt_layer}, {"prompt", &StepTimes::prompt}, {"request", &StepTimes::request}, {"token", &StepTimes::token}, {"kernels", &StepTimes::kernels}}};

std::uint32_t hash_of(const std::string& configuration) {
  std::uint32_t hash = 2166136261u;
  for (const char c : configuration) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  hash ^= hash >> 13;
  hash *= 0x5bd1e995u;
  return hash ^ hash >> 15;
}

bool is_left_out(const std::string& configuration) { return hash_of(configuration) % 4 == 0; }

std::vector<Run> read(const io::Catalog& catalog) {
  std::vector<Run> runs;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream parts{line};
    std::string configuration, query, first, each;
    std::getline(parts, configuration, '\t');
    std::getline(parts, query, '\t');
    std::getline(parts, first, '\t');
    std::getline(parts, each, '\t');
    Issues issues;
    io::Answer answer = io::answer(catalog, io::request_from_query(query, issues));
    if (!answer.ok) {
      std::fprintf(stderr, "not answered: %s: %s\n", query.c_str(), answer.issues.empty() ? "" : answer.issues.front().message.c_str());
      continue;
    }
    runs.push_back({configuration, std::move(answer.scenario), {answer.judgement.pool.most_tokens()}, std::stod(first), std::stod(each), is_left_out(configuration)});
  }
  return runs;
}

struct Errors {
  std::vector<double> first, each; ///< predicted over measured
  std::vector<std::uint32_t> folds; ///< of their configurations
};

Errors errors_of(std::vector<Run>& runs, const ServingTimes& times, bool left_out, bool simulated, std::size_t every = 1) {
  Errors errors;
  std::size_t at = 0;
  for (Run& run : runs) {
    if (run.left_out != left_out || at++ % every != 0) continue;
    run.scenario.profile.inference.times = &times;
    const Load load = simulated ? simulated_load(run.scenario, run.limits) : steady_load(run.scenario);
    if (!load.exists || load.too_long) continue;
    errors.first.push_back(static_cast<double>(load.first_token.mean.value) / 1e6 / run.first);
    errors.each.push_back(static_cast<double>(load.per_token.mean.value) / 1e6 / run.each);
    errors.folds.push_back(hash_of(run.configuration) / 4 % kFolds);
  }
  return errors;
}

double loss(std::vector<Run>& runs, const ServingTimes& times) {
  const Errors errors = errors_of(runs, times, false, true, 2);
  double sum = 0;
  for (const double ratio : errors.each) sum += std::min(std::fabs(std::log(ratio)), 0.7);
  for (const double ratio : errors.first) sum += 0.5 * std::min(std::fabs(std::log(ratio)), 0.7);
  return sum / static_cast<double>(errors.each.size());
}

/// Of each run of the fit: what it is, concurrency, milliseconds to the first token as measured, simulated, in closed form; the same of each further one.
void print_rows(std::vector<Run>& runs, const ServingTimes& times) {
  const auto ms = [](Nanoseconds ns) { return static_cast<double>(ns.value) / 1e6; };
  for (Run& run : runs) {
    if (run.left_out) continue;
    run.scenario.profile.inference.times = &times;
    const Load load = simulated_load(run.scenario, run.limits), steady = steady_load(run.scenario);
    std::printf("%s\t%lld\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\n", run.configuration.c_str(), static_cast<long long>(run.scenario.workload.traffic.concurrency), run.first,
                ms(load.first_token.mean), ms(steady.first_token.mean), run.each, ms(load.per_token.mean), ms(steady.per_token.mean));
  }
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

void report(const char* what, const std::vector<double>& ratios) {
  if (ratios.empty()) return;
  std::vector<double> off;
  for (const double ratio : ratios) off.push_back(std::fabs(ratio - 1));
  std::fprintf(stderr, "%-28s %4zu runs: median %5.1f %%, p90 %5.1f %%; measured / predicted from %.3f to %.3f\n", what, ratios.size(), 100 * quantile(off, 0.5), 100 * quantile(off, 0.9),
               1 / quantile(ratios, 0.95), 1 / quantile(ratios, 0.05));
}

struct Range {
  double low = 1, high = 1; ///< measured over predicted
};

/// All but an equal part of the runs on both sides.
Range middle_of(const std::vector<double>& ratios, double share) { return {1 / quantile(ratios, 0.5 + share / 2), 1 / quantile(ratios, 0.5 - share / 2)}; }

/// The narrowest middle of the runs of the fit that, made of four fifths of their configurations, holds nine in ten of the runs of the other fifth.
Range range_of(const std::vector<double>& ratios, const std::vector<std::uint32_t>& folds) {
  constexpr int kNineInTen = 90, kAll = 100;
  for (int percent = kNineInTen; percent < kAll; ++percent) {
    std::size_t inside = 0;
    for (std::uint32_t fold = 0; fold < kFolds; ++fold) {
      std::vector<double> others;
      for (std::size_t i = 0; i < ratios.size(); ++i)
        if (folds[i] != fold) others.push_back(ratios[i]);
      if (others.empty()) continue;
      const Range range = middle_of(others, percent / 100.0);
      for (std::size_t i = 0; i < ratios.size(); ++i) inside += folds[i] == fold && 1 / ratios[i] >= range.low && 1 / ratios[i] <= range.high;
    }
    if (inside * kAll >= ratios.size() * kNineInTen) return middle_of(ratios, percent / 100.0);
  }
  return middle_of(ratios, 1);
}

void print_ranges(std::vector<Run>& runs, const ServingTimes& times) {
  const Errors errors = errors_of(runs, times, false, true);
  const Range each = range_of(errors.each, errors.folds), first = range_of(errors.first, errors.folds);
  std::printf("low %.0f\nhigh %.0f\nfirst_low %.0f\nfirst_high %.0f\n", 1000 * each.low, 1000 * each.high, 1000 * first.low, 1000 * first.high);
}

} // namespace

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "";
  const bool rows = asked == "--rows", ranges = asked == "--ranges", only_fitted = rows || asked == "--fitted", only_report = only_fitted || ranges || asked == "--report";
  const io::Catalog catalog = io::Catalog::load();
  std::vector<Run> runs = read(catalog);
  if (runs.empty() || runs.front().scenario.profile.inference.times == nullptr) return std::fputs("usage: fit_serving [--report | --fitted | --rows | --ranges] < ROWS\n", stderr), 1;
  ServingTimes times = *runs.front().scenario.profile.inference.times;
  if (!only_report) {
    double best = loss(runs, times);
    for (const double imbalance : {0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0}) {
      ServingTimes tried = times;
      tried.step.imbalance = imbalance;
      if (const double found = loss(runs, tried); found < best - 1e-6) best = found, times = tried;
    }
    std::array<double, kKnobs.size()> step{};
    step.fill(0.4);
    for (int round = 0; round < 8; ++round)
      for (std::size_t i = 0; i < kKnobs.size(); ++i) {
        bool better = false;
        for (const double by : {step[i], -step[i]}) {
          ServingTimes tried = times;
          tried.step.*kKnobs[i].member *= std::exp(by);
          if (const double found = loss(runs, tried); found < best - 1e-6) {
            best = found;
            times = tried;
            better = true;
            break;
          }
        }
        step[i] *= better ? 1.2 : 0.5;
      }
    for (const double imbalance : {0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0}) {
      ServingTimes tried = times;
      tried.step.imbalance = imbalance;
      if (const double found = loss(runs, tried); found < best - 1e-6) best = found, times = tried;
    }
    for (const Knob& knob : kKnobs) std::printf("%s %.4g\n", knob.name, times.step.*knob.member);
    std::printf("imbalance %g\n", times.step.imbalance);
  }
  if (rows) print_rows(runs, times);
  else if (!only_report || ranges) print_ranges(runs, times);
  if (ranges) return 0;
  for (const bool left_out : {false, true}) {
    if (left_out && only_fitted) break;
    for (const bool simulated : {false, true}) {
      const Errors errors = errors_of(runs, times, left_out, simulated);
      const std::string what = std::string{left_out ? "left out" : "fitted"} + (simulated ? ", simulated" : ", closed form");
      report((what + ": first").c_str(), errors.first);
      report((what + ": each").c_str(), errors.each);
    }
  }
  std::printf("rows %zu\n", runs.size());
  return 0;
}
