#pragma once
// What is told of models and devices beside what an estimate needs: their sources above all.

#include "embedded/records.hpp"
#include "text/compiled_value.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace plimsoll::io {

/// Of all rows under core/catalog/data/FOLDER, by their ids, as `record_in` makes it of a row.
template <class Record> std::map<std::string, Record, std::less<>> read_records(std::string_view folder, Record (*record_in)(const Json& row)) {
  std::map<std::string, Record, std::less<>> all;
  for (const data::records::File& file : data::records::files())
    if (file.name.starts_with(folder))
      for (const Json& row : read_compiled(file.bytes)) all.emplace(row.at("id").text(), record_in(row));
  return all;
}

} // namespace plimsoll::io
