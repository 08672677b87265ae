#include "request/custom_model.hpp"

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

bool is_some(const Request& request, std::string_view field) {
  const std::string* const text = request.find(field);
  return text != nullptr && trimmed(*text) != "0";
}

} // namespace

bool describes_model(const Request& request) {
  const std::string* const model = request.find("model");
  return model != nullptr ? lower_case(*model) == kCustomModel : request.find("config") != nullptr;
}

bool reads_config(const Request& request) {
  return describes_model(request) || request.find("architecture") != nullptr ||
         std::ranges::any_of(model_facts(), [&](const Field& fact) { return request.find(fact.name) != nullptr; });
}

std::vector<std::string_view> unstated_sizes(const Request& request) {
  const bool has_experts_alone = is_some(request, "experts") && !is_some(request, "dense_layers");
  std::vector<std::string_view> unstated;
  for (const std::string_view size : custom_model_sizes())
    if (request.find(size) == nullptr && !(size == "intermediate_size" && has_experts_alone)) unstated.push_back(size);
  return unstated;
}

} // namespace plimsoll::io
