// What finds machines by itself: batch systems, clouds, Ray; and containers on one machine.
#include "files/manifests/deployment.hpp"

#include "files/commands/words.hpp"
#include "files/training/print.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::manifests {

namespace {

std::string comments_of(const Deployment& of) {
  std::string text;
  for (const std::string& comment : of.comments) text += "# " + comment + "\n";
  return text;
}

Json listed(Json value) {
  Json list = Json::array();
  list.push_back(std::move(value));
  return list;
}

/// The GPU as people name it to a cloud: the first word or words of its name, "RTX4090" and "A100", with its memory where there are several.
std::string accelerator_of(const Deployment& of) {
  if (of.device == nullptr) return "GPU";
  std::string name = of.device->hardware.name;
  for (const std::string_view maker : {"GeForce ", "Tesla ", "NVIDIA "})
    if (name.starts_with(maker)) name = name.substr(maker.size());
  std::string text;
  for (const commands::Word& word : commands::split_words(name)) {
    const bool memory = word.text.ends_with("GB") && word.text[0] >= '0' && word.text[0] <= '9';
    if (memory || (!text.empty() && !text.starts_with("RTX"))) break;
    text += word.text;
  }
  return text;
}

std::string memory_of(const Deployment& of) { return of.device == nullptr || of.device->hardware.label_gb == 0 ? "" : std::to_string(of.device->hardware.label_gb) + "GB"; }

} // namespace

std::string slurm(const Deployment& of) {
  std::string text = "#!/bin/bash\n" + comments_of(of) + "#SBATCH --job-name=" + of.name + "\n#SBATCH --nodes=" + std::to_string(of.nodes) + "\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=" +
                     std::to_string(of.gpus_each) + "\n\nset -euo pipefail\n";
  if (of.nodes == 1) return text + script_of(of, {});
  text += "export MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n";
  return text + "srun bash -c " + commands::quoted_word(script_of(of, {"$SLURM_NNODES", "$SLURM_NODEID", "$MASTER_ADDR"})) + "\n";
}

std::string skypilot(const Deployment& of) {
  Json task = Json::object();
  task["name"] = of.name;
  Json gpus = Json::object();
  gpus[accelerator_of(of)] = of.gpus_each;
  task["resources"] = Json{{"accelerators", std::move(gpus)}};
  if (of.server != nullptr) task["resources"]["ports"] = of.server->port;
  task["num_nodes"] = of.nodes;
  std::string run = of.nodes > 1 ? "MASTER_ADDR=$(echo \"$SKYPILOT_NODE_IPS\" | head -n 1)\n" : "";
  run += script_of(of, {"$SKYPILOT_NUM_NODES", "$SKYPILOT_NODE_RANK", "$MASTER_ADDR"});
  task["run"] = run;
  return configs::print_yaml(task, of.comments);
}

std::string dstack(const Deployment& of) {
  Json run = Json::object();
  run["type"] = of.server != nullptr ? "service" : "task";
  run["name"] = of.name;
  if (of.server != nullptr) run["image"] = of.server->image;
  run["commands"] = listed(script_of(of, {}));
  if (of.server != nullptr) run["port"] = of.server->port, run["model"] = of.model;
  run["resources"] = Json{{"gpu", accelerator_of(of) + (memory_of(of).empty() ? "" : ":" + memory_of(of)) + ":" + std::to_string(of.gpus_each)}, {"shm_size", "16GB"}};
  return configs::print_yaml(run, of.comments);
}

std::string ray_serve(const Deployment& of) {
  Json options = Json::object();
  for (std::size_t i = 3; i < of.words.size(); ++i) { // behind vllm serve MODEL
    const std::string& option = of.words[i];
    std::string key = option.substr(std::min<std::size_t>(2, option.size()));
    std::ranges::replace(key, '-', '_');
    const bool flag = i + 1 >= of.words.size() || of.words[i + 1].starts_with("--");
    if (key == "host" || key == "port") { // Ray's proxy listens
      ++i;
      continue;
    }
    const std::string value = flag ? "" : of.words[++i];
    const ParsedJson parsed = parse_json(value);
    options[key] = flag ? Json(true) : parsed.ok ? parsed.value : Json(value); // numbers and speculative_config
  }
  Json llm = Json{{"model_loading_config", Json{{"model_id", of.name}, {"model_source", of.model}}}, {"deployment_config", Json{{"autoscaling_config", Json{{"min_replicas", 1}, {"max_replicas", 1}}}}}};
  llm["engine_kwargs"] = std::move(options);
  Json application = Json{{"name", of.name}, {"route_prefix", "/"}, {"import_path", "ray.serve.llm:build_openai_app"}, {"args", Json{{"llm_configs", listed(std::move(llm))}}}};
  Json config = Json::object();
  config["applications"] = listed(std::move(application));
  return configs::print_yaml(config, of.comments);
}

std::string compose(const Deployment& of) {
  Json service = Json::object();
  service["image"] = of.server->image;
  service["entrypoint"] = Json::array();
  service["entrypoint"].push_back(of.words.front());
  service["command"] = Json::array();
  for (std::size_t i = 1; i < of.words.size(); ++i) service["command"].push_back(of.words[i]);
  service["environment"] = Json{{"HF_TOKEN", nullptr}}; // from the shell that starts it
  service["ports"] = listed(std::to_string(of.server->port) + ":" + std::to_string(of.server->port));
  service["ipc"] = "host";
  Json device = Json::object();
  device["driver"] = "nvidia";
  device["count"] = of.gpus_each;
  device["capabilities"] = listed("gpu");
  service["deploy"] = Json{{"resources", Json{{"reservations", Json{{"devices", listed(std::move(device))}}}}}};
  Json file = Json::object();
  file["services"] = Json::object();
  file["services"][of.name] = std::move(service);
  return configs::print_yaml(file, of.comments);
}

std::string modelfile(const Deployment& of) {
  const auto after = [&](std::string_view option) {
    const auto at = std::ranges::find(of.words, option);
    return at == of.words.end() || at + 1 == of.words.end() ? std::string{} : *(at + 1);
  };
  const std::string tokens = after("--ctx-size");
  return comments_of(of) + "FROM ./" + after("--model") + "\n" + (tokens.empty() ? "" : "PARAMETER num_ctx " + tokens + "\n");
}

} // namespace plimsoll::io::manifests
