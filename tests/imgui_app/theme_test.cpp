// Colours can be read: contrast by WCAG 2 (4.5 for text, 3 for what is not text).
#include "theme.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace plimsoll;
using namespace plimsoll::app;

TEST_CASE("contrast is that of WCAG 2") {
  CHECK(contrast(IM_COL32_WHITE, IM_COL32_BLACK) > 20.9f);
  CHECK(contrast(IM_COL32_WHITE, IM_COL32_WHITE) < 1.01f);
  const float grey = contrast(IM_COL32(0x76, 0x76, 0x76, 255), IM_COL32_WHITE); // the lightest grey that passes on white
  CHECK(grey > 4.5f);
  CHECK(grey < 4.6f);
}

TEST_CASE("text on every segment can be read") {
  for (std::size_t i = 0; i < kParts; ++i) {
    const ImU32 colour = colour_of(static_cast<Part>(i));
    CAPTURE(text_of(static_cast<Part>(i)).id);
    CHECK(contrast(text_on(colour), colour) >= 4.5f);
  }
}

TEST_CASE("text on every ground can be read") {
  const Theme& t = theme(GENERATE(true, false));
  for (const ImU32 ground : {t.ground, t.panel, t.sheet, t.field, t.hover})
    for (const ImU32 text : {t.ink, t.dim, t.accent, t.load_line, t.ok, t.warning}) CHECK(contrast(text, ground) >= 4.5f);
  CHECK(contrast(text_on(t.accent), t.accent) >= 4.5f);
}

TEST_CASE("components take the colour of their category") {
  const ImU32 none = IM_COL32(1, 2, 3, 255);
  CHECK(colour_of("memory.kv_cache", none) == colour_of(Part::kv_cache));
  CHECK(colour_of("memory.activations.mlp", none) == colour_of(Part::activations));
  CHECK(colour_of("memory.weightsfoo", none) == none);
  CHECK(colour_of("parameters.mlp", none) == none);
}
