#pragma once
// Bytes per parameter, for kind after kind of tensors: a term for each, or one for all where terms are only added up.

#include "method/moments/lifetimes.hpp"
#include "method/parameters/kind_counts.hpp"
#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/pipeline.hpp"

namespace plimsoll::moments {

/// `count` parameters of the kind and group that `parameters` is of, so many bytes each (memory/states.hpp).
using ParametersFormula = Term (*)(const Term& parameters, Count count, Bytes each) noexcept;

/// What several kinds of tensors have of one thing: their weights, their gradients.
struct OfKinds {
  Lifetime block;
  Part part;
  ParametersFormula formula;
  Bytes each;
  Count count{0}; ///< of all kinds together
};

/// sink(Lifetime, Part, const Term&).
template <class Sink> class KindTerms {
public:
  KindTerms(const Stage& stage, Sink& sink) noexcept : sink_(sink), sum_(stage.shared().kinds == nullptr ? nullptr : stage.shared().sum) {}

  /// `count` of the `held` numbers of that kind.
  void add(OfKinds& sum, const KindCount& of, Count held, Count count) {
    if (sum_ != nullptr) sum.count += count;
    else sink_(sum.block, sum.part, sum.formula(parameters::kind_term(of.kind, of.group, held), count, sum.each));
  }

  /// To be called when all kinds were added.
  void close(const OfKinds& sum) {
    if (sum.count == Count{0}) return;
    sink_(sum.block, sum.part, put_sum(*sum_, sum.count * sum.each));
  }

private:
  Sink& sink_;
  Term* sum_; ///< where terms are only added up
};

} // namespace plimsoll::moments
