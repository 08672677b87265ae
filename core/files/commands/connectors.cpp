// vllm-project/vllm, vllm/config/kv_transfer.py, KVTransferConfig, and vllm/distributed/kv_transfer/kv_connector/factory.py; LMCache/LMCache,
// lmcache/v1/config.py and lmcache/v1/storage_backend/local_disk_backend.py: sizes are GB of 1024³ bytes for each worker.
#include "files/commands/connectors.hpp"

#include "files/commands/sizes.hpp"
#include "files/commands/values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace plimsoll::io::commands {

namespace {

constexpr std::array<std::string_view, 4> kSending{"NixlConnector", "MooncakeConnector", "P2pNcclConnector", "MoRIIOConnector"};
constexpr std::array<const char*, 3> kLmCacheKeys{"local_cpu", "max_local_cpu_size", "max_local_disk_size"};

std::string text_at(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

bool read_several(const Json& extra, RequestBuilder& into) {
  const auto connectors = extra.find("connectors");
  if (connectors == extra.end() || !connectors->is_array()) return false;
  bool all = true;
  for (const Json& one : *connectors) all = one.is_object() && read_connector(one, into) && all;
  return all;
}

bool read_offloading(const Json& extra, RequestBuilder& into) {
  const auto bytes = extra.find("cpu_bytes_to_use");
  if (bytes == extra.end() || !bytes->is_number_unsigned()) return false;
  into.set("host_cache_bytes", dump(*bytes));
  return true;
}

void read_part(const std::string& connector, const std::string& role, bool sends, RequestBuilder& into) {
  if (role == "kv_producer" || role == "kv_consumer") into.set("disaggregation", role == "kv_producer" ? "prefill" : "decode");
  else if (sends)
    into.say(Severity::note, "disaggregation", connector + " with kv_both does not say which part of the work the server does; both are taken to be its.", "Set disaggregation to prefill or decode.");
  if (connector == "P2pNcclConnector" && role == "kv_consumer")
    into.say(Severity::warning, "kv_buffer_size", "P2pNcclConnector keeps received caches in a buffer of kv_buffer_size on the GPU, which is not in the estimate.", "Take it off usable_bytes.");
}

} // namespace

bool read_connector(const Json& config, RequestBuilder& into) {
  const std::string connector = text_at(config, "kv_connector");
  const auto found = config.find("kv_connector_extra_config");
  const Json extra = found != config.end() && found->is_object() ? *found : Json::object();
  if (connector == "MultiConnector") return read_several(extra, into);
  if (connector == "OffloadingConnector") return read_offloading(extra, into);
  const bool caches = connector.starts_with("LMCache"), sends = std::ranges::find(kSending, connector) != kSending.end();
  if (!caches && !sends) return false;
  into.lmcache.used = into.lmcache.used || caches;
  for (const char* key : kLmCacheKeys)
    if (const auto at = extra.find("lmcache." + std::string{key}); caches && at != extra.end() && !read_lmcache(key, at->is_string() ? at->get<std::string>() : dump(*at), into)) return false;
  read_part(connector, text_at(config, "kv_role"), sends, into);
  return true;
}

bool read_lmcache(std::string_view key, std::string_view text, RequestBuilder& into) {
  if (key == kLmCacheKeys[0]) {
    into.lmcache.local_cpu = truth_of(text).value_or(Truth{true, true}).on;
    return true;
  }
  const bool host = key == kLmCacheKeys[1];
  const std::optional<std::int64_t> bytes = stated_bytes(Option{.names = "", .takes = Takes::one, .reading = Reading::gibibytes, .field = host ? "host_cache_bytes" : "drive_cache_bytes"}, text);
  if (!bytes) return false;
  (host ? into.lmcache.host : into.lmcache.drives) = *bytes;
  return true;
}

} // namespace plimsoll::io::commands
