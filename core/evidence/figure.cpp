#include "evidence/figure.hpp"

#include "evidence/row.hpp"
#include "text/members.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy {

namespace {

std::string text_or(const Json& json, const char* key, std::string_view standard) {
  const std::string text = text_at(json, key);
  return text.empty() ? std::string{standard} : text;
}

bool is_set(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_boolean() && at->get<bool>();
}

} // namespace

Figure read_figure(const Json& json, std::string& unknown) {
  constexpr std::array<std::string_view, 14> kKeys{"digit", "counter", "metric", "rank", "step", "moment", "micro_batch", "part", "value", "unit", "rounded", "explained", "minus", "notes"};
  Figure figure;
  if (!json.is_object()) return unknown = "A figure is an object, not " + quoted(json) + ".", figure;
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(kKeys, key) == kKeys.end()) unknown = "A figure has no member " + quoted(std::string_view{key}) + ".";
  figure.counter = text_at(json, "counter");
  figure.metric = text_or(json, "metric", figure.counter);
  const std::optional<std::int64_t> rank = number_of(json, "rank");
  figure.rank = rank ? std::to_string(*rank) : text_or(json, "rank", "fullest");
  figure.moment = text_or(json, "moment", "peak");
  figure.part = text_at(json, "part");
  const std::string step = text_or(json, "step", "steady"), micro_batch = text_at(json, "micro_batch");
  if (step != "first" && step != "steady") unknown = "There is no step " + quoted(std::string_view{step}) + ".";
  if (!micro_batch.empty() && micro_batch != "first") unknown = "There is no micro_batch " + quoted(std::string_view{micro_batch}) + ".";
  figure.first_step = step == "first";
  figure.first_micro_batch = micro_batch == "first" || figure.moment == "first_micro_batch";
  figure.rounded = is_set(json, "rounded");
  figure.minus = text_at(json, "minus");
  return figure;
}

} // namespace plimsoll::io::accuracy
