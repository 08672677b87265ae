#include "catalog/flags.hpp"

#include "catalog/profile_data.hpp"
#include "plimsoll/method/quantity.hpp"
#include "text/plain_values.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

std::string filled(std::string text, std::string_view what, const std::string& value) {
  if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), value);
  return text;
}

} // namespace

std::string flag_of(std::string_view profile, std::string_view field, std::string_view value, std::int64_t sequences) {
  const Json& json = profile_data("profiles/" + std::string{profile} + ".json");
  const auto flags = json.find("flags");
  if (flags == json.end()) return "";
  const auto flag = flags->find(field);
  if (flag == flags->end()) return "";
  if (flag->is_object()) return flag->value(std::string{value}, std::string{});
  const Count all = Count{decimal_of(value, 0).value_or(0)} * Count{sequences};
  return filled(filled(flag->text(), "{cells}", std::to_string(all.value)), "{}", std::string{value});
}

} // namespace plimsoll::io
