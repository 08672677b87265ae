#pragma once
// What many rows say together: how many are covered, and how far predictions are from what was measured. By row, and by
// configuration, so that many small repetitions do not outvote one large run.

#include "plimsoll/evidence/accuracy.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::io {

/// Of |error|, the part that rows do not explain themselves; a ratio, 0.01 is one per cent. 0 where nothing was compared, infinite
/// where 0 was measured and something predicted.
struct ErrorSpread {
  double median = 0; ///< of an even number, the mean of the middle two
  double p90 = 0;    ///< by nearest rank: the smallest that at least nine of ten do not exceed
  double worst = 0;
};

/// The rows of one metric: all of them, those of one group, or those with one feature. Or those that one profile predicts in that unit,
/// of any metric.
struct Summary {
  std::string by;                   ///< "metric", "group", "feature" or "profile"
  std::string key;                  ///< the group, feature or profile; "" by metric
  std::string metric, memory, unit; ///< as in Comparison; no metric and no memory by profile
  std::int64_t rows = 0;
  std::int64_t repeated = 0; ///< of rows: twins and runs apart, which nothing below counts
  std::int64_t modelled = 0;
  std::int64_t rounded = 0;   ///< of modelled: what was published is a rounded number, which no error is taken of
  std::int64_t compared = 0;  ///< of modelled: what errors are taken of
  std::int64_t exact = 0;     ///< of compared: predicted is measured
  std::int64_t explained = 0; ///< of compared: the row explains the whole difference
  std::int64_t inside = 0;    ///< of compared: low <= measured - explained <= high
  std::int64_t configs = 0;   ///< configurations among compared
  ErrorSpread per_row;
  ErrorSpread per_config; ///< each configuration's median over its rows, one vote each
  double less = 0, more = 0; ///< nine of ten measured from `less` to `more` in excess of what was predicted: the 5th and 95th percentile of
                             ///< (measured - explained) / predicted - 1, by nearest rank; 0 where nothing was compared
  std::string worst_id;   ///< the row with the worst error, the first of equals; "" where none has an error
  double worst_error = 0; ///< of that row, with its sign: negative when too little is predicted
};

/// By metric, then by group, then by feature, then by profile, each sorted by key. A row with several features is in the summary of each.
std::vector<Summary> summaries_of(const Accuracy& accuracy);

/// Rows that are not covered for one reason.
struct Gap {
  std::string group, reason;
  std::int64_t rows = 0;
  std::string first_id;
};

/// Most rows first. Every row that is not modelled is in one of them.
std::vector<Gap> gaps_of(const Accuracy& accuracy);

/// Those rows that are measurements of their own, by |error| from the worst, equals in their order; at most `count`. Pointers into `accuracy`.
std::vector<const Comparison*> worst_of(const Accuracy& accuracy, std::size_t count);

/// A file of rows, or several under one name.
struct Corpus {
  std::string name;
  Accuracy accuracy;
};

/// {"corpora": [{"name", "rows"}], "summaries"} for read_evidence() and the page of predicted beside measured: a row a line, as in
/// accuracy_json() without what is empty.
std::string corpora_json(const std::vector<Corpus>& corpora);

/// A JSON array of objects with the names above, one per line; an infinite error is null.
std::string summaries_json(const std::vector<Summary>& summaries);

} // namespace plimsoll::io
