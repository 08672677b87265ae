// pytorch/torchtune, torchtune/models/*/_model_builders.py.
#include "files/training/torchtune_models.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::configs {

namespace {

constexpr std::array kBuilders{
    TorchtuneBuilder{"llama-2-7b", "llama2", "llama2_7b"},         TorchtuneBuilder{"llama-2-13b", "llama2", "llama2_13b"},       TorchtuneBuilder{"llama-2-70b", "llama2", "llama2_70b"},
    TorchtuneBuilder{"llama-3-8b", "llama3", "llama3_8b"},         TorchtuneBuilder{"llama-3-70b", "llama3", "llama3_70b"},       TorchtuneBuilder{"llama-3.1-8b", "llama3_1", "llama3_1_8b"},
    TorchtuneBuilder{"llama-3.1-70b", "llama3_1", "llama3_1_70b"}, TorchtuneBuilder{"llama-3.1-405b", "llama3_1", "llama3_1_405b"}, TorchtuneBuilder{"llama-3.2-1b", "llama3_2", "llama3_2_1b"},
    TorchtuneBuilder{"llama-3.2-3b", "llama3_2", "llama3_2_3b"},   TorchtuneBuilder{"llama-3.3-70b", "llama3_3", "llama3_3_70b"}, TorchtuneBuilder{"mistral-7b-v0.1", "mistral", "mistral_7b"},
    TorchtuneBuilder{"gemma-2b", "gemma", "gemma_2b"},             TorchtuneBuilder{"gemma-7b", "gemma", "gemma_7b"},             TorchtuneBuilder{"gemma-2-2b", "gemma2", "gemma2_2b"},
    TorchtuneBuilder{"gemma-2-9b", "gemma2", "gemma2_9b"},         TorchtuneBuilder{"gemma-2-27b", "gemma2", "gemma2_27b"},       TorchtuneBuilder{"phi-3-mini-3.8b", "phi3", "phi3_mini"},
    TorchtuneBuilder{"phi-4-14b", "phi4", "phi4_14b"},             TorchtuneBuilder{"qwen2-0.5b", "qwen2", "qwen2_0_5b"},         TorchtuneBuilder{"qwen2-1.5b", "qwen2", "qwen2_1_5b"},
    TorchtuneBuilder{"qwen2-7b", "qwen2", "qwen2_7b"},             TorchtuneBuilder{"qwen2.5-0.5b", "qwen2_5", "qwen2_5_0_5b"},   TorchtuneBuilder{"qwen2.5-1.5b", "qwen2_5", "qwen2_5_1_5b_base"},
    TorchtuneBuilder{"qwen2.5-3b", "qwen2_5", "qwen2_5_3b"},       TorchtuneBuilder{"qwen2.5-7b", "qwen2_5", "qwen2_5_7b_base"},  TorchtuneBuilder{"qwen2.5-14b", "qwen2_5", "qwen2_5_14b_base"},
    TorchtuneBuilder{"qwen2.5-32b", "qwen2_5", "qwen2_5_32b_base"}, TorchtuneBuilder{"qwen2.5-72b", "qwen2_5", "qwen2_5_72b_base"}, TorchtuneBuilder{"qwen3-0.6b", "qwen3", "qwen3_0_6b_base"},
    TorchtuneBuilder{"qwen3-1.7b", "qwen3", "qwen3_1_7b_base"},    TorchtuneBuilder{"qwen3-4b", "qwen3", "qwen3_4b_base"},        TorchtuneBuilder{"qwen3-8b", "qwen3", "qwen3_8b_base"},
    TorchtuneBuilder{"qwen3-14b", "qwen3", "qwen3_14b_base"},      TorchtuneBuilder{"qwen3-32b", "qwen3", "qwen3_32b"}};

const TorchtuneBuilder* found(std::string_view wanted, std::string_view TorchtuneBuilder::*by) noexcept {
  const auto row = std::ranges::find(kBuilders, wanted, by);
  return row == kBuilders.end() ? nullptr : &*row;
}

} // namespace

const TorchtuneBuilder* torchtune_builder(std::string_view name) noexcept { return found(name, &TorchtuneBuilder::name); }
const TorchtuneBuilder* torchtune_builder_of(std::string_view id) noexcept { return found(id, &TorchtuneBuilder::id); }

std::string_view last_name(std::string_view name) noexcept { return name.substr(std::min(name.find_last_of('.') + 1, name.size())); }

} // namespace plimsoll::io::configs
