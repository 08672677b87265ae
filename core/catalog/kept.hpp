#pragma once
// What one answer after another asks for, made once: models of the catalogue as they are published, and the profiles asked for last.

#include "plimsoll/catalog/catalog.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Threads may ask at the same time.
class Catalog::Kept {
public:
  /// Stays where it is.
  const ImportedModel& model(const ModelRow& row);

  /// `make` reads what is not kept, here and below.
  const std::vector<ModelWords>& words(const std::function<std::vector<ModelWords>()>& make);
  std::shared_ptr<const Profile> profile(std::string_view id, std::string_view arch, const Implementation& asked, const std::function<Profile()>& make);

private:
  struct OfProfile {
    std::string id, arch;
    Implementation asked;
    std::shared_ptr<const Profile> profile;
  };

  std::mutex mutex_;
  std::map<std::string, ImportedModel, std::less<>> models_;
  std::vector<ModelWords> words_;
  std::vector<OfProfile> profiles_; ///< the one asked for last at the end
};

} // namespace plimsoll::io
