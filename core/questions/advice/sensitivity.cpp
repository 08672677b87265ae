#include "plimsoll/questions/sensitivity.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/request/request_text.hpp"
#include "method/sort_stably.hpp"
#include "questions/advice/pace.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace plimsoll::io {

namespace {

/// What of a scenario is a plain question of more or less; ids and texts are not, nor is money, which moves no byte.
bool is_moved(const Field& field, const Answer& answer) {
  if (field.set == nullptr || field.topic == Topic::cost || field.topic == Topic::model || field.topic == Topic::task) return false;
  return applies(field, answer.inputs.workload.task) && !is_idle(field, answer.inputs);
}

std::vector<std::int64_t> other_values(const Field& field, std::int64_t now) {
  std::vector<std::int64_t> values;
  if (field.kind == FieldKind::flag) values.push_back(now == 0 ? 1 : 0);
  for (const Choice& choice : field.choices)
    if (choice.value != now) values.push_back(choice.value);
  if (field.kind != FieldKind::integer || now <= 0) return values; // 0 leaves the matter to engine or framework
  if (now / 2 >= std::max<std::int64_t>(field.min, 1) && now / 2 != now) values.push_back(now / 2);
  if (now <= field.max / 2) values.push_back(2 * now);
  return values;
}

InputMove move_of(const Field& field, std::int64_t from, std::int64_t to) {
  InputMove move;
  move.field = field.name;
  move.from = text_of(field, from);
  move.to = text_of(field, to);
  move.text = std::string{label_of(field)} + ": " + move.from + " to " + move.to;
  return move;
}

} // namespace

Sensitivity sensitivity(const Catalog& catalog, const Request& request, Issues carried) {
  Sensitivity result;
  Answer base = answer(catalog, request, std::move(carried));
  add_footprint(base);
  result.issues = base.issues;
  result.ok = base.ok;
  if (!base.ok) return result;
  const Pace before = pace_of(base.scenario, base.estimate.gpus);
  for (const Field& field : fields()) {
    if (!is_moved(field, base)) continue;
    const std::int64_t now = field.get(base.inputs);
    for (const std::int64_t value : other_values(field, now)) {
      InputMove move = move_of(field, now, value);
      Request changed = base.request;
      changed.set(field.name, move.to);
      const Answer there = answer(catalog, changed);
      if (!there.ok) continue;
      move.change = there.estimate.at_peak().total - base.estimate.at_peak().total;
      move.time_permille = permille(pace_of(there.scenario, there.estimate.gpus), before, false);
      if (move.change != Bytes{0} || (move.time_permille != 1000 && move.time_permille != 0)) result.inputs.push_back(std::move(move));
    }
  }
  sort_stably(result.inputs, std::ranges::greater{}, [](const InputMove& move) { return std::abs(move.change.value); });
  Count width;
  for (const Uncertainty& one : base.footprint->uncertainties) width += Count{(one.less + one.more).value};
  for (const Uncertainty& one : base.footprint->uncertainties) {
    const double share = 1000 * static_cast<double>((one.less + one.more).value) / static_cast<double>(std::max<std::int64_t>(width.value, 1));
    result.uncertainties.push_back({one, static_cast<std::int64_t>(share + 0.5)});
  }
  return result;
}

std::string sensitivity_json(const Sensitivity& sensitivity) {
  Json inputs = Json::array(), uncertainties = Json::array();
  for (const InputMove& move : sensitivity.inputs)
    inputs.push_back({{"field", move.field}, {"text", move.text}, {"from", move.from}, {"to", move.to}, {"change_bytes", move.change.value},
                      {"change_text", format_change(move.change)}, {"time_permille", move.time_permille > 0 ? Json(move.time_permille) : Json(nullptr)}});
  for (const UncertaintyMove& move : sensitivity.uncertainties) {
    const Uncertainty& one = move.uncertainty;
    uncertainties.push_back({{"id", one.id}, {"label", one.label}, {"less_bytes", one.less.value}, {"more_bytes", one.more.value}, {"less_text", format_bytes(one.less)},
                             {"more_text", format_bytes(one.more)}, {"share_permille", move.share_permille}, {"basis", name_of(one.basis)}, {"citation", one.citation}});
  }
  return dump(Json{{"ok", sensitivity.ok}, {"issues", issues_result(sensitivity.issues)}, {"inputs", std::move(inputs)}, {"uncertainties", std::move(uncertainties)}});
}

std::string sensitivity_json(const Catalog& catalog, std::string_view scenario, bool is_json) {
  Issues issues;
  const Request request = request_from_text(scenario, is_json, issues);
  return sensitivity_json(sensitivity(catalog, request, std::move(issues)));
}

} // namespace plimsoll::io
