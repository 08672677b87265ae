// core/data/profiles/*.json -> Profile.
#include "embedded/data.hpp"
#include "io/json.hpp"
#include "plimsoll/io/catalog.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::io {

namespace {

Basis basis_of(const std::string& name) {
  for (Basis basis : {Basis::counted, Basis::published, Basis::measured, Basis::assumed})
    if (name == name_of(basis)) return basis;
  throw std::runtime_error("profile: there is no basis " + name);
}

/// A constant, or the one for `arch` where it differs by GPU architecture.
Constant constant_of(const Json& group, const char* key, std::string_view arch) {
  const Json& row = group.at(key);
  if (const auto by_arch = row.find("by_arch"); by_arch != row.end() && by_arch->contains(arch))
    return constant_of(*by_arch, std::string{arch}.c_str(), arch);
  Constant constant;
  constant.value = row.at("value");
  constant.low = row.value("low", constant.value);
  constant.high = row.value("high", constant.value);
  constant.citation = row.at("citation");
  constant.basis = basis_of(row.at("basis"));
  return constant;
}

LossProfile loss_of(const Json& group, std::string_view arch) {
  const auto constant = [&](const char* key) { return constant_of(group, key, arch); };
  return {.forward = constant("forward"),
          .backward = constant("backward"),
          .head_backward = constant("head_backward"),
          .after = constant("after")};
}

TrainingProfile training_of(const Json& group, std::string_view arch) {
  const auto constant = [&](const char* key) { return constant_of(group, key, arch); };
  return {.rmsnorm_bytes = constant("rmsnorm_bytes"),
          .rmsnorm_bytes_fp32 = constant("rmsnorm_bytes_fp32"),
          .layernorm_bytes = constant("layernorm_bytes"),
          .layernorm_bytes_fp32 = constant("layernorm_bytes_fp32"),
          .mlp_gated_saved = constant("mlp_gated_saved"),
          .mlp_plain_saved = constant("mlp_plain_saved"),
          .mlp_gated_backward = constant("mlp_gated_backward"),
          .mlp_plain_backward = constant("mlp_plain_backward"),
          .mlp_gelu_new_bytes = constant("mlp_gelu_new_bytes"),
          .mlp_gelu_new_bytes_mixed = constant("mlp_gelu_new_bytes_mixed"),
          .mlp_gelu_new_bytes_fp32 = constant("mlp_gelu_new_bytes_fp32"),
          .qk_norm_bytes = constant("qk_norm_bytes"),
          .qk_norm_bytes_fp32 = constant("qk_norm_bytes_fp32"),
          .gradient_copies = constant("gradient_copies"),
          .loss = loss_of(group.at("loss"), arch),
          .loss_fp32 = loss_of(group.at("loss_fp32"), arch)};
}

InferenceProfile inference_of(const Json& group, std::string_view arch) {
  return {.kv_block_tokens = constant_of(group, "kv_block_tokens", arch),
          .logit_bytes = constant_of(group, "logit_bytes", arch),
          .sampler_bytes = constant_of(group, "sampler_bytes", arch)};
}

} // namespace

std::optional<Profile> Catalog::profile(std::string_view id, std::string_view arch) const {
  const auto row = std::ranges::find(profiles_, id, &ProfileRow::id);
  if (row == profiles_.end()) return std::nullopt;
  const ParsedJson parsed = parse_json(data::file("profiles/" + row->id + ".json"));
  const Json& json = parsed.value;
  Profile profile;
  profile.id = row->id;
  profile.name = row->name;
  profile.about = row->about;
  profile.for_training = row->for_training;
  profile.for_inference = row->for_inference;
  if (profile.for_training) profile.training = training_of(json.at("training"), arch);
  if (profile.for_inference) profile.inference = inference_of(json.at("inference"), arch);
  const Json& runtime = json.at("runtime");
  profile.runtime = {.context_bytes = constant_of(runtime, "context_bytes", arch),
                     .workspace_bytes = constant_of(runtime, "workspace_bytes", arch),
                     .workspaces = constant_of(runtime, "workspaces", arch)};
  return profile;
}

} // namespace plimsoll::io
