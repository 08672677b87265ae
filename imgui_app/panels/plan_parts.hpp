#pragma once
// What searches for ways of training and of serving show alike.

#include "app.hpp"
#include "ui.hpp"
#include "widgets/controls.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

/// Where labels would not stand beside each other, the words of a question stand in their place, which are shorter.
void shorten_labels(const Ui& ui, std::span<Alternative> alternatives, float width);

/// How many GPUs may be taken; pressed, the search begins anew. Any other number is typed as the limit "gpus".
void plan_fleets(Ui& ui, float width);
inline constexpr std::string_view kOtherGpus = "another number of GPUs";

/// An entry of the question besides the field tables: its name there, and what stands in its box while it is empty.
struct PlanLimit {
  std::string_view name, words;
};
/// Boxes beside each other, or below each other on narrow screens; left after a change, the search begins anew.
void plan_limits(Ui& ui, std::span<const PlanLimit> limits, float width);

/// How many tokens the job trains on, which is an input of the question itself.
void plan_tokens(Ui& ui, const App& app, float width);

/// What is wrong with the question, or to know of the answer.
void plan_issues(Ui& ui, const Issues& issues, float width);

/// Begins the search; not there while what was found answers the present question. `searched`: the question of the last one, if any.
void search_button(Ui& ui, const App& app, const std::string* searched);

/// How far a search that goes on has come, and the link that stops it.
void plan_progress(Ui& ui, std::size_t done, std::size_t of, float width);

} // namespace plimsoll::app
