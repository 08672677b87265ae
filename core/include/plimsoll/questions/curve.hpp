#pragma once
// How memory grows with one input: a line of points, and the same for larger batches, with the device's line across them.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One value of the input, all others as they are.
struct CurvePoint {
  std::int64_t value = 0;
  Bytes low, needs, high; ///< of the fullest GPU: of its process, or where its tensors alone are too much, of those
  Verdict verdict = Verdict::invalid;
};

struct CurveLine {
  std::int64_t batch = 0; ///< of each GPU's step
  std::vector<CurvePoint> points; ///< values that the inputs allow, rising
};

struct Curve {
  std::string field; ///< what is along the axis: "context_tokens" or "batch"
  std::int64_t now = 0;
  Bytes usable;
  std::vector<CurveLine> lines; ///< the first is that of the question; with "batch" along the axis it is the only one
};

/// The points in steps, from the first line to the last: the axis has the values of the field that people choose, powers of two and what lies halfway
/// between them, the present one among them. `catalog` must outlive it; `asked` is ok. Never throws.
class CurveAdviceSession {
public:
  CurveAdviceSession(const Catalog& catalog, const Answer& asked, std::string_view field);
  ~CurveAdviceSession();
  CurveAdviceSession(CurveAdviceSession&&) noexcept;
  CurveAdviceSession& operator=(CurveAdviceSession&&) noexcept;
  /// A step of one point's replay more: mostly less than a millisecond. False when all is done.
  bool advance();
  const Curve& curve() const noexcept { return curve_; }

private:
  struct Place {
    std::size_t line = 0;
    std::int64_t value = 0;
  };
  struct Trying;

  Answer answer_at(const Place& place) const;
  void add_point(const Place& place, const Answer& there);

  const Catalog* catalog_;
  Request request_;
  Curve curve_;
  std::vector<Place> places_;
  std::size_t next_ = 0;
  std::unique_ptr<Trying> trying_; ///< the point at next_, once it is begun
};

} // namespace plimsoll::io
