#include "answer/asked_back.hpp"

#include "plimsoll/catalog/names.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <vector>

namespace plimsoll::io {

namespace {

std::string did_you_mean(const std::vector<std::string>& ids, const char* what) {
  return ids.empty() ? "`plimsoll catalog " + std::string{what} + "` lists all. " : "Did you mean " + joined_with_or(ids) + "? ";
}

} // namespace

Issue which_model(const Catalog& catalog, std::string_view field, const std::string& text, const std::string& others) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> ids;
  for (const ModelRow* const row : model_named(catalog, text).candidates) ids.push_back(row->id);
  if (ids.size() < 2)
    return {Severity::error, std::string{field}, "There is no model " + quoted(std::string_view{text}) + " in the catalogue.",
            did_you_mean(ids.empty() ? catalog.similar_models(text) : ids, "models") + others};
  const std::size_t all = ids.size();
  if (all > kMostNamed) ids.resize(kMostNamed);
  return {Severity::error, std::string{field}, quoted(std::string_view{text}) + " may be any of " + std::to_string(all) + " models.",
          "Write " + joined_with_or(ids) + (all > ids.size() ? "; `plimsoll catalog models` lists all. " : ". ") + others};
}

Issue which_device(const Catalog& catalog, const std::string& text) {
  std::vector<std::string> ids;
  for (const DeviceRow* const found : device_named(catalog, text).candidates) ids.push_back(found->hardware.id);
  if (ids.empty())
    return {Severity::error, "device", "There is no device " + quoted(std::string_view{text}) + " in the catalogue.",
            did_you_mean(catalog.similar_devices(text), "devices") + "Or give one of your own with --devices."};
  return {Severity::error, "device", "The name " + quoted(std::string_view{text}) + " does not say all that tells the device.", "Write " + joined_with_or(ids) + ", or the memory too."};
}

} // namespace plimsoll::io
