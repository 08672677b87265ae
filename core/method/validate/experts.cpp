#include "method/validate/checks.hpp"

namespace plimsoll::checks {

void experts(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const std::int64_t degree = strategy.expert_parallel;
  const std::int64_t tensor = strategy.expert_tensor_parallel > 0 ? strategy.expert_tensor_parallel : strategy.tensor_parallel;
  bool any = false;
  for (const LayerGroup& group : inputs.model.groups) {
    const std::int64_t experts = group.moe.experts.value;
    if (experts == 0) continue;
    if (experts % degree != 0)
      return refuse(findings, "expert_parallel", [&] {
        return Words{number(degree) + " GPUs cannot divide " + number(experts) + " experts evenly.",
                     "Choose a number of GPUs that divides the experts."};
      });
    any = true;
  }
  if (!any && degree > 1)
    refuse(findings, "expert_parallel", [&] {
      return Words{"The model has no experts for " + number(degree) + " GPUs to divide.",
                   "Set expert_parallel to 1, or choose a model with experts."};
    });
  if (!any || (degree == 1 && strategy.expert_tensor_parallel == 0)) return;
  const std::int64_t gpus = strategy.tensor_parallel * copies(strategy); // of one pipeline stage: Megatron-LM, parallel_state.py
  if (gpus % (degree * tensor) != 0)
    refuse(findings, degree > 1 ? "expert_parallel" : "expert_tensor_parallel", [&] {
      return Words{"The " + number(gpus) + " GPUs of a stage cannot form groups of " + number(degree * tensor) + ": " + number(degree) + " that divide the experts × " +
                   number(tensor) + " that divide each.",
                   "Choose degrees whose product divides tensor × context × data."};
    });
  // Zhou et al., ForeMoE, 2026 (arXiv 2606.11867): micro-batches of one domain load experts unevenly, and nothing of the loss holds against it.
  if (degree > 1 && generates(inputs.composition.method) && strategy.expert_load_permille == 1000 && findings.wants_messages())
    findings.issues()->push_back({Severity::note, "expert_load",
                                  "In memory all GPUs are taken to get as many rows for their experts, which routers do not see to in reinforcement learning; in time the busiest as "
                                  "many as measured engines show. Steps became up to 1.45 times as fast where a program balanced them (arXiv 2606.11867).",
                                  "State expert_load, the busiest GPU's rows over the mean."});
}

} // namespace plimsoll::checks
