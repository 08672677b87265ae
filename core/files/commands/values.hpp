#pragma once
// Texts of options as fields hold them, and back.

#include "files/commands/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::commands {

/// Parts in proportion, separated by commas or slashes, as whole numbers; empty for what is none.
std::vector<std::int64_t> split_of(std::string_view text);

/// Tokens that the longest of tests has, numbers separated by commas: they run one after the other, or are parts of `one` test. Nothing for other texts.
/// ggml-org/llama.cpp, tools/llama-bench.
std::optional<std::int64_t> longest_test(std::string_view text, bool one);

/// A regular expression of tensors' names, and the device that has them.
struct PlacedTensors {
  std::string pattern, device;
};
/// "PATTERN=DEVICE", several of them separated by commas; nothing for other texts. ggml-org/llama.cpp, common/arg.cpp, parse_tensor_buffer_overrides.
std::optional<std::vector<PlacedTensors>> places_of(std::string_view text);

/// "8192", "8,192"; "32k" is 32000 and "32K" 32768, "1.5k" is 1500. Nothing for what is no whole number of at most 2^53.
std::optional<std::int64_t> whole_of(std::string_view text);

/// "0.9" is 900: rounded to thousandths. Nothing outside 0 to 1.
std::optional<std::int64_t> thousandths_of_share(std::string_view text);
/// 900 is "0.9".
std::string share_text(std::int64_t thousandths);

/// A cache format by the name that an engine gives it, e.g. "fp8_e4m3" and "f16"; "" for "auto"; nothing for what there is no name of.
std::optional<std::string_view> cache_dtype_of(std::string_view text);
/// The name that the engine gives a cache format; "" where it has none.
std::string_view cache_dtype_text(const Engine& engine, std::string_view dtype);

/// A format of weights by the name of a number format; "" for "auto".
std::optional<std::string_view> dtype_of(std::string_view text);

/// A format of weights by the name of a quantisation method.
struct Quantization {
  std::string_view weights; ///< "" where the checkpoint alone knows
  bool assumed = false;     ///< the checkpoint may have other bits or groups
};
std::optional<Quantization> quantization_of(std::string_view text);
/// A method that stands for these weights alone when it is read; "" where none does.
std::string_view quantization_text(const Engine& engine, std::string_view weights);

/// How many media of a kind a request may have at most.
struct MediaLimit {
  std::string kind;
  std::int64_t most = 0;
};
/// {"image": 2} or image=2; nothing for another text.
std::optional<std::vector<MediaLimit>> media_limits(const std::string& text);

/// true, on, 1; false, off, 0; nothing for other words. "auto" is neither: second is false then.
struct Truth {
  bool on = false;
  bool stated = true;
};
std::optional<Truth> truth_of(std::string_view text);

/// The link of GPUs that a switch which keeps them apart leaves them; nothing where it is off.
std::optional<std::string_view> link_of(std::string_view text);

} // namespace plimsoll::io::commands
