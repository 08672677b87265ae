#pragma once
// What all readers of Megatron Core's settings do: a setting by its argument's name, whatever the dialect calls it.

#include "files/training/document.hpp"
#include "files/training/request_builder.hpp"
#include "files/training/megatron_keys.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::configs {

class MegatronReader {
public:
  MegatronReader(Document& document, RequestBuilder& draft, MegatronDialect dialect) : document_(document), draft_(draft), dialect_(dialect) {}

protected:
  bool arguments() const { return dialect_ == MegatronDialect::arguments; }
  std::string key(std::string_view argument) const { return megatron_key(document_, dialect_, argument); }
  bool has(std::string_view argument) const { return document_.peek(key(argument)) != nullptr; }
  std::optional<std::int64_t> whole(std::string_view argument) { return document_.whole(key(argument)); }
  std::optional<double> real(std::string_view argument) { return document_.real(key(argument)); }
  bool is_on(std::string_view argument) { return document_.is_on(key(argument)); }
  std::string text(std::string_view argument) { return document_.text(key(argument)); }
  /// An argument that switches something off; overrides have the positive name.
  bool is_off(std::string_view argument, std::string_view positive) { return arguments() ? is_on(argument) : document_.truth(positive) == false; }
  /// A whole number that an input has already.
  std::int64_t stated(std::string_view field, std::int64_t otherwise = 1) const { return whole_number(draft_.text(field)).value_or(otherwise); }

  Document& document_;
  RequestBuilder& draft_;
  MegatronDialect dialect_;
};

} // namespace plimsoll::io::configs
