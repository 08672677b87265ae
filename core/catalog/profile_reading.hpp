#pragma once
// How a profile's JSON is read: constants that may differ by GPU architecture, and words for enumerations.

#include "catalog/constant.hpp"
#include "plimsoll/method/profile.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace plimsoll::io {

/// A constant, or the one for `arch` where it differs by GPU architecture.
inline Constant constant_of(const Json& group, const char* key, std::string_view arch) {
  const Json& row = group.at(key);
  if (const auto by_arch = row.find("by_arch"); by_arch != row.end() && by_arch->contains(arch))
    return constant_of(*by_arch, std::string{arch}.c_str(), arch);
  return read_constant(row);
}

/// Reads the constants of one object, for one GPU architecture.
class Constants {
public:
  Constants(const Json& group, std::string_view arch) : group_(group), arch_(arch) {}
  Constant operator()(const char* key) const { return constant_of(group_, key, arch_); }
  /// Nothing where the framework has no such thing.
  bool has(const char* key) const { return group_.contains(key); }
  Constant or_none(const char* key) const { return has(key) ? (*this)(key) : Constant{}; }

private:
  const Json& group_;
  std::string_view arch_;
};

/// The enumerator that a word stands for; throws where there is none, which is a mistake in our own data.
template <class Enum, std::size_t N> Enum named(const std::array<std::string_view, N>& names, const Json& name) {
  const auto at = std::ranges::find(names, name.get<std::string>());
  if (at == names.end()) throw std::runtime_error("profile: there is no " + name.get<std::string>());
  return static_cast<Enum>(at - names.begin());
}

/// What a framework keeps when it serves.
InferenceProfile inference_of(const Json& group, std::string_view arch);

} // namespace plimsoll::io
