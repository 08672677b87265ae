#pragma once
// Which numbers speak of a GPU, and what it is to a kernel.

#include "method/kernels/formats.hpp"
#include "method/kernels/gpu.hpp"

#include <algorithm>
#include <string_view>

namespace plimsoll::kernels {

/// The class that the device belongs to; null where there is none.
inline const KernelClass* class_of(const KernelTable& table, const Hardware& hardware) noexcept {
  for (const KernelClass& each : table.classes)
    if (hardware.rates.memory >= each.least_memory_rate && std::ranges::find(each.archs, hardware.arch) != each.archs.end()) return &each;
  return nullptr;
}

/// Numbers and how near they are to what was asked.
struct Chosen {
  const KernelRow* row = nullptr; ///< null: nobody has measured such a kernel on anything like it
  bool own_class = true;          ///< the device's class has rows of its own
};

/// The engine's own row of a device class where the host's time before the kernel was measured with it; null where there is none.
inline const KernelRow* measured_with_host(const KernelTable& table, std::string_view device_class, Kernel kernel, std::string_view format, std::string_view engine) noexcept {
  const auto is_own = [&](const KernelRow& row) { return !row.serves && row.kernel == kernel && row.device_class == device_class && row.format == format && row.engine == engine; };
  const auto found = std::ranges::find_if(table.rows, is_own);
  return found == table.rows.end() ? nullptr : &*found;
}

/// Of the engine where it has rows, of any other otherwise, the most rows first; of the device's class where it has any. `source` "" = any.
inline Chosen choose(const KernelTable& table, const KernelClass& device_class, Kernel kernel, std::string_view format, std::string_view engine, std::string_view source = {}) noexcept {
  const auto in_class = [&](std::string_view id) {
    const KernelRow* best = nullptr;
    std::int64_t rank = -1;
    for (const KernelRow& row : table.rows) {
      if (row.kernel != kernel || row.device_class != id || row.format != format) continue;
      if (source.empty() && !row.serves) continue;
      constexpr std::int64_t kEngine = 3'000'000'000, kSource = 2 * kEngine; // above any number of rows
      const std::int64_t own = (!source.empty() && row.source == source ? kSource : 0) + (row.engine == engine ? kEngine : 0) + row.rows;
      if (own > rank) {
        rank = own;
        best = &row;
      }
    }
    return best;
  };
  if (const KernelRow* row = in_class(device_class.id)) return {row, true};
  for (const std::string& other : device_class.like)
    if (const KernelRow* row = in_class(other)) return {row, false};
  return {};
}

/// The device as a kernel of that format sees it; flop in the arithmetic of 16 bits where it has no other; the link is that of two.
inline Gpu gpu_of(const Hardware& hardware, const KernelClass& device_class, Arithmetic arithmetic) noexcept {
  const Rates& rates = hardware.rates;
  const auto rate = [&](Arithmetic format) { return static_cast<double>(rates.of(format)); };
  const double half = std::max({rate(Arithmetic::bf16), rate(Arithmetic::fp16), 1.0});
  const double own = rate(arithmetic) > 0 ? rate(arithmetic) : half;
  // GeForce cards sum in fp32 at half the rate of their multiprocessors, which are as many all the same.
  const double whole = std::max(half, static_cast<double>(rates.narrow_sums));
  return {.flop = own, .memory = std::max(static_cast<double>(rates.memory), 1.0), .units = std::max(1.0, whole / device_class.unit_flop), .link = static_cast<double>(between_gpus(hardware, 2))};
}

} // namespace plimsoll::kernels
