#pragma once
// Words of Megatron Core's arguments and the choices that they are, in both directions.

#include <array>
#include <string_view>
#include <utility>

namespace plimsoll::io::configs {

using MegatronWords = std::pair<std::string_view, std::string_view>;
inline constexpr std::array<MegatronWords, 4> kShardings{{{"no_shard", "none"}, {"optim", "optimizer"}, {"optim_grads", "gradients"}, {"optim_grads_params", "parameters"}}};
inline constexpr std::array<MegatronWords, 3> kContextMethods{{{"p2p", "ring"}, {"all_gather", "all_gather"}, {"a2a", "ulysses"}}};
inline constexpr std::array<MegatronWords, 5> kAttentions{{{"auto", "profile"}, {"flash", "flash"}, {"fused", "cudnn"}, {"unfused", "fused_softmax"}, {"local", "fused_softmax"}}};

template <std::size_t N> std::string_view choice_of(const std::array<MegatronWords, N>& pairs, std::string_view word) {
  for (const auto& [known, choice] : pairs)
    if (known == word) return choice;
  return "";
}
template <std::size_t N> std::string_view word_of(const std::array<MegatronWords, N>& pairs, std::string_view choice) {
  for (const auto& [word, known] : pairs)
    if (known == choice) return word;
  return "";
}

} // namespace plimsoll::io::configs
