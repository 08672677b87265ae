// What stands under the hull.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <utility>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kPretrain = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&data_parallel=16&pipeline_parallel=4&micro_batches=16&train_tokens=1000000000000";

} // namespace

TEST_CASE("every tab is drawn for every task, on wide screens and on phones") {
  const ImVec2 size = GENERATE(ImVec2{1440, 900}, ImVec2{1024, 768}, ImVec2{390, 2600}); // as tall as the inputs above them, so that they can be pressed
  const char* const query = GENERATE("model=llama-3-8b&device=rtx4090", "model=mixtral-8x7b&device=b200&task=finetune", kPretrain,
                                     "model=llama-3-8b&device=m2-ultra-192"); // whose rates for training nobody published
  NullScreen screen(query, size);
  for (std::size_t i = 0; i < app::kTabs; ++i) {
    const std::string tab = "tab." + std::string(app::text_of(static_cast<app::Tab>(i)).id);
    CAPTURE(query, size.x, tab);
    screen.press(tab);
    CHECK(screen.app().view.tab == static_cast<app::Tab>(i));
    CHECK(screen.errors().empty());
  }
}

TEST_CASE("what other tabs need is asked for once, when one is opened, and again when somebody says so") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  screen.app().other_tabs = app::Arrival::unasked;
  screen.settle();
  CHECK_FALSE(screen.app().effects.want_other_tabs);
  screen.press("tab.time");
  CHECK(std::exchange(screen.app().effects.want_other_tabs, false));
  CHECK(screen.app().other_tabs == app::Arrival::asked);
  CHECK_FALSE(screen.app().load);
  screen.press("tab.devices");
  CHECK_FALSE(screen.app().effects.want_other_tabs);
  screen.app().set_other_tabs(false);
  screen.settle();
  screen.press("tab.again");
  CHECK(screen.app().effects.want_other_tabs);
  screen.app().set_other_tabs(true);
  screen.settle();
  CHECK(screen.app().devices);
  CHECK(screen.errors().empty());
}

TEST_CASE("a link to a plan, and what is pinned, wait for what searches and compares") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=finetune", {1440, 1600});
  screen.app().other_tabs = app::Arrival::unasked;
  screen.app().set_view("tab=plan&objective=time&gpus=8&pin1=model%3Dllama-3-8b");
  screen.settle();
  CHECK(screen.app().effects.want_other_tabs);
  CHECK_FALSE(screen.app().plan);
  CHECK(screen.app().pinned.empty());
  screen.app().set_other_tabs(true);
  screen.settle();
  CHECK(screen.app().plan);
  CHECK(screen.app().pinned.size() == 1);
}

TEST_CASE("a changed fact waits for what reads configs, and says so where that cannot be had") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  app::App& app = screen.app();
  app.readers = app::Arrival::unasked;
  const std::string before = app.query;
  app.set_field("layers", "16");
  screen.settle();
  CHECK(std::exchange(app.effects.want_readers, false));
  CHECK(app.query == before);
  CHECK(app.answer.ok);
  REQUIRE(app.request.find("layers") != nullptr); // what was typed is kept
  app.set_readers(false);
  screen.settle();
  CHECK_FALSE(app.answer.ok);
  CHECK(app.answer.issues.back().field == "model");
  app.set_field("batch", "2"); // the next question asks again
  CHECK(std::exchange(app.effects.want_readers, false));
  app.set_readers(true);
  screen.settle();
  CHECK(app.answer.ok);
  CHECK(app.query.find("layers=16") != std::string::npos);
  CHECK(app.query.find("batch=2") != std::string::npos);
  CHECK(screen.errors().empty());
}

TEST_CASE("a pinned question about a model that is described waits for what reads configs, as plans for such a question do") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=finetune", {1440, 1600});
  app::App& app = screen.app();
  app.readers = app::Arrival::unasked;
  app.set_view("pin1=model%3Dllama-3-8b%26layers%3D16");
  screen.settle();
  CHECK(std::exchange(app.effects.want_readers, false));
  CHECK(app.pinned.empty());
  app.set_field("layers", "8");
  app.set_view("tab=plan&objective=time&gpus=8&pin1=model%3Dllama-3-8b%26layers%3D16");
  screen.settle();
  CHECK_FALSE(app.plan);
  app.set_readers(true);
  screen.settle();
  CHECK(app.pinned.size() == 1);
  CHECK(app.plan);
}

TEST_CASE("the parts of a step stand side by side, each as wide as its share, and open their formulas") {
  NullScreen screen(kPretrain, {1440, 1600});
  screen.press("tab.time");
  const Component* step = nullptr;
  for (const Component& fact : screen.app().shown->explanation.facts)
    if (fact.id == "fact.step_time") step = &fact;
  REQUIRE(step);
  float width = 0;
  for (const Component& part : step->parts) {
    if (!screen.shows("time." + part.id)) continue; // thinner than a pixel
    width += screen.rect("time." + part.id).w;
  }
  CHECK(width > 600);
  screen.press("time.time.attention");
  CHECK(screen.app().view.selected == "time.attention");
  CHECK(screen.shows("card"));
  screen.press("amount.fact.mfu");
  CHECK(screen.app().view.selected == "fact.mfu");
  CHECK(screen.shows("offer.cheapest"));
}

TEST_CASE("what is not told about a job leads to the input that says it") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain", {1440, 1600});
  screen.press("tab.time");
  CHECK_FALSE(screen.shows("offer.cheapest"));
  screen.press("link.job");
  CHECK(screen.app().view.editing == "train_tokens");
}

TEST_CASE("pins are compared with the present question, opened and removed") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&batch=4", {1440, 1600});
  screen.press("tab.compare");
  CHECK_FALSE(screen.shows("compare"));
  screen.press("button.pin");
  REQUIRE(screen.app().pinned.size() == 1);
  screen.app().set_field("batch", "8");
  screen.settle();
  CHECK(screen.shows("compare.memory.kv_cache"));
  CHECK(screen.shows("compare.bars"));
  CHECK(screen.shows("button.pin"));
  screen.press("pin.open.0");
  CHECK(screen.app().answer.inputs.workload.batch == 4);
  CHECK_FALSE(screen.shows("button.pin")); // it is pinned
  screen.press("pin.remove.0");
  CHECK(screen.app().pinned.empty());
  CHECK(screen.errors().empty());
}

TEST_CASE("tiles of the treemap open their formulas") {
  NullScreen screen("model=llama-3-8b&device=rtx4090", {1440, 1200});
  screen.press("tile.memory.kv_cache");
  CHECK(screen.app().view.selected == "memory.kv_cache");
}

TEST_CASE("rows of the breakdown can stand by their amounts") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&batch=16");
  const auto is_above = [&](const char* a, const char* b) { return screen.rect(std::string("row.") + a).y < screen.rect(std::string("row.") + b).y; };
  CHECK(is_above("memory.weights", "memory.kv_cache"));
  screen.press("button.order");
  CHECK(is_above("memory.kv_cache", "memory.weights"));
}

TEST_CASE("the reference finds inputs by what they mean, and goes to them") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("tab.fields");
  CHECK(screen.shows("reference.model"));
  screen.press("fields.search");
  screen.type("context_tokens");
  CHECK_FALSE(screen.shows("reference.model"));
  CHECK(screen.shows("reference.context_tokens"));
  screen.press("link.field_entry.context_tokens");
  CHECK(screen.app().view.editing == "context_tokens");
}

TEST_CASE("a device of the table is asked by a press") {
  NullScreen screen("model=llama-3.3-70b&device=rtx4090&profile=vllm", {1440, 3000});
  screen.press("tab.devices");
  screen.settle();
  REQUIRE(screen.shows("devices.h100-80-sxm"));
  screen.press("devices.h100-80-sxm");
  CHECK(screen.app().answer.inputs.hardware.id == "h100-80-sxm");
  CHECK(screen.app().answer.judgement.holds());
  CHECK(screen.app().effects.query_changed);
}
