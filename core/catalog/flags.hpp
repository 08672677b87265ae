#pragma once
// "flags" of core/catalog/data/profiles/*.json: how an engine is told of an input.

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io {

/// The option that gives `field` that value, e.g. "--max-model-len 8192"; "" where the profile names none. `sequences` are those that engines
/// count together when they size their context.
std::string flag_of(std::string_view profile, std::string_view field, std::string_view value, std::int64_t sequences);

} // namespace plimsoll::io
