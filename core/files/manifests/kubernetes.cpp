// Kubernetes, and what brings resources of its own to it.
#include "files/manifests/deployment.hpp"
#include "files/training/print.hpp"

#include <utility>

namespace plimsoll::io::manifests {

namespace {

Json words_of(const std::vector<std::string>& words, std::size_t first = 0) {
  Json list = Json::array();
  for (std::size_t i = first; i < words.size(); ++i) list.push_back(words[i]);
  return list;
}

/// Processes of one pod exchange tensors through shared memory, of which a container has 64 MB by itself.
Json shared_memory() { return Json{{"name", "shm"}, {"emptyDir", Json{{"medium", "Memory"}}}}; }

Json listed(Json value) {
  Json list = Json::array();
  list.push_back(std::move(value));
  return list;
}

Json container_of(const Deployment& of, std::string_view name, const std::vector<std::string>& words) {
  Json container = Json::object();
  container["name"] = name;
  container["image"] = of.server->image;
  container["command"] = words_of({words.front()});
  container["args"] = words_of(words, 1);
  container["env"] = listed(Json{{"name", "HF_TOKEN"}, {"valueFrom", Json{{"secretKeyRef", Json{{"name", "hf-token"}, {"key", "token"}, {"optional", true}}}}}});
  container["ports"] = listed(Json{{"containerPort", of.server->port}});
  container["resources"] = Json{{"limits", gpu_limits(of)}};
  container["volumeMounts"] = listed(Json{{"name", "shm"}, {"mountPath", "/dev/shm"}});
  return container;
}

Json pod_of(Json container) {
  Json pod = Json::object();
  pod["containers"] = listed(std::move(container));
  pod["volumes"] = listed(shared_memory());
  return pod;
}

Json named(const Deployment& of, std::string_view version, std::string_view kind) {
  Json resource = Json::object();
  resource["apiVersion"] = version;
  resource["kind"] = kind;
  resource["metadata"] = Json{{"name", of.name}};
  return resource;
}

std::string printed(const Deployment& of, const Json& resource) { return configs::print_yaml(resource, of.comments); }

/// Under its name from within the cluster.
Json service_of(const Deployment& of, const Json& selector) {
  Json service = named(of, "v1", "Service");
  service["spec"] = Json{{"selector", selector}, {"ports", listed(Json{{"port", of.server->port}})}};
  return service;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

} // namespace

std::string kubernetes(const Deployment& of) {
  const Json labels{{"app", of.name}};
  Json deployment = named(of, "apps/v1", "Deployment");
  deployment["spec"] = Json{{"replicas", 1}, {"selector", Json{{"matchLabels", labels}}},
                            {"template", Json{{"metadata", Json{{"labels", labels}}}, {"spec", pod_of(container_of(of, "server", of.words))}}}};
  return printed(of, deployment) + "---\n" + configs::print_yaml(service_of(of, labels), {});
}

std::string leaderworkerset(const Deployment& of) {
  const auto pod = [&](bool leads) {
    const std::vector<std::string> words = of.nodes == 1 ? of.words : with(of.words, spread(*of.server, "$(LWS_GROUP_SIZE)", "$(LWS_WORKER_INDEX)", "$(LWS_LEADER_ADDRESS)", leads));
    return Json{{"metadata", Json{{"labels", Json{{"app", of.name}, {"role", leads ? "leader" : "worker"}}}}}, {"spec", pod_of(container_of(of, leads ? "leader" : "worker", words))}};
  };
  Json set = named(of, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet");
  set["spec"] = Json{{"replicas", 1}, {"leaderWorkerTemplate", Json{{"size", of.nodes}, {"restartPolicy", "RecreateGroupOnPodRestart"}, {"leaderTemplate", pod(true)}, {"workerTemplate", pod(false)}}}};
  return printed(of, set) + "---\n" + configs::print_yaml(service_of(of, Json{{"app", of.name}, {"role", "leader"}}), {});
}

std::string kserve(const Deployment& of) {
  Json predictor = pod_of(container_of(of, "kserve-container", of.words));
  predictor["minReplicas"] = 1;
  Json service = named(of, "serving.kserve.io/v1beta1", "InferenceService");
  service["spec"] = Json{{"predictor", std::move(predictor)}};
  return printed(of, service);
}

std::string llm_d(const Deployment& of) {
  Json container = Json::object();
  container["name"] = of.server->engine;
  container["image"] = of.server->image;
  container["modelCommand"] = "custom";
  container["command"] = words_of({of.words.front()});
  container["args"] = words_of(of.words, 1);
  container["ports"] = listed(Json{{"containerPort", of.server->port}});
  container["resources"] = Json{{"limits", gpu_limits(of)}};
  Json values = Json::object();
  values["modelArtifacts"] = Json{{"uri", "hf://" + of.model}, {"name", of.model}, {"authSecretName", "hf-token"}};
  values["decode"] = Json{{"create", true}, {"replicas", 1}, {"containers", listed(std::move(container))}};
  values["prefill"] = Json{{"create", false}};
  return printed(of, values);
}

std::string dynamo(const Deployment& of) {
  constexpr std::string_view kFrontend = "nvcr.io/nvidia/ai-dynamo/vllm-runtime:latest", kSglang = "nvcr.io/nvidia/ai-dynamo/sglang-runtime:latest";
  const std::string image{of.server->engine == "sglang" ? kSglang : kFrontend};
  const std::string scope = of.name;
  // the module takes the engine's own options, and the model by name
  std::vector<std::string> words;
  const bool positional = of.server->engine == "vllm";
  if (positional) words = {"--model", of.model};
  const std::size_t first = 3; // vllm serve MODEL; python -m sglang.launch_server
  for (std::size_t i = first; i < of.words.size(); ++i) {
    if (of.words[i] == "--host" || of.words[i] == "--port") ++i; // the front end listens
    else words.push_back(of.words[i]);
  }
  Json worker = Json{{"dynamoNamespace", scope}, {"componentType", "worker"}, {"replicas", 1}, {"resources", Json{{"limits", Json{{"gpu", std::to_string(of.gpus_each)}}}}}};
  Json main = Json::object();
  main["image"] = image;
  main["command"] = words_of({"python3", "-m", std::string{of.server->module}});
  main["args"] = words_of(words);
  worker["extraPodSpec"] = Json{{"mainContainer", std::move(main)}};
  Json front = Json{{"dynamoNamespace", scope}, {"componentType", "frontend"}, {"replicas", 1}, {"extraPodSpec", Json{{"mainContainer", Json{{"image", image}}}}}};
  Json graph = named(of, "nvidia.com/v1alpha1", "DynamoGraphDeployment");
  graph["spec"] = Json{{"services", Json{{"Frontend", std::move(front)}, {"Worker", std::move(worker)}}}};
  return printed(of, graph);
}

} // namespace plimsoll::io::manifests
