#include "method/validate/checks.hpp"

#include <vector>

namespace plimsoll::checks {

namespace {

/// One sentence for each thing that the GPUs cannot share evenly, however many layer groups have it.
class SplitCheck {
public:
  SplitCheck(std::string_view field, std::int64_t degree, Findings& findings) : field_(field), degree_(degree), findings_(findings) {}

  void divides(Count whole, const char* what) {
    if (whole.value % degree_ == 0 || !first(what)) return;
    refuse(findings_, field_, [&] {
      return Words{number(degree_) + " GPUs cannot split " + number(whole.value) + " " + what + " evenly.",
                   std::string{"Choose a number of GPUs that divides the "} + what + "."};
    });
  }
  void divides_or_copies(Count heads) {
    if (heads == Count{0} || heads.value % degree_ == 0 || degree_ % heads.value == 0 || !first("KV heads")) return;
    refuse(findings_, field_, [&] {
      return Words{number(degree_) + " GPUs can neither split nor evenly copy " + number(heads.value) + " KV heads.",
                   "Choose a number of GPUs that divides the KV heads, or is a multiple of them."};
    });
  }

private:
  bool first(std::string_view what) { return std::exchange(last_, what) != what; }
  std::string_view field_;
  std::int64_t degree_;
  Findings& findings_;
  std::string_view last_;
};

} // namespace

void tensor_parallel(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const std::vector<LayerGroup>& groups = inputs.model.groups;
  SplitCheck check{"tensor_parallel", strategy.tensor_parallel, findings};
  for (const LayerGroup& group : groups) check.divides(group.attention_shape.heads, "query heads");
  for (const LayerGroup& group : groups) check.divides(group.mlp.intermediate_size, "MLP channels");
  for (const LayerGroup& group : groups) check.divides_or_copies(group.attention.kv_heads);

  const bool serves = !trains(inputs.workload.task);
  if (serves && (strategy.expert_parallel > 1 || strategy.data_parallel > 1)) return; // serving_parallel() knows who divides experts
  const bool own_degree = !serves && strategy.expert_tensor_parallel > 0;
  SplitCheck experts = own_degree ? SplitCheck{"expert_tensor_parallel", strategy.expert_tensor_parallel, findings} : check;
  for (const LayerGroup& group : groups) experts.divides(group.moe.expert_size, "channels of an expert");
}

} // namespace plimsoll::checks
