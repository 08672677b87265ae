#pragma once
// The presets that are compiled in: models, devices, profiles, citations (core/catalog/data), each with its source and date.

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/profile.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Tensors that a published number counts besides ours; negative for those that only we count.
struct CountDifference {
  std::string what;
  std::int64_t parameters = 0;
};

struct ModelRow {
  std::string id;
  std::string name;
  std::string family;
  std::size_t place = 0; ///< among those of the catalogue

  // Read of all rows when the first is asked for: a question that holds an id needs none.
  const std::vector<std::string>& aliases() const; ///< e.g. the Hugging Face id
  const std::vector<std::string>& tuned() const;   ///< models of other names whose published config has the same shape
};

/// What was published about a model, and where that and its config were read.
struct ModelRecord {
  std::int64_t parameters = 0;
  bool is_exact = false; ///< false: a rounded public number
  std::int64_t active_parameters = 0; ///< 0 where nobody states them; makers round, and count differently
  std::vector<CountDifference> differences; ///< why the published number is not our count: added up, published minus ours
  std::string note;
  std::string parameters_source;
  std::string active_source; ///< "" where nobody states active parameters
  std::string config_source;
  std::string date;
};

/// config.json of a row of the catalogue, in the program's own data. It is looked up on demand: few questions ask for more than one or two.
std::string_view config_of(const ModelRow& row);

/// Of a row of the catalogue; all are read when the first is asked for: an estimate needs none.
const ModelRecord& record_of(const ModelRow& row);

/// The model of a row, with that row's id and name. Never fails for rows of the catalogue without overrides: a test sees to it.
ImportedModel import_model(const ModelRow& row, const Overrides& overrides = {});

/// Where the figures of a device were read.
struct DeviceRecord {
  std::string notes;
  std::vector<std::string> sources;
  std::string evidence; ///< whether the figures were read in a source or recalled
};

struct DeviceRow {
  Hardware hardware;
  std::vector<std::string> aliases;
  std::string vendor;
  std::string kind; ///< consumer, workstation, datacenter, ...
  std::int64_t release_year = 0;
  std::string date;
  std::optional<DeviceRecord> own; ///< of a device of the user's
};

/// Its own, or that of the catalogue: all of those are read when the first is asked for.
const DeviceRecord& record_of(const DeviceRow& row);

struct CitationRow {
  std::string id;
  std::string text; ///< authors, title, year, with a locator
  std::string url;  ///< "" where there is none
};

/// What a screen opens with where nobody has asked for anything: an example, written into its link. No question takes this model by itself.
inline constexpr std::string_view kExampleQuery = "model=llama-3-8b";
inline constexpr std::string_view kDefaultDevice = "h100-80-sxm";

/// The model that people describe themselves: by a config, or by facts alone.
inline constexpr std::string_view kCustomModel = "custom";

class Catalog {
public:
  Catalog(); ///< of nothing
  /// Reads the data that is compiled in. Malformed data is a defect of the build, found by tests: throws std::runtime_error.
  static Catalog load();

  const std::vector<ModelRow>& models() const noexcept { return models_; }
  const std::vector<DeviceRow>& devices() const noexcept { return devices_; }
  const std::vector<CitationRow>& citations() const; ///< read when they are first asked for: an estimate needs none
  const WeightCatalog& weights() const noexcept { return weights_; }

  /// By id or alias, letter case ignored; null when there is none.
  const ModelRow* find_model(std::string_view id) const noexcept;
  const DeviceRow* find_device(std::string_view id) const noexcept;
  const CitationRow* find_citation(std::string_view id) const;

  /// The model of a row of models(), read when it is first asked for; it lives as long as the catalogue.
  const ImportedModel& model(const ModelRow& row) const;

  /// A model's names in words, each as it stands and without what only tells the tuning.
  struct ModelWords {
    std::vector<std::vector<std::string>> whole, plain;
  };
  /// Of each of models(), in their order, read when they are first asked for.
  const std::vector<ModelWords>& model_words() const;

  /// Devices of the user's own: one replaces the row of its id, another joins the list. Rows found before are no longer valid.
  void put_devices(std::vector<DeviceRow> rows);

  struct ProfileRow {
    std::string id, name, about;
    bool for_training = false, for_inference = false;
    std::vector<std::string> called; ///< other names: of the program, and of those that run on it
  };
  const std::vector<ProfileRow>& profiles() const; ///< read when they are first asked for: an estimate needs one
  std::optional<ProfileRow> find_profile(std::string_view id) const;
  /// The profile with its constants for that GPU architecture; null when there is no such profile. Those asked for last are kept.
  std::shared_ptr<const Profile> profile(std::string_view id, std::string_view arch, const Implementation& asked = {}) const;
  /// The profile that a task uses unless another is asked for.
  std::string_view default_profile(bool for_training) const noexcept;

  /// Ids nearest to a name that nothing has, by its words, best first, at most `most`: for remedies. Empty where no word is shared.
  std::vector<std::string> similar_models(std::string_view id, std::size_t most = 3) const;
  std::vector<std::string> similar_devices(std::string_view id, std::size_t most = 3) const;

private:
  class Kept;

  std::vector<ModelRow> models_;
  std::vector<DeviceRow> devices_;
  WeightCatalog weights_;
  std::shared_ptr<Kept> kept_; ///< copies of a catalogue share it
};

} // namespace plimsoll::io
