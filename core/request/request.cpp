#include "plimsoll/request/request.hpp"

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/fields.hpp"
#include "request/entry_limit.hpp"

#include <algorithm>

namespace plimsoll::io {

void Request::set(std::string_view name, std::string_view text) {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  if (at != entries_.end()) at->text = text;
  else entries_.push_back({std::string{name}, std::string{text}});
}

void Request::erase(std::string_view name) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
}

const std::string* Request::find(std::string_view name) const noexcept {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  return at == entries_.end() ? nullptr : &at->text;
}

bool is_full(const Request& request, std::string_view what, Issues& issues) {
  if (request.entries().size() < kMostEntries) return false;
  issues.push_back({Severity::error, "", "The " + std::string{what} + " has more than " + std::to_string(kMostEntries) + " inputs.",
                    "Keep those that are fields; `plimsoll fields` lists them."});
  return true;
}

void edit(Request& request, std::string_view name, std::string_view text) {
  const Field* chosen = find_field(name);
  // Facts belong to the config or the preset that they change, the config to the model "custom".
  if (chosen != nullptr && chosen->name == "config")
    for (const Field& fact : model_facts()) request.erase(fact.name);
  const bool is_preset = chosen != nullptr && chosen->kind == FieldKind::id;
  if (is_preset && (chosen->topic == Topic::model || chosen->topic == Topic::hardware))
    for (const Field& dependent : fields())
      if (dependent.topic == chosen->topic && dependent.kind != FieldKind::id) request.erase(dependent.name);
  if (chosen != nullptr && chosen->topic == Topic::parallel) request.erase("gpus"); // a number that could not be divided: now the degrees are stated
  request.set(name, text);
}

Request request_of_config(std::string_view config) {
  Request request;
  request.set("model", "custom");
  request.set("config", reduced_config(config));
  return request;
}

} // namespace plimsoll::io
