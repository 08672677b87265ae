#pragma once
// The experts of one layer on one GPU: two products for each expert that tokens chose, all of them at once. An expert's weights are read
// where one token chose it, and its tokens fill whole tiles; the GPU with the most tokens decides. Gale et al., MegaBlocks, 2022 (arXiv 2211.15841).

#include "method/kernels/matrices.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::kernels {

struct Experts {
  double tokens = 1;       ///< of all GPUs that divide these experts
  double chosen = 1;       ///< experts that a token goes to
  double experts = 1;      ///< in all
  double groups = 1;       ///< GPUs that divide the experts among them, each whole
  double hidden = 1, inner = 1; ///< channels outside and inside, on one GPU
  double maps = 3;         ///< matrices of an expert: 3 with a gate
  double token_bytes = 2, weight_bytes = 2;
  int steepness = 0;       ///< n of the power law x^-(1 + 1/n) by which experts are liked, 1 to 1000; 0 = evenly
};

inline constexpr std::size_t kRowMenu = 5;
inline constexpr std::array<double, kRowMenu> kRows{16, 32, 64, 128, 256};

/// What the fullest GPU has.
struct Load {
  double pairs = 0; ///< tokens times experts
  double met = 0;   ///< experts with a token
  double most = 0;  ///< tokens of the one with the most
  std::array<double, kRowMenu> tiles{}; ///< that cover the tokens of all its experts, for each of kRows

  void add(double tokens, double experts) noexcept {
    pairs += experts * tokens;
    met += experts;
    most = std::max(most, tokens);
    for (std::size_t i = 0; i < kRowMenu; ++i) tiles[i] += experts * parts_of(tokens, kRows[i]);
  }
};

/// The n-th root of x >= 0, by bisection: the same bits on every platform.
inline double root_of(double x, int n) noexcept {
  double low = 0, high = std::max(1.0, x);
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    double power = 1;
    for (int i = 0; i < n; ++i) power = std::min(power * middle, 1e30);
    (power > x ? high : low) = middle;
  }
  return (low + high) / 2;
}

/// How often a token of a step goes to the experts of the fullest GPU, in parts that are liked alike.
struct Liking {
  static constexpr std::size_t kParts = 16;
  std::array<double, kParts> chance{}; ///< that a token goes to one of these
  std::array<double, kParts> experts{};
};

/// The k-th of all experts is liked in proportion to ((k - 1/2) / experts)^skew; 0 = evenly. GPUs have experts in no order.
inline Liking liking_of(double experts, double groups, double chosen, int skew) noexcept {
  constexpr int kMost = 1000;
  std::array<double, kMost> weights{};
  const int all = static_cast<int>(std::clamp(experts, 1.0, double{kMost})), divided = static_cast<int>(std::clamp(groups, 1.0, static_cast<double>(all))), each = all / divided;
  double sum = 0;
  constexpr int kStride = 619; // prime, no divisor of any number of experts: a fixed shuffle
  for (int i = 0; i < all; ++i) {
    double weight = 1;
    for (int n = 0; n < skew; ++n) weight *= ((i * kStride % all) + 0.5) / all;
    weights[static_cast<std::size_t>(i)] = weight;
    sum += weight;
  }
  const auto of_group = [&](int group) { return weights.begin() + std::ptrdiff_t{group} * each; };
  int fullest = 0;
  double most = -1;
  for (int group = 0; group < divided; ++group) {
    double own = 0;
    for (auto weight = of_group(group); weight != of_group(group + 1); ++weight) own += *weight;
    if (own > most) most = own, fullest = group;
  }
  std::sort(of_group(fullest), of_group(fullest + 1));
  Liking liking;
  constexpr int kParts = static_cast<int>(Liking::kParts);
  for (int part = 0; part < kParts; ++part) {
    const int from = part * each / kParts, to = (part + 1) * each / kParts;
    if (from == to) continue;
    double own = 0;
    for (int i = from; i < to; ++i) own += of_group(fullest)[i];
    liking.experts[static_cast<std::size_t>(part)] = to - from;
    liking.chance[static_cast<std::size_t>(part)] = std::min(1.0, chosen * own / sum / (to - from));
  }
  return liking;
}

/// What so many tokens of a step give the fullest GPU on average: an expert is met where one of them goes to it.
inline Load load_of(const Liking& liking, double tokens) noexcept {
  Load load;
  for (std::size_t part = 0; part < Liking::kParts; ++part) {
    const double chance = liking.chance[part];
    if (chance <= 0) continue;
    std::int64_t left = whole_part(tokens);
    double missed = 1 - (tokens - static_cast<double>(left)) * chance;
    for (double factor = 1 - chance; left > 0; left /= 2, factor *= factor)
      if (left % 2 != 0) missed *= factor;
    const double met = 1 - missed;
    if (met > 0) load.add(std::max(1.0, tokens * chance / met), liking.experts[part] * met);
  }
  return load;
}

/// As benchmarks draw them. Evenly: every expert gets as many as another. By a power law: what drawing from x^-(1 + 1/n) between 1 and 0.8 of the tokens gives (0.01
/// to 2 where there are fewer choices than experts), in even steps of its distribution; GPUs have experts in no order.
/// ai-dynamo/aiconfigurator, collector/helper.py, power_law_logits_v3.
inline Load load_of(const Experts& of) noexcept {
  const double pairs = of.tokens * of.chosen, here = std::max(1.0, of.experts / of.groups);
  Load load;
  if (of.steepness <= 0) {
    const double each = pairs / of.experts;
    if (each >= 1) load.add(each, here);
    else load.add(1, parts_of(pairs / of.groups, 1));
    return load;
  }
  const bool plenty = pairs > of.experts;
  const double least = plenty ? 1.0 : 0.01, greatest = plenty ? std::max(0.8 * of.tokens, 1.01) : 2.0;
  const double from = 1 / root_of(least, of.steepness), to = 1 / root_of(greatest, of.steepness);
  constexpr int kMost = 1000; // experts
  std::array<double, kMost> tokens{};
  const int experts = static_cast<int>(std::clamp(of.experts, 1.0, double{kMost})), groups = static_cast<int>(std::clamp(of.groups, 1.0, static_cast<double>(experts))), each = experts / groups;
  double sum = 0;
  for (int i = 0; i < experts; ++i) {
    const double base = 1 / ((to - from) * (i + 0.5) / experts + from);
    double weight = 1;
    for (int n = 0; n < of.steepness; ++n) weight *= base;
    tokens[static_cast<std::size_t>(i)] = weight;
    sum += weight;
  }
  constexpr int kStride = 619; // prime, no divisor of any number of experts: a fixed shuffle
  const auto at = [&](int i) { return std::min(of.tokens, tokens[static_cast<std::size_t>(i * kStride % experts)] * pairs / sum); };
  double most = -1;
  int fullest = 0;
  for (int group = 0; group < groups; ++group) {
    double own = 0;
    for (int i = group * each; i < (group + 1) * each; ++i) own += at(i);
    if (own > most) {
      most = own;
      fullest = group;
    }
  }
  for (int i = fullest * each; i < (fullest + 1) * each; ++i)
    if (const double own = at(i); own >= 0.5) load.add(std::max(1.0, own), 1);
  // What rounding leaves over goes to one expert after the other, those with the most tokens first.
  double rounded = 0;
  for (int i = 0; i < experts; ++i)
    if (const double own = at(i); own >= 0.5) rounded += std::max(1.0, static_cast<double>(whole_part(own + 0.5)));
  const double over = std::max(1.0, std::min(pairs - rounded, static_cast<double>(experts)) / groups);
  if (over > load.met) load.add(1, over - load.met);
  return load;
}

struct ExpertNumber {
  enum : std::size_t {
    launch, memory, compute, unhidden, feed, start, ///< as of MatrixNumber
    swift,  ///< likewise
    pair,   ///< bytes moved for each channel of a token at an expert, outside the products
    choice, ///< ns for each token and expert of the model, in millionths: choosing and sorting
    count
  };
};

/// Nanoseconds of the arithmetic of one of both products with the best of the tiles.
inline double tiled(const Load& load, double n, double k, const Experts& of, const Gpu& gpu, const Numbers& with, const Tiles& menu) noexcept {
  const double per_unit = per_ns(gpu.flop * with[ExpertNumber::compute] / gpu.units);
  const double feed = per_ns(gpu.memory * with[ExpertNumber::feed]) / 1e3;
  double best = 1e300;
  for (std::size_t i = 0; i < kRowMenu; ++i) {
    const double rows = kRows[i];
    if (rows < menu.least_rows || rows > menu.most_rows) continue;
    for (double columns = menu.least_columns; columns <= menu.most_columns; columns *= 2) {
      const double each = 2 * rows * columns / per_unit + (rows * of.token_bytes + columns * of.weight_bytes) / feed;
      const double tiles = load.tiles[i] * parts_of(n, columns);
      best = std::min(best, std::max(1.0, tiles / gpu.units + 0.5) * (k + with[ExpertNumber::start]) * each);
    }
  }
  return best;
}

/// Nanoseconds of the kernels.
inline double experts_ns(const Experts& of, const Load& load, const Gpu& gpu, const Numbers& with, const Tiles& menu) noexcept {
  const double work = tiled(load, of.inner * (of.maps - 1), of.hidden, of, gpu, with, menu) + tiled(load, of.hidden, of.inner, of, gpu, with, menu);
  const double weights = load.met * of.maps * of.hidden * of.inner * of.weight_bytes;
  const double moved = load.pairs * (of.hidden + of.inner) * with[ExpertNumber::pair];
  const double read = read_ns(weights, gpu, with[ExpertNumber::memory], with[ExpertNumber::swift]);
  return with[ExpertNumber::launch] + ns_of(moved, gpu.memory) + of.tokens * of.experts * with[ExpertNumber::choice] / 1e6 + together(work, read, with[ExpertNumber::unhidden]);
}

} // namespace plimsoll::kernels
