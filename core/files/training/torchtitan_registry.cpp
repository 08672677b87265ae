#include "files/training/torchtitan_registry.hpp"

#include "files/training/document.hpp"
#include "files/training/python.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace plimsoll::io::configs {

namespace {

using python::kCalled, python::kUnknown, python::kValues;

std::string called(const Json& value) {
  const auto at = value.find(kCalled);
  return value.is_object() && at != value.end() ? at->text() : std::string{};
}

const Json* member(const Json& value, std::string_view key) {
  const Json* const found = value.look(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

/// "config_utils.Float8LinearConverter.Config" is "Float8LinearConverter".
std::string class_of(const Json& value) {
  std::string name = called(value);
  if (name.ends_with(".Config")) name.erase(name.size() - 7);
  return name.substr(std::min(name.find_last_of('.') + 1, name.size()));
}

/// The folder of torchtitan/models that the flavours are of: that of the import, or what the function's name has before the flavour.
std::string folder_of(const python::Module& module, const std::string& registry, const std::string& function, const std::string& flavor) {
  constexpr std::string_view kModels = "torchtitan.models.";
  for (const python::Taken& taken : module.taken)
    if (taken.name == registry && taken.module.starts_with(kModels)) return taken.module.substr(kModels.size());
  std::string size = lower_case(flavor);
  std::ranges::replace(size, '-', '_');
  std::ranges::replace(size, '.', '_');
  const std::size_t at = function.find("_" + size);
  return at == std::string::npos ? function.substr(0, function.find('_')) : function.substr(0, at);
}

/// What a section says, without what no literal tells.
Json plain(const Json& section) {
  Json made = Json::object();
  for (const auto& [key, value] : section.items())
    if (key != kCalled && key != kValues && !value.is_object()) made[key] = value;
  return made;
}

/// Tokens of a pass were written as sequences before (until 2026).
void put_lengths(const Json& training, Json& into) {
  into = plain(training);
  const Json *const tokens = member(training, "num_tokens_per_microbatch_per_dp_rank"), *const length = member(training, "max_context_length");
  if (length == nullptr || !length->is_number_integer()) return;
  into["seq_len"] = *length;
  into.erase("max_context_length");
  if (tokens == nullptr || !tokens->is_number_integer()) return;
  const std::int64_t sequences = times(tokens->get<std::int64_t>(), length->get<std::int64_t>());
  if (sequences < 1) return;
  into["local_batch_size"] = static_cast<std::uint64_t>(sequences);
  into.erase("num_tokens_per_microbatch_per_dp_rank");
}

void put_recompute(const Json& section, Json& into) {
  const std::string name = class_of(section);
  into = plain(section);
  if (name == "FullAC") into["mode"] = "full";
  else if (name == "SelectiveAC") into["mode"] = "selective", into["selective_ac_option"] = "op"; // torchtitan/distributed/activation_checkpoint.py
  else if (name == "MemoryBudgetAC") into["mode"] = "memory_budget";
}

void put_model(const python::Module& module, const python::Built& built, const Json& spec, Json& tree) {
  const Json* flavor = member(spec, "flavor");
  if (const Json* const values = member(spec, kValues); flavor == nullptr && values != nullptr && !values->empty()) flavor = &values->elements().front();
  tree["model"] = Json::object();
  if (flavor == nullptr || !flavor->is_string()) return;
  tree["model"]["name"] = folder_of(module, called(spec), built.name, flavor->text());
  tree["model"]["flavor"] = *flavor;
  Json converters = Json::array();
  const Json* const listed = member(spec, "converters");
  for (const Json& each : listed != nullptr && listed->is_array() ? *listed : Json::array()) {
    const std::string name = class_of(each);
    converters.push_back(name == "Float8LinearConverter" ? std::string{"float8"} : name.empty() ? std::string{"a converter"} : name);
  }
  if (!converters.empty()) tree["model"]["converters"] = converters;
  const Json* const layers = member(spec, "num_mtp_layers");
  if (layers != nullptr && *layers != Json(0U)) tree["model"]["num_mtp_layers"] = *layers;
}

/// Sections without effect on memory, which the file's reader does not know.
bool is_harmless(std::string_view key) {
  constexpr std::array<std::string_view, 15> kKeys{"metrics", "profiler", "checkpoint", "lr_scheduler", "dataloader", "tokenizer", "hf_assets_path", "dump_folder",
                                                   "comm",    "validator", "debug",     "override",     "fault_tolerance", "ema_dump", "job"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

Json tree_of(const python::Module& module, const python::Built& built) {
  Json tree = Json::object();
  put_model(module, built, *member(built.value, "model_spec"), tree);
  tree["training"] = Json::object();
  tree["activation_checkpoint"] = Json::object();
  tree["loss"] = Json::object();
  for (const auto& [key, value] : built.value.items()) {
    if (key == kCalled || key == kValues || key == "model_spec" || is_harmless(key) || value.is_null()) continue;
    if (key == "training") put_lengths(value, tree["training"]);
    else if (key == "activation_checkpoint") put_recompute(value, tree["activation_checkpoint"]);
    else if (key == "optimizer") {
      tree[key] = plain(value);
      if (called(value) == "default_adamw") tree[key]["name"] = "AdamW"; // torchtitan/components/optimizer.py
    } else if (key == "loss") {
      if (class_of(value).starts_with("Chunked")) tree["loss"]["chunked"] = true; // torchtitan/components/loss.py: head and loss by pieces of the sequence
    } else {
      tree[key] = value.is_object() ? plain(value) : value;
    }
  }
  if (!tree["activation_checkpoint"].contains("mode")) tree["activation_checkpoint"]["mode"] = "none"; // torchtitan/trainer.py: nobody set one
  return tree;
}

RegisteredConfig config_of(const python::Module& module, const python::Built& built) {
  RegisteredConfig made{built.name, built.line, {}, {}, {}};
  const Json* const spec = member(built.value, "model_spec");
  const std::string kind = called(built.value);
  if (spec != nullptr && (spec->contains(kUnknown) || called(*spec).empty())) {
    made.error = built.name + " makes its model in a way that is not followed here.";
  } else if (spec != nullptr && kind.ends_with("Trainer.Config")) {
    if (built.whole) made.tree = tree_of(module, built);
    else made.error = built.name + " has a statement that only Python can run.";
  } else if (spec != nullptr) {
    made.error = built.name + " makes a " + kind + ", and no training that is read here.";
  } else {
    std::string begins = kind; // what it wraps, or the function itself
    if (const Json* const values = member(built.value, kValues); values != nullptr && !values->empty()) begins = called(values->elements().front());
    for (const python::Taken& taken : module.taken)
      if (taken.name == begins) made.module = taken.module;
    made.error = built.name + " begins with " + begins + (made.module.empty() ? ", which is not followed here." : ", which stands in another module.");
  }
  return made;
}

} // namespace

std::vector<RegisteredConfig> registered_configs(std::string_view text) {
  std::vector<RegisteredConfig> all;
  if (text.find("model_registry") == std::string_view::npos || text.find("\ndef ") == std::string_view::npos || text.find(".Config:") == std::string_view::npos) return all;
  const python::Module module = python::read_module(text);
  for (const python::Built& built : module.built)
    if (!called(built.value).empty()) all.push_back(config_of(module, built));
  return all;
}

} // namespace plimsoll::io::configs
