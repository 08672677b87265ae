// One scenario on one sheet of A4: verdict, picture, parts with their formulas, numbers that people ask for, sources.
#include "plimsoll/results/result_file.hpp"
#include "results/html.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::io {

namespace {

class Report {
public:
  Report(const Catalog& catalog, const Answer& answer) : catalog_(catalog), answer_(answer) {}

  std::string run() && {
    const Explanation words = explain(answer_.scenario, answer_.estimate);
    const std::string title = answer_.inputs.model.name + " on " + answer_.inputs.hardware.name;
    std::string text = "<p><strong>" + html(answer_.headline.verdict) + "</strong> " + html(answer_.headline.rest) + " " + html(answer_.headline.detail) + "</p>\n" + result_file(catalog_, answer_, ResultFormat::svg);
    text += "<h2>" + html(text_of(answer_.estimate.at_peak().moment).label) + "</h2>\n<table>\n";
    for (const Component& part : words.memory.parts)
      if (part.amount != 0 || part.high != 0) text += row(part);
    text += "</table>\n<h2>Also</h2>\n<table>\n";
    for (const Component& fact : words.facts) text += row(fact);
    text += "</table>\n" + notes() + "<h2>Question</h2>\n<p><code>" + html(canonical_query(answer_)) + "</code></p>\n" + sources();
    return html_page(title, text);
  }

private:
  /// The formula of the largest part stands for those of a sum; all of them open in the page.
  std::string row(const Component& component) {
    const Component* shown = &component;
    while (!shown->parts.empty()) shown = &*std::ranges::max_element(shown->parts, {}, &Component::amount);
    const std::string of = shown == &component || shown->formula.empty() ? "" : shown->label + ": ";
    const std::string range = component.low == component.high ? "" : format_amounts(component.low, component.high, component.unit);
    return "<tr><td>" + html(component.label) + "</td><td class=\"amount\">" + html(format_amount(component.amount, component.unit)) + "</td><td class=\"amount\">" + html(range) + "</td><td>" + std::string{name_of(component.basis)} +
           "</td><td><code>" + html(of + std::string{shown->formula}) + "</code>" + mark(shown->citation) + "</td></tr>\n";
  }

  std::string mark(const std::string& citation) {
    const CitationRow* const source = catalog_.find_citation(citation);
    if (source == nullptr) return "";
    auto at = std::ranges::find(cited_, source);
    if (at == cited_.end()) at = cited_.insert(cited_.end(), source);
    return " [" + std::to_string(at - cited_.begin() + 1) + "]";
  }

  std::string sources() const {
    std::string text = "<h2>Sources</h2>\n<ol>\n";
    for (const CitationRow* source : cited_) text += "<li>" + html(source->text) + "</li>\n";
    return text + "</ol>\n";
  }

  std::string notes() const {
    std::string text;
    for (const Issue& issue : answer_.issues) text += "<li>" + html(issue.message) + " " + html(issue.remedy) + "</li>\n";
    return text.empty() ? "" : "<h2>Notes</h2>\n<ol>\n" + text + "</ol>\n";
  }

  const Catalog& catalog_;
  const Answer& answer_;
  std::vector<const CitationRow*> cited_;
};

} // namespace

std::string report_html(const Catalog& catalog, const Answer& judged) { return !judged.ok || !judged.footprint ? "" : Report{catalog, judged}.run(); }

} // namespace plimsoll::io
