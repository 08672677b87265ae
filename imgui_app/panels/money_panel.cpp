#include "panels/money_panel.hpp"

#include "plimsoll/method/format.hpp"
#include "widgets/amount_row.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr std::size_t kMostOffers = 8;

std::string money_range(Money low, Money high) { return low == high ? "" : format_money(low) + " to " + format_money(high); }

std::string date_of(const io::PriceRow& row) { return row.dated ? row.date : "undated, read " + row.date; }

/// "Lambda · 2 × gpu_8x_h100_sxm5 · us-east-1"
std::string offer_text(const io::PricedOption& offer) {
  const std::string instances = offer.option.instances == Count{1} ? "" : format_count(offer.option.instances) + " \u00d7 ";
  const std::string region = offer.row->region.empty() ? "" : " \u00b7 " + offer.row->region;
  return offer.row->cloud + " \u00b7 " + instances + offer.row->instance + region;
}

void offer_row(Ui& ui, const io::PricedOption& offer, bool cheapest, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inner = width;
  gap(6);
  const std::string price = offer.per_million_tokens ? format_money(offer.per_million_tokens->expected) : format_money(Money{offer.option.total.value});
  const std::string what = offer.per_million_tokens ? " for a million tokens" : " in all";
  const Type strong = ui.fonts.body_strong;
  const float room = inner - measure(strong, price).x - measure(ui.fonts.label, what).x - 20;
  const ImVec2 line = ImGui::GetCursorScreenPos();
  const std::string text = (cheapest ? "Cheapest: " : "") + offer_text(offer);
  draw_text(cheapest ? strong : ui.fonts.body, line, ui.theme.ink, elided(cheapest ? strong : ui.fonts.body, text, room));
  draw_text_right(ui.fonts.label, {line.x + inner, line.y + 2}, ui.theme.dim, what);
  draw_text_right(strong, {line.x + inner - measure(ui.fonts.label, what).x, line.y}, ui.theme.ink, price);
  gap(strong.size + 2);
  const std::string range = offer.per_million_tokens ? money_range(offer.per_million_tokens->low, offer.per_million_tokens->high) : money_range(offer.low, offer.high);
  std::string about = format_money(Money{offer.option.hourly.value}) + " an hour";
  if (!range.empty()) about += " \u00b7 likely " + range;
  about += " \u00b7 " + date_of(*offer.row) + " \u00b7 " + offer.row->source;
  paragraph(ui, ui.fonts.label, ui.theme.dim, about, inner);
  if (!offer.warning.empty()) paragraph(ui, ui.fonts.label, ui.theme.warning, offer.warning, inner);
  gap(5);
  note_rect(ui, cheapest ? "offer.cheapest" : "offer." + offer.row->id, at, {at.x + width, ImGui::GetCursorScreenPos().y});
  rule(ui, width);
}

void own_price(Ui& ui, const io::OwnPrice& own, float width) {
  amount_row(ui, {"", "At your own price", format_money(own.total), money_range(own.low, own.high), 0, true}, width);
  if (own.per_million_tokens)
    amount_row(ui, {"", "For a million tokens", format_money(own.per_million_tokens->expected), money_range(own.per_million_tokens->low, own.per_million_tokens->high)}, width);
}

void offers(Ui& ui, const io::CostAnswer& cost, float width) {
  if (!cost.own.empty()) own_price(ui, cost.own.front(), width);
  for (std::size_t i = 0; i < std::min(kMostOffers, cost.options.size()); ++i) offer_row(ui, cost.options[i], i == 0, width);
  if (cost.options.size() > kMostOffers) {
    gap(4);
    paragraph(ui, ui.fonts.label, ui.theme.dim, "And " + format_count(Count{static_cast<std::int64_t>(cost.options.size() - kMostOffers)}) + " dearer ones.", width);
  }
  if (cost.fastest) paragraph(ui, ui.fonts.label, ui.theme.dim, "Fastest within the budget: " + offer_text(cost.options[*cost.fastest]), width);
  for (const Issue& issue : cost.issues) {
    gap(4);
    paragraph(ui, ui.fonts.label, issue.severity == Severity::note ? ui.theme.dim : ui.theme.warning, issue.message + " " + issue.remedy, width);
  }
}

} // namespace

void given_note(Ui& ui, const App& app, io::GivenKind kind, float width) {
  const UserCatalogue* const given = app.find_given(kind);
  if (!given) return;
  const std::string text = given->name + ": " + given->summary + " \u00b7 ", id = std::string("given.") + io::name_of(kind);
  const Run runs[] = {{text, ui.fonts.label, ui.theme.dim}, {"remove", ui.fonts.label, ui.theme.accent, true}};
  if (paragraph(ui, id, runs, width) >= 0) ui.actions.remove_given = kind;
  gap(4);
}

void money_panel(Ui& ui, const App& app, float width) {
  const Shown& shown = *app.shown;
  const bool serves = !trains(shown.answer.inputs.workload.task);
  heading(ui, serves ? "Prices, for an hour of serving" : "Prices of the job");
  ImGui::PushID("money"); // the same note stands beside the inputs
  given_note(ui, app, io::GivenKind::prices, width);
  ImGui::PopID();
  if (!app.find_given(io::GivenKind::prices))
    paragraph(ui, ui.fonts.label, ui.theme.dim, "Prices that are built in, each with its date. Drop a file of your own to replace them.", width);
  gap(4);
  if (!shown.answer.cost) {
    paragraph(ui, ui.fonts.body, ui.theme.dim, serves ? "Nothing is priced: the speed is not known." : "Nothing is priced: the length of the job is not known.", width);
    return;
  }
  if (!shown.answer.judgement.holds()) paragraph(ui, ui.fonts.label, ui.theme.warning, "It does not fit: these would be the prices if it did.", width);
  offers(ui, *shown.answer.cost, width);
  if (shown.money.empty()) return;
  gap(space::section);
  heading(ui, serves ? "Energy, for an hour of serving" : "Energy of the job");
  for (const Component& one : shown.money) amount_row(ui, row_of(one), width);
  if (shown.answer.inputs.billing.grid_intensity == 0) {
    gap(4);
    const Run runs[] = {{"For carbon, say what your grid emits: ", ui.fonts.label, ui.theme.dim}, {"grid intensity", ui.fonts.label, ui.theme.accent, true}};
    if (paragraph(ui, "grid", runs, width) >= 0) ui.view.focus_field = "grid_intensity";
  }
}

} // namespace plimsoll::app
