// {"rank", "targets", "fp32", "dropout", "dora"}: tests/measure/train.py, add_adapters.
#include "evidence/training_steps/fields.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <array>

namespace plimsoll::io::accuracy::training_steps {

namespace {

void read_targets(const Place& peft) {
  const Json& targets = peft.at("targets");
  if (!targets.is_array() || targets.empty()) return peft.decline("targets", "no list of modules");
  std::uint32_t bits = 0;
  for (const Json& target : targets) {
    const std::uint32_t known = target.is_string() ? targets_of_module(target.get<std::string>()) : 0;
    if (known == 0) return peft.decline("targets", quoted(target) + " is not covered");
    bits |= known;
  }
  constexpr std::uint32_t kDecoder = kTargetAttention | kTargetMlp; // every linear map of these families
  peft.into.inputs.tuning.targets = bits == kDecoder ? kTargetAllLinear : bits;
}

} // namespace

void read_adapters(const Place& scenario) {
  MeasuredRow& into = scenario.into;
  const Json& object = scenario.at("peft");
  if (object.is_null()) return;
  if (!object.is_object()) return scenario.decline("peft", "no object");
  const Place peft{object, "scenario.peft", into};
  static constexpr std::array<std::string_view, 5> kKnown{"rank", "targets", "fp32", "dropout", "dora"};
  peft.refuse_others(kKnown);
  Tuning& tuning = into.inputs.tuning;
  into.inputs.workload.task = Task::finetune;
  tuning.method = peft.truth("dora", false) ? TuningMethod::dora : TuningMethod::lora;
  if (peft.at("rank").is_null()) peft.decline("rank", "missing");
  tuning.rank = peft.size("rank", 1);
  tuning.adapter_dtype = peft.truth("fp32", true) || into.inputs.strategy.regime != Regime::bf16 ? AdapterDtype::fp32 : AdapterDtype::half;
  const Json& dropout = peft.at("dropout");
  if (!dropout.is_null() && !dropout.is_number()) peft.decline("dropout", "no number");
  tuning.adapter_dropout = dropout.is_number() && dropout.get<double>() > 0;
  read_targets(peft);
  if (into.reason.empty()) store_base(into.inputs.strategy.regime == Regime::bf16 ? "bf16" : "fp32", into);
}

} // namespace plimsoll::io::accuracy::training_steps
