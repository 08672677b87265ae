#include "files/programs/launcher_file.hpp"

#include "files/programs/arguments.hpp"
#include "files/training/document.hpp"
#include "text/members.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::programs {

namespace {

const Json& section(const Json& tree, const char* key) {
  static const Json kNone = Json::object();
  const auto at = tree.find(key);
  return at != tree.end() && at->is_object() ? *at : kNone;
}

bool is_on(const std::string& text) { return configs::truth_word(text).value_or(false); }

Json deepspeed_of(const Json& config) {
  Json zero = Json::object();
  const std::string stage = plain_text_at(config, "zero_stage");
  if (const auto number = configs::whole_number(stage)) zero["stage"] = static_cast<std::uint64_t>(*number);
  for (const auto& [key, name] : {std::pair{"offload_optimizer_device", "offload_optimizer"}, std::pair{"offload_param_device", "offload_param"}}) {
    const std::string device = plain_text_at(config, key);
    if (device == "cpu" || device == "nvme") zero[name] = Json{{"device", device}};
  }
  return Json{{"zero_optimization", std::move(zero)}};
}

} // namespace

Json accelerate_tree(const Json& file, const std::vector<scripts::Setting>& told) {
  Json tree = file.is_object() ? file : Json::object();
  static constexpr std::array<std::string_view, 5> kDeepspeed{"zero_stage", "offload_optimizer_device", "offload_param_device", "gradient_clipping", "zero3_init_flag"};
  const auto within = [&](const char* name, const std::string& key, const std::string& value) {
    Json part = section(tree, name);
    part[key] = value;
    tree[name] = std::move(part);
  };
  for (const auto& [name, value] : told) {
    if (name == "use_deepspeed" && is_on(value)) tree["distributed_type"] = "DEEPSPEED";
    else if (name == "use_fsdp" && is_on(value)) tree["distributed_type"] = "FSDP";
    else if (name == "deepspeed_config_file") within("deepspeed_config", name, value);
    else if (std::ranges::find(kDeepspeed, name) != kDeepspeed.end()) within("deepspeed_config", name, value);
    else if (name.starts_with("fsdp_")) within("fsdp_config", name, value);
    else if (name == "mixed_precision") tree[name] = value;
  }
  return tree;
}

void add_launcher(Json& tree, const Json& accelerate) {
  const std::string type = lower_case(plain_text_at(accelerate, "distributed_type"));
  if (type == "deepspeed" && (!tree.contains("deepspeed") || !tree["deepspeed"].is_object())) {
    const std::string file = plain_text_at(section(accelerate, "deepspeed_config"), "deepspeed_config_file");
    tree["deepspeed"] = file.empty() ? deepspeed_of(section(accelerate, "deepspeed_config")) : Json(file);
  }
  if (type == "fsdp") {
    const Json& config = section(accelerate, "fsdp_config");
    const std::string strategy = lower_case(plain_text_at(config, "fsdp_sharding_strategy")), reshard = lower_case(plain_text_at(config, "fsdp_reshard_after_forward"));
    std::string words = strategy == "shard_grad_op" || strategy == "2" || reshard == "false" ? "shard_grad_op" : strategy == "hybrid_shard" || strategy == "4" ? "hybrid_shard" : "full_shard";
    if (is_on(plain_text_at(config, "fsdp_offload_params"))) words += " offload";
    if (!tree.contains("fsdp")) tree["fsdp"] = words + " auto_wrap";
    Json own = config;
    if (plain_text_at(config, "fsdp_version").empty()) own["fsdp_version"] = 1U; // accelerate/utils/dataclasses.py: FSDP1 unless it is told otherwise
    if (!tree.contains("fsdp_config")) tree["fsdp_config"] = std::move(own);
  }
  const std::string precision = plain_text_at(accelerate, "mixed_precision");
  if ((precision == "bf16" || precision == "fp16") && !tree.contains("bf16") && !tree.contains("fp16")) tree[precision] = true;
}

std::string processes_of(const Json& accelerate) { return plain_text_at(accelerate, "num_processes"); }

} // namespace plimsoll::io::programs
