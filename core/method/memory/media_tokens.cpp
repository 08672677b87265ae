// What images, video and sound take of a sequence's context; the rules stand in layers/media.cpp.
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/media.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kTokens{[] { return FormulaText{.id = "fact.media_tokens",
                          .label = "Tokens of images or sound",
                          .unit = "tokens",
                          .text = "items * tokens",
                          .citation = "processors",
                          .basis = Basis::published,
                          .symbols = {{{"items", "", "images, tiles, pairs of frames or pieces of sound of one sequence", "images"},
                                       {"tokens", "tokens", "that one of them takes of the context", "image_width"}}}}; }};

} // namespace

Term media_tokens(const Tower& tower, const Media& media) noexcept {
  const MediaLoad load = media_load(tower, media);
  const Count each{load.tokens.value / max(load.items, Count{1}).value};
  Term term = make_term(kTokens, load.items * each, {load.items.value, each.value});
  term.variant = tower.kind == TensorKind::audio ? "audio" : "vision";
  return term;
}

} // namespace plimsoll::memory
