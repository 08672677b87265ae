// Whatever is asked, in whatever size and colours, every panel is there and ImGui has nothing to complain about.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr ImVec2 kWide{1440, 900}, kMedium{1024, 768}, kPhone{390, 844};

void check_panels(const NullScreen& screen) {
  for (const char* name : {"headline", "hull", "numbers", "treemap", "breakdown", "card", "load_line", "field.model", "field.device", "task.inference",
                           "task.finetune", "task.pretrain", "button.copy_link", "button.theme", "link.read_file"}) {
    INFO(name);
    CHECK(screen.shows(name));
    const app::Rect at = screen.rect(name);
    CHECK(at.w > 0);
    CHECK(at.h > 0);
  }
}

} // namespace

TEST_CASE("every task in every size and both themes") {
  const char* const task = GENERATE("inference", "finetune", "pretrain");
  const char* const device = GENERATE("rtx4090", "h100-80-sxm");
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  const bool dark = GENERATE(true, false);
  CAPTURE(task, device, size.x, dark);
  NullScreen screen(std::string("model=llama-3-8b&device=") + device + "&task=" + task, size);
  REQUIRE(screen.app().answer.ok);
  screen.app().set_dark(dark);
  screen.settle();
  check_panels(screen);
  for (const Component& part : screen.app().shown->explanation.memory.parts) {
    CHECK(screen.shows("segment." + part.id));
    CHECK(screen.shows("row." + part.id));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("every model of the catalogue") {
  NullScreen screen("");
  for (const io::ModelRow& model : screen.app().catalog.models()) {
    CAPTURE(model.id);
    screen.app().set_field("model", model.id);
    screen.settle();
    CHECK(screen.app().answer.ok);
    CHECK(screen.shows("hull"));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("amounts at the ends of their ranges are drawn") {
  const char* const query = GENERATE("usable_bytes=1048576", "usable_bytes=1125899906842624", "batch=1000000&context_tokens=100000000",
                                     "model=custom&layers=1&hidden_size=1&query_heads=1&kv_heads=1&head_dim=1&intermediate_size=1&vocab_size=1");
  for (const char* const task : {"inference", "finetune"}) {
    CAPTURE(query, task);
    NullScreen screen(std::string(query) + "&task=" + task);
    CHECK(screen.errors().empty());
    CHECK(screen.vertices() > 1000);
  }
}

TEST_CASE("a tiny or absurd window is survived") {
  const ImVec2 size = GENERATE(ImVec2{1, 1}, ImVec2{200, 60}, ImVec2{699, 300}, ImVec2{1100, 200}, ImVec2{4000, 3000});
  CAPTURE(size.x, size.y);
  NullScreen screen("task=finetune", size);
  CHECK(screen.errors().empty());
}

TEST_CASE("nothing is drawn while nothing happens") {
  NullScreen screen("");
  CHECK_FALSE(screen.app().wants_frame());
  screen.app().set_field("batch", "4");
  CHECK(screen.app().wants_frame());
  CHECK(screen.settle() <= 6);
  CHECK_FALSE(screen.app().wants_frame());
}
