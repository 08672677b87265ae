#include "catalog/profile_data.hpp"

#include "embedded/profiles.hpp"
#include "text/compiled_value.hpp"

#include <array>
#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::string_view kFolder = "profiles/", kEnding = ".json";

std::string file_of(std::string_view profile) { return (std::string{kFolder} += profile) += kEnding; }

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

/// What a file says; a profile with what those say that it extends, each of which stands above it.
Json whole(const data::profiles::File& file) {
  Json own = read_compiled(file.bytes());
  const auto base = file.name.starts_with(kFolder) ? own.find("extends") : own.end();
  if (base == own.end()) return own;
  Json extended = profile_data(file_of(base->text()));
  extended.erase("called"); // another name of that program
  put(extended, own);
  return extended;
}

/// Each file has a function of its own, so that it is parsed when it is first asked for: an answer needs few of them.
template <std::size_t kIndex> const Json& kept() {
  static const Json kFile = whole(data::profiles::files()[kIndex]);
  return kFile;
}

template <std::size_t... kIndices> constexpr auto all_kept(std::index_sequence<kIndices...>) { return std::array{&kept<kIndices>...}; }

constexpr auto kKept = all_kept(std::make_index_sequence<data::profiles::file_count>{});

} // namespace

const Json& profile_data(std::string_view name) {
  const auto files = data::profiles::files();
  const auto at = std::ranges::lower_bound(files, name, {}, &data::profiles::File::name);
  if (at == files.end() || at->name != name) throw std::out_of_range("profiles: there is no file " + std::string{name});
  return kKept[static_cast<std::size_t>(at - files.begin())]();
}

std::vector<std::string_view> profile_ids() {
  std::vector<std::string_view> ids;
  for (const data::profiles::File& file : data::profiles::files())
    if (file.name.starts_with(kFolder)) ids.push_back(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
  return ids;
}

bool is_profile(std::string_view id) { return std::ranges::binary_search(data::profiles::files(), file_of(id), {}, &data::profiles::File::name); }

const Json* profile_part(std::string_view profile, const char* name) { return is_profile(profile) ? profile_data(file_of(profile)).look(name) : nullptr; }

std::vector<ProfilePart> profile_parts(const char* name) {
  std::vector<ProfilePart> parts;
  for (const std::string_view id : profile_ids())
    if (const Json* const part = profile_part(id, name)) parts.push_back({std::string{id}, part});
  return parts;
}

} // namespace plimsoll::io
