// The tabs beside the first one, and models that a config describes. What they need may not be there yet: nothing here calls it before it is
// (imgui_app/tabs.txt, web/late_files.txt).
#include "app.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::app {

namespace {

bool pins_read_configs(const std::vector<std::string>& pins) {
  return std::ranges::any_of(pins, [](const std::string& pin) {
    Issues issues;
    return io::reads_config(io::request_from_query(pin, issues));
  });
}

} // namespace

bool App::has_other_tabs() {
  if (is_asked_now(other_tabs, effects.want_other_tabs)) wake();
  return other_tabs == Arrival::there;
}

void App::set_other_tabs(bool came) {
  other_tabs = came ? Arrival::there : Arrival::missing;
  if (came) answer_pins();
  if (came && plans_wanted) search_plans();
  wake();
}

void App::step_other_tabs() {
  if (view.tab == Tab::breakdown || !has_other_tabs() || unread) return;
  step_devices();
  step_load();
  look_at_evidence();
}

void App::answer_pins() {
  pinned.clear();
  if (!view.pins.empty() && has_other_tabs() && (!pins_read_configs(view.pins) || has_readers())) answer_each_pin();
  wake();
}

void App::search_plans() {
  plan.reset();
  serving.reset();
  plans_wanted = !has_other_tabs() || unread;
  if (!plans_wanted) begin_search();
  wake();
}

bool App::has_readers() {
  if (are_readers_there != nullptr && are_readers_there()) readers = Arrival::there;
  if (is_asked_now(readers, effects.want_readers)) wake();
  return readers == Arrival::there;
}

void App::set_readers(bool came) {
  readers = came ? Arrival::there : Arrival::unasked;
  if (came) {
    if (unread) recompute(std::move(*unread));
    answer_pins();
    if (plans_wanted) search_plans();
  } else if (unread) {
    answer.ok = false;
    answer.issues.push_back({Severity::error, "model", "What reads the configs of models could not be loaded, which a model that is described or changed needs.",
                             "Try again once there is a connection, or take the model as it is."});
    judging.reset();
    effects.answered = true;
  }
  wake();
}

void App::step_plans() {
  if (searches()) search_on();
}

} // namespace plimsoll::app
