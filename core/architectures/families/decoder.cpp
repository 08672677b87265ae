// A decoder that no file describes: what the model "custom" is, whose every fact people state themselves.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr Family kFamilies[] = {
    {.type = "decoder", .name = "Custom model",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .head_dim = 128, .mlp = 14336, .vocab = 128256, .context = 8192},
     .experts = {.has = true, .experts = -1, .per_token = 2, .width = 14336}},
};

} // namespace

std::span<const Family> families::decoder() noexcept { return kFamilies; }

} // namespace plimsoll::io
