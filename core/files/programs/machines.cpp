#include "files/programs/machines.hpp"

#include "plimsoll/catalog/names.hpp"
#include "text/members.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

constexpr std::size_t kMostNames = 16;

void add(Machines& into, std::string name) {
  if (name.size() > 1 && name.back() == 'G' && name[name.size() - 2] >= '0' && name[name.size() - 2] <= '9') name += 'B'; // Ray's "A100-40G"
  if (!name.empty() && into.gpus.size() < kMostNames && std::ranges::find(into.gpus, name) == into.gpus.end()) into.gpus.push_back(std::move(name));
}

/// Keys of labels by which a pod chooses its node.
bool is_label(std::string_view key) {
  constexpr std::array<std::string_view, 6> kLabels{"nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "cloud.google.com/gke-tpu-accelerator", "karpenter.k8s.aws/instance-gpu-name", "gpu.nvidia.com/class", "amd.com/gpu.product-name"};
  return std::ranges::find(kLabels, key) != kLabels.end();
}

/// "tpu-v5-lite-podslice" of GKE is a tpu-v5-lite.
std::string plain(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : "";
  if (text.starts_with("tpu-"))
    for (const std::string_view end : {"-podslice", "-slice", "-device"})
      if (text.ends_with(end)) text.erase(text.size() - end.size());
  return text;
}

bool is_count(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789.+") == std::string_view::npos; }

/// The name and the memory of "H100:80GB:8"; ranges of memory tell no device.
std::string of_parts(std::string_view text) {
  std::string name, memory;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_memory = part.ends_with("GB") && is_count(part.substr(0, part.size() - 2));
    if (is_memory) memory = part.find("..") == std::string_view::npos ? " " + std::string{part} : "";
    else if (!is_count(part) && name.empty()) name = part;
  }
  return name.empty() || name.find(',') != std::string::npos || name.find("..") != std::string::npos ? "" : name + memory;
}

/// {name, memory, count} of dstack.
std::string of_gpu(const Json& gpu) {
  if (!gpu.is_object()) return "";
  const std::string name = text_at(gpu, "name"), memory = text_at(gpu, "memory");
  return of_parts(name + (memory.empty() ? "" : ":" + memory));
}

void add_accelerators(const Json& value, Machines& into) {
  if (value.is_string()) add(into, of_parts(value.get<std::string>()));
  else if (value.is_array())
    for (const Json& each : value) add(into, of_parts(plain(each)));
  else if (value.is_object())
    for (const auto& [name, count] : value.items()) add(into, of_parts(name));
}

void walk(const Json& value, Machines& into, int depth) {
  if (depth > 32) return;
  if (value.is_array())
    for (const Json& each : value) walk(each, into, depth + 1);
  if (!value.is_object()) return;
  const bool one_of = value.contains("operator") && value["operator"] == Json("In") && value.contains("values") && value["values"].is_array();
  if (one_of && is_label(text_at(value, "key")))
    for (const Json& each : value["values"]) add(into, plain(each));
  for (const auto& [key, each] : value.items()) {
    if (is_label(key) || key == "accelerator_type") add(into, plain(each));
    else if (key == "accelerators") add_accelerators(each, into);
    else if (key == "gpu") add(into, each.is_string() ? of_parts(each.get<std::string>()) : of_gpu(each));
    else walk(each, into, depth + 1);
  }
}

/// What stands behind "gpu:" or an option's "=" in front of its number: "h100" of --gres=gpu:h100:8 and of --gpus-per-node=h100:8.
std::string type_of(std::string_view line) {
  for (const std::string_view option : {"--gres", "--gpus-per-node", "--gpus-per-task", "--gpus", "-G"}) {
    if (!line.starts_with(option)) continue;
    std::string_view text = line.substr(option.size());
    text = text.substr(std::min(text.find_first_not_of("= \t"), text.size()));
    text = text.substr(0, text.find_first_of(" \t\r#,"));
    if (option == "--gres" && !text.starts_with("gpu:")) return "";
    if (text.starts_with("gpu:")) text.remove_prefix(std::string_view{"gpu:"}.size());
    return of_parts(text);
  }
  return "";
}

std::string remark_in(std::string_view line) {
  constexpr std::string_view kRemark = "# device=";
  return line.starts_with(kRemark) ? std::string{trimmed(line.substr(kRemark.size(), line.find(':') - kRemark.size()))} : "";
}

} // namespace

void gpus_of(const Json& document, Machines& into) { walk(document, into, 0); }

void gpus_of(std::string_view text, Machines& into) {
  constexpr std::string_view kBatch = "#SBATCH";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(kBatch)) add(into, type_of(trimmed(line.substr(kBatch.size()))));
    else if (into.remarked.empty()) into.remarked = remark_in(line);
  }
}

Issue taken_for(std::string_view name, const DeviceRow& row, const std::vector<const DeviceRow*>& others) {
  std::vector<std::string> names;
  for (const DeviceRow* const other : others) names.push_back(other->hardware.name);
  return {Severity::note, "device", quoted(name) + " is taken for " + row.hardware.name + ".", "Choose " + joined_with_or(names) + " where yours is that."};
}

void take_device(const Catalog& catalog, const Machines& machines, ImportedText& into) {
  if (!into.ok || into.request.find("device") != nullptr) return;
  std::vector<const DeviceRow*> meant, fitting;
  const auto add_to = [](std::vector<const DeviceRow*>& list, const DeviceRow* row) {
    if (row != nullptr && std::ranges::find(list, row) == list.end()) list.push_back(row);
  };
  for (const std::string& name : machines.gpus) {
    const NamedDevice named = device_named(catalog, "1x" + name); // with its count, so that a name which is one device's alias says which others have it, too
    add_to(meant, named.row);
    add_to(fitting, named.row);
    for (const DeviceRow* row : named.candidates) {
      add_to(fitting, row);
      if (named.row == nullptr) add_to(meant, row);
    }
  }
  const DeviceRow* const remarked = machines.remarked.empty() ? nullptr : catalog.find_device(machines.remarked);
  if (remarked != nullptr && (fitting.empty() || std::ranges::find(fitting, remarked) != fitting.end())) return into.request.set("device", remarked->hardware.id);
  if (meant.size() == 1) {
    into.request.set("device", meant.front()->hardware.id);
    if (meant.front()->hardware.id.starts_with("tpu-") && into.request.find("profile") != nullptr && *into.request.find("profile") != "maxtext")
      into.issues.push_back({Severity::warning, "profile", "How " + into.name + " runs on TPUs is not known here: what it takes besides weights and cache is as on GPUs.", "Compare with its log there."});
    std::erase(fitting, meant.front());
    if (!fitting.empty()) into.issues.push_back(taken_for(machines.gpus.front(), *meant.front(), fitting));
  } else if (!meant.empty()) {
    OpenQuestion question{"device", "Which of these GPUs: ", "input", {}};
    for (const DeviceRow* row : meant) {
      question.text += (question.choices.empty() ? "" : ", ") + row->hardware.name;
      question.choices.push_back(row->hardware.id);
    }
    question.text += "?";
    into.questions.push_back(std::move(question));
  }
}

} // namespace plimsoll::io::programs
