#pragma once
// A request while the keys of a file become inputs.

#include "files/training/document.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/training_config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::configs {

struct RequestBuilder {
  RequestBuilder(const Catalog& of, TrainingConfig& into) : catalog(of), config(into) {}

  void set(std::string_view field, std::string_view text) { config.request.set(field, text); }
  void set(std::string_view field, std::int64_t number) { set(field, std::to_string(number)); }
  void set_if(std::string_view field, const std::optional<std::int64_t>& number) {
    if (number) set(field, *number);
  }
  /// Where it is above 1: formats write 0 or 1 for "not at all".
  void set_above_one(std::string_view field, const std::optional<std::int64_t>& number) {
    if (number && *number > 1) set(field, *number);
  }
  /// A share of a whole, in thousandths. False: none is stated that is above 0 and at most 1, and nothing is set.
  bool set_permille(std::string_view field, const std::optional<double>& share);
  bool has(std::string_view field) const { return config.request.find(field) != nullptr; }
  std::string text(std::string_view field) const {
    const std::string* found = config.request.find(field);
    return found != nullptr ? *found : "";
  }
  void say(Severity severity, std::string_view field, std::string message, std::string remedy) {
    config.issues.push_back({severity, std::string{field}, std::move(message), std::move(remedy)});
  }
  /// No estimate can be given for this file.
  void refuse(std::string_view field, std::string message, std::string remedy) { say(Severity::error, field, std::move(message), std::move(remedy)); }
  void assume(std::string sentence) { config.assumed.push_back(std::move(sentence)); }
  /// Sets what the program takes by itself, and says so.
  void set_assumed(std::string_view field, std::string_view text, std::string_view why) {
    set(field, text);
    assume(std::string{field} + " = " + std::string{text} + ": " + std::string{why});
  }

  /// A model as the file names it: its row of the catalogue, or an issue that says how to pass it.
  void name_model(std::string_view typed);
  /// The file names none.
  void miss_model(std::string_view format);
  /// The launcher says how many processes there are: where nobody told, it is asked. After the degrees.
  void miss_gpus();
  /// Sets data_parallel to the replicas on the GPUs that were told.
  void take_gpus();
  /// Ray starts one worker on each GPU, as many as the file says where nobody told another number.
  void take_ray(Document& document) {
    const bool ray = document.is_on("use_ray");
    const auto workers = document.whole("ray_num_workers");
    if (ray && workers && gpus == 0) gpus = *workers;
  }

  const Catalog& catalog;
  TrainingConfig& config;
  std::int64_t gpus = 0; ///< that somebody told beside the file; 0 where nobody did
  std::string stored;    ///< how the model's name says that its weights are stored, e.g. "awq_4bit_g128"; "" where it says nothing
};

} // namespace plimsoll::io::configs
