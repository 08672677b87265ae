// Models of state spaces alone: Mamba (arXiv 2312.00752), Falcon Mamba (arXiv 2410.05355), Mamba-2 (arXiv 2405.21060).
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

/// The vocabulary is padded up, in files that say so.
void pad_vocabulary(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const std::int64_t multiple = read.number({"pad_vocab_size_multiple"}, {1, 65'536}, 1);
  if (read.overridden("vocab_size")) return;
  const Count padded = ceil_div(draft.out.vocab_size, Count{multiple}) * Count{multiple};
  draft.out.vocab_size = Count{read.fact("vocab_size", padded.value)};
}

void build(ModelBuilder& draft, const Recurrence& recurrence) {
  pad_vocabulary(draft);
  Layer layer;
  layer.norms = Count{draft.read.fact("norms_per_layer", 1)};
  layer.recurrence = recurrence;
  read_layers(draft, layer);
}

void build_mamba(ModelBuilder& draft) {
  read_frame(draft);
  build(draft, read_mamba1(draft));
}

void build_mamba2(ModelBuilder& draft) {
  read_frame(draft);
  build(draft, read_mamba2(draft, {.plain_names = true}));
}

constexpr Family kFamilies[] = {
    {.type = "mamba", .name = "Mamba", .defaults = {.hidden = 768, .layers = 32, .vocab = 50280}, .tied = true, .build = build_mamba},
    {.type = "falcon_mamba", .name = "Falcon Mamba", .defaults = {.hidden = 768, .layers = 32, .vocab = 50280}, .tied = true, .build = build_mamba},
    {.type = "mamba2", .name = "Mamba-2", .defaults = {.hidden = 4096, .layers = 64, .vocab = 32768}, .build = build_mamba2},
};

} // namespace

std::span<const Family> families::state_space() noexcept { return kFamilies; }

} // namespace plimsoll::io
