#pragma once
// Accelerate's configurations that come with TRL: documentation and scripts launch with their path.
#include "plimsoll/method/issue.hpp"
#include "text/json.hpp"

#include <string_view>

namespace plimsoll::io::programs {

/// What the file of that path says as TRL publishes it; empty for any other path.
Json launcher_example(std::string_view path);

Issue read_as_published(std::string_view path);

} // namespace plimsoll::io::programs
