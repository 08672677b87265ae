#include "method/time/training/rates.hpp"

#include "method/memory/states.hpp"

#include <algorithm>

namespace plimsoll::timing {

Arithmetic format_of_head(const Scenario& scenario) noexcept {
  switch (scenario.strategy.precision) {
    case Precision::fp32: return scenario.profile.training.tf32 ? Arithmetic::tf32 : Arithmetic::fp32;
    case Precision::mixed_fp16:
    case Precision::master_fp16: return Arithmetic::fp16;
    case Precision::bf16:
    case Precision::mixed_bf16:
    case Precision::master_bf16:
    case Precision::sharded_bf16: break;
  }
  return Arithmetic::bf16;
}

Arithmetic format_of_layers(const Scenario& scenario) noexcept {
  if (scenario.strategy.fp8 == Fp8::none) return format_of_head(scenario);
  return scenario.strategy.fp8_recipe == Fp8Recipe::nvfp4 ? Arithmetic::fp4 : Arithmetic::fp8;
}

namespace {

/// The other 16-bit format, which matrix units multiply at the same rate.
Arithmetic twin_of(Arithmetic format) noexcept {
  if (format == Arithmetic::bf16) return Arithmetic::fp16;
  return format == Arithmetic::fp16 ? Arithmetic::bf16 : format;
}

/// Where only 16 bits were measured, narrower formats reach the same share of their rate: of the eight devices whose both formats stas00/ml-engineering
/// measured, what 8 bits reach is 0.88 to 1.04 of it. Power limits both.
std::int64_t measured_rate(const Hardware& hardware, Arithmetic format) noexcept {
  const auto own = [&](Arithmetic of) {
    const std::int64_t measured = hardware.rates.measured[static_cast<std::size_t>(of)];
    return measured > 0 ? measured : hardware.rates.measured[static_cast<std::size_t>(twin_of(of))];
  };
  const std::int64_t half = hardware.rates.of(Arithmetic::bf16);
  if (own(format) > 0 || half <= 0 || (format != Arithmetic::fp8 && format != Arithmetic::fp4)) return own(format);
  return narrowed(Wide{hardware.rates.of(format)} * own(Arithmetic::bf16) / half);
}

} // namespace

std::int64_t published_rate(const Hardware& hardware, Arithmetic format) noexcept {
  const std::int64_t own = hardware.rates.of(format);
  if (own > 0) return own;
  if (format == Arithmetic::tf32) return hardware.rates.of(Arithmetic::fp32); // without matrix units for it
  return hardware.rates.of(twin_of(format));
}

Speed matrix_speed(const Scenario& scenario, Arithmetic format) noexcept {
  const TrainingEfficiency& share = scenario.profile.efficiency;
  const std::int64_t measured = measured_rate(scenario.hardware, format), published = published_rate(scenario.hardware, format);
  constexpr std::int64_t kThousand = 1000;
  const bool narrow = format == Arithmetic::fp8 || format == Arithmetic::fp4;
  return {measured > 0 ? measured : published / kThousand * (narrow ? share.unmeasured_fp8 : share.unmeasured).value, format == Arithmetic::fp8 ? &share.matrices_fp8 : &share.matrices};
}

Speed attention_speed(const Scenario& scenario) noexcept {
  return {published_rate(scenario.hardware, format_of_head(scenario)), &scenario.profile.efficiency.attention};
}

Speed memory_speed(const Scenario& scenario) noexcept { return {scenario.hardware.rates.memory, &scenario.profile.efficiency.memory}; }

namespace {

/// Of each GPU's adapter, what passes the spine of a network that has less there.
std::int64_t across_nodes(const Hardware& hardware) noexcept {
  constexpr std::int64_t kNone = 1000; // thousandths
  return hardware.oversubscription_permille <= kNone ? hardware.network_bytes_per_s : narrowed(Wide{hardware.network_bytes_per_s} * kNone / hardware.oversubscription_permille);
}

} // namespace

Speed exchange_speed(const Scenario& scenario, Count span) noexcept {
  const Hardware& hardware = scenario.hardware;
  const TrainingEfficiency& share = scenario.profile.efficiency;
  if (span > Count{hardware.gpus_per_node}) return {across_nodes(hardware), &share.network};
  const std::int64_t rate = between_gpus(hardware, span.value); // where nobody has published it, no better than the network is taken for granted
  return {rate > 0 ? rate : hardware.network_bytes_per_s, &share.link};
}

Speed ring_speed(const Scenario& scenario, const RingShape& ring) noexcept {
  const Hardware& hardware = scenario.hardware;
  Speed speed = exchange_speed(scenario, ring.span);
  if (ring.span <= Count{hardware.gpus_per_node}) return speed;
  const Count here = members_in_node(ring, hardware.gpus_per_node);
  speed.rate = (Count{speed.rate} * here).value;
  if (const std::int64_t inside = between_gpus(hardware, here.value); here > Count{1} && hardware.rates.link > 0 && inside > 0) speed.rate = std::min(speed.rate, inside);
  return speed;
}

Bytes residual_bytes(const Scenario& scenario) noexcept { return memory::precision_bytes(scenario.strategy.precision).residual; }

bool rates_known(const Scenario& scenario) noexcept {
  const Hardware& hardware = scenario.hardware;
  const bool stays = scenario.strategy.offload == Offload::none && scenario.strategy.recompute != Recompute::offloaded && !moves_kept(scenario.strategy);
  const bool hosted = stays || hardware.rates.host > 0;
  return hardware.rates.memory > 0 && hosted && published_rate(hardware, format_of_layers(scenario)) > 0 &&
         published_rate(hardware, format_of_head(scenario)) > 0;
}

} // namespace plimsoll::timing
