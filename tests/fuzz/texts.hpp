#pragma once
// The good texts that the tests start from.

#include "random.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll::fuzz {

/// The bytes of a file.
std::string contents(const std::filesystem::path& path);

/// The config.json of every model in core/catalog/data/models, and of one inside a multimodal file.
std::vector<std::string> real_configs();

/// A query of random fields; the values are in range three times out of four.
std::string random_query(Random& random);

/// The same as a JSON object, with numbers and booleans as such or as strings.
std::string random_scenario(Random& random);

/// `open` repeated `depth` times, then `inside`, then `close` as often.
std::string nested(const std::string& open, const std::string& inside, const std::string& close, std::size_t depth);

} // namespace plimsoll::fuzz
