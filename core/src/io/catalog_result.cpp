#include "io/result_json.hpp"
#include "plimsoll/format.hpp"
#include "plimsoll/parameters.hpp"

namespace plimsoll::io {

namespace {


Json tasks_of(TaskSet tasks) {
  Json names = Json::array();
  for (const Choice& choice : find_field("task")->choices)
    if ((tasks >> choice.value & 1u) != 0) names.push_back(choice.name);
  return names;
}

/// What a field holds by task when nothing is typed; null where a catalogue entry decides.
Json defaults_of(const Catalog& catalog, const Field& field) {
  Json defaults = Json::object();
  for (const Choice& task : find_field("task")->choices) {
    const std::string name{task.name};
    const bool preset_decides = field.topic == Topic::model || field.topic == Topic::hardware;
    if (field.name == "model") defaults[name] = kDefaultModel;
    else if (field.name == "device") defaults[name] = kDefaultDevice;
    else if (field.name == "profile") defaults[name] = catalog.default_profile(trains(static_cast<Task>(task.value)));
    else if (preset_decides || field.get == nullptr || field.name == "task") defaults[name] = nullptr;
    else defaults[name] = text_of(field, field.defaults[static_cast<std::size_t>(task.value)]);
  }
  return defaults;
}

std::string_view kind_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::integer: return "integer";
    case FieldKind::choice: return "choice";
    case FieldKind::flag: return "flag";
    case FieldKind::id: return "id";
  }
  return "";
}

} // namespace

Json catalog_result(const Catalog& catalog) {
  Json models = Json::array(), devices = Json::array(), profiles = Json::array(), citations = Json::array();
  for (const ModelRow& row : catalog.models())
    models.push_back({{"id", row.spec.id},
                      {"name", row.spec.name},
                      {"aliases", row.aliases},
                      {"family", row.family},
                      {"parameters", count_parameters(plimsoll::model_of(row.spec)).value},
                      {"published_parameters", row.published_parameters},
                      {"difference", row.difference},
                      {"source", row.source},
                      {"date", row.date}});
  for (const DeviceRow& row : catalog.devices())
    devices.push_back({{"id", row.hardware.id},
                       {"name", row.hardware.name},
                       {"aliases", row.aliases},
                       {"vendor", row.vendor},
                       {"class", row.kind},
                       {"arch", row.hardware.arch},
                       {"release_year", row.release_year},
                       {"label_gb", row.hardware.label_gb},
                       {"usable_bytes", row.hardware.usable_bytes},
                       {"usable_text", format_bytes(Bytes{row.hardware.usable_bytes})},
                       {"usable_basis", row.hardware.usable_basis},
                       {"evidence", row.evidence},
                       {"notes", row.notes},
                       {"sources", row.sources},
                       {"date", row.date}});
  for (const Catalog::ProfileRow& row : catalog.profiles())
    profiles.push_back({{"id", row.id}, {"name", row.name}, {"about", row.about}, {"training", row.for_training}, {"inference", row.for_inference}});
  for (const CitationRow& row : catalog.citations()) citations.push_back({{"id", row.id}, {"text", row.text}, {"url", row.url}});
  return {{"models", std::move(models)}, {"devices", std::move(devices)}, {"profiles", std::move(profiles)}, {"citations", std::move(citations)}};
}

Json fields_result(const Catalog& catalog) {
  Json list = Json::array();
  for (const Field& field : fields()) {
    Json choices = Json::array();
    for (const Choice& choice : field.choices) choices.push_back({{"name", choice.name}, {"label", choice.label}, {"help", choice.help}});
    const bool is_integer = field.kind == FieldKind::integer;
    list.push_back({{"name", field.name},
                    {"topic", name_of(field.topic)},
                    {"kind", kind_of(field.kind)},
                    {"label", field.label},
                    {"unit", field.unit},
                    {"help", field.help},
                    {"tasks", tasks_of(field.tasks)},
                    {"advanced", field.advanced},
                    {"min", is_integer ? Json(field.min) : Json(nullptr)},
                    {"max", is_integer ? Json(field.max) : Json(nullptr)},
                    {"defaults", defaults_of(catalog, field)},
                    {"choices", std::move(choices)}});
  }
  return list;
}

} // namespace plimsoll::io
