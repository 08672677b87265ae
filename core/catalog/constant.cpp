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
  const std::size_t at = all.find((std::string{'"'} += id) += '"');
  if (at == all.npos) throw std::runtime_error("data: there is no citation " + std::string{id});
  return all.substr(at + 1, id.size());
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
