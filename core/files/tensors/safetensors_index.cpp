// model.safetensors.index.json: {"metadata": {"total_size", "total_parameters"}, "weight_map": {tensor: file}}, as transformers
// writes it beside the shards of a large model.

#include "files/tensors/safetensors.hpp"
#include "files/tensors/sax.hpp"
#include "files/tensors/totals.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::size_t kMostTensors = 1'000'000;

class IndexReader : public SaxReader {
public:
  IndexReader(TensorFile& file, Report& report) : SaxReader(report), file_(file) {}

  std::vector<std::string> shards; ///< of each tensor
  bool has_map = false;
  bool has_size = false;

private:
  enum class Place : unsigned char { elsewhere, root, metadata, map };

  bool on_object() override {
    if (depth() == 1) return go(Place::root);
    if (depth() == 2 && key_ == "metadata") return go(Place::metadata);
    if (depth() == 2 && key_ == "weight_map") return has_map = true, go(Place::map);
    return go(Place::elsewhere);
  }
  bool on_object_closed() override { return go(depth() == 1 ? Place::root : Place::elsewhere); }
  bool on_array() override { return depth() == 1 ? not_an_object() : go(Place::elsewhere); }
  bool on_array_closed() override { return go(depth() == 1 ? Place::root : Place::elsewhere); }
  bool on_key(std::string& text) override {
    key_ = text;
    return true;
  }

  bool on_integer(std::int64_t value) override {
    if (place_ == Place::metadata && (key_ == "total_size" || key_ == "total_parameters")) {
      if (value < 0) report().error("metadata." + key_, "It is negative: " + std::to_string(value) + ".", kDownloadAgain);
      else if (key_ == "total_size") file_.bytes = Bytes{value}, has_size = true;
      else file_.elements = Count{value};
      file_.metadata.push_back({key_, std::to_string(value)});
      return file_.metadata.size() < kMostFacts || stop("metadata." + key_, "It stands there too often.", kDownloadAgain);
    }
    return on_other("a number");
  }
  bool on_text(std::string& text) override {
    if (place_ != Place::map) return on_other(text);
    if (file_.tensors.size() >= kMostTensors)
      return stop("weight_map", "It lists more than " + std::to_string(kMostTensors) + " tensors.",
                  "Give the model's config.json instead.");
    file_.tensors.emplace_back();
    file_.tensors.back().name = key_;
    shards.push_back(text);
    return true;
  }
  bool on_other(std::string_view) override {
    if (depth() == 0) return not_an_object();
    if (place_ == Place::map) report().error("weight_map." + shortened(key_), "It does not name a file.", kDownloadAgain);
    return true;
  }

  bool not_an_object() { return stop("", "The text is not a JSON object.", "Give model.safetensors.index.json."); }
  bool go(Place place) {
    place_ = place;
    return true;
  }

  static constexpr std::size_t kMostFacts = 16;
  TensorFile& file_;
  Place place_ = Place::elsewhere;
  std::string key_;
};

std::size_t count_different(std::vector<std::string> names) {
  std::ranges::sort(names);
  return static_cast<std::size_t>(std::unique(names.begin(), names.end()) - names.begin());
}

} // namespace

TensorFile read_safetensors_index(std::string_view text) {
  TensorFile file;
  Report report;
  file.kind = TensorFileKind::safetensors_index;
  IndexReader reader{file, report};
  file.complete = text.size() <= static_cast<std::size_t>(kMostHeaderBytes) && read_json_events(text, reader);
  if (text.size() > static_cast<std::size_t>(kMostHeaderBytes))
    report.error("", "The text is longer than " + std::to_string(kMostHeaderBytes) + " bytes.",
                 "Give the model's config.json instead.");
  if (file.complete) {
    file.header_bytes = static_cast<std::int64_t>(text.size());
    if (!reader.has_map)
      report.error("weight_map", "It is missing.", "Give model.safetensors.index.json, which maps tensors to files.");
    if (!reader.has_size)
      report.warning("metadata.total_size", "It is missing, so the bytes are unknown.", "Give the headers of the shards.");
    report_duplicates(file, report);
    file.metadata.push_back({"files", std::to_string(count_different(std::move(reader.shards)))});
    report.note("weight_map", "An index names tensors and files, but no shapes.",
                "Give the model's config.json for an estimate, or a shard for its tensors.");
  } else {
    file.tensors.clear();
  }
  file.by_dtype.clear();
  file.issues = report.take();
  return file;
}

} // namespace plimsoll::io::tensor_files
