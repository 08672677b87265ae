// {"hf_id", "name", "family", "config", "params_total_published", "params_active_published", "published_is_rounded",
// "diff_explained": [{"what", "amount"}]}, or the catalogue's own {"id", "family", "config", "published_parameters",
// "published_active_parameters", "published_is_exact", "differences": [{"what", "parameters"}]}: the config through the importer, the
// counts against the published ones.
#include "evidence/rows.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/request/request.hpp"

#include <utility>

namespace plimsoll::io::accuracy {

namespace {

/// The keys of one of the two spellings.
struct Keys {
  const char *total, *active, *terms, *amount;
};
constexpr Keys kPublished{"params_total_published", "params_active_published", "diff_explained", "amount"};
constexpr Keys kCatalogue{"published_parameters", "published_active_parameters", "differences", "parameters"};

bool matches(const Json& row) { return row.contains("config") && (row.contains(kPublished.total) || row.contains(kCatalogue.total)); }

std::int64_t explained_difference(const Json& row, const Keys& keys) {
  Count sum;
  const auto terms = row.find(keys.terms);
  if (terms == row.end() || !terms->is_array()) return 0;
  for (const Json& term : *terms)
    if (term.is_object()) sum += Count{number_of(term, keys.amount).value_or(0)};
  return sum.value;
}

bool flag_of(const Json& row, const char* key, bool otherwise) {
  const auto at = row.find(key);
  return at != row.end() && at->is_boolean() ? at->get<bool>() : otherwise;
}

std::string first_error(const Issues& issues) {
  for (const Issue& issue : issues)
    if (issue.severity == Severity::error) return issue.message;
  return "The config could not be read.";
}

void compare_model(const Json& row, std::vector<Comparison>& into) {
  const Keys& keys = row.contains(kPublished.total) ? kPublished : kCatalogue;
  Comparison total;
  for (const char* key : {"hf_id", "id", "name"})
    if (total.id.empty()) total.id = text_of(row, key);
  total.group = text_of(row, "family").empty() ? text_of(row, "model_type") : text_of(row, "family");
  total.unit = "parameters";
  Comparison active = total;
  total.metric = "params_total";
  total.measured = number_of(row, keys.total);
  total.explained = explained_difference(row, keys);
  total.measured_is_rounded = flag_of(row, "published_is_rounded", false) || !flag_of(row, "published_is_exact", true);
  active.metric = "params_active";
  active.measured = number_of(row, keys.active);
  active.measured_is_rounded = true; // makers round, and differ in whether they count embedding and head

  const std::string config = dump(row.at("config"));
  const ImportedModel imported = import_huggingface_config(config);
  if (imported.model) {
    total.modelled = active.modelled = true;
    total.predicted = total.low = total.high = count_parameters(*imported.model).value;
    active.predicted = active.low = active.high = count_active_parameters(*imported.model).value;
    total.scenario = active.scenario = to_query(request_of_config(config));
  } else {
    total.reason = active.reason = first_error(imported.issues);
  }
  into.push_back(std::move(total));
  into.push_back(std::move(active));
}

} // namespace

Schema models() { return {"models", matches, compare_model, nullptr}; }

} // namespace plimsoll::io::accuracy
