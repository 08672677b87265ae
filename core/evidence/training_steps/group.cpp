// Rows that exercise the same are summed up together: what is special about a row first, its number formats otherwise.
#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"

namespace plimsoll::io::accuracy::training_steps {

namespace {

bool differs(const Json& scenario, const char* key, const Json& usual) {
  const Json& value = member(scenario, key);
  return !value.is_null() && value != usual;
}

} // namespace

std::string group_of(const Json& row) {
  const Json& scenario = member(row, "scenario");
  if (text_of(row, "kind") == "saved_tensors") return "steps: saved by a layer";
  if (const Json& ranks = member(scenario, "ranks"); ranks.is_object()) return "steps: " + text_of(ranks, "kind");
  if (!member(scenario, "peft").is_null()) return "steps: adapters";
  if (text_of(scenario, "run") == "trainer") return "steps: trainer";
  if (!member(member(row, "model"), "moe").is_null()) return "steps: experts";
  if (differs(scenario, "compile", false)) return "steps: compiled";
  if (differs(scenario, "norm", "eager")) return "steps: fused norms";
  if (differs(scenario, "attention", "sdpa") || differs(scenario, "padding", "ones") || !member(scenario, "backend").is_null()) return "steps: attention code";
  if (differs(scenario, "loop", "kept")) return "steps: loops";
  const std::string recompute = text_of(scenario, "recompute");
  return "steps: " + text_of(scenario, "regime") + (recompute.empty() || recompute == "none" ? "" : ", recomputed");
}

} // namespace plimsoll::io::accuracy::training_steps
