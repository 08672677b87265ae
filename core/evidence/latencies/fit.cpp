#include "evidence/latencies/fit.hpp"

#include <cmath>
#include <map>
#include <tuple>

namespace plimsoll::io::latencies {

namespace {

struct Start {
  KernelNumbers numbers;
  bool has_shares; ///< the second and the third are shares of a rate, at most 1
};

Start start_of(Kernel kernel) {
  constexpr double kAny = 1000; // query heads: more than any model's cached head has
  switch (kernel) {
    case Kernel::matrices: return {{3000, 0.85, 0.8, 0.2, 20, 64, 500, 2, 1, 0.3}, true};
    case Kernel::prompt_attention:
    case Kernel::prompt_latent: return {{5000, 0.8, 0.7, 0.2, 10, 128, 64, 100, 0.3, 100, 0.1, 3}, true};
    case Kernel::decode_attention: return {{5000, 0.85, 0.6, 0.2, 20, 256, 16, 200, 64, 0.01, 1, 1000, 64, 64, 1, 2, 200}, true};
    case Kernel::decode_latent: return {{5000, 0.85, 0.6, 0.2, 20, 256, 16, 200, 64, 0.01, 1, 1000, kAny, kAny, 1, 2, 200}, true};
    case Kernel::experts: return {{10000, 0.7, 0.7, 0.2, 40, 64, 2, 3, 10}, true};
    case Kernel::recurrence_prompt:
    case Kernel::recurrence_decode: return {{5000, 8, 8, 100}, false};
    case Kernel::all_reduce:
    case Kernel::all_gather:
    case Kernel::reduce_scatter:
    case Kernel::all_to_all: break;
  }
  return {{15000, 0.9, 0.8, 1500, 20000, 1e6, 1}, true};
}

using Group = std::vector<const Sample*>;

double time_of(const Sample& sample, const KernelNumbers& numbers, const KernelTiles& tiles) noexcept {
  return kernels::kernel_ns(sample.row->kernel, sample.row->shape, sample.gpu, numbers, tiles);
}

double loss(const Group& samples, const KernelNumbers& numbers, const KernelTiles& tiles) {
  double sum = 0;
  for (const Sample* sample : samples) {
    const double off = std::fabs(std::log(time_of(*sample, numbers, tiles) / sample->row->ns));
    sum += std::min(off, 1.0) + 0.15 * std::min(off, 2.0);
  }
  return sum / static_cast<double>(samples.size());
}

/// At most so many of them, evenly.
Group some_of(const Group& samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  Group some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(samples[i * samples.size() / most]);
  return some;
}

bool is_possible(const KernelNumbers& numbers, const Start& start) noexcept { return !start.has_shares || (numbers[1] <= 1 && numbers[2] <= 1); }

/// The nearest place from which no step of one number leads further down.
KernelNumbers descended(const Group& samples, KernelNumbers numbers, const KernelTiles& tiles) {
  const Kernel kernel = samples.front()->row->kernel;
  const Start start = start_of(kernel);
  double best = loss(samples, numbers, tiles);
  std::array<double, kKernelNumbers> step{};
  step.fill(0.5);
  const auto improves = [&](std::size_t i, double by) {
    KernelNumbers tried = numbers;
    tried[i] *= std::exp(by);
    if (!is_possible(tried, start)) return false;
    const double found = loss(samples, tried, tiles);
    if (found >= best - 1e-9) return false;
    best = found;
    numbers = tried;
    return true;
  };
  for (int round = 0; round < 60 && *std::ranges::max_element(step) >= 0.01; ++round)
    for (std::size_t i = 0; i < kKernelNumbers; ++i) {
      if (i >= kernels::numbers_of(kernel)) step[i] = 0;
      else step[i] *= improves(i, step[i]) || improves(i, -step[i]) ? 1.3 : 0.5;
    }
  return numbers;
}

/// Numbers from 0 to 1 in an order that is always the same.
class Lots {
public:
  double next() noexcept {
    seed_ = seed_ * 1664525u + 1013904223u;
    return (seed_ >> 8) / static_cast<double>(1 << 24);
  }

private:
  std::uint32_t seed_ = 1;
};

/// Forms have corners, and places that look lowest from all near them: half of the numbers are moved by up to a factor of 4.5 (the start's own
/// now and then), and what comes of that is kept where it is lower.
KernelNumbers searched(const Group& samples, KernelNumbers numbers, const KernelTiles& tiles, int hops) {
  constexpr double kMoved = 0.5, kFresh = 0.2, kFar = 1.5;
  const Kernel kernel = samples.front()->row->kernel;
  const Start start = start_of(kernel);
  numbers = descended(samples, numbers, tiles);
  double best = loss(samples, numbers, tiles);
  Lots lots;
  for (int hop = 0; hop < hops; ++hop) {
    KernelNumbers tried = numbers;
    for (std::size_t i = 0; i < kernels::numbers_of(kernel); ++i) {
      if (lots.next() > kMoved) continue;
      if (lots.next() < kFresh) tried[i] = start.numbers[i];
      tried[i] *= std::exp(2 * kFar * (lots.next() - 0.5));
      if (!is_possible(tried, start)) tried[i] = 1;
    }
    tried = descended(samples, tried, tiles);
    const double found = loss(samples, tried, tiles);
    if (found >= best) continue;
    best = found;
    numbers = tried;
  }
  return numbers;
}

std::vector<KernelTiles> menus_of(Kernel kernel) {
  std::vector<KernelTiles> menus;
  for (const double rows : {16.0, 64.0, 128.0})
    for (const double most_rows : {128.0, 256.0})
      for (const double columns : {32.0, 64.0, 128.0})
        for (const double most_columns : {128.0, 256.0})
          for (const double split : {1.0, 4.0, 16.0})
            if (kernel == Kernel::matrices || split == 1) menus.push_back({rows, most_rows, columns, most_columns, split});
  return menus;
}

void fit_group(const Group& all, KernelRow& row) {
  constexpr std::size_t kFew = 250, kMany = 1500;
  constexpr int kHops = 12;
  const Group few = some_of(all, kFew), many = some_of(all, kMany);
  row.numbers = start_of(row.kernel).numbers;
  if (kernels::has_tiles(row.kernel)) {
    double best = 1e300;
    for (const KernelTiles& tiles : menus_of(row.kernel)) {
      const KernelNumbers numbers = descended(few, start_of(row.kernel).numbers, tiles);
      const double found = loss(many, numbers, tiles);
      if (found >= best) continue;
      best = found;
      row.numbers = numbers;
      row.tiles = tiles;
    }
  }
  row.numbers = searched(many, row.numbers, row.tiles, kHops);
}

} // namespace

std::vector<Sample> samples_of(const std::vector<Measured>& rows, const Catalog& catalog, const KernelTable& table, Issues& issues) {
  std::map<std::string, std::optional<Hardware>, std::less<>> devices; // of each system
  std::map<std::string, std::size_t, std::less<>> unknown;
  std::vector<Sample> samples;
  for (const Measured& row : rows) {
    const auto [at, is_new] = devices.try_emplace(row.system);
    if (is_new) at->second = hardware_of(catalog, row.system);
    const KernelClass* own = at->second ? kernels::class_of(table, *at->second) : nullptr;
    if (own == nullptr) ++unknown[row.system];
    else {
      Sample& sample = samples.emplace_back(&row, kernels::gpu_of(*at->second, *own, row.arithmetic), own->id, at->second->id);
      sample.gpu.cache = own->cache; // a kernel is measured over and over on the same data
    }
  }
  for (const auto& [system, count] : unknown)
    issues.push_back({Severity::warning, system, std::to_string(count) + " rows are of a device that the catalogue does not have, or of a class without kernels.",
                      "Add the device to core/catalog/data/devices."});
  return samples;
}

bool is_left_out(const Measured& row) noexcept {
  std::uint32_t hash = 2166136261u;
  for (const char c : row.shape_text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  hash ^= hash >> 13;
  hash *= 0x5bd1e995u;
  return (hash ^ hash >> 15) % 5 == 0;
}

// A step replays graphs: rows of kernels that were launched one by one, whose smallest call takes as long as the host needs, are not what it
// does. Where an engine has no graphs, they are.
bool is_of_host(const KernelRow& row, const KernelClass& device_class) noexcept {
  constexpr double kHost = 10'000; // ns: a single product with its conversion takes less of the GPU
  return row.source.ends_with("_eager") || (row.kernel == Kernel::matrices && device_class.graphs && row.numbers[0] > kHost);
}

double predicted_ns(const Sample& sample, const KernelRow& row) noexcept { return time_of(sample, row.numbers, row.tiles); }

std::vector<KernelRow> fit(std::span<const Sample* const> samples, const KernelTable& table) {
  using Key = std::tuple<Kernel, std::string, std::string, std::string, std::string>;
  std::map<Key, Group> groups;
  for (const Sample* sample : samples) {
    const Measured& row = *sample->row;
    groups[{row.kernel, sample->device_class, row.format, row.source, row.engine}].push_back(sample);
  }
  std::vector<KernelRow> rows;
  for (const auto& [key, group] : groups) {
    KernelRow row;
    std::tie(row.kernel, row.device_class, row.format, row.source, row.engine) = key;
    row.rows = static_cast<std::int64_t>(group.size());
    fit_group(group, row);
    const auto own = std::ranges::find(table.classes, row.device_class, &KernelClass::id);
    row.serves = own != table.classes.end() && !is_of_host(row, *own);
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace plimsoll::io::latencies
