#pragma once
// What moves caches out of an engine: to other servers, to the host's memory, to drives.

#include "files/commands/request_builder.hpp"
#include "text/json.hpp"

#include <string_view>

namespace plimsoll::io::commands {

/// vLLM's --kv-transfer-config; false where a connector is not known that takes memory.
bool read_connector(const Json& config, RequestBuilder& into);

/// One of LMCache's keys: "local_cpu", "max_local_cpu_size", "max_local_disk_size"; false for what is no size.
bool read_lmcache(std::string_view key, std::string_view text, RequestBuilder& into);

} // namespace plimsoll::io::commands
