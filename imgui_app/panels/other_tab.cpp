#include "panels/other_tab.hpp"

#include "panels/accuracy_panel.hpp"
#include "panels/compare_panel.hpp"
#include "panels/devices_panel.hpp"
#include "panels/fields_panel.hpp"
#include "panels/plan_panel.hpp"
#include "panels/schedule.hpp"
#include "panels/sources_panel.hpp"
#include "panels/time_panel.hpp"
#include "panels/timeline.hpp"

namespace plimsoll::app {

void other_tab(Ui& ui, const App& app, float width, float height) {
  switch (ui.view.tab) {
    case Tab::breakdown: break;
    case Tab::timeline:
      timeline_panel(ui, *app.shown, width, height);
      schedule_panel(ui, *app.shown, width);
      break;
    case Tab::time: time_panel(ui, app, width); break;
    case Tab::devices: devices_panel(ui, app, width); break;
    case Tab::plan: plan_panel(ui, app, width); break;
    case Tab::compare: compare_panel(ui, app, width); break;
    case Tab::accuracy: accuracy_panel(ui, app, width, height); break;
    case Tab::sources: sources_panel(ui, app, width); break;
    case Tab::fields: fields_panel(ui, app, width); break;
  }
}

} // namespace plimsoll::app
