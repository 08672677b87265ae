#pragma once

#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

struct Field;

/// "1 to 1,000,000": the range of an integer field, for remedies.
std::string range_text(const Field& field);

/// The issue of a value outside an integer field's range.
Issue out_of_range(const Field& field, std::int64_t value);

/// Everything that is wrong with `inputs`: values outside their field's range, and combinations that cannot run (heads that
/// tensor parallelism does not divide, a context longer than a learned position table, ...). Empty means: estimate() may run.
Issues validate(const Inputs& inputs);
/// The same where it is known which code runs: kernels that cannot take such batches are issues too.
Issues validate(const Inputs& inputs, const Profile& profile);
/// Its errors alone.
Issues errors_of(const Inputs& inputs, const Profile& profile);
/// The field of the first error that this finds; "" where there is none. When training, nothing of it allocates: searches ask it of each
/// strategy.
std::string_view first_refused(const Inputs& inputs, const Profile& profile);

/// The same for one sharding after another of inputs that are otherwise alike: what does not look at it is checked once.
class Refusals {
public:
  Refusals() = default;
  Refusals(const Inputs& inputs, const Profile& profile);

  /// Of inputs that differ from those in sharding, reshard_after_forward and the sizes of shard groups alone.
  std::string_view first(const Inputs& inputs, const Profile& profile) const;

private:
  static constexpr std::size_t kMostChecks = 16;
  std::array<std::string_view, kMostChecks> found_{}; ///< by check: the first field it refuses, or ""
};

} // namespace plimsoll
