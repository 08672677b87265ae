#pragma once
// One check per topic; validate.cpp runs them once every value is within its range.

#include "plimsoll/format.hpp"
#include "plimsoll/issue.hpp"
#include "plimsoll/scenario.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::checks {

void context(const Inputs& inputs, Issues& issues);
void tensor_parallel(const Inputs& inputs, Issues& issues);
void serving_parallel(const Inputs& inputs, const Profile& profile, Issues& issues);
void serving(const Inputs& inputs, const Profile& profile, Issues& issues); ///< what the profile's engine knows of its flags

// Training: fields without effect on the task are not looked at.
void training(const Inputs& inputs, Issues& issues);
void batching(const Inputs& inputs, AttentionKernel kernel, Issues& issues);
void context_parallel(const Inputs& inputs, Issues& issues);
void pipeline(const Inputs& inputs, Issues& issues);
void experts(const Inputs& inputs, Issues& issues);
void sharding(const Inputs& inputs, Issues& issues);
void tuning(const Inputs& inputs, Issues& issues);
void preference(const Inputs& inputs, Issues& issues);

inline std::string number(std::int64_t n) { return format_count(Count{n}); }

/// "1 stage", "4 stages"
inline std::string counted(std::int64_t n, std::string_view one, std::string_view more) { return number(n) + " " + std::string{n == 1 ? one : more}; }

inline void refuse(Issues& issues, std::string_view field, std::string message, std::string remedy) {
  issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
}
inline void warn(Issues& issues, std::string_view field, std::string message, std::string remedy) {
  issues.push_back({Severity::warning, std::string{field}, std::move(message), std::move(remedy)});
}

/// GPUs that hold copies of the same dense weights: those that divide a sequence and those that take other sequences.
inline std::int64_t copies(const Strategy& strategy) { return strategy.data_parallel * strategy.context_parallel; }

} // namespace plimsoll::checks
