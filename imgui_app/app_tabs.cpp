// The tabs beside the first one. What they show and search for may not be there yet: nothing here calls it before it is (imgui_app/tabs.txt).
#include "app.hpp"

#include <utility>

namespace plimsoll::app {

bool App::has_other_tabs() {
  if (other_tabs == Arrival::unasked) {
    other_tabs = Arrival::asked;
    effects.want_other_tabs = true;
    wake();
  }
  return other_tabs == Arrival::there;
}

void App::set_other_tabs(bool came) {
  other_tabs = came ? Arrival::there : Arrival::missing;
  if (came) answer_pins();
  if (came && plans_wanted) search_plans();
  wake();
}

void App::step_other_tabs() {
  if (view.tab == Tab::breakdown || !has_other_tabs()) return;
  step_devices();
  step_load();
  look_at_evidence();
}

void App::answer_pins() {
  pinned.clear();
  if (!view.pins.empty() && has_other_tabs()) answer_each_pin();
  wake();
}

void App::search_plans() {
  plan.reset();
  serving.reset();
  plans_wanted = !has_other_tabs();
  if (!plans_wanted) begin_search();
  wake();
}

void App::step_plans() {
  if (searches()) search_on();
}

} // namespace plimsoll::app
