#include "catalog/compatibility.hpp"

#include "catalog/profile_data.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::io {

namespace {

using Words = std::vector<std::string>;

/// Formats by pattern, or by the engine that they are named after.
struct Formats {
  Words ids, of;
};

/// Formats that do not run on some GPU architectures.
struct Limited {
  Formats formats;
  Words not_archs; ///< "*" = all
  Words models;    ///< by the model_type of their config; empty = all
  std::string because, citation;
};

/// A program and the formats it loads anywhere; devices it runs on, by maker, or all where the list is empty.
struct Program {
  std::string profile;
  Formats loads;
  Words also;           ///< formats that it loads as well, and that nobody proposes
  bool refuses = false; ///< whether formats beyond these are known not to load
  Words vendors, not_archs;
  std::string runs_citation;
  std::string citation;
  std::vector<Limited> limited;
};

Words words(const Json& row, const char* key) { return row.contains(key) ? row.at(key).get<Words>() : Words{}; }

Formats formats_in(const Json& row) { return {words(row, "formats"), words(row, "of")}; }

std::vector<Limited> limited_in(const Json& json) {
  std::vector<Limited> rows;
  const auto list = json.find("limited");
  if (list == json.end()) return rows;
  for (const Json& row : *list) rows.push_back({formats_in(row), words(row, "not_archs"), words(row, "models"), row.at("because").text(), row.at("citation").text()});
  return rows;
}

Program program_in(std::string_view profile, const Json& row) {
  Program program{.profile = std::string{profile}, .loads = formats_in(row), .also = words(row, "also"), .refuses = row.at("refuses").get<bool>(),
                  .vendors = {}, .not_archs = {}, .runs_citation = {}, .citation = row.at("citation").text(), .limited = limited_in(row)};
  if (const auto runs = row.find("runs_on"); runs != row.end()) {
    program.vendors = words(*runs, "vendors");
    program.not_archs = words(*runs, "not_archs");
    program.runs_citation = runs->at("citation").text();
  }
  return program;
}

std::vector<Program> all_programs() {
  std::vector<Program> programs;
  for (const ProfilePart& part : profile_parts("loads")) programs.push_back(program_in(part.profile, *part.json));
  return programs;
}

/// Whatever the program.
const std::vector<Limited>& limited_everywhere() {
  static const std::vector<Limited> kLimited = limited_in(profile_data("limits.json"));
  return kLimited;
}

bool has(const Words& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

/// "gptq_*" takes every id that begins so.
bool matches(std::string_view pattern, std::string_view id) {
  return pattern.ends_with('*') ? id.starts_with(pattern.substr(0, pattern.size() - 1)) : id == pattern;
}

bool has_format(const Formats& formats, std::string_view id, std::string_view engine) {
  return has(formats.of, engine) || std::ranges::any_of(formats.ids, [&](const std::string& pattern) { return matches(pattern, id); });
}

std::optional<Program> program_of(std::string_view profile) {
  const Json* const loads = profile_part(profile, "loads");
  return loads != nullptr ? std::optional{program_in(profile, *loads)} : std::nullopt;
}

bool runs_on(const Program& program, const DeviceRow& device) {
  return (program.vendors.empty() || has(program.vendors, device.vendor)) && !has(program.not_archs, device.hardware.arch);
}

/// The programs of the same kind that run there: those that load formats of their own list, or that train. Of versions of one program the first.
Words others_on(const Program& program, const DeviceRow& device) {
  const auto trains = [](const Program& one) { return one.loads.ids.empty() && one.loads.of.empty(); };
  const auto is_version = [](const Program& a, const Program& b) { return a.loads.ids == b.loads.ids && a.loads.of == b.loads.of && a.vendors == b.vendors && a.not_archs == b.not_archs; };
  Words others;
  std::vector<const Program*> listed;
  const std::vector<Program> programs = all_programs();
  for (const Program& one : programs) {
    if (!runs_on(one, device) || trains(one) != trains(program) || std::ranges::any_of(listed, [&](const Program* other) { return is_version(*other, one); })) continue;
    listed.push_back(&one);
    others.push_back(one.profile);
  }
  return others;
}

/// What keeps the device from running weights in that format: of the program itself, or of every one; null for nothing.
const Limited* limit_of(const std::optional<Program>& program, std::string_view id, std::string_view engine, const DeviceRow& device, std::string_view model) {
  const auto first = [&](const std::vector<Limited>& rows) -> const Limited* {
    const auto at = std::ranges::find_if(rows, [&](const Limited& one) { return has_format(one.formats, id, engine) && (one.models.empty() || has(one.models, model)) && (has(one.not_archs, "*") || has(one.not_archs, device.hardware.arch)); });
    return at != rows.end() ? &*at : nullptr;
  };
  const Limited* const own = program ? first(program->limited) : nullptr;
  return own != nullptr ? own : first(limited_everywhere());
}

/// A format among those of a mixture of one file that another engine than the scheme's own has, and that the program does not load; null for none.
const WeightFormat* foreign_format(const WeightCatalog& weights, const std::optional<Program>& program, std::string_view id, std::string_view engine) {
  if (!program || !program->refuses || id.find('/') == id.npos) return nullptr;
  const std::optional<WeightScheme> scheme = weights.find(id);
  if (!scheme) return nullptr;
  for (const WeightFormat& format : scheme->formats)
    if (const std::string_view of = weights.engine_of(format.id); !of.empty() && of != "any" && of != engine && !has(program->loads.of, of)) return weights.find_format(format.id);
  return nullptr;
}

std::string name_of(const Catalog& catalog, std::string_view profile) {
  const std::optional<Catalog::ProfileRow> row = catalog.find_profile(profile);
  return row ? row->name : std::string{profile};
}

} // namespace

std::optional<Incompatible> incompatible(const Catalog& catalog, std::string_view profile, const DeviceRow& device, std::string_view weights, std::string_view model) {
  const std::string program = name_of(catalog, profile);
  const std::optional<Program> known = program_of(profile);
  if (known && !runs_on(*known, device))
    return Incompatible{"profile", program + " does not run on " + device.hardware.name + ".", "Choose another device, or " + joined_with_or(others_on(*known, device)) + " as profile.",
                        known->runs_citation};
  const WeightSchemeRow* const row = catalog.weights().find_row(weights);
  if (row == nullptr && !catalog.weights().find(weights)) return std::nullopt; // a checkpoint's own mix
  const std::string_view id = row != nullptr ? std::string_view{row->id} : weights.substr(0, weights.find('/')); // of a mixture, what it is based on
  const std::string_view engine = row != nullptr ? std::string_view{row->engine} : std::string_view{};
  const std::string name = row != nullptr && !row->name.empty() ? row->name : std::string{weights};
  if (known && known->refuses && !has_format(known->loads, id, engine) && !has_format({known->also, {}}, id, engine))
    return Incompatible{"weight_dtype", program + " does not load weights in " + name + ".",
                        "Choose a format that it loads, such as " + (known->loads.ids.empty() ? std::string{"q4_k_m"} : known->loads.ids.front()) +
                            ", or another program as profile; `plimsoll catalog weights` lists formats.", known->citation};
  if (const WeightFormat* const foreign = foreign_format(catalog.weights(), known, weights, engine))
    return Incompatible{"weight_dtype", program + " does not load weights in " + foreign->name + ".",
                        "Choose a program that does as profile: formats of " + std::string{catalog.weights().engine_of(foreign->id)} + ".", known->citation};
  if (const Limited* const limit = limit_of(known, id, engine, device, model))
    return Incompatible{"weight_dtype", program + " does not run weights in " + name + " on " + device.hardware.name + ": " + limit->because + ".",
                        "Choose another format as weight_dtype, or another device.", limit->citation};
  return std::nullopt;
}

bool loads_weights(std::string_view profile, const WeightSchemeRow& row) {
  const std::optional<Program> known = program_of(profile);
  return !known || known->loads.ids.size() + known->loads.of.size() == 0 || has_format(known->loads, row.id, row.engine);
}

} // namespace plimsoll::io
