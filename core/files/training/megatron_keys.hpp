#pragma once
// One setting of Megatron Core under the names that Megatron-LM's command line, Megatron Bridge and NeMo give it.

#include "files/training/document.hpp"
#include "files/training/format.hpp"

#include <span>
#include <string>
#include <string_view>

namespace plimsoll::io::configs {

enum class MegatronDialect : unsigned char { arguments, overrides };

/// A setting by the name of its argument, without "--": the name that stands in the document, or of those that may the first.
std::string megatron_key(const Document& document, MegatronDialect dialect, std::string_view argument);
/// Reads all names of a setting that stand in the document with the value that counts.
void take_same(Document& document, MegatronDialect dialect, std::string_view argument);
/// The name that is written.
std::string megatron_written(MegatronDialect dialect, std::string_view argument);

std::string_view megatron_harmless() noexcept;
std::span<const Effect> megatron_effects() noexcept;
std::string_view nemo_harmless() noexcept;
std::span<const Effect> nemo_effects() noexcept;

} // namespace plimsoll::io::configs
