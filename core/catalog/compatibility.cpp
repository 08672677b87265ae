#include "catalog/compatibility.hpp"

#include "embedded/data.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace plimsoll::io {

namespace {

using Words = std::vector<std::string>;

/// Formats by pattern, or by the engine that they are named after.
struct Formats {
  Words ids, of;
};

/// Programs and the formats they load anywhere; devices they run on, by maker, or all where the list is empty.
struct Program {
  Words profiles;
  Formats loads;
  Words also;           ///< formats that they load as well, and that nobody proposes
  bool refuses = false; ///< whether formats beyond these are known not to load
  Words vendors, not_archs;
  std::string runs_citation;
  std::string citation;
};

/// Formats that programs do not load on some GPU architectures.
struct Limited {
  Words profiles; ///< "*" = all
  Formats formats;
  Words not_archs; ///< "*" = all
  std::string because, citation;
};

struct Table {
  std::vector<Program> programs;
  std::vector<Limited> limited;
};

Words words(const Json& row, const char* key) { return row.contains(key) ? row.at(key).get<Words>() : Words{}; }

Formats formats_in(const Json& row) { return {words(row, "formats"), words(row, "of")}; }

Program program_in(const Json& row) {
  Program program{.profiles = words(row, "profiles"), .loads = formats_in(row), .also = words(row, "also"), .refuses = row.at("refuses").get<bool>(),
                  .vendors = {}, .not_archs = {}, .runs_citation = {}, .citation = row.at("citation").text()};
  if (const auto runs = row.find("runs_on"); runs != row.end()) {
    program.vendors = words(*runs, "vendors");
    program.not_archs = words(*runs, "not_archs");
    program.runs_citation = runs->at("citation").text();
  }
  return program;
}

Table read_table() {
  const ParsedJson parsed = parse_json(data::file("engines.json"));
  if (!parsed.ok) throw std::runtime_error("engines: " + parsed.error);
  Table table;
  for (const Json& row : parsed.value.at("rows")) table.programs.push_back(program_in(row));
  for (const Json& row : parsed.value.at("limited"))
    table.limited.push_back({words(row, "profiles"), formats_in(row), words(row, "not_archs"), row.at("because").text(), row.at("citation").text()});
  return table;
}

const Table& table() {
  static const Table kTable = read_table();
  return kTable;
}

bool has(const Words& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

/// "gptq_*" takes every id that begins so.
bool matches(std::string_view pattern, std::string_view id) {
  return pattern.ends_with('*') ? id.starts_with(pattern.substr(0, pattern.size() - 1)) : id == pattern;
}

bool has_format(const Formats& formats, std::string_view id, std::string_view engine) {
  return has(formats.of, engine) || std::ranges::any_of(formats.ids, [&](const std::string& pattern) { return matches(pattern, id); });
}

const Program* program_of(std::string_view profile) {
  const auto at = std::ranges::find_if(table().programs, [&](const Program& one) { return has(one.profiles, profile); });
  return at == table().programs.end() ? nullptr : &*at;
}

bool runs_on(const Program& program, const DeviceRow& device) {
  return (program.vendors.empty() || has(program.vendors, device.vendor)) && !has(program.not_archs, device.hardware.arch);
}

/// The programs of the same kind that run there: those that load formats of their own list, or that train.
Words others_on(const Program& program, const DeviceRow& device) {
  Words others;
  for (const Program& one : table().programs)
    if (runs_on(one, device) && (one.loads.ids.empty() && one.loads.of.empty()) == (program.loads.ids.empty() && program.loads.of.empty())) others.push_back(one.profiles.front());
  return others;
}

std::string name_of(const Catalog& catalog, std::string_view profile) {
  const auto at = std::ranges::find(catalog.profiles(), profile, &Catalog::ProfileRow::id);
  return at == catalog.profiles().end() ? std::string{profile} : at->name;
}

} // namespace

std::optional<Incompatible> incompatible(const Catalog& catalog, std::string_view profile, const DeviceRow& device, std::string_view weights) {
  const std::string program = name_of(catalog, profile);
  const Program* const known = program_of(profile);
  if (known != nullptr && !runs_on(*known, device))
    return Incompatible{"profile", program + " does not run on " + device.hardware.name + ".", "Choose another device, or " + joined_with_or(others_on(*known, device)) + " as profile.",
                        known->runs_citation};
  const WeightSchemeRow* const row = catalog.weights().find_row(weights);
  if (row == nullptr && !catalog.weights().find(weights)) return std::nullopt; // a checkpoint's own mix
  const std::string_view engine = row != nullptr ? std::string_view{row->engine} : std::string_view{};
  const std::string name = row != nullptr && !row->name.empty() ? row->name : std::string{weights};
  if (known != nullptr && known->refuses && !has_format(known->loads, weights, engine) && !has_format({known->also, {}}, weights, engine))
    return Incompatible{"weight_dtype", program + " does not load weights in " + name + ".",
                        "Choose a format that it loads, such as " + (known->loads.ids.empty() ? std::string{"q4_k_m"} : known->loads.ids.front()) +
                            ", or another program as profile; `plimsoll catalog weights` lists formats.", known->citation};
  for (const Limited& one : table().limited) {
    if (!has(one.profiles, profile) && !has(one.profiles, "*")) continue;
    if (!has_format(one.formats, weights, engine) || !(has(one.not_archs, "*") || has(one.not_archs, device.hardware.arch))) continue;
    return Incompatible{"weight_dtype", program + " does not run weights in " + name + " on " + device.hardware.name + ": " + one.because + ".",
                        "Choose another format as weight_dtype, or another device.", one.citation};
  }
  return std::nullopt;
}

bool loads_weights(std::string_view profile, const WeightSchemeRow& row) {
  const Program* const known = program_of(profile);
  return known == nullptr || known->loads.ids.size() + known->loads.of.size() == 0 || has_format(known->loads, row.id, row.engine);
}

} // namespace plimsoll::io
