#include "plimsoll/results/api.hpp"

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/request/request_text.hpp"
#include "results/result_json.hpp"
#include "text/json.hpp"

#include <utility>

#ifndef PLIMSOLL_VERSION
#error "the build passes the project's version"
#endif

namespace plimsoll::io {

std::string estimate_json(const Answer& answer) { return dump(estimate_result(answer)); }

std::string explain_json(const Catalog& catalog, const Answer& answer, bool readings) {
  Json result = estimate_result(answer);
  result["explanation"] = nullptr;
  if (answer.ok) result["explanation"] = explanation_result(catalog, explain(answer.scenario, answer.estimate));
  result["rules"] = answer.ok ? rules_result(catalog, answer.scenario, answer.estimate) : Json::array();
  if (readings && answer.ok) result["readings"] = readings_result(answer);
  return dump(result);
}

std::string rules_json(const Catalog& catalog, const Answer& answer) {
  return dump(Json{{"ok", answer.ok}, {"issues", issues_result(answer.issues)}, {"query", canonical_query(answer)},
                   {"rules", answer.ok ? rules_result(catalog, answer.scenario, answer.estimate) : Json::array()}});
}

std::string headline_json(Answer answer) {
  add_footprint(answer);
  return dump(Json{{"ok", answer.ok}, {"headline", headline_result(answer)}});
}

std::string validate_json(const Answer& answer) {
  return dump(Json{{"ok", answer.ok}, {"issues", issues_result(answer.issues)}, {"query", canonical_query(answer)}});
}

std::string import_config_json(std::string_view text, const Overrides& overrides) {
  return dump(import_result(text, import_huggingface_config(text, overrides), overrides));
}

std::string failure_json(const Issues& issues) { return dump(Json{{"ok", false}, {"issues", issues_result(issues)}}); }

std::string catalog_json(const Catalog& catalog) { return dump(catalog_result(catalog)); }
std::string names_json(const Catalog& catalog) { return dump(names_result(catalog)); }

std::string fields_json(const Catalog& catalog) { return dump(fields_result(catalog)); }

std::string edit_query(const Catalog& catalog, std::string_view query, std::string_view name, std::string_view text, bool can_read) {
  Issues issues;
  Request request = request_from_query(query, issues);
  edit(request, name, text);
  if (!can_read && reads_config(request)) return to_query(request);
  return canonical_query(answer(catalog, request, std::move(issues)));
}

Answer answer_query(const Catalog& catalog, std::string_view query) {
  Issues issues;
  const Request request = request_from_query(query, issues);
  return answer(catalog, request, std::move(issues));
}

Answer answer_json(const Catalog& catalog, std::string_view json) {
  Issues issues;
  const Request request = request_from_json(json, issues);
  return answer(catalog, request, std::move(issues));
}

Answer answer_with_devices(const Catalog& catalog, std::string_view input, bool is_json, std::string_view devices) {
  Issues issues;
  const Catalog all = catalog_with(catalog, devices, issues);
  const Request request = request_from_text(input, is_json, issues);
  return answer(all, request, std::move(issues));
}

std::string_view version() noexcept { return PLIMSOLL_VERSION; }

} // namespace plimsoll::io
