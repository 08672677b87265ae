#pragma once
// Plans as a table that is sorted by its heads, and what it is handed over as.

#include "plimsoll/questions/plan_table.hpp"
#include "ui.hpp"

#include <span>
#include <string>

namespace plimsoll::app {

/// A row pressed becomes the question; its pin keeps it to compare.
void plan_table(Ui& ui, io::PlanTable table, float width);

/// Below the table: why the first, the files, what it rests on.
void plan_hand_over(Ui& ui, const std::string& why, std::span<const std::string> rests_on, float width);

} // namespace plimsoll::app
