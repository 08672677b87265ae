#pragma once
// What somebody can hand in, one function each: text in, and out comes the first thing that does not hold, as a sentence, or "". Any bytes
// are allowed. libFuzzer searches each by itself (main.cpp); test_fuzz_targets tries all on fixed inputs.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::fuzz {

namespace targets {

// Files of weights: the first bytes after the magic, and the JSON of a header or an index.
std::string gguf(std::string_view bytes);
std::string safetensors(std::string_view bytes);

std::string json(std::string_view text);
std::string query(std::string_view text);
std::string request(std::string_view text); ///< a scenario as a JSON object, read and not answered
std::string value(std::string_view text);   ///< the first byte chooses the field
std::string weights(std::string_view text); ///< the id of a format
std::string command_line(std::string_view text);
std::string model_config(std::string_view text);
std::string quantization(std::string_view text);

std::string prices(std::string_view text);
std::string devices(std::string_view text);
std::string given_file(std::string_view text);
std::string any_file(std::string_view bytes); ///< told by its content
std::string rows(std::string_view text);      ///< of evidence

// Training configurations, each by the reader of its format.
std::string deepspeed(std::string_view text);
std::string accelerate(std::string_view text);
std::string trainer(std::string_view text);
std::string axolotl(std::string_view text);
std::string llama_factory(std::string_view text);
std::string ms_swift(std::string_view text);
std::string trl(std::string_view text);
std::string torchtune(std::string_view text);
std::string torchtitan(std::string_view text);
std::string megatron(std::string_view text);
std::string nemo(std::string_view text);
std::string litgpt(std::string_view text);
std::string maxtext(std::string_view text);

// What starts programs, and what they print.
std::string script(std::string_view text);
std::string manifest(std::string_view text); ///< of containers; Modelfiles
std::string log(std::string_view text);

// The whole way to an answer: of a query, of a JSON object, and of scenarios that bytes choose (chosen.hpp).
std::string answer(std::string_view text);
std::string scenario(std::string_view text);
std::string cost(std::string_view text);
std::string load(std::string_view text);
std::string estimate(std::string_view bytes);
std::string solve(std::string_view bytes);
std::string plan(std::string_view bytes);
std::string serving_plan(std::string_view bytes);

} // namespace targets

struct Target {
  std::string_view name;
  std::string (*broken_by)(std::string_view input);
};

/// All of the above.
std::span<const Target> all_targets() noexcept;

/// Good inputs to start from: random bytes hardly ever become one.
std::vector<std::string> seeds_of(std::string_view target);

} // namespace plimsoll::fuzz
