// A log as a row of evidence: its question is what the log says of the run, its figures what the program measured.
#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/files/import.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::io {

namespace {

Json json_of(const ImportAnswers& answers) {
  Json json = Json::object();
  if (answers.gpus > 0) json["gpus"] = answers.gpus;
  if (answers.context > 0) json["context_tokens"] = answers.context;
  if (!answers.device.empty()) json["device"] = answers.device;
  if (!answers.vocab.empty()) json["vocab"] = answers.vocab;
  return json;
}

bool is_later(const MeasuredFigure& one, const MeasuredFigure& other) { return one.step.value_or(-1) > other.step.value_or(-1); }

Json number_of(const std::string& text) {
  ParsedJson parsed = parse_json(text);
  return parsed.ok ? std::move(parsed.value) : Json(nullptr);
}

double size_of(const MeasuredFigure& figure) {
  const Json number = number_of(figure.value);
  return number.is_number() ? number.get<double>() : 0;
}

/// Of each counter the last step's, on the GPU that has most of it: a row is about the fullest one, and logs number processes, not stages.
std::vector<const MeasuredFigure*> steady(const std::vector<MeasuredFigure>& all) {
  std::vector<const MeasuredFigure*> kept;
  for (const MeasuredFigure& figure : all) {
    const auto same = std::ranges::find_if(kept, [&](const MeasuredFigure* other) { return other->counter == figure.counter; });
    if (same == kept.end()) kept.push_back(&figure);
    else if (is_later(figure, **same) || (!is_later(**same, figure) && size_of(figure) > size_of(**same))) *same = &figure;
  }
  return kept;
}

} // namespace

std::string rows_of_log(std::string_view text, std::string_view name, const ImportAnswers& answers) {
  const ImportFile file{text, text.size(), name};
  const ImportedText log = import_files({&file, 1});
  if (log.kind != "log" || log.measured.empty()) return {};
  Json row = Json::object();
  row["id"] = std::string{name};
  row["group"] = log.name;
  row["files"] = Json::array({std::string{name}});
  row["answers"] = json_of(answers);
  row["measured"] = Json::array();
  for (const MeasuredFigure* figure : steady(log.measured)) {
    Json entry = Json::object();
    entry["counter"] = figure->counter;
    entry["value"] = number_of(figure->value);
    entry["unit"] = figure->unit;
    const bool memory = figure->unit == "bytes";
    if (memory && figure->step && *figure->step <= 1) entry["step"] = "first";
    row["measured"].push_back(std::move(entry));
  }
  return dump(Json::array({std::move(row)}));
}

} // namespace plimsoll::io
