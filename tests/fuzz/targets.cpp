#include "targets.hpp"

namespace plimsoll::fuzz {

std::span<const Target> all_targets() noexcept {
  using namespace targets;
  static constexpr Target kTargets[] = {
      {"gguf", gguf},
      {"safetensors", safetensors},
      {"json", json},
      {"query", query},
      {"request", request},
      {"value", value},
      {"weights", weights},
      {"command_line", command_line},
      {"model_config", model_config},
      {"quantization", quantization},
      {"prices", prices},
      {"devices", devices},
      {"given_file", given_file},
      {"any_file", any_file},
      {"rows", rows},
      {"deepspeed", deepspeed},
      {"accelerate", accelerate},
      {"trainer", trainer},
      {"axolotl", axolotl},
      {"llama_factory", llama_factory},
      {"ms_swift", ms_swift},
      {"trl", trl},
      {"torchtune", torchtune},
      {"torchtitan", torchtitan},
      {"megatron", megatron},
      {"nemo", nemo},
      {"litgpt", litgpt},
      {"maxtext", maxtext},
      {"script", script},
      {"manifest", manifest},
      {"log", log},
      {"answer", answer},
      {"scenario", scenario},
      {"cost", cost},
      {"load", load},
      {"estimate", estimate},
      {"solve", solve},
      {"plan", plan},
      {"serving_plan", serving_plan},
  };
  return kTargets;
}

} // namespace plimsoll::fuzz
