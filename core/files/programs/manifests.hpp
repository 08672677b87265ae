#pragma once
// Containers as files describe them: Kubernetes' manifests (kubernetes.io/docs/reference/kubernetes-api, Container), Compose (compose-spec, services),
// values of Helm charts that hold a container or a model of vLLM's production stack (vllm-project/production-stack,
// helm/templates/deployment-vllm-multi.yaml), tasks of SkyPilot (docs.skypilot.co, yaml-spec) and dstack (dstack.ai/docs/reference/dstack.yml), models of Ray
// Serve, steps of reports with the command that starts them (NVIDIA-NeMo/Megatron-Bridge, examples/model_verification_cards), and Modelfiles of Ollama (ollama/ollama, docs/modelfile.mdx). Each becomes the line or the script that starts it.

#include "files/programs/machines.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

struct Described {
  bool is = false;                ///< the text describes containers
  std::vector<std::string> lines; ///< a shell's line for each
  std::vector<std::string> off;   ///< names of models that the values leave out
  Machines machines;              ///< that it asks for
};

Described containers_in(std::string_view text);

/// What the image of a Dockerfile starts; nothing where the text is none.
void read_dockerfile(std::string_view text, Described& into);

} // namespace plimsoll::io::programs
