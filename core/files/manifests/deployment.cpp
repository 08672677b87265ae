// Images and ports: docs.vllm.ai/en/latest/deployment/docker.html; docs.sglang.ai/get_started/install.html; ggml-org/llama.cpp, docs/docker.md;
// NVIDIA/TensorRT-LLM, docs/source/quick-start-guide.md. Starting on several nodes: vllm-project/vllm, docs/serving/parallelism_scaling.md
// ("Running vLLM with MultiProcessing"); docs.sglang.ai/references/multi_node_deployment; docs.pytorch.org/docs/stable/elastic/run.html.
#include "files/manifests/deployment.hpp"

#include "files/commands/words.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::manifests {

namespace {

constexpr std::array kServers{Server{"vllm", "vllm/vllm-openai:latest", 8000, "dynamo.vllm", true},
                              Server{"sglang", "lmsysorg/sglang:latest", 30000, "dynamo.sglang", true},
                              Server{"llama_cpp", "ghcr.io/ggml-org/llama.cpp:server-cuda", 8080},
                              Server{"tensorrt_llm", "nvcr.io/nvidia/tensorrt-llm/release:latest", 8000}};

constexpr std::array kTrainers{Trainer{"megatron", "megatron", "", ""}, Trainer{"megatron_local", "megatron", "", ""},
                               Trainer{"torchtitan", "torchtitan", "train.toml", "-m torchtitan.train --job.config_file"},
                               Trainer{"fsdp2", "axolotl", "train.yaml", "-m axolotl.cli.train"}, Trainer{"hf_trainer", "axolotl", "train.yaml", "-m axolotl.cli.train"},
                               Trainer{"peft", "axolotl", "train.yaml", "-m axolotl.cli.train"}, Trainer{"deepspeed", "axolotl", "train.yaml", "-m axolotl.cli.train"}};

constexpr Format kFormats[]{
    {.id = "kubernetes", .source = "kubernetes.io/docs/reference/kubernetes-api/workload-resources/deployment-v1", .text = kubernetes},
    {.id = "leaderworkerset", .source = "lws.sigs.k8s.io/docs/reference/leaderworkerset.v1", .across_nodes = true, .text = leaderworkerset},
    {.id = "kserve", .source = "kserve.github.io/website/docs/reference/crd-api", .text = kserve},
    {.id = "llm_d", .source = "llm-d-incubation/llm-d-modelservice, charts/llm-d-modelservice/values.yaml", .text = llm_d},
    {.id = "dynamo", .source = "ai-dynamo/dynamo, docs/kubernetes/api_reference.md, DynamoGraphDeployment", .text = dynamo},
    {.id = "ray_serve", .source = "docs.ray.io/en/latest/serve/llm", .across_nodes = true, .engine = "vllm", .text = ray_serve},
    {.id = "compose", .source = "compose-spec/compose-spec, schema/compose-spec.json", .text = compose},
    {.id = "modelfile", .source = "ollama/ollama, docs/modelfile.mdx", .engine = "llama_cpp", .text = modelfile},
    {.id = "slurm", .source = "slurm.schedmd.com/sbatch.html", .trains = true, .across_nodes = true, .text = slurm},
    {.id = "skypilot", .source = "docs.skypilot.co/en/latest/reference/yaml-spec.html", .trains = true, .across_nodes = true, .text = skypilot},
    {.id = "dstack", .source = "dstack.ai/docs/reference/dstack.yml", .trains = true, .text = dstack}};

std::string in_one_line(const std::vector<std::string>& words, const std::vector<std::string>& more) {
  std::string text;
  for (const auto* list : {&words, &more})
    for (const std::string& word : *list) text += (text.empty() ? "" : " ") + (word.find('$') == std::string::npos ? commands::quoted_word(word) : "\"" + word + "\"");
  return text;
}

} // namespace

std::span<const Format> formats() noexcept { return kFormats; }

const Server* server_of(std::string_view engine) noexcept {
  const auto at = std::ranges::find(kServers, engine, &Server::engine);
  return at == kServers.end() ? nullptr : &*at;
}

const Trainer* trainer_of(std::string_view profile) noexcept {
  const auto at = std::ranges::find(kTrainers, profile, &Trainer::profile);
  return at == kTrainers.end() ? nullptr : &*at;
}

std::vector<std::string> spread(const Server& server, std::string_view nodes, std::string_view rank, std::string_view leader, bool leads) {
  std::vector<std::string> words{"--nnodes", std::string{nodes}, "--node-rank", std::string{rank}};
  if (server.engine == "sglang") return words.insert(words.end(), {"--dist-init-addr", std::string{leader} + ":20000"}), words;
  words.insert(words.end(), {"--master-addr", std::string{leader}});
  if (!leads) words.emplace_back("--headless");
  return words;
}

namespace {

/// torchrun of each node, with what finds the others.
std::string torchrun(const Deployment& of, const Rendezvous& meet) {
  std::string text = "torchrun --nproc-per-node " + std::to_string(of.gpus_each);
  if (of.nodes == 1) return text;
  return text + " --nnodes " + std::to_string(of.nodes) + " --node-rank \"" + std::string{meet.rank} + "\" --master-addr \"" + std::string{meet.leader} + "\" --master-port 29500";
}

std::string training_script(const Deployment& of, const Rendezvous& meet) {
  const Trainer& trainer = *of.trainer;
  if (!trainer.file.empty()) {
    const std::string file{trainer.file};
    return "cat > " + file + " <<'END'\n" + of.text + (of.text.ends_with('\n') ? "" : "\n") + "END\n" + torchrun(of, meet) + " " + std::string{trainer.starts} + " " + file + "\n";
  }
  const std::size_t script = of.text.find("pretrain_gpt.py"); // behind torchrun and its options, which this launcher says itself
  return torchrun(of, meet) + " " + (script == std::string::npos ? of.text : of.text.substr(script));
}

} // namespace

std::string script_of(const Deployment& of, const Rendezvous& meet) {
  if (of.trainer != nullptr) return training_script(of, meet);
  if (of.nodes == 1) return of.text + "\n";
  const auto line = [&](bool leads) { return "  " + in_one_line(of.words, spread(*of.server, std::to_string(of.nodes), meet.rank, meet.leader, leads)) + "\n"; };
  return "if [ \"" + std::string{meet.rank} + "\" = 0 ]; then\n" + line(true) + "else\n" + line(false) + "fi\n";
}

Json gpu_limits(const Deployment& of) {
  const std::string maker = of.device == nullptr ? "" : of.device->vendor;
  const std::string_view resource = maker == "AMD" ? "amd.com/gpu" : maker == "Intel" ? "gpu.intel.com/xe" : "nvidia.com/gpu";
  Json limits = Json::object();
  limits[std::string{resource}] = std::to_string(of.gpus_each);
  return limits;
}

} // namespace plimsoll::io::manifests
