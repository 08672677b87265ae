#pragma once
// The device that must hold it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Number formats that matrix units multiply. tf32 is what they do with fp32 inputs when allowed to; fp8 and fp4 whatever their
/// exponents and scales.
enum class Arithmetic : unsigned char { fp32, tf32, fp16, bf16, fp8, int8, fp4 };
inline constexpr std::size_t kArithmetics = 7;
inline constexpr std::array<std::string_view, kArithmetics> kArithmeticIds = {"fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"};

/// What a device does per second. Zero = not published, never guessed.
struct Rates {
  std::array<std::int64_t, kArithmetics> flop{};     ///< data sheet: dense, accumulating in fp32; FLOP/s
  std::array<std::int64_t, kArithmetics> measured{}; ///< the best that anyone has measured of a matrix multiplication; FLOP/s
  std::int64_t narrow_sums = 0; ///< likewise of fp16 that accumulates in 16 bits, where that is faster; FLOP/s
  std::int64_t memory = 0; ///< device memory, bytes/s
  std::int64_t link = 0;   ///< to the other devices that its links join, all links together, one direction, bytes/s
  std::int64_t host = 0;   ///< PCIe as negotiated, one direction, bytes/s
  std::int64_t watts = 0;  ///< board power limit

  constexpr std::int64_t of(Arithmetic format) const noexcept { return flop[static_cast<std::size_t>(format)]; }
};

/// How GPUs of one node exchange.
enum class GpuLink : unsigned char {
  device, ///< as the device does by itself: over its links, over PCIe, or as `peers` says
  pcie,   ///< over PCIe, into each other's memory
  host,   ///< through the host's memory: NCCL_P2P_DISABLE=1, some virtual machines and boards
};

struct Hardware {
  std::string id;   ///< catalogue id
  std::string name; ///< as people write it
  std::string arch; ///< e.g. "Ada", "Hopper": decides library workspaces
  std::int64_t label_gb = 0;         ///< the number on the box, in the maker's own GB or GiB; 0 = not published
  std::int64_t nominal_bytes = 0;    ///< what that label means in bytes; 0 = not published
  std::int64_t usable_bytes = 0;     ///< what a process can allocate; > 0
  std::vector<std::int64_t> usable_each; ///< where the GPUs of a pipeline differ: of each of them; empty = usable_bytes
  std::string usable_basis;          ///< whether usable_bytes is a reading or a rule
  std::int64_t host_bytes = 0;       ///< memory of a node's host that its GPUs may leave things to, all of them together; 0 = not stated
  Rates rates;
  /// Without links of their own, such GPUs reach each other's memory over PCIe. false: the driver keeps them from it (GeForce), or they stand in machines where no
  /// PCIe switch joins them, across whose host bridges NCCL goes by the host's memory (src/graph/paths.cc, ncclTopoCheckP2p: PATH_PXB, but for two GPUs on AMD).
  bool peers = true;
  GpuLink gpu_link = GpuLink::device;
  std::int64_t linked = 0; ///< devices that `rates.link` joins where they are fewer than a node has: 2 with a bridge; 0 = all of the node
  std::int64_t gpus_per_node = 8; ///< devices that exchange without the network; >= 1
  std::int64_t network_bytes_per_s = 50'000'000'000; ///< between nodes, for each device, one direction: 400 Gb/s, an assumption; >= 1
  std::int64_t oversubscription_permille = 1000; ///< times that leaf switches have more below than above; >= 1000
  std::int64_t nvme_bytes_per_s = 25'000'000'000; ///< a node's drives together, reading or writing: those of a DGX-2 (ZeRO-Infinity), an assumption; >= 1
};

/// So many GPUs of one node, >= 1, exchange over links of their own.
inline bool are_linked(const Hardware& hardware, std::int64_t gpus) noexcept {
  return hardware.gpu_link == GpuLink::device && hardware.rates.link > 0 && (hardware.linked == 0 || gpus <= hardware.linked);
}

/// They reach each other's memory, by links or over PCIe.
inline bool reach_each_other(const Hardware& hardware, std::int64_t gpus) noexcept {
  return are_linked(hardware, gpus) || (hardware.gpu_link == GpuLink::device ? hardware.peers : hardware.gpu_link == GpuLink::pcie);
}

/// Thousandths of PCIe's rate that is left where what GPUs exchange goes into the host's memory and out of it again, both ways at once: 0.3 on
/// A40 (NVIDIA/nccl-tests, issue 74: 19 to 21 GB/s both ways together), 0.33 to 0.49 on RTX 4090 (NVIDIA/nccl, issue 814: 21 to 31 GB/s).
inline constexpr std::int64_t kThroughHost = 400;

/// What so many GPUs of one node, >= 1, exchange at, one direction, bytes/s; 0 = not published.
inline std::int64_t between_gpus(const Hardware& hardware, std::int64_t gpus) noexcept {
  if (are_linked(hardware, gpus)) return hardware.rates.link;
  return reach_each_other(hardware, gpus) ? hardware.rates.host : hardware.rates.host / 1000 * kThroughHost;
}

/// Bytes that a process can allocate on the GPU of that pipeline rank.
inline std::int64_t usable_on(const Hardware& hardware, std::int64_t rank) noexcept {
  const auto at = static_cast<std::size_t>(rank);
  return at < hardware.usable_each.size() ? hardware.usable_each[at] : hardware.usable_bytes;
}

} // namespace plimsoll
