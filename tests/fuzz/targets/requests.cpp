// From text to a request: links no catalogue.
#include "broken.hpp"
#include "targets.hpp"

#include "plimsoll/request/request.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

namespace plimsoll::fuzz::targets {

std::string json(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::ParsedJson parsed = io::parse_json(text), python = io::parse_python_json(text);
    if (parsed.ok == !parsed.error.empty() || python.ok == !python.error.empty()) return "ok and the error disagree";
    if (parsed.ok && !python.ok) return "JSON is refused as Python's JSON: " + python.error;
    if (!parsed.ok) return "";
    const std::string dumped = io::dump(parsed.value);
    const io::ParsedJson again = io::parse_json(dumped, {.bytes = std::size_t{1} << 30, .keys = std::size_t{1} << 30});
    if (!again.ok) return "what was printed is not read: " + again.error;
    if (io::quoted(parsed.value).empty()) return "a value is quoted as nothing";
    return io::dump(again.value) == dumped ? "" : "what was read again is another value: " + dumped;
  });
}

std::string query(std::string_view text) {
  return guarded([&]() -> std::string {
    Issues issues, none;
    const io::Request request = io::request_from_query(text, issues);
    if (std::string broken = broken_issues(issues); !broken.empty()) return broken;
    const std::string written = io::to_query(request);
    const io::Request again = io::request_from_query(written, none);
    if (!none.empty()) return "what was written has issues: " + written;
    return again == request ? "" : "what was written is another request: " + written;
  });
}

std::string request(std::string_view text) {
  return guarded([&]() -> std::string {
    Issues issues, none;
    const io::Request request = io::request_from_json(text, issues);
    if (std::string broken = broken_issues(issues); !broken.empty()) return broken;
    return io::request_from_query(io::to_query(request), none) == request ? "" : "as a query it is another request";
  });
}

std::string value(std::string_view text) {
  return guarded([&]() -> std::string {
    if (text.empty()) return "";
    const Field& field = fields()[static_cast<unsigned char>(text.front()) % fields().size()];
    if (field.get == nullptr) return "";
    Issues issues, none;
    const auto value = io::parse_value(field, text.substr(1), issues);
    if (std::string broken = broken_issues(issues); !broken.empty()) return broken;
    if (value.has_value() == has_errors(issues)) return "a value and the issues disagree";
    if (!value) return "";
    const std::string written = text_of(field, *value);
    return io::parse_value(field, written, none) == value && none.empty() ? "" : std::string{field.name} + "=" + written + " is another value";
  });
}

} // namespace plimsoll::fuzz::targets
