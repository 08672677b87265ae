#pragma once
// What programs do by themselves where a question leaves an input open: "defaults" in their profiles, by input. Of "values" the first counts whose
// device has less usable memory than "below_bytes" and whose "models" name the model, as far as it says either.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct ProfileDefault {
  std::string field;
  std::string value;    ///< as a URL has it
  std::string citation; ///< id in core/catalog/data/citations.json
};

/// Of a profile, of a model of the catalogue, on a device with so much usable memory: by the field of that name, nothing where the profile says none, or all.
std::optional<ProfileDefault> default_of(std::string_view profile, std::string_view field, std::string_view model, std::int64_t usable_bytes);
std::vector<ProfileDefault> defaults_of(std::string_view profile, std::string_view model, std::int64_t usable_bytes);

} // namespace plimsoll::io
