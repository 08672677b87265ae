#include "panels/sources_panel.hpp"

#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {
namespace {

/// A source and the numbers that rest on it.
struct Source {
  std::string text, url;
  std::vector<std::string> numbers;
};

class Sources {
public:
  explicit Sources(const io::Catalog& catalog) : catalog_(catalog) {}

  void add(const Component& component) {
    if (!component.citation.empty() && (component.amount != 0 || component.high != 0)) cite(component.citation, component.label);
    for (const Component& part : component.parts) add(part);
  }
  void cite(std::string_view id, std::string_view number) {
    const io::CitationRow* const row = catalog_.find_citation(id);
    add(row ? row->text : std::string(id), row ? row->url : "", number);
  }
  void add(std::string_view text, std::string_view url, std::string_view number) {
    auto at = std::ranges::find(list_, text, &Source::text);
    if (at == list_.end()) at = list_.insert(at, {std::string(text), std::string(url), {}});
    if (std::ranges::find(at->numbers, number) == at->numbers.end()) at->numbers.emplace_back(number);
  }
  const std::vector<Source>& list() const { return list_; }

private:
  const io::Catalog& catalog_;
  std::vector<Source> list_;
};

std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kMost; ++i) text += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kMost) text += " and " + format_count(Count{static_cast<std::int64_t>(words.size() - kMost)}) + " more";
  return text;
}

void add_device(const App& app, Sources& sources) {
  const io::DeviceRow* const device = app.catalog.find_device(app.shown->answer.inputs.hardware.id);
  if (!device) return;
  for (const std::string& source : io::record_of(*device).sources) sources.add(source, "", device->hardware.name + ", " + device->date);
}

void add_prices(const App& app, Sources& sources) {
  if (!app.shown->answer.cost) return;
  for (const io::PricedOption& option : app.shown->answer.cost->options) sources.add(option.row->source, "", "price of " + option.row->cloud + ", " + option.row->date);
}

} // namespace

void sources_panel(Ui& ui, const App& app, float width) {
  const Shown& shown = *app.shown;
  Sources sources(app.catalog);
  sources.add(shown.moment ? *shown.moment : shown.explanation.memory);
  sources.add(shown.explanation.parameters);
  for (const std::vector<Component>* list : {&shown.explanation.facts, &shown.money})
    for (const Component& one : *list) sources.add(one);
  for (const Uncertainty& one : shown.answer.footprint->uncertainties)
    if (!one.citation.empty()) sources.cite(one.citation, one.label);
  add_device(app, sources);
  add_prices(app, sources);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  std::size_t index = 0;
  for (const Source& source : sources.list()) {
    gap(8);
    std::vector<Run> runs{{source.text, ui.fonts.body, ui.theme.ink}};
    if (!source.url.empty()) {
      runs.push_back({"  ", ui.fonts.body, ui.theme.ink});
      runs.push_back({"open", ui.fonts.body, ui.theme.accent, true});
    }
    if (paragraph(ui, "source." + std::to_string(index++), runs, width) >= 0) ui.actions.open_url = source.url;
    paragraph(ui, ui.fonts.label, ui.theme.dim, joined(source.numbers), width);
    gap(8);
    rule(ui, width);
  }
  note_rect(ui, "sources", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
