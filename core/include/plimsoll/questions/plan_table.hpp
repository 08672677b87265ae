#pragma once
// Ways of training or of serving as one table: what front ends show, sort and hand over, each cell with the number that it is sorted by.

#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct PlanColumn {
  std::string_view id;    ///< with its unit: "time_ns", the head of the column in CSV
  std::string_view label; ///< "Time"
  bool most_first = false; ///< more of it is better
};

struct PlanCell {
  std::string text;                  ///< "2.41 h"; "" where nothing is known
  std::optional<std::int64_t> amount; ///< in the column's unit
};

struct PlanRow {
  std::vector<PlanCell> cells; ///< one of each column
  std::string text;            ///< what no column says: "1F1B, micro-batch 1 × 32, recompute full"
  std::string query;           ///< the scenario, canonical
  const PriceRow* price = nullptr; ///< what its money comes from; null where it is the user's own, or there is none
};

struct PlanTable {
  std::vector<PlanColumn> columns;
  std::vector<PlanRow> rows; ///< best first
};

PlanTable table_of(const PlanAnswer& answer);
PlanTable table_of(const ServingPlan& plan);

/// Sorts by a column, what is better there first, or last where `turned`; rows of which nothing is known there stand at the end, and equals stay as they are.
void sort_rows(PlanTable& table, std::string_view column, bool turned);

/// One line for each row: numbers in the units of the columns' ids, then the layout in words, the price with its date, the query. As RFC 4180 writes it.
std::string plan_csv(const PlanTable& table);

} // namespace plimsoll::io
