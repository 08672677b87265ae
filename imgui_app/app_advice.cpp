// What is tried out beside the question itself: remedies of its errors, the same number under other profiles, changes that make it fit.
#include "app.hpp"

#include "plimsoll/files/command_line.hpp"
#include "plimsoll/questions/remedies.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::size_t kMostMended = 4; ///< errors: each takes dozens of answers

} // namespace

void App::find_remedies() {
  remedies.clear();
  std::vector<std::string_view> mended;
  for (const Issue& issue : answer.issues) {
    if (issue.severity != Severity::error || issue.field.empty() || mended.size() == kMostMended || std::ranges::find(mended, issue.field) != mended.end()) continue;
    mended.emplace_back(issue.field);
    for (io::InputChange& change : io::remedies(catalog, answer, issue)) remedies.push_back({issue.field, std::move(change)});
  }
}

/// Where answers come in slices, a few profiles in each frame after the one that shows the answer: there are twenty.
void App::look_under_profiles() {
  if (!shown || judging || !view.rects.contains("card")) return looking.reset();
  if (answers_in_slices && effects.answered) return;
  const auto is_wanted = [&](const OtherProfiles& one) { return one.query == query && one.component == view.selected && one.moment == view.moment && one.rank == view.rank; };
  if (is_wanted(other_profiles)) return looking.reset();
  if (!looking || !is_wanted(*looking)) looking = OtherProfiles{query, view.selected, view.moment, view.rank, {}};
  for (const std::vector<io::Catalog::ProfileRow>& all = catalog.profiles(); looking->seen < all.size(); ++looking->seen) {
    if (answers_in_slices && !has_time()) return;
    if (auto row = io::amount_under(catalog, all[looking->seen], shown->answer, view.selected, view.moment, view.rank)) looking->rows.push_back(std::move(*row));
  }
  other_profiles = std::move(*looking);
  looking.reset();
  wake();
}

/// One step of what is sought for the present question; false once nothing is left.
bool App::advance_advice() {
  if (!advice || advice->query != query) advice.emplace(Advice{query, io::AdviceSession{catalog, answer}});
  if (!advice->running) return false;
  advice->running = advice->session.advance();
  return true;
}

bool App::advance_growth() {
  if (!growth || growth->query != query) growth.emplace(Growth{query, io::CurveAdviceSession{catalog, answer, "context_tokens"}});
  if (!growth->running) return false;
  growth->running = growth->session.advance();
  if (!growth->running) grown = growth->session.curve();
  return true;
}

void App::find_launch() {
  if (launch.query == query) return;
  launch = {query, {}};
  if (trains(answer.inputs.workload.task)) return;
  for (const std::string_view engine : io::exportable_engines())
    if (answer.profile_id.starts_with(engine)) launch.text = io::export_command_line(catalog, answer, engine).text;
}

void App::advise_when_settled() {
  seeking = false;
  if (looking || !advises || ImGui::IsAnyItemActive() || !answer.ok || !answer.footprint) return;
  const bool begun = growth && growth->query == query;
  if (!begun && unsettled_frames > 0) return;
  find_launch();
  const bool grew = begun && !growth->running;
  bool more = true;
  while (more && has_time()) more = advance_growth() || advance_advice();
  const bool is_news = (!growth->running && !grew) || (!more && !told_advice);
  told_advice = !more;
  seeking = more;
  if (is_news) wake(); // what was found is drawn; looking for it is not
}

} // namespace plimsoll::app
