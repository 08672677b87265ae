#pragma once
// One input: label, value and unit, with a mark where it differs from the preset, a way back to it, its help, and what is
// wrong with it.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/changes.hpp"
#include "ui.hpp"
#include "widgets/picker.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace plimsoll::app {

struct FieldRow {
  const io::FieldState& state;
  std::span<const Option> options;    ///< of a choice or an id; empty for numbers
  std::string_view shown;             ///< the value as people read it
  std::vector<const Issue*> issues;   ///< about this field
  std::vector<const io::InputChange*> remedies{}; ///< of its errors; pressed, they are made
};

/// Draws the row at the cursor, `width` wide. Remembered as "field.<name>" and "reset.<name>".
void field_row(Ui& ui, const FieldRow& row, float width);

/// What is wrong and what to do about it.
void issue_text(Ui& ui, const Issue& issue, float width);

} // namespace plimsoll::app
