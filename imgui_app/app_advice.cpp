// What is tried out beside the question itself: remedies of its errors, the same number under other profiles, changes that make it fit.
#include "app.hpp"

#include "plimsoll/questions/remedies.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::size_t kMostMended = 4; ///< errors: each takes dozens of answers
constexpr std::chrono::milliseconds kPerFrame{8};

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

void App::look_under_profiles() {
  if (!shown || !view.rects.contains("card")) return;
  OtherProfiles wanted{query, view.selected, view.moment, view.rank, {}};
  if (wanted.query == other_profiles.query && wanted.component == other_profiles.component && wanted.moment == other_profiles.moment && wanted.rank == other_profiles.rank) return;
  wanted.rows = io::amounts_by_profile(catalog, shown->answer, view.selected, view.moment, view.rank);
  other_profiles = std::move(wanted);
  wake();
}

void App::advise_when_settled() {
  if (!advises || ImGui::IsAnyItemActive() || !answer.ok || !answer.footprint || answer.judgement.holds()) return;
  const bool begun = advice && advice->query == query;
  if (!begun && unsettled_frames > 0) return;
  if (!begun) advice.emplace(Advice{query, io::AdviceSession{catalog, request}});
  if (!advice->running) return;
  const auto end = std::chrono::steady_clock::now() + kPerFrame;
  while (advice->running && std::chrono::steady_clock::now() < end) advice->running = advice->session.advance();
  wake();
}

} // namespace plimsoll::app
