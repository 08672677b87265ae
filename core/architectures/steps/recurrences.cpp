// Dimensions of state spaces and linear attention, under the names of every family.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr NameList kState{"ssm_state_size", "mamba_d_state", "state_size"};
constexpr NameList kKernel{"conv_kernel", "mamba_d_conv", "conv_dimension"};
constexpr NameList kGroups{"n_groups", "mamba_n_groups", "mamba_ngroups"};
constexpr NameList kSsmHeads{"mamba_num_heads", "mamba_n_heads", "n_mamba_heads"};
constexpr NameList kSsmHeadDim{"mamba_head_dim", "mamba_d_head", "mamba_headdim"};
constexpr NameList kExpand{"mamba_expand", "expansion_factor", "expand"};
constexpr NameList kConvBias{"mamba_conv_bias", "use_conv_bias"};
constexpr NameList kProjectionBias{"mamba_proj_bias", "add_bias_linear"};
constexpr NameList kRank{"time_step_rank", "mamba_dt_rank"};
constexpr NameList kPlainHeads{"num_heads"};
constexpr NameList kPlainHeadDim{"head_dim"};
constexpr NameList kInnerOfMamba{"intermediate_size"};
constexpr NameList kNone{};

bool is_auto(ConfigReader& read, NameList names) {
  std::string_view found;
  const Json* value = read.find_any(Names{names.begin(), names.size()}, found);
  return value == nullptr || *value == "auto";
}

std::int64_t read_inner(ModelBuilder& draft, NameList widths) {
  std::string_view found;
  if (draft.read.find_any(Names{widths.begin(), widths.size()}, found) != nullptr) return draft.read.number(widths, {1, 16'777'216});
  return scaled(draft.hidden(), draft.read.real(kExpand, {0, 1024}, 2));
}

} // namespace

Mamba1 read_mamba1(ModelBuilder& draft, bool inner_norms) {
  ConfigReader& read = draft.read;
  Mamba1 ssm;
  ssm.inner = Count{read.fact("ssm_inner", read_inner(draft, inner_norms ? kNone : kInnerOfMamba))};
  ssm.state = read.count("ssm_state_size", kState, 16);
  ssm.kernel = read.count("conv_kernel", kKernel, 4);
  ssm.rank = is_auto(read, kRank) ? Count{read.fact("dt_rank", (draft.hidden() + 15) / 16)} : read.count("dt_rank", kRank);
  ssm.conv_bias = read.says(kConvBias, true);
  ssm.projection_bias = read.says({"mamba_proj_bias", "use_bias"}, false);
  ssm.inner_norms = inner_norms;
  return ssm;
}

Mamba2 read_mamba2(ModelBuilder& draft, const Mamba2Rule& rule) {
  ConfigReader& read = draft.read;
  Mamba2 ssm;
  const std::int64_t inner = rule.inner_from_heads ? 0 : read_inner(draft, {"mamba_d_ssm"});
  const std::int64_t standard_dim = rule.head_dim > 0 ? rule.head_dim : 64;
  const NameList dims = rule.plain_names ? kPlainHeadDim : kSsmHeadDim;
  const NameList heads = rule.plain_names ? kPlainHeads : kSsmHeads;
  if (rule.inner_from_heads || !is_auto(read, dims)) {
    ssm.head_dim = read.count("ssm_head_dim", dims, standard_dim);
    ssm.heads = read.count("ssm_heads", heads, rule.inner_from_heads ? rule.heads : std::max<std::int64_t>(1, inner / ssm.head_dim.value));
  } else if (rule.heads > 0 || read.has(*heads.begin()) || read.overridden("ssm_heads")) { // the head size follows from the heads
    ssm.heads = read.count("ssm_heads", heads, rule.heads > 0 ? std::optional{rule.heads} : std::nullopt);
    ssm.head_dim = Count{read.fact("ssm_head_dim", std::max<std::int64_t>(1, inner / ssm.heads.value))};
  } else {
    ssm.head_dim = Count{read.fact("ssm_head_dim", standard_dim)};
    ssm.heads = Count{read.fact("ssm_heads", std::max<std::int64_t>(1, inner / ssm.head_dim.value))};
  }
  if (!rule.inner_from_heads && ssm.heads * ssm.head_dim != Count{inner} && !read.overridden("ssm_heads") && !read.overridden("ssm_head_dim") && !read.overridden("hidden_size"))
    read.report_at(read.where("ssm_heads"), std::to_string(ssm.heads.value) + " heads of " + std::to_string(ssm.head_dim.value) + " channels do not make the " +
                   std::to_string(inner) + " channels of the state space.", "Correct one of the three in the file.");
  ssm.state = read.count("ssm_state_size", kState, rule.state);
  ssm.groups = read.count("ssm_groups", kGroups, rule.groups);
  ssm.kernel = read.count("conv_kernel", kKernel, 4);
  ssm.conv_bias = read.says(kConvBias, true);
  ssm.projection_bias = rule.plain_names ? read.says({"use_bias"}, false) : read.says(kProjectionBias, false);
  return ssm;
}

} // namespace plimsoll::io
