#pragma once
// One check per topic; validate.cpp runs them once every value is within its range.

#include "plimsoll/method/format.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::checks {

/// What is said of a value: what is wrong, and what to do.
struct Words {
  std::string message, remedy;
};

/// Where checks leave what they find. A search over strategies only asks whether anything is refused: then no sentence is written, and
/// nothing touches the heap.
class Findings {
public:
  explicit Findings(Issues* issues) noexcept : issues_(issues) {} ///< null: no sentences
  bool refused() const noexcept { return !first_.empty(); }
  std::string_view first() const noexcept { return first_; } ///< field of the first refusal
  bool wants_messages() const noexcept { return issues_ != nullptr; }
  Issues* issues() const noexcept { return issues_; }
  /// `field` is a name of the field tables: it is kept.
  void refuse(std::string_view field) noexcept {
    if (first_.empty()) first_ = field;
  }

private:
  Issues* issues_;
  std::string_view first_;
};

void context(const Inputs& inputs, Findings& findings);
void media(const Inputs& inputs, Findings& findings);
void tensor_parallel(const Inputs& inputs, Findings& findings);
void serving_parallel(const Inputs& inputs, const Profile& profile, Issues& issues);
void serving_blocks(const Inputs& inputs, const Profile& profile, Issues& issues);
void serving(const Inputs& inputs, const Profile& profile, Issues& issues); ///< what the profile's engine knows of its flags

// Training: fields without effect on the task are not looked at.
void training(const Inputs& inputs, Findings& findings);
void batching(const Inputs& inputs, AttentionKernel kernel, Findings& findings);
void context_parallel(const Inputs& inputs, Findings& findings);
void pipeline(const Inputs& inputs, Findings& findings);
void experts(const Inputs& inputs, Findings& findings);
void sharding(const Inputs& inputs, Findings& findings);
void modules(const Inputs& inputs, const ModuleProfile& profile, Findings& findings); ///< of layers that run again or leave the device
void activation_offload(const Inputs& inputs, const OffloadProfile& profile, Findings& findings);
void sharding_sizes(const Inputs& inputs, const ShardingProfile& profile, Findings& findings); ///< what the framework does not know of them
void tuning(const Inputs& inputs, const TrainingProfile* profile, Findings& findings);
void preference(const Inputs& inputs, Findings& findings);

inline std::string number(std::int64_t n) { return format_count(Count{n}); }

/// "1 stage", "4 stages"
inline std::string counted(std::int64_t n, std::string_view one, std::string_view more) { return number(n) + " " + std::string{n == 1 ? one : more}; }

[[gnu::cold]] inline void refuse(Issues& issues, std::string_view field, std::string message, std::string remedy) {
  issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
}
[[gnu::cold]] inline void warn(Issues& issues, std::string_view field, std::string message, std::string remedy) {
  issues.push_back({Severity::warning, std::string{field}, std::move(message), std::move(remedy)});
}

/// `words` are asked for only where somebody reads them.
template <class Write> [[gnu::cold]] void refuse(Findings& findings, std::string_view field, Write&& words) {
  findings.refuse(field);
  if (!findings.wants_messages()) return;
  Words said = words();
  refuse(*findings.issues(), field, std::move(said.message), std::move(said.remedy));
}
template <class Write> [[gnu::cold]] void warn(Findings& findings, std::string_view field, Write&& words) {
  if (!findings.wants_messages()) return;
  Words said = words();
  warn(*findings.issues(), field, std::move(said.message), std::move(said.remedy));
}

inline void tensor_parallel(const Inputs& inputs, Issues& issues) {
  Findings findings{&issues};
  tensor_parallel(inputs, findings);
}

/// GPUs that hold copies of the same dense weights: those that divide a sequence and those that take other sequences.
inline std::int64_t copies(const Strategy& strategy) { return strategy.data_parallel * strategy.context_parallel; }

} // namespace plimsoll::checks
