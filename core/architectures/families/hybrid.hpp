#pragma once
// Hybrids whose rules have a file of their own.

#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

/// Which layers look at the whole context, of a file that names the others `other`; every n-th when it lists none.
std::vector<bool> read_full_layers(ModelBuilder& draft, const char* other, std::int64_t every);

/// For each of `layers` whether the list has its number.
std::vector<bool> marked(const std::vector<std::int64_t>& listed, std::size_t layers);

void build_bailing_hybrid(ModelBuilder& draft);
void build_inkling(ModelBuilder& draft);
void build_kimi_linear(ModelBuilder& draft);
void build_nemotron_h(ModelBuilder& draft);
void build_zamba2(ModelBuilder& draft);

} // namespace plimsoll::io
