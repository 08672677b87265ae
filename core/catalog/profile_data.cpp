#include "catalog/profile_data.hpp"

#include "catalog/built_in.hpp"
#include "embedded/data.hpp"

#include <map>
#include <stdexcept>
#include <string>

namespace plimsoll::io {

namespace {

bool is_of_profiles(std::string_view name) {
  return name.starts_with("profiles/") || name.starts_with("efficiency/") || name == "operations.json" || name == "serving.json" || name == "losses.json" || name == "sharding.json" || name == "limits.json";
}

std::map<std::string_view, Json> parse_all() {
  std::map<std::string_view, Json> files;
  for (const data::File& file : data::files())
    if (is_of_profiles(file.name)) files.emplace(file.name, built_in(file.name, file.bytes));
  return files;
}

/// A constant with its source, or a table of them by architecture, stands for itself: it takes the place of the other's, whole.
bool is_constant(const Json& value) { return value.is_object() && value.find("value") != value.end(); }

/// `into` with what `own` says in its place; null takes a member away.
void put(Json& into, const Json& own) {
  for (const auto& [key, value] : own.items()) {
    const auto there = into.find(std::string{key});
    if (value.is_null()) into.erase(std::string{key});
    else if (there != into.end() && there->is_object() && value.is_object() && !is_constant(*there) && !is_constant(value)) put(*there, value);
    else into[std::string{key}] = value;
  }
}

/// What a profile says with what those say that it extends, each of which stands above it.
Json extended(const std::map<std::string_view, Json>& files, std::string_view name, int depth) {
  constexpr int kDeepest = 8;
  const auto file = files.find(name);
  if (file == files.end() || depth > kDeepest) throw std::runtime_error("profiles: " + std::string{name} + " cannot be extended");
  const auto base = file->second.find("extends");
  if (base == file->second.end()) return file->second;
  Json whole = extended(files, "profiles/" + base->text() + ".json", depth + 1);
  whole.erase("called"); // another name of that program
  put(whole, file->second);
  return whole;
}

std::map<std::string_view, Json> extend_all(const std::map<std::string_view, Json>& files) {
  std::map<std::string_view, Json> whole;
  for (const auto& [name, file] : files) whole.emplace(name, name.starts_with("profiles/") ? extended(files, name, 0) : file);
  return whole;
}

const std::map<std::string_view, Json>& all_files() {
  static const std::map<std::string_view, Json> kFiles = extend_all(parse_all());
  return kFiles;
}

} // namespace

const Json& profile_data(std::string_view name) { return all_files().at(name); }

std::vector<ProfilePart> profile_parts(const char* name) {
  std::vector<ProfilePart> parts;
  for (const auto& [file, json] : all_files()) {
    if (!file.starts_with("profiles/")) continue;
    if (const auto part = json.find(name); part != json.end()) parts.push_back({json.at("id").text(), &*part});
  }
  return parts;
}

} // namespace plimsoll::io
