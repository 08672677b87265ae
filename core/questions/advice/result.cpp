#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/request/request_text.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

namespace {

Json amount(const char* name, Bytes bytes, Json into) {
  into[std::string{name} + "_bytes"] = bytes.value;
  into[std::string{name} + "_text"] = format_bytes(bytes);
  return into;
}

Json known(std::int64_t permille) { return permille > 0 ? Json(permille) : Json(nullptr); }

Json change_result(const TriedChange& change) {
  Json parts = Json::array();
  std::string text;
  bool asks_less = false;
  for (const InputChange& part : change.changes) {
    Json fields = Json::object();
    for (const Entry& entry : part.entries) fields[entry.name] = entry.text;
    parts.push_back({{"text", part.text}, {"fields", std::move(fields)}});
    text += (text.empty() ? "" : "; ") + part.text;
    asks_less = asks_less || part.asks_less;
  }
  Json result{{"text", text}, {"changes", std::move(parts)}, {"query", change.query}, {"asks_less", asks_less}, {"gpus", change.gpus.value},
              {"time_permille", known(change.time_permille)}, {"gpu_time_permille", known(change.gpu_time_permille)}};
  return amount("needs", change.needs, amount("saved", change.saved, amount("headroom", change.headroom, std::move(result))));
}

Json limit_result(const InputLimit& limit) {
  Json result{{"field", limit.field}, {"goal", limit.goal == Goal::largest ? "largest" : "smallest"}, {"now", limit.now}, {"last", limit.last},
              {"beyond", limit.beyond.empty() ? Json(nullptr) : Json(limit.beyond)}, {"room_permille", known(limit.room_permille)}};
  return limit.beyond.empty() ? result : amount("needs", limit.needs, std::move(result));
}

} // namespace

std::string advice_json(const FitAdvice& advice) {
  Json changes = Json::array(), limits = Json::array();
  for (const TriedChange& change : advice.changes) changes.push_back(change_result(change));
  for (const InputLimit& limit : advice.limits) limits.push_back(limit_result(limit));
  Json result{{"ok", advice.ok}, {"issues", issues_result(advice.issues)}, {"fits", advice.fits}, {"tried", advice.tried}, {"changes", std::move(changes)}, {"limits", std::move(limits)}};
  return dump(amount("needs", advice.needs, amount("usable", advice.usable, std::move(result))));
}

std::string advice_json(const Catalog& catalog, std::string_view scenario, bool is_json) {
  Issues issues;
  const Request request = request_from_text(scenario, is_json, issues);
  return advice_json(advise(catalog, request, std::move(issues)));
}

} // namespace plimsoll::io
