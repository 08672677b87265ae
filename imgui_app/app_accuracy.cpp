// Rows of evidence: asked for when their tab is opened, chosen from when the choice changes.
#include "app.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::app {

void App::set_evidence(std::string_view text) {
  evidence = {};
  evidence.all = io::read_evidence(text);
  evidence.state = has_errors(evidence.all.issues) ? Arrival::missing : Arrival::there;
  evidence.units = io::units_of(evidence.all);
  evidence.corpora = io::corpora_of(evidence.all);
  choose_evidence();
  wake();
}

void App::look_at_evidence() {
  if (view.tab != Tab::accuracy) return;
  if (is_asked_now(evidence.state, effects.want_evidence)) wake();
  io::EvidenceChoice wanted = view.evidence;
  if (evidence.state == Arrival::there && wanted != evidence.choice) choose_evidence(), wake();
}

void App::choose_evidence() {
  evidence.choice = view.evidence;
  io::EvidenceChoice effective = view.evidence;
  if (effective.unit.empty() && !effective.missing && !evidence.units.empty()) effective.unit = evidence.units.front();
  evidence.groups = io::groups_of(evidence.all, effective.corpus);
  evidence.rows = io::chosen_rows(evidence.all, effective);
  evidence.sentence = effective.missing ? format_count(Count{std::ssize(evidence.rows)}) + " are not covered; each says why." : io::sentence_of(io::summary_of(evidence.all, evidence.rows));
}

} // namespace plimsoll::app
