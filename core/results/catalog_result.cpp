#include "plimsoll/catalog/field_groups.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/parameters.hpp"
#include "results/result_json.hpp"

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
    if (field.name == "weight_dtype") defaults[name] = "bf16";
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
    case FieldKind::text: return "text";
  }
  return "";
}

/// Our counts stay null for a row that cannot be read, which tests keep out.
Json model_result(const ModelRow& row) {
  const std::optional<Model> model = import_model(row).model;
  const ModelRecord& record = record_of(row);
  Json differences = Json::array();
  for (const CountDifference& difference : record.differences) differences.push_back({{"what", difference.what}, {"parameters", difference.parameters}});
  return {{"id", row.id},
          {"name", row.name},
          {"aliases", row.aliases()},
          {"family", row.family},
          {"parameters", model ? Json(count_parameters(*model).value) : Json(nullptr)},
          {"active_parameters", model ? Json(count_active_parameters(*model).value) : Json(nullptr)},
          {"published_parameters", record.parameters},
          {"published_is_exact", record.is_exact},
          {"differences", std::move(differences)},
          {"published_active_parameters", record.active_parameters == 0 ? Json(nullptr) : Json(record.active_parameters)},
          {"note", record.note},
          {"source", record.parameters_source + "; config: " + record.config_source},
          {"date", record.date}};
}

} // namespace

Json names_result(const Catalog& catalog) {
  Json models = Json::array(), devices = Json::array(), profiles = Json::array(), formats = Json::array();
  for (const ModelRow& row : catalog.models()) models.push_back({{"id", row.id}, {"name", row.name}, {"family", row.family}});
  for (const DeviceRow& row : catalog.devices())
    devices.push_back({{"id", row.hardware.id}, {"name", row.hardware.name}, {"vendor", row.vendor}, {"class", row.kind}});
  for (const Catalog::ProfileRow& row : catalog.profiles()) profiles.push_back({{"id", row.id}, {"name", row.name}});
  for (const WeightSchemeRow& row : catalog.weights().schemes()) formats.push_back({{"id", row.id}, {"name", row.name}, {"engine", row.engine}});
  return {{"models", std::move(models)}, {"devices", std::move(devices)}, {"profiles", std::move(profiles)}, {"weight_formats", std::move(formats)}};
}

Json catalog_result(const Catalog& catalog) {
  Json models = Json::array(), devices = Json::array(), profiles = Json::array(), citations = Json::array();
  for (const ModelRow& row : catalog.models()) models.push_back(model_result(row));
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
                       {"evidence", record_of(row).evidence},
                       {"notes", record_of(row).notes},
                       {"sources", record_of(row).sources},
                       {"date", row.date}});
  for (const Catalog::ProfileRow& row : catalog.profiles())
    profiles.push_back({{"id", row.id}, {"name", row.name}, {"about", row.about}, {"training", row.for_training}, {"inference", row.for_inference}});
  Json formats = Json::array();
  for (const WeightSchemeRow& row : catalog.weights().schemes())
    formats.push_back({{"id", row.id}, {"name", row.name}, {"about", row.about}, {"engine", row.engine}, {"aliases", row.aliases},
                       {"citation", row.citation}, {"basis", name_of(row.basis)}});
  for (const CitationRow& row : catalog.citations()) citations.push_back({{"id", row.id}, {"text", row.text}, {"url", row.url}});
  return {{"models", std::move(models)}, {"devices", std::move(devices)}, {"profiles", std::move(profiles)}, {"weight_formats", std::move(formats)}, {"citations", std::move(citations)}};
}

Json as_written(const Field& field, std::int64_t value) {
  double scale = 1;
  for (int i = 0; i < field.decimals; ++i) scale *= 10;
  return field.decimals > 0 ? Json(static_cast<double>(value) / scale) : Json(value);
}

Json fields_result(const Catalog& catalog) {
  Json list = Json::array();
  for (const Field& field : fields()) {
    const auto listed = [](std::span<const Choice> all) {
      Json list = Json::array();
      for (const Choice& choice : all) list.push_back({{"name", choice.name}, {"label", label_of(choice)}, {"help", help_of(choice)}});
      return list;
    };
    const bool is_integer = field.kind == FieldKind::integer;
    list.push_back({{"name", field.name},
                    {"topic", name_of(field.topic)},
                    {"group", group_of(field)},
                    {"kind", kind_of(field.kind)},
                    {"label", label_of(field)},
                    {"unit", field.unit},
                    {"help", help_of(field)},
                    {"tasks", tasks_of(field.tasks)},
                    {"advanced", field.advanced},
                    {"min", is_integer ? as_written(field, field.min) : Json(nullptr)},
                    {"max", is_integer ? as_written(field, field.max) : Json(nullptr)},
                    {"decimals", field.decimals},
                    {"defaults", defaults_of(catalog, field)},
                    {"choices", listed(field.choices)},
                    {"parts", listed(field.parts)}});
  }
  return list;
}

} // namespace plimsoll::io
