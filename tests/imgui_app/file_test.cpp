// A model file becomes the question's model; one that is broken or holds no model changes nothing and is explained.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kQuestion = "model=llama-3-8b&device=rtx4090&batch=4";
constexpr const char* kConfig = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
  "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
  "max_position_embeddings": 8192, "tie_word_embeddings": true, "hidden_act": "silu"})";
constexpr const char* kExperts = R"({"architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "hidden_size": 2048,
  "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "moe_intermediate_size": 768,
  "intermediate_size": 6144, "num_experts": 128, "num_experts_per_tok": 8, "vocab_size": 151936, "tie_word_embeddings": false})";

/// A safetensors header of one tensor, as it lies at the beginning of a file.
std::string safetensors_of(const std::string& json) {
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(json.size());
  return bytes + json;
}

} // namespace

TEST_CASE("a config.json is taken, and the dialog shows what it says") {
  NullScreen screen(kQuestion);
  CHECK(screen.app().read_file(kConfig, std::string_view(kConfig).size(), "config.json"));
  screen.settle();
  const Inputs& inputs = screen.app().answer.inputs;
  CHECK(screen.app().answer.ok);
  CHECK(inputs.model.id == "custom");
  CHECK(inputs.model.hidden_size == Count{2048});
  CHECK(inputs.workload.batch == 4);
  CHECK(screen.app().effects.query_changed);
  CHECK(screen.app().view.file_dialog.open);
  CHECK(screen.app().view.file_dialog.file->parameters == Count{1'235'814'400}); // Llama 3.2 1B
  CHECK(screen.shows("file.groups"));
  screen.press("button.done");
  CHECK_FALSE(screen.app().view.file_dialog.open);
  CHECK(screen.errors().empty());
}

TEST_CASE("a model with experts keeps them through the address") {
  std::string query;
  {
    NullScreen screen(kQuestion);
    CHECK(screen.app().read_text(kExperts));
    CHECK(screen.app().answer.facts.parameters == Count{30'532'122'624});
    query = screen.app().query;
  }
  NullScreen again(query);
  CHECK(again.app().answer.ok);
  CHECK(again.app().answer.facts.parameters == Count{30'532'122'624});
}

TEST_CASE("a file that is no model leaves the question as it was") {
  NullScreen screen(kQuestion);
  for (const std::string text : {"", "{", "[]", R"({"model_type": "no_such_model"})", R"({"model_type": "llama", "hidden_size": -1})", "GGUF", "PK\x03\x04"}) {
    CAPTURE(text);
    const io::Request before = screen.app().request;
    CHECK_FALSE(screen.app().read_text(text));
    screen.settle();
    CHECK(screen.app().request == before);
    CHECK(screen.app().answer.ok);
    CHECK(screen.app().view.file_dialog.open);
    REQUIRE(screen.app().view.file_dialog.file.has_value());
    CHECK_FALSE(screen.app().view.file_dialog.file->issues.empty());
    CHECK(screen.shows("file.text"));
    screen.press("button.cancel");
    CHECK_FALSE(screen.app().view.file_dialog.open);
    CHECK_FALSE(screen.shows("file.text"));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("a text that is refused stays in the dialog, to be mended") {
  NullScreen screen(kQuestion);
  const std::string text = R"({"model_type": "no_such_model"})";
  CHECK_FALSE(screen.app().read_text(text));
  CHECK(screen.app().view.file_dialog.text == text);
}

TEST_CASE("a file of weights that holds no whole model is shown, and changes nothing") {
  NullScreen screen(kQuestion);
  const io::Request before = screen.app().request;
  const std::string bytes = safetensors_of(R"({"proj.weight":{"dtype":"BF16","shape":[64,32],"data_offsets":[0,4096]}})");
  CHECK_FALSE(screen.app().read_file(bytes, bytes.size() + 4096, "projector.safetensors"));
  screen.settle();
  CHECK(screen.app().request == before);
  REQUIRE(screen.app().view.file_dialog.file.has_value());
  CHECK(screen.app().view.file_dialog.file->bytes == Bytes{4096});
  CHECK(screen.shows("button.done"));
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.app().view.file_dialog.open);
  CHECK(screen.errors().empty());
}

TEST_CASE("the dialog opens from the model's section and imports what is typed") {
  NullScreen screen(kQuestion);
  screen.press("link.read_file");
  REQUIRE(screen.shows("file.text"));
  CHECK_FALSE(screen.shows("button.choose_file")); // here is no way to choose one
  screen.type("{\"model_type\": \"mystery\"}");
  screen.press("button.import");
  REQUIRE(screen.app().effects.read_text.has_value());
  CHECK_FALSE(screen.app().read_text(*screen.app().effects.read_text)); // as a platform does
  CHECK(screen.app().view.file_dialog.open);
  CHECK_FALSE(screen.app().view.file_dialog.file->issues.empty());
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.app().view.file_dialog.open);
  CHECK(screen.app().answer.inputs.model.id == "llama-3-8b");
}

TEST_CASE("where the platform can, the dialog lets a file be chosen") {
  NullScreen screen(kQuestion);
  screen.app().can_choose_files = true;
  screen.press("link.read_file");
  screen.press("button.choose_file");
  CHECK(screen.app().effects.choose_file);
  CHECK_FALSE(screen.app().view.file_dialog.open); // what it says is told where it is read
}

TEST_CASE("what is dropped and is no file is refused with a reason") {
  NullScreen screen(kQuestion);
  screen.app().refuse_file("Several files were dropped.", "Drop one.");
  screen.settle();
  CHECK(screen.shows("file.text"));
  CHECK(screen.app().answer.ok);
}

TEST_CASE("a dialog fits a phone") {
  NullScreen screen(kQuestion, {390, 844});
  CHECK(screen.app().read_text(kExperts));
  screen.settle();
  const app::Rect done = screen.rect("button.done");
  CHECK(done.y + done.h < 844);
  screen.press("button.done");
  CHECK(screen.errors().empty());
}

TEST_CASE("what looks like a config.json") {
  CHECK(app::looks_like_json(kConfig));
  CHECK(app::looks_like_json("\n {\"a\": 1}\n"));
  CHECK_FALSE(app::looks_like_json(""));
  CHECK_FALSE(app::looks_like_json("8192"));
  CHECK_FALSE(app::looks_like_json("{ not closed"));
}
