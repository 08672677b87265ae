#include "method/explain/time.hpp"
#include "method/explain/tree.hpp"
#include "method/time/learning/visit.hpp"

#include <array>
#include <string>
#include <utility>

namespace plimsoll {

void add_learning(const Scenario& scenario, std::vector<Component>& facts) {
  if (scenario.composition.method == Preference::none) return;
  std::array<Component, kLearningPhases> phases;
  for (std::size_t i = 0; i < kLearningPhases; ++i) {
    const LearningPhaseText& text = text_of(static_cast<LearningPhase>(i));
    phases[i] = sum_of(std::string{text.id}, std::string{text.label}, "ns");
  }
  std::array<Component, kRoles> roles; // of the models that score
  for (std::size_t i = 0; i < kRoles; ++i) {
    const RoleText& text = text_of(static_cast<Role>(i));
    roles[i] = sum_of("phase.scoring." + std::string{text.id}, std::string{text.label}, "ns");
  }
  const timing::LearningFacts known = timing::visit_learning(scenario, [&](LearningPhase phase, const RoleText* role, const Term& term) {
    Component* sum = &phases[static_cast<std::size_t>(phase)];
    for (std::size_t i = 0; role != nullptr && i < kRoles; ++i)
      if (role == &text_of(static_cast<Role>(i))) sum = &roles[i];
    add_part(*sum, component_of(term));
  });
  if (!known.known) return;
  for (Component& role : roles)
    if (!role.parts.empty()) add_part(phases[static_cast<std::size_t>(LearningPhase::scoring)], std::move(role));
  Component whole = sum_of("fact.learning_step", scenario.composition.method == Preference::ppo || scenario.composition.method == Preference::grpo ? "Time of a step with its rollout" : "Time of a step with other models' passes", "ns");
  for (Component& phase : phases) {
    if (phase.parts.empty()) continue;
    collapse_single(phase);
    add_part(whole, std::move(phase));
  }
  facts.push_back(std::move(whole));
  facts.push_back(component_of(timing::learning_throughput(learning_step(scenario))));
}

} // namespace plimsoll
