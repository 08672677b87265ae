#pragma once
// One number of a table: its name, its amount, its range; pressing it opens its formula.

#include "plimsoll/method/explain.hpp"
#include "ui.hpp"

#include <string>
#include <string_view>

namespace plimsoll::app {

struct AmountRow {
  std::string id;            ///< of the component that it opens; "" for none
  std::string_view label;
  std::string amount;
  std::string range;         ///< "" where there is none
  ImU32 chip = 0;            ///< a small square before the label; 0 for none
  bool strong = false;
};

/// Draws the row at the cursor. Remembered as "amount.<id>". True when it was pressed.
bool amount_row(Ui& ui, const AmountRow& row, float width);

/// The row of a component: rounded in its unit, its range beside it.
AmountRow row_of(const Component& component);

/// A component's amount as people read it, with its unit.
std::string amount_text(const Component& component);

/// The component in one phrase for those who hear it: "Weights: 15 GiB, 16,060,522,496 bytes".
std::string in_words(const Component& component);

} // namespace plimsoll::app
