#include "plimsoll/results/plan_report.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/results/api.hpp"
#include "plimsoll/results/result_file.hpp"
#include "results/html.hpp"

#include <span>

namespace plimsoll::io {

namespace {

Answer judged(const Catalog& catalog, std::string_view query) {
  Answer answer = answer_query(catalog, query);
  add_footprint(answer);
  return answer;
}

std::string price_of(const PriceRow* row) {
  if (row == nullptr) return "Money is at your own price, or left out where no price is known.";
  const std::string place = row->cloud + ", " + row->instance + (row->region.empty() ? "" : ", " + row->region);
  return "Money is at the price of " + place + ": " + format_money(row->hourly) + " an hour for " + format_exact(row->gpus.value, "GPUs") + ", " + name_of(row->kind) + ", " + (row->dated ? "of " : "read ") + row->date + " (" +
         row->source + ").";
}

/// What of the first plan's memory nobody has measured, and what the question leaves open.
void add_of_first(std::vector<std::string>& list, const Answer& first) {
  if (!first.ok || !first.footprint) return;
  list.push_back("A process takes " + format_bytes(first.footprint->process.expected) + " of " + format_bytes(first.footprint->usable) + " on the fullest GPU, likely " +
                 format_range(first.footprint->process.low, first.footprint->process.high) + ".");
  for (const Uncertainty& one : first.footprint->uncertainties)
    if (one.basis == Basis::assumed && (one.less > Bytes{0} || one.more > Bytes{0}))
      list.push_back("Assumed: " + one.label + ", from " + format_change(Bytes{0} - one.less) + " to " + format_change(one.more) + ".");
  for (const Issue& issue : first.issues) list.push_back(issue.message + " " + issue.remedy);
}

std::string table_html(const PlanTable& table, std::string_view chosen) {
  std::string text = "<table>\n<tr>";
  for (const PlanColumn& column : table.columns) text += "<th class=\"amount\">" + html(column.label) + "</th>";
  text += "<th>Layout</th></tr>\n";
  for (const PlanRow& row : table.rows) {
    text += row.query == chosen ? "<tr class=\"chosen\">" : "<tr>";
    for (const PlanCell& cell : row.cells) text += "<td class=\"amount\">" + (cell.text.empty() ? "–" : html(cell.text)) + "</td>";
    text += "<td>" + html(row.text) + "</td></tr>\n";
  }
  return text + "</table>\n";
}

struct Sheet {
  std::string title, lead, why;
  std::span<const std::string> assumed;
  std::string_view link, chosen; ///< chosen: the query of a row
};

std::string page_of(const Catalog& catalog, const Sheet& sheet, const PlanTable& table, const Answer& first) {
  std::string body = "<p><strong>" + html(sheet.lead) + "</strong> " + html(first.headline.detail) + "</p>\n<p>" + html(sheet.why) + "</p>\n";
  body += table_html(table, sheet.chosen) + "<h2>The fullest GPU of the chosen plan</h2>\n" + result_file(catalog, first, ResultFormat::svg) + "<h2>What it rests on</h2>\n<ol>\n";
  for (const std::string& one : sheet.assumed) body += "<li>" + html(one) + "</li>\n";
  body += "</ol>\n<h2>Question</h2>\n<p><a href=\"" + html(sheet.link) + "\"><code>" + html(sheet.link) + "</code></a></p>\n<p>The chosen plan: <code>" + html(canonical_query(first)) + "</code></p>\n";
  return html_page(sheet.title, body);
}

std::string title_of(const Answer& first) {
  return first.inputs.model.name + " on " + format_count(first.estimate.gpus) + " × " + first.inputs.hardware.name;
}

} // namespace

std::vector<std::string> assumptions_of(const Catalog& catalog, const PlanAnswer& answer) {
  std::vector<std::string> list;
  if (answer.best.empty()) return list;
  const PlannedWay& first = answer.best.front();
  list.push_back("Time and money are for " + format_exact(answer.tokens, "tokens") + ", in steps of " + format_exact(answer.global_batch, "sequences") + ".");
  const PlanChoice& choice = first.planned.choice;
  list.push_back(price_of(answer.setups[choice.variant].fleets[choice.fleet].row));
  if (first.planned.timed)
    list.push_back("A step takes " + format_duration(first.planned.step.expected) + ", likely " + format_duration(first.planned.step.low) + " to " + format_duration(first.planned.step.high) +
                   ": computed from the device's published rates and what kernels reach of them.");
  add_of_first(list, judged(catalog, first.query));
  return list;
}

std::vector<std::string> assumptions_of(const Catalog& catalog, const ServingPlan& plan) {
  std::vector<std::string> list;
  if (plan.best.empty()) return list;
  const ServedWay& first = plan.best.front();
  list.push_back("Rates are those of all sequences at the whole context, unless the question states prompts and answers.");
  list.push_back(price_of(first.price));
  add_of_first(list, judged(catalog, first.query));
  return list;
}

std::string plan_report_html(const Catalog& catalog, const PlanAnswer& answer, const PlanTable& table, std::string_view link) {
  if (answer.best.empty()) return {};
  const PlannedWay& best = answer.best.front();
  const Answer first = judged(catalog, best.query);
  const std::vector<std::string> assumed = assumptions_of(catalog, answer);
  const PlanRow row = table_of(answer).rows.front();
  std::string lead = row.cells[0].text.empty() ? "" : row.cells[0].text + ", ";
  if (!row.cells[1].text.empty()) lead += row.cells[1].text + ", ";
  return page_of(catalog, {title_of(first), lead + best.text + ".", why_text(answer) + "\n" + counts_text(answer) + ".", assumed, link, best.query}, table, first);
}

std::string plan_report_html(const Catalog& catalog, const ServingPlan& plan, const PlanTable& table, std::string_view link) {
  if (plan.best.empty()) return {};
  const ServedWay& best = plan.best.front();
  const Answer first = judged(catalog, best.query);
  const std::vector<std::string> assumed = assumptions_of(catalog, plan);
  const std::string why = "Number 1 of " + format_exact(plan.held, "ways") + " that hold: " + std::string{name_of(plan.objective)} + ".";
  return page_of(catalog, {title_of(first), (best.timed ? format_token_rate(best.rate) + ", " : "") + best.text + ".", why, assumed, link, best.query}, table, first);
}

} // namespace plimsoll::io
