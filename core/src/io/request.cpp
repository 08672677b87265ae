#include "plimsoll/io/request.hpp"

#include "io/entry_limit.hpp"
#include "plimsoll/fields.hpp"

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
  if (chosen != nullptr && chosen->kind == FieldKind::id)
    for (const Field& dependent : fields())
      if (dependent.topic == chosen->topic && dependent.kind != FieldKind::id) request.erase(dependent.name);
  request.set(name, text);
}

Request request_of(const ModelSpec& model) {
  Inputs imported, standard;
  imported.model = model;
  Request request;
  request.set("model", "custom");
  for (const Field& field : fields()) {
    if (field.topic != Topic::model || field.get == nullptr) continue;
    const std::int64_t value = field.get(imported);
    if (value != field.get(standard)) request.set(field.name, text_of(field, value));
  }
  return request;
}

} // namespace plimsoll::io
