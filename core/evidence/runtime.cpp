#include "plimsoll/evidence/runtime.hpp"

#include "embedded/evidence_data.hpp"
#include "text/json.hpp"

#include <stdexcept>

namespace plimsoll::io {

namespace {

ReadingCovers covers_of(const std::string& name) {
  if (name == "context") return ReadingCovers::context;
  if (name == "context_and_communicator") return ReadingCovers::context_and_communicator;
  if (name == "outside_allocator") return ReadingCovers::outside_allocator;
  throw std::runtime_error("runtime.json: a reading cannot cover " + name);
}

Json rows(const char* table) {
  ParsedJson parsed = parse_json(evidence_data::file("runtime.json"));
  if (!parsed.ok) throw std::runtime_error("runtime.json: " + parsed.error);
  return parsed.value.at(table);
}

} // namespace

std::vector<ContextReading> context_readings() {
  std::vector<ContextReading> readings;
  for (const Json& row : rows("contexts"))
    readings.push_back({.id = row.at("id").text(),
                        .device = row.at("device").text(),
                        .software = row.at("software").text(),
                        .reading = row.at("reading").text(),
                        .bytes = Bytes{row.at("bytes").get<std::int64_t>()},
                        .covers = covers_of(row.at("covers").text()),
                        .note = row.at("note").text(),
                        .citation = row.at("citation").text()});
  return readings;
}

std::vector<WorkspaceSize> workspace_sizes() {
  std::vector<WorkspaceSize> sizes;
  for (const Json& row : rows("workspaces"))
    sizes.push_back({.id = row.at("id").text(),
                     .bytes = Bytes{row.at("bytes").get<std::int64_t>()},
                     .note = row.at("note").text(),
                     .citation = row.at("citation").text()});
  return sizes;
}

} // namespace plimsoll::io
