// Texts that start programs or come out of them, as `plimsoll import` reads them.
#include "broken.hpp"
#include "catalogue.hpp"
#include "invariants.hpp"
#include "targets.hpp"

#include "plimsoll/files/import.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/json.hpp"

namespace plimsoll::fuzz::targets {

namespace {

std::string broken_import(std::string_view text) {
  const io::ImportText one{text, "script.sh"};
  const io::ImportAnswers answers{.gpus = text.size() % 2 == 0 ? 8 : 0};
  const io::ImportedText imported = io::import_texts(catalog(), {&one, 1}, answers);
  if (imported.kind != "unknown" && !imported.ok && !has_errors(imported.issues)) return "neither ok nor an error";
  for (const io::Entry& entry : imported.request.entries())
    if (find_field(entry.name) == nullptr && io::same_as(entry.name).empty()) return entry.name + " is no input"; // a link's are as they were typed
  for (const io::OpenQuestion& question : imported.questions)
    if (question.text.empty() || question.field.empty()) return "a question that says nothing";
  for (const io::MeasuredFigure& figure : imported.measured)
    if (figure.counter.empty() || figure.value.empty() || figure.unit.empty()) return "a figure that says nothing";
  if (once_in(64, text) && !io::parse_json(io::imported_text_json(imported)).ok) return "imported_text_json did not return JSON";
  if (std::string broken = broken_issues(imported.issues); !broken.empty()) return broken;
  return once_in(1024, text) ? broken_by_query(catalog(), io::to_query(imported.request)) : "";
}

} // namespace

std::string script(std::string_view text) { return guarded([&] { return broken_import(text); }); }
std::string manifest(std::string_view text) { return guarded([&] { return broken_import(text); }); }
std::string log(std::string_view text) { return guarded([&] { return broken_import(text); }); }

std::string load(std::string_view text) {
  return guarded([&]() -> std::string {
    Issues issues;
    const io::Request request = io::request_from_query(text, issues);
    const io::LoadReport report = io::load_report(catalog(), built_in_prices(), request);
    if (report.ok == has_errors(report.issues)) return "ok and the issues disagree";
    if (!io::parse_json(io::load_json(report)).ok) return "load_json did not return JSON";
    return first_of({broken_issues(issues), broken_issues(report.issues)});
  });
}

} // namespace plimsoll::fuzz::targets
