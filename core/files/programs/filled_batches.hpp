#pragma once
// Micro-batches that a program fills up to a number of tokens.

#include "files/training/request_builder.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll::io::programs {

/// Sets batch and micro_batches to what sequences of full length make of it: as few micro-batches as hold them all, alike among them. Shorter sequences
/// are more in each, with as many tokens.
/// @param tokens of a micro-batch at most, on all GPUs that divide its sequences together; below `length` it holds one sequence.
/// @param length tokens of a sequence; nothing is set where it is not above 0.
/// @param sequences of an optimizer's step on a replica; 0 where nobody knows: then as many as the tokens take, rounded up.
/// @param key that states the tokens, as people write it.
void fill_batches(configs::RequestBuilder& draft, std::int64_t tokens, std::int64_t length, std::int64_t sequences, std::string_view key);

/// Sequences of full length in one micro-batch of so many tokens, rounded up; 1 where the length is not above 0.
std::int64_t filled_sequences(std::int64_t tokens, std::int64_t length);

} // namespace plimsoll::io::programs
