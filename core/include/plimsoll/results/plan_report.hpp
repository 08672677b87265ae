#pragma once
// A plan to hand over: one sheet of A4, HTML without scripts that any browser prints, with layouts, prices and their dates.

#include "plimsoll/questions/plan_table.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// What was taken for granted, a sentence each: tokens, price and date, ranges, what nobody has measured. Empty where no plan holds.
std::vector<std::string> assumptions_of(const Catalog& catalog, const PlanAnswer& answer);
std::vector<std::string> assumptions_of(const Catalog& catalog, const ServingPlan& plan);

/// `table` is that of the answer, in the order in which it is looked at; `link` leads to the question. "" where no plan holds.
std::string plan_report_html(const Catalog& catalog, const PlanAnswer& answer, const PlanTable& table, std::string_view link);
std::string plan_report_html(const Catalog& catalog, const ServingPlan& plan, const PlanTable& table, std::string_view link);

} // namespace plimsoll::io
