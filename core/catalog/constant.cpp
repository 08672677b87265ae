#include "catalog/constant.hpp"

#include <stdexcept>

namespace plimsoll::io {

Basis basis_of(const std::string& name) {
  for (Basis basis : {Basis::counted, Basis::published, Basis::measured, Basis::assumed})
    if (name == name_of(basis)) return basis;
  throw std::runtime_error("data: there is no basis " + name);
}

Constant read_constant(const Json& row) {
  Constant constant;
  constant.value = row.at("value").get<std::int64_t>();
  constant.low = row.value("low", constant.value);
  constant.high = row.value("high", constant.value);
  constant.citation = row.at("citation").text();
  constant.basis = basis_of(row.at("basis").text());
  return constant;
}

} // namespace plimsoll::io
