#include "invariants.hpp"

#include "broken.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/parameters.hpp"
#include "text/json.hpp"

#include <utility>

namespace plimsoll::fuzz {

namespace {

using io::Json;

/// What is printed here may be long, and is read back whole.
io::ParsedJson parsed(const std::string& printed) { return io::parse_json(printed, {.bytes = std::size_t{1} << 30, .keys = 10'000'000}); }

/// Valid JSON, which includes valid UTF-8, and an object with the keys that every result has.
std::string broken_json(const char* function, const std::string& text) {
  const io::ParsedJson json = parsed(text);
  if (!json.ok) return std::string{function} + " did not return JSON: " + text.substr(0, 400);
  if (!json.value.contains("ok") || !json.value.contains("issues")) return std::string{function} + " lacks ok or issues";
  return "";
}

std::string broken_estimate(const io::Answer& answer) {
  if (answer.ok == has_errors(answer.issues)) return "ok and the issues disagree";
  if (!answer.ok) return "";
  for (std::size_t i = 0; i < answer.estimate.moments.size(); ++i) {
    const MomentUse& use = answer.estimate.moments[i];
    if (use.total > answer.estimate.at_peak().total) return "a moment is above the peak";
    if (use.low > use.total || use.high < use.total) return "a moment is outside its own range";
    Bytes sum{0};
    for (const Bytes part : use.parts) {
      if (part < Bytes{0}) return "a part is negative";
      sum += part;
    }
    if (sum != use.total) return "a moment is not the sum of its parts";
  }
  return "";
}

std::string broken_outputs(const io::Catalog& catalog, const io::Answer& answer) {
  return first_of({broken_issues(answer.issues), broken_estimate(answer), broken_json("estimate_json", io::estimate_json(answer)),
                   broken_json("explain_json", io::explain_json(catalog, answer)),
                   broken_json("validate_json", io::validate_json(answer))});
}

/// What estimate_json says apart from remarks on how the question was put: that a key stands twice, or has no effect, is
/// no longer true of the canonical query.
std::string substance(const io::Answer& answer) {
  Json result = parsed(io::estimate_json(answer)).value;
  Json errors = Json::array();
  for (const Json& issue : result.at("issues"))
    if (issue.at("severity").get<std::string>() == "error") errors.push_back(issue);
  result["issues"] = errors;
  return io::dump(result);
}

std::string broken_round_trip(const io::Catalog& catalog, const io::Answer& answer) {
  const std::string canonical = io::canonical_query(answer);
  const io::Answer again = io::answer_query(catalog, canonical);
  if (const std::string second = io::canonical_query(again); second != canonical)
    return "the canonical query " + canonical + " has another canonical query, " + second;
  if (substance(again) != substance(answer))
    return "the canonical query " + canonical + " gives another result:\n" + substance(answer) + "\nagain:\n" + substance(again);
  return "";
}

/// What could not be read at all (`carried` errors) is not in the request, so the canonical query cannot repeat it.
std::string broken_answer(const io::Catalog& catalog, const io::Request& request, Issues carried) {
  const bool repeatable = !has_errors(carried);
  const io::Answer answer = io::answer(catalog, request, std::move(carried));
  const std::string outputs = broken_outputs(catalog, answer);
  return outputs.empty() && repeatable ? broken_round_trip(catalog, answer) : outputs;
}

std::string broken_imported(const io::ImportedModel& imported) {
  if (const std::string issues = broken_issues(imported.issues); !issues.empty()) return issues;
  if (!imported.model) return has_errors(imported.issues) ? "" : "nothing was imported, without an error";
  const Model& model = *imported.model;
  if (count_parameters(model) < count_active_parameters(model)) return "more parameters are active than there are";
  Count layers;
  for (const LayerGroup& group : model.groups) layers += group.layers;
  return layers == Count{static_cast<std::int64_t>(model.pattern.size())} ? "" : "groups and pattern differ in their layers";
}

} // namespace

std::string broken_by_query(const io::Catalog& catalog, std::string_view query) {
  return guarded([&] {
    Issues carried;
    const io::Request request = io::request_from_query(query, carried);
    return broken_answer(catalog, request, std::move(carried));
  });
}

std::string broken_by_scenario(const io::Catalog& catalog, std::string_view json) {
  return guarded([&] {
    Issues carried;
    const io::Request request = io::request_from_json(json, carried);
    return broken_answer(catalog, request, std::move(carried));
  });
}

std::string broken_by_request(const io::Catalog& catalog, const io::Request& request) {
  return guarded([&] { return broken_answer(catalog, request, {}); });
}

std::string broken_by_import(std::string_view config) {
  return guarded([&] { return broken_imported(io::import_huggingface_config(config)); });
}

std::string broken_by_config(const io::Catalog& catalog, std::string_view config) {
  return guarded([&] {
    const std::string printed = io::import_config_json(config);
    const io::ImportedModel imported = io::import_huggingface_config(config);
    const std::string outputs = first_of({broken_json("import_config_json", printed), broken_imported(imported)});
    if (!outputs.empty() || !imported.model) return outputs;
    const std::string fields = io::dump(parsed(printed).value.at("fields"));
    const io::Answer answer = io::answer_json(catalog, fields);
    for (const Issue& issue : answer.issues)
      if (issue.severity == Severity::error && !issue.field.empty()) // "" is: too large to count
        return "what was imported is not accepted: " + issue.field + ": " + issue.message + " " + fields;
    return broken_by_scenario(catalog, fields);
  });
}

} // namespace plimsoll::fuzz
