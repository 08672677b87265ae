#pragma once
// Bytes per parameter, for kind after kind of tensors: a term for each, or one for each block where terms are only added up.

#include "method/moments/lifetimes.hpp"
#include "method/parameters/kind_counts.hpp"
#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/pipeline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll::moments {

/// `count` parameters of the kind and group that `parameters` is of, so many bytes each (memory/states.hpp).
using ParametersFormula = Term (*)(const Term& parameters, Count count, Bytes each) noexcept;

/// sink(Lifetime, Part, const Term&).
template <class Sink> class KindTerms {
public:
  KindTerms(const Stage& stage, Sink& sink) noexcept : sink_(sink), together_(stage.shared().kinds != nullptr) {}

  /// `count` of the `held` numbers of that kind.
  void operator()(Lifetime block, Part part, ParametersFormula formula, const KindCount& of, Count held, Count count, Bytes each) {
    if (together_) return add(block, part, count * each);
    sink_(block, part, formula(parameters::kind_term(of.kind, of.group, held), count, each));
  }

  /// To be called when all kinds were given.
  void close() {
    for (std::size_t i = 0; i < size_; ++i) sink_(sums_[i].block, sums_[i].part, sum_term(Bytes{sums_[i].bytes}));
    size_ = 0;
  }

private:
  struct Sum {
    Lifetime block;
    Part part;
    std::int64_t bytes;
  };

  void add(Lifetime block, Part part, Bytes bytes) {
    std::size_t i = 0;
    while (i < size_ && (sums_[i].block != block || sums_[i].part != part)) ++i;
    if (i == size_) sums_[size_++] = {block, part, 0};
    sums_[i].bytes = (Bytes{sums_[i].bytes} + bytes).value;
  }

  Sink& sink_;
  bool together_;
  std::size_t size_ = 0;
  std::array<Sum, 8> sums_; ///< weights, master weights, gradients of four blocks: no walk has more
};

} // namespace plimsoll::moments
