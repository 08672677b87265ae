// Liger-Kernel's first embedding benchmark (benchmark/scripts/benchmark_embedding.py at 0.2) measures one point after another in one
// process: tables of 2^10 to 2^17 rows of 768 and then of 4096 fp32 numbers. torch.compile's cache keeps each compiled module, so
// every compiled point leaves its table and the table's gradient behind until the cache is full and dropped. How many of the speed
// runs are left is measured, not derived: benchmark/data/all_benchmark_data.csv, the rows of embedding, all of them alike.
#include "evidence/kernel_sweeps.hpp"

namespace plimsoll::io::accuracy {

namespace {

constexpr std::int64_t kFp32 = 4;
constexpr Count kFirstRows{1'024}, kLastRows{131'072};
constexpr Count kFirstWidth{768}, kSecondWidth{4096};
constexpr Count kFullCacheRows{16'384}; // of the second width: there the compiler gives up and lets go of everything
constexpr Count kLeftBySpeedRuns{3};      // tables of the second width, all points: measured
constexpr Count kLeftByPoint{2};          // a table and its gradient

/// Tables of that width from `first` rows up to, but without, `end` rows; each point doubles the one before.
Bytes tables(Count width, Count first, Count end) noexcept {
  Bytes sum;
  for (Count rows = first; rows < end; rows = Count{2} * rows) sum += Count{kFp32} * ((rows * width) * Bytes{1});
  return sum;
}

} // namespace

Bytes held_by_compiled_embeddings(const OperatorShape& shape, bool compiled) noexcept {
  const Count end = min(shape.vocabulary, kLastRows), after_last = Count{2} * kLastRows;
  const bool second = shape.hidden == kSecondWidth;
  if (compiled && second && end >= kFullCacheRows) return kLeftByPoint * tables(shape.hidden, kFullCacheRows, end);
  Bytes held = kLeftBySpeedRuns * tables(kSecondWidth, kFirstRows, after_last);
  if (second) held += kLeftByPoint * tables(kFirstWidth, kFirstRows, after_last);
  if (compiled) held += kLeftByPoint * tables(shape.hidden, kFirstRows, end);
  return held;
}

} // namespace plimsoll::io::accuracy
