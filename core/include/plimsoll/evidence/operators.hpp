#pragma once
// The memory of one operator on one GPU: which tensors exist while it runs forward and backward, and the most that exist at once.
//
// An implementation of an operator is a list of tensor lifetimes. Moments 0 and 1 are the forward pass, 2 to 7 steps of the backward
// pass in the order in which autograd takes them. The peak is the maximum over moments of what is alive, each tensor rounded up to
// the allocator's 512-byte blocks. What autograd keeps follows from the framework's derivative formulas, what a fused kernel
// allocates from its source.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/quantity.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Which part of a repetition is measured.
enum class OperatorMode : unsigned char {
  forward,  ///< forward passes only: no gradient exists
  backward, ///< backward passes over one graph that is kept
  full,     ///< forward and backward
};

/// The sizes of one operator. Every member is at least 0; what an operator does not use is ignored.
struct OperatorShape {
  Count tokens{0};       ///< rows: batch × sequence
  Count hidden{0};       ///< columns
  Count intermediate{0}; ///< columns inside an MLP or an expert
  Count vocabulary{0};
  Count sequence{0};     ///< tokens that attend to one another
  Count heads{0};        ///< of queries
  Count query_width{0};  ///< heads × head dimension
  Count key_width{0};    ///< key-value heads × head dimension
  Count head{0};         ///< head dimension
  Count experts{0};
  Count top_k{0};        ///< experts of one token
  Count channels{0};     ///< of one sample, where `tokens` are samples and `hidden` the numbers of one
  Count groups{0};       ///< of channels
  Count shards{1};       ///< pieces that a tiled implementation goes through, at least 1
  std::int64_t element_bytes = 2; ///< of inputs and parameters: 2 or 4
  bool old_gradients = true;  ///< leaves carry the gradient of the step before, to which the new one is added
  Count idle_parameters{0};   ///< numbers in parameters that exist but take no part
  Bytes earlier_tensors{0};   ///< what the process still holds from before
  Bytes workspace{0};         ///< cuBLAS workspace of one thread on this GPU
  Count multiprocessors{0};   ///< of the GPU: some backward kernels keep one partial sum for each
  OperatorMode mode = OperatorMode::full;
};

inline constexpr int kOperatorMoments = 8;
inline constexpr int kLastForwardMoment = 1;

/// One tensor (or several that live together) and the moments during which it is alive, both included.
struct Lifetime {
  std::string_view name;
  Bytes bytes{0}; ///< as allocated
  int first = 0;
  int last = kOperatorMoments - 1;
};

struct OperatorMemory {
  std::vector<Lifetime> tensors;
  Bytes peak{0};
  int peak_moment = 0;
};

class Timeline;

/// One implementation of one operator.
struct Operator {
  std::string_view id;             ///< e.g. "swiglu"
  std::string_view implementation; ///< e.g. "eager"
  std::string_view citation;       ///< id in core/catalog/data/citations.json
  Basis basis = Basis::counted;    ///< of the list of lifetimes
  void (*live)(const OperatorShape& shape, Timeline& into) = nullptr;
};

/// Bytes of the allocator's block for `bytes`.
Bytes allocated_block(Bytes bytes) noexcept;

/// All implementations known; static storage.
std::span<const Operator> operators() noexcept;
/// Null where this implementation of this operator is not known.
const Operator* find_operator(std::string_view id, std::string_view implementation) noexcept;

/// The lifetimes for that shape, and the most that is alive at once.
OperatorMemory operator_memory(const Operator& op, const OperatorShape& shape);

/// Multiprocessors of a GPU of that marketing name ("NVIDIA H100 80GB HBM3"); 0 where it is not known.
Count multiprocessors_of(std::string_view gpu) noexcept;
/// PyTorch's cuBLAS workspace for one thread on that GPU; 0 where it is not known.
Bytes cublas_workspace_of(std::string_view gpu) noexcept;

} // namespace plimsoll
