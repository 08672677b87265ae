// vllm-project/vllm, vllm/config/multimodal.py, limit_per_prompt: a JSON object, whose numbers may be objects with a "count"; before version 0.9
// pairs joined by "=".
#include "files/commands/values.hpp"
#include "text/json.hpp"

#include <algorithm>

namespace plimsoll::io::commands {

namespace {

std::optional<std::vector<MediaLimit>> of_pairs(const std::string& text) {
  std::vector<MediaLimit> limits;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size()), equals = text.find('=', at);
    const auto most = equals < end ? whole_of(text.substr(equals + 1, end - equals - 1)) : std::nullopt;
    if (!most) return std::nullopt;
    limits.push_back({text.substr(at, equals - at), *most});
    at = end + 1;
  }
  return limits;
}

} // namespace

std::optional<std::vector<MediaLimit>> media_limits(const std::string& text) {
  const ParsedJson parsed = parse_json(text);
  if (!parsed.ok) return of_pairs(text);
  if (!parsed.value.is_object()) return std::nullopt;
  std::vector<MediaLimit> limits;
  for (const auto& [kind, value] : parsed.value.items()) {
    const Json* count = &value;
    if (value.is_object())
      if (const auto inside = value.find("count"); inside != value.end()) count = &*inside;
    if (!count->is_number_unsigned()) return std::nullopt;
    limits.push_back({kind, count->get<std::int64_t>()});
  }
  return limits;
}

} // namespace plimsoll::io::commands
