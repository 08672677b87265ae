#include "plimsoll/questions/plan_table.hpp"

#include "plimsoll/method/format.hpp"
#include "method/sort_stably.hpp"
#include "questions/plan/text.hpp"
#include "text/csv.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

PlanCell known(std::int64_t amount, std::string text) { return {std::move(text), amount}; }
PlanCell count(std::int64_t amount) { return known(amount, format_count(Count{amount})); }
PlanCell nothing() { return {}; }

PlanRow row_of(const PlanAnswer& answer, const PlannedWay& way) {
  const Planned& planned = way.planned;
  const PlanChoice& choice = planned.choice;
  const PricedFleet& fleet = answer.setups[choice.variant].fleets[choice.fleet];
  PlanRow row{{}, rest_of_choice(choice), way.query, fleet.row};
  row.cells = {planned.timed ? known(planned.time.value, format_duration(planned.time)) : nothing(),
               planned.timed && fleet.hourly > Money{0} ? known(planned.cost.value, format_money(planned.cost)) : nothing(),
               way.mfu > 0 ? known(way.mfu, format_amount(way.mfu, "thousandths")) : nothing(),
               known(way.headroom.value, format_bytes(way.headroom)),
               count(fleet.gpus), count(choice.tensor_parallel), count(choice.pipeline_parallel), count(choice.context_parallel), count(choice.expert_parallel), count(choice.data_parallel),
               known(choice.batch, std::to_string(choice.batch) + " × " + std::to_string(choice.micro_batches))};
  return row;
}

PlanRow row_of(const ServedWay& way) {
  PlanRow row{{}, way.text, way.query, way.price};
  row.cells = {way.timed ? known(way.rate.value, format_token_rate(way.rate)) : nothing(),
               way.timed ? known(way.sequence_rate.value, format_token_rate(way.sequence_rate)) : nothing(),
               way.first_token > Nanoseconds{0} ? known(way.first_token.value, format_duration(way.first_token)) : nothing(),
               way.per_million > Money{0} ? known(way.per_million.value, format_money(way.per_million)) : nothing(),
               known(way.headroom.value, format_bytes(way.headroom)), count(way.gpus), count(way.batch)};
  return row;
}

} // namespace

PlanTable table_of(const PlanAnswer& answer) {
  PlanTable table{{{"time_ns", "Time"}, {"cost_micro_dollars", "Money"}, {"mfu_thousandths", "MFU", true}, {"to_spare_bytes", "To spare", true}, {"gpus", "GPUs"},
                   {"tensor_parallel", "TP"}, {"pipeline_parallel", "PP"}, {"context_parallel", "CP"}, {"expert_parallel", "EP"}, {"data_parallel", "DP"}, {"batch", "Batch"}}, {}};
  for (const PlannedWay& way : answer.best) table.rows.push_back(row_of(answer, way));
  return table;
}

PlanTable table_of(const ServingPlan& plan) {
  PlanTable table{{{"tokens_per_s_thousandths", "All", true}, {"sequence_tokens_per_s_thousandths", "Each", true}, {"first_token_ns", "First token"}, {"million_micro_dollars", "A million"},
                   {"to_spare_bytes", "To spare", true}, {"gpus", "GPUs"}, {"batch", "At once", true}}, {}};
  for (const ServedWay& way : plan.best) table.rows.push_back(row_of(way));
  return table;
}

void sort_rows(PlanTable& table, std::string_view column, bool turned) {
  const auto at = std::ranges::find(table.columns, column, &PlanColumn::id);
  if (at == table.columns.end()) return;
  const auto place = static_cast<std::size_t>(at - table.columns.begin());
  const bool falling = at->most_first != turned;
  sort_stably(table.rows, [&](const PlanRow& one, const PlanRow& other) {
    const std::optional<std::int64_t>&a = one.cells[place].amount, &b = other.cells[place].amount;
    if (!a || !b) return a.has_value() && !b;
    return falling ? *b < *a : *a < *b;
  });
}

std::string plan_csv(const PlanTable& table) {
  std::string text;
  for (const PlanColumn& column : table.columns) text += std::string{column.id} + ",";
  text += "layout,price,price_date,query\r\n";
  for (const PlanRow& row : table.rows) {
    for (const PlanCell& cell : row.cells) text += (cell.amount ? std::to_string(*cell.amount) : "") + ",";
    text += quoted_cell(row.text) + "," + (row.price != nullptr ? quoted_cell(row.price->id) + "," + row.price->date : ",") + "," + quoted_cell(row.query) + "\r\n";
  }
  return text;
}

} // namespace plimsoll::io
