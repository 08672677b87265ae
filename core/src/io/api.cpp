#include "plimsoll/io/api.hpp"

#include "io/json.hpp"
#include "io/result_json.hpp"
#include "plimsoll/io/huggingface.hpp"
#include "plimsoll/parameters.hpp"

#ifndef PLIMSOLL_VERSION
#error "the build passes the project's version"
#endif

namespace plimsoll::io {

std::string estimate_json(const Answer& answer) { return dump(estimate_result(answer)); }

std::string explain_json(const Catalog& catalog, const Answer& answer) {
  Json result = estimate_result(answer);
  result["explanation"] = nullptr;
  if (answer.ok) result["explanation"] = explanation_result(catalog, explain(answer.scenario, answer.estimate));
  return dump(result);
}

std::string validate_json(const Answer& answer) {
  return dump(Json{{"ok", answer.ok}, {"issues", issues_result(answer.issues)}, {"query", canonical_query(answer)}});
}

std::string import_config_json(std::string_view text) {
  const ImportedModel imported = import_huggingface_config(text);
  Json result{{"ok", imported.model.has_value()}, {"issues", issues_result(imported.issues)}};
  result["fields"] = nullptr;
  result["parameters"] = nullptr;
  result["query"] = nullptr;
  if (!imported.model) return dump(result);
  const Request request = request_of(*imported.model);
  Json stated = Json::object();
  for (const Entry& entry : request.entries()) {
    const Field* field = find_field(entry.name);
    if (field->kind == FieldKind::integer) stated[entry.name] = std::stoll(entry.text);
    else if (field->kind == FieldKind::flag) stated[entry.name] = entry.text == "true";
    else stated[entry.name] = entry.text;
  }
  result["fields"] = std::move(stated);
  result["parameters"] = count_parameters(model_of(*imported.model)).value;
  result["query"] = to_query(request);
  return dump(result);
}

std::string failure_json(const Issues& issues) { return dump(Json{{"ok", false}, {"issues", issues_result(issues)}}); }

std::string catalog_json(const Catalog& catalog) { return dump(catalog_result(catalog)); }

std::string fields_json(const Catalog& catalog) { return dump(fields_result(catalog)); }

std::string edit_query(const Catalog& catalog, std::string_view query, std::string_view name, std::string_view text) {
  Issues issues;
  Request request = request_from_query(query, issues);
  edit(request, name, text);
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

std::string_view version() noexcept { return PLIMSOLL_VERSION; }

} // namespace plimsoll::io
