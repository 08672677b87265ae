#include "files/questions_json.hpp"
#include "plimsoll/files/import.hpp"
#include "text/issues_json.hpp"

namespace plimsoll::io {

namespace {

Json commands_result(const std::vector<StartedCommand>& commands) {
  Json list = Json::array();
  for (const StartedCommand& one : commands)
    list.push_back({{"line", static_cast<std::int64_t>(one.line)}, {"program", one.program}, {"purpose", one.purpose}, {"text", one.text}});
  return list;
}

Json measured_result(const std::vector<MeasuredFigure>& figures) {
  Json list = Json::array();
  for (const MeasuredFigure& figure : figures) {
    const ParsedJson value = parse_json(figure.value);
    Json one{{"counter", figure.counter}, {"value", value.ok ? value.value : Json(figure.value)}, {"unit", figure.unit}};
    if (figure.rank) one["rank"] = *figure.rank;
    if (figure.step) one["step"] = *figure.step;
    list.push_back(std::move(one));
  }
  return list;
}

} // namespace

std::string imported_text_json(const ImportedText& imported) {
  Json fields = Json::object();
  for (const Entry& entry : imported.request.entries()) fields[entry.name] = entry.text;
  Json result{{"ok", imported.ok}, {"kind", imported.kind}};
  if (imported.format.empty()) result["engine"] = imported.name;
  else result["format"] = imported.format, result["name"] = imported.name, result["source"] = imported.source;
  result["issues"] = issues_result(imported.issues);
  result["fields"] = std::move(fields);
  result["parameters"] = nullptr;
  result["query"] = to_query(imported.request);
  result["questions"] = questions_result(imported.questions);
  result["read"] = imported.read;
  result["harmless"] = imported.harmless;
  result["unread"] = imported.unread;
  if (!imported.format.empty()) result["assumed"] = imported.assumed;
  if (!imported.commands.empty()) result["commands"] = commands_result(imported.commands);
  if (!imported.measured.empty()) result["measured"] = measured_result(imported.measured);
  return dump(result);
}

} // namespace plimsoll::io
