#include "plimsoll/request/request.hpp"
#include "request/entry_limit.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

Request request_from_json(std::string_view text, Issues& issues) {
  Request request;
  const ParsedJson parsed = parse_json(text);
  if (!parsed.ok) {
    issues.push_back({Severity::error, "", parsed.error, "Give an object of field names and values, as {\"model\": \"llama-3-8b\"}."});
    return request;
  }
  if (!parsed.value.is_object()) {
    issues.push_back({Severity::error, "", "A scenario is a JSON object, not " + quoted(parsed.value) + ".",
                      "Give an object of field names and values, as {\"model\": \"llama-3-8b\"}."});
    return request;
  }
  for (const auto& [name, value] : parsed.value.items()) {
    if (is_full(request, "scenario", issues)) break;
    if (value.is_string()) request.set(name, value.get<std::string>());
    else if (value.is_boolean()) request.set(name, value.get<bool>() ? "true" : "false");
    else if (value.is_number()) request.set(name, dump(value)); // as written; resolving says if it is not a whole number
    else
      issues.push_back({Severity::error, name, quoted(std::string_view{name}) + " is " + quoted(value) + ", which is not a value of a field.",
                        "Write a string, a whole number, true or false."});
  }
  return request;
}

} // namespace plimsoll::io
