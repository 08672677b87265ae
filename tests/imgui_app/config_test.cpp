// A model's config.json becomes the question's model; a broken one changes nothing and is explained.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kConfig = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
  "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
  "max_position_embeddings": 8192, "tie_word_embeddings": true, "hidden_act": "silu"})";

} // namespace

TEST_CASE("a config.json is taken") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&batch=4");
  CHECK(screen.app().paste_config(kConfig));
  screen.settle();
  const Inputs& inputs = screen.app().answer.inputs;
  CHECK(screen.app().answer.ok);
  CHECK(inputs.model.layers == 16);
  CHECK(inputs.model.hidden_size == 2048);
  CHECK(inputs.workload.batch == 4);
  CHECK(screen.app().effects.query_changed);
  CHECK_FALSE(screen.app().view.config.open);
}

TEST_CASE("a broken config.json leaves the question as it was") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  for (const char* const text : {"", "{", "[]", R"({"model_type": "no_such_model"})", R"({"model_type": "llama", "hidden_size": -1})"}) {
    CAPTURE(text);
    const io::Request before = screen.app().request;
    CHECK_FALSE(screen.app().paste_config(text));
    screen.settle();
    CHECK(screen.app().request == before);
    CHECK(screen.app().answer.ok);
    CHECK(screen.app().view.config.open);
    CHECK_FALSE(screen.app().view.config.issues.empty());
    CHECK(screen.app().view.config.text == text);
    CHECK(screen.shows("config.text"));
    screen.press("button.cancel");
    CHECK_FALSE(screen.app().view.config.open);
    CHECK_FALSE(screen.shows("config.text"));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("the dialog opens from the model's section and imports what is typed") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("link.paste_config");
  REQUIRE(screen.shows("config.text"));
  screen.type("{\"model_type\": \"mystery\"}");
  screen.press("button.import");
  CHECK(screen.app().view.config.open);
  CHECK_FALSE(screen.app().view.config.issues.empty());
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.app().view.config.open);
  CHECK(screen.app().answer.inputs.model.id == "llama-3-8b");
}

TEST_CASE("what looks like a config.json") {
  CHECK(app::looks_like_json(kConfig));
  CHECK(app::looks_like_json("\n {\"a\": 1}\n"));
  CHECK_FALSE(app::looks_like_json(""));
  CHECK_FALSE(app::looks_like_json("8192"));
  CHECK_FALSE(app::looks_like_json("{ not closed"));
}
