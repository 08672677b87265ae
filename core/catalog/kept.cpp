#include "catalog/kept.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostProfiles = 64; // a question asks for one or two, a card of the app for those of all programs: a few kilobytes each

} // namespace

const ImportedModel& Catalog::Kept::model(const ModelRow& row) {
  const std::lock_guard lock{mutex_};
  const auto at = models_.find(row.id);
  return at != models_.end() ? at->second : models_.emplace(row.id, import_model(row)).first->second;
}

const std::vector<Catalog::ModelWords>& Catalog::Kept::words(const std::function<std::vector<ModelWords>()>& make) {
  const std::lock_guard lock{mutex_};
  if (words_.empty()) words_ = make();
  return words_;
}

std::shared_ptr<const Profile> Catalog::Kept::profile(std::string_view id, std::string_view arch, const Implementation& asked, const std::function<Profile()>& make) {
  const std::lock_guard lock{mutex_};
  const auto at = std::ranges::find_if(profiles_, [&](const OfProfile& one) { return one.id == id && one.arch == arch && one.asked == asked; });
  if (at != profiles_.end()) {
    std::rotate(at, at + 1, profiles_.end());
  } else {
    if (profiles_.size() == kMostProfiles) profiles_.erase(profiles_.begin());
    profiles_.push_back({std::string{id}, std::string{arch}, asked, std::make_shared<const Profile>(make())});
  }
  return profiles_.back().profile;
}

} // namespace plimsoll::io
