#include "text/members.hpp"

namespace plimsoll::io {

std::string text_at(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

std::string plain_text_at(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto at = object.find(key);
  if (at == object.end() || at->is_null() || at->is_object() || at->is_array()) return "";
  return at->is_string() ? at->get<std::string>() : dump(*at);
}

} // namespace plimsoll::io
