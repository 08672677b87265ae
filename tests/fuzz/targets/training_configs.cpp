#include "broken.hpp"
#include "catalogue.hpp"
#include "targets.hpp"
#include "training_config_invariants.hpp"

namespace plimsoll::fuzz::targets {

namespace {

/// Now and then the whole way through recognition, an answer and back into a file.
std::string by(std::string_view format, std::string_view text) {
  return once_in(256, text) ? broken_by_training_config(catalog(), text) : broken_by_reader(catalog(), format, text);
}

} // namespace

std::string deepspeed(std::string_view text) { return by("deepspeed", text); }
std::string accelerate(std::string_view text) { return by("accelerate", text); }
std::string trainer(std::string_view text) { return by("trainer", text); }
std::string axolotl(std::string_view text) { return by("axolotl", text); }
std::string llama_factory(std::string_view text) { return by("llama_factory", text); }
std::string ms_swift(std::string_view text) { return by("ms_swift", text); }
std::string trl(std::string_view text) { return by("trl", text); }
std::string torchtune(std::string_view text) { return by("torchtune", text); }
std::string torchtitan(std::string_view text) { return by("torchtitan", text); }
std::string megatron(std::string_view text) { return by("megatron", text); }
std::string nemo(std::string_view text) { return by("nemo", text); }
std::string litgpt(std::string_view text) { return by("litgpt", text); }
std::string maxtext(std::string_view text) { return by("maxtext", text); }

} // namespace plimsoll::fuzz::targets
