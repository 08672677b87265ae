#include "scenario_laws.hpp"

#include "plimsoll/method/solve.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::test {

namespace {

using io::Answer;

std::string broken_issues(const Issues& issues) {
  for (const Issue& issue : issues)
    if (issue.message.empty() || issue.remedy.empty()) return "an issue about '" + issue.field + "' says nothing or has no remedy";
  return "";
}

std::string broken_sums(const Estimate& estimate) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) {
    const MomentUse& use = estimate.moments[i];
    Bytes sum{0};
    for (const Bytes part : use.parts) {
      if (part < Bytes{0}) return "a part is negative";
      sum += part;
    }
    if (sum != use.total) return "a moment is not the sum of its parts";
    if (use.low > use.total || use.high < use.total) return "a moment is outside its own range";
    if (use.total > estimate.at_peak().total) return "a moment is above the peak";
  }
  if (estimate.headroom + estimate.at_peak().total != estimate.usable) return "what is left and the peak are not what is usable";
  if (estimate.fits != (estimate.at_peak().total - estimate.movable <= estimate.usable)) return "it fits, and does not";
  for (std::size_t rank = 0; rank < estimate.ranks.size(); ++rank)
    if (estimate.ranks[rank].total > estimate.at_peak().total) return "a rank is above the fullest one";
  return "";
}

bool are_equal(const Estimate& one, const Estimate& other) {
  if (one.moments.size() != other.moments.size() || one.peak != other.peak || one.rank != other.rank || one.usable != other.usable || one.host != other.host) return false;
  for (std::size_t i = 0; i < one.moments.size(); ++i) {
    const MomentUse &a = one.moments[i], &b = other.moments[i];
    if (a.moment != b.moment || a.parts != b.parts || a.total != b.total || a.low != b.low || a.high != b.high || a.requested != b.requested) return false;
  }
  return one.gpus == other.gpus;
}

bool are_equal(const Facts& one, const Facts& other) {
  return one.parameters == other.parameters && one.active_parameters == other.active_parameters && one.parameters_per_gpu == other.parameters_per_gpu &&
         one.kv_cache_per_token == other.kv_cache_per_token && one.kv_cache_growth == other.kv_cache_growth && one.states_per_parameter == other.states_per_parameter;
}

std::string broken_repetition(const io::Catalog& catalog, const Answer& answer) {
  Issues ignored;
  const std::string query = canonical_query(answer);
  const Answer again = io::answer(catalog, io::request_from_query(query, ignored));
  if (!again.ok) return "the canonical query is refused: " + query;
  if (canonical_query(again) != query) return "the canonical query " + query + " has another, " + canonical_query(again);
  return are_equal(answer.estimate, again.estimate) ? "" : "the canonical query gives another estimate: " + query;
}

std::string broken_capitals(const io::Catalog& catalog, const Answer& answer) {
  io::Request shouted;
  for (const io::Entry& entry : answer.request.entries()) {
    std::string text = entry.text;
    const Field* const field = find_field(entry.name);
    if (field != nullptr && field->kind != FieldKind::text)
      for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    shouted.set(entry.name, text);
  }
  const Answer there = io::answer(catalog, shouted);
  return there.ok && canonical_query(there) == canonical_query(answer) ? "" : "in capital letters it is another question: " + to_query(shouted);
}

/// More of an input never needs less, where more of it is possible at all.
std::string broken_growth(const io::Catalog& catalog, const Answer& answer, std::string_view name) {
  const Field& field = *find_field(name);
  Inputs inputs = answer.inputs;
  const std::int64_t value = field.get(inputs);
  if (!applies(field, inputs.workload.task) || value > field.max / 2) return "";
  field.set(inputs, 2 * value);
  const Profile engine = *catalog.profile(catalog.default_profile(false), inputs.hardware.arch);
  const Trial more = try_inputs(inputs, answer.scenario.profile, engine, Judge::estimate);
  if (more.verdict() == Verdict::invalid || more.estimate.saturated) return "";
  return more.estimate.at_peak().total >= answer.estimate.at_peak().total ? "" : "twice the " + std::string{name} + " needs less: " + canonical_query(answer);
}

} // namespace

std::string broken_law(const io::Catalog& catalog, const Answer& answer) {
  if (answer.ok == has_errors(answer.issues)) return "ok and the issues disagree";
  if (std::string broken = broken_issues(answer.issues); !broken.empty() || !answer.ok) return broken;
  if (std::string broken = broken_sums(answer.estimate); !broken.empty()) return broken;
  if (!are_equal(answer.estimate, estimate(answer.scenario))) return "the same scenario has two estimates";
  if (!are_equal(answer.facts, facts_of(answer.scenario, answer.estimate.rank))) return "the same scenario has two sets of facts";
  if (answer.judgement.pool.tokens != judge(answer.scenario, answer.estimate).pool.tokens) return "the same scenario has two pools";
  if (std::string broken = broken_repetition(catalog, answer); !broken.empty()) return broken;
  if (std::string broken = broken_capitals(catalog, answer); !broken.empty()) return broken;
  if (std::string broken = broken_growth(catalog, answer, "batch"); !broken.empty()) return broken;
  return broken_growth(catalog, answer, "context_tokens");
}

} // namespace plimsoll::test
