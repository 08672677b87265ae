#include "files/commands/engine.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::commands {

namespace {

/// Whether an option of that name was typed; within long names '_' is '-'.
bool is_named(std::string_view name, std::string_view typed) noexcept {
  if (!name.starts_with("--")) return name == typed; // -ngl is not -NGL, and VARIABLES have a case too
  return std::ranges::equal(name, typed, [](char a, char b) { return a == b || ((a == '_' || a == '-') && (b == '_' || b == '-')); });
}

const Option* find_named(std::span<const Option> options, std::string_view typed) noexcept {
  for (const Option& option : options)
    for (std::string_view rest = option.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (is_named(rest.substr(0, end), typed)) return &option;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  return nullptr;
}

} // namespace

std::span<const Engine* const> engines() noexcept {
  static const std::array kEngines = {&vllm(), &sglang(), &llama_cpp(), &llama_bench(), &tensorrt_llm(), &lmdeploy(), &ollama(), &text_generation_inference()};
  return kEngines;
}

const Option* find_option(std::span<const Option> options, std::string_view typed) noexcept {
  typed = typed.substr(0, typed.find('='));
  if (const Option* exact = find_named(options, typed)) return exact;
  if (typed.starts_with("-O") && typed.size() == 3) return find_named(options, "-O"); // vLLM's -O3
  if (typed.starts_with("--no-") || typed.starts_with("--no_")) {
    const std::string positive = "--" + std::string{typed.substr(5)};
    if (const Option* found = find_named(options, positive)) return found;
  }
  const std::size_t member = typed.find('.'); // --compilation-config.level 3
  return typed.starts_with("--") && member != std::string_view::npos ? find_named(options, typed.substr(0, member)) : nullptr;
}

const Option* find_option(const Engine& engine, std::string_view typed) noexcept {
  const Option* found = find_option(engine.options, typed);
  typed = typed.substr(0, typed.find('='));
  if (found != nullptr || !engine.abbreviates || !typed.starts_with("--") || typed.size() < 6) return found;
  for (const Option& option : engine.options) {
    if ((" " + std::string{option.names}).find(" " + std::string{typed}) == std::string::npos) continue;
    if (found != nullptr) return nullptr; // of two
    found = &option;
  }
  return found;
}

const Option* find_variable(const Engine& engine, std::string_view name) noexcept {
  const Option* const own = find_option(engine.variables, name);
  return own != nullptr ? own : find_variable(name);
}

const Option* find_variable(std::string_view name) noexcept {
  // NVIDIA/nccl, docs, Environment Variables
  static constexpr std::array kCommunication{Option{"NCCL_P2P_DISABLE", Takes::one, Reading::apart, "gpu_link"}};
  return find_option(kCommunication, name);
}

std::string_view written_name(const Option& option) noexcept { return option.names.substr(0, option.names.find(' ')); }

} // namespace plimsoll::io::commands
