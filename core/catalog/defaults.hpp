#pragma once
// What programs do by themselves where a question leaves an input open: "defaults" in their profiles, by input. Of "values" the first counts whose
// device has less usable memory than "below_bytes" and whose "models" name the model, as far as it says either.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

class Json;

struct ProfileDefault {
  std::string value;    ///< as a URL has it
  std::string citation; ///< id in core/catalog/data/citations.json
};

/// What a profile says of them, for default_of(); null where it says nothing.
const Json* defaults_of(std::string_view profile);

/// For a field of that name, of a model of the catalogue, on a device with so much usable memory; nothing where there is none.
std::optional<ProfileDefault> default_of(const Json* defaults, std::string_view field, std::string_view model, std::int64_t usable_bytes);

} // namespace plimsoll::io
