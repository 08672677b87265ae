#pragma once
// The shape of any kernel, and its time.

#include "method/kernels/attention.hpp"
#include "method/kernels/collectives.hpp"
#include "method/kernels/experts.hpp"
#include "method/kernels/matrices.hpp"
#include "method/kernels/recurrence.hpp"

#include <variant>

namespace plimsoll::kernels {

/// Experts with what the fullest GPU has of them, which takes longer to find than the time that follows.
struct LoadedExperts {
  Experts experts;
  Load load;
};

using Shape = std::variant<Product, Attending, LoadedExperts, Recurrent, Message>;

constexpr bool has_tiles(Kernel kernel) noexcept { return kernel == Kernel::matrices || kernel == Kernel::experts; }

/// How many of its numbers a kernel has.
constexpr std::size_t numbers_of(Kernel kernel) noexcept {
  switch (kernel) {
    case Kernel::matrices: return MatrixNumber::count;
    case Kernel::prompt_attention:
    case Kernel::prompt_latent: return PromptNumber::count;
    case Kernel::decode_attention:
    case Kernel::decode_latent: return DecodeNumber::count;
    case Kernel::experts: return ExpertNumber::count;
    case Kernel::recurrence_prompt:
    case Kernel::recurrence_decode: return RecurrenceNumber::count;
    case Kernel::all_reduce:
    case Kernel::all_gather:
    case Kernel::reduce_scatter:
    case Kernel::all_to_all: return CollectiveNumber::count;
  }
  return 0;
}
static_assert(DecodeNumber::count <= kKernelNumbers && PromptNumber::count <= kKernelNumbers);

/// Nanoseconds. The shape must be one that the kernel works on.
inline double kernel_ns(Kernel kernel, const Shape& shape, const Gpu& gpu, const Numbers& with, const Tiles& menu) noexcept {
  switch (kernel) {
    case Kernel::matrices:
      if (const auto* of = std::get_if<Product>(&shape)) return product_ns(*of, gpu, with, menu);
      break;
    case Kernel::prompt_attention:
    case Kernel::prompt_latent:
      if (const auto* of = std::get_if<Attending>(&shape)) return prompt_attention_ns(*of, gpu, with);
      break;
    case Kernel::decode_attention:
    case Kernel::decode_latent:
      if (const auto* of = std::get_if<Attending>(&shape)) return decode_attention_ns(*of, gpu, with);
      break;
    case Kernel::experts:
      if (const auto* of = std::get_if<LoadedExperts>(&shape)) return experts_ns(of->experts, of->load, gpu, with, menu);
      break;
    case Kernel::recurrence_prompt:
    case Kernel::recurrence_decode:
      if (const auto* of = std::get_if<Recurrent>(&shape)) return recurrence_ns(*of, gpu, with);
      break;
    case Kernel::all_reduce:
    case Kernel::all_gather:
    case Kernel::reduce_scatter:
    case Kernel::all_to_all:
      if (const auto* of = std::get_if<Message>(&shape)) return collective_ns(*of, gpu, with);
      break;
  }
  return 0;
}

} // namespace plimsoll::kernels
