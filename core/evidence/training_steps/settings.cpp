#include "evidence/training_steps/settings.hpp"

namespace plimsoll::io::accuracy::training_steps {

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000; // far beyond any run, and far from overflow

} // namespace

const Json& Place::at(const char* key) const {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

void Place::decline(const char* key, std::string_view why) const { into.decline("The row's " + name + "." + key + ": " + std::string{why} + "."); }

std::int64_t Place::size(const char* key, std::int64_t otherwise) const {
  if (at(key).is_null()) return otherwise;
  const std::optional<std::int64_t> value = number_of(object, key);
  if (value && *value >= 1 && *value <= kMost) return *value;
  decline(key, "not a whole number of at least 1");
  return otherwise;
}

bool Place::truth(const char* key, bool otherwise) const {
  const Json& value = at(key);
  if (value.is_null()) return otherwise;
  if (value.is_boolean()) return value.get<bool>();
  decline(key, "neither true nor false");
  return otherwise;
}

std::string Place::word(const char* key, std::string_view otherwise) const {
  const Json& value = at(key);
  if (value.is_null()) return std::string{otherwise};
  return value.is_string() ? value.get<std::string>() : dump(value);
}

void Place::refuse_others(std::span<const std::string_view> known) const {
  if (!object.is_object()) return;
  for (const auto& member : object.items())
    if (!member.value.is_null() && std::ranges::find(known, std::string_view{member.key}) == known.end())
      return into.decline("The row's " + name + " has the setting " + quoted(std::string_view{member.key}) + ", which is not understood.");
}

} // namespace plimsoll::io::accuracy::training_steps
