#include "catalog/constant.hpp"

#include "embedded/citation_ids.hpp"

#include <stdexcept>

namespace plimsoll::io {

Basis basis_of(const std::string& name) {
  for (Basis basis : {Basis::counted, Basis::published, Basis::measured, Basis::assumed})
    if (name == name_of(basis)) return basis;
  throw std::runtime_error("data: there is no basis " + name);
}

std::string_view citation_id(std::string_view id) {
  const std::string_view all = data::citation_ids::file("citations.json");
  // Quotation marks are the most frequent there: what stands between them is looked for first.
  for (std::size_t at = all.find(id, 1); at != all.npos; at = all.find(id, at + 1))
    if (all[at - 1] == '"' && all[at + id.size()] == '"') return all.substr(at, id.size());
  throw std::runtime_error("data: there is no citation " + std::string{id});
}

Constant read_constant(const Json& row) {
  Constant constant;
  constant.value = row.at("value").get<std::int64_t>();
  constant.low = row.value("low", constant.value);
  constant.high = row.value("high", constant.value);
  constant.citation = citation_id(row.at("citation").text());
  constant.basis = basis_of(row.at("basis").text());
  return constant;
}

} // namespace plimsoll::io
