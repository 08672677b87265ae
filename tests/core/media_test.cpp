// Images, video and sound of a sequence: patches and tokens by the rules of the models' processors, each worked out by hand from the sources
// that core/method/layers/media.cpp names, and what the tower's passes, weights and states take.
#include "plimsoll/method/media.hpp"

#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/speed.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

const Tower& tower_of(const std::string& model, TensorKind kind = TensorKind::vision) {
  static std::vector<io::ImportedModel> kept;
  kept.push_back(io::import_model(*test::catalog().find_model(model)));
  REQUIRE(kept.back().model);
  const auto at = std::ranges::find(kept.back().model->towers, kind, &Tower::kind);
  REQUIRE(at != kept.back().model->towers.end());
  return *at;
}

std::int64_t tokens(const Tower& tower, std::int64_t width, std::int64_t height, std::int64_t images = 1) {
  return media_load(tower, {.images = images, .image_width = width, .image_height = height}).tokens.value;
}

std::int64_t sum_of(const Component& part, const std::string& id) {
  if (part.id.starts_with(id)) return part.amount;
  std::int64_t sum = 0;
  for (const Component& inner : part.parts) sum += sum_of(inner, id);
  return sum;
}

std::int64_t memory_of(const std::string& query, const std::string& id) {
  const io::Answer answer = test::answer_to(query);
  return sum_of(explain(answer.scenario, answer.estimate).memory, id);
}

} // namespace

TEST_CASE("Qwen rounds an image's sides to whole tokens, within a smallest and a largest area") {
  const Tower tower = tower_of("qwen2.5-vl-7b");
  CHECK(tokens(tower, 1024, 1024) == 37 * 37);  // 1024 / 28 = 36.6
  CHECK(tokens(tower, 1920, 1080) == 69 * 39);  // 68.6 and 38.6
  CHECK(tokens(tower, 28, 28) == 4);            // the least that the model card names: 4 to 16,384 tokens
  CHECK(tokens(tower, 20'000, 20'000) == 16'384);
  CHECK(tokens(tower, 1024, 1024, 3) == 3 * 37 * 37);
  CHECK(media_load(tower, {.image_width = 448, .image_height = 448, .video_frames = 7}).tokens == Count{4 * 16 * 16}); // two frames are one patch deep
  CHECK(media_load(tower, {.images = 1, .image_tokens = 100}).patches() == Count{400});
}

TEST_CASE("other processors make tiles, rows or one size of an image") {
  CHECK(tokens(tower_of("gemma-3-4b"), 300, 5000) == 256);
  const Tower mistral = tower_of("mistral-small-3.2-24b");
  CHECK(tokens(mistral, 1540, 1540) == 55 * 56); // a further token ends each row
  CHECK(tokens(mistral, 3080, 1540) == 28 * 56); // no side longer than 1540
}

TEST_CASE("Gemma 4 makes every image as large as 280 tokens of 48 pixels hold, and frames of a video as large as 70") {
  const Tower tower = tower_of("gemma-4-e2b");
  CHECK(tokens(tower, 1024, 1024) == 16 * 16); // the root of 280 x 48 x 48 is 803.2
  CHECK(tokens(tower, 100, 100) == 16 * 16);   // enlarged
  CHECK(tokens(tower, 1920, 1080) == 22 * 12); // 1070.9 and 602.4
  CHECK(tokens(tower, 1'000'000, 10) == 280);
  CHECK(media_load(tower, {.image_width = 1024, .image_height = 1024, .video_frames = 3}).tokens == Count{3 * 8 * 8}); // 401.6
  CHECK(media_load(tower, {.images = 2, .image_width = 1024, .image_height = 1024, .video_frames = 3}).tokens == Count{2 * 256 + 3 * 64});
}

TEST_CASE("InternVL tiles an image by its shape and adds the whole of it") {
  const Tower tower{{.rule = TokenRule::tiles, .join = Count{4}, .side = Count{448}, .patches = Count{1024}, .most = Count{12}}, {}};
  CHECK(tokens(tower, 448, 448) == 256);
  CHECK(tokens(tower, 1344, 896) == 7 * 256);    // three by two
  CHECK(tokens(tower, 10'000, 10'000) == 10 * 256); // three by three; ten, eleven and twelve tiles make no square
}

TEST_CASE("sound takes tokens by its seconds") {
  const Tower whisper{{.kind = TensorKind::audio, .rule = TokenRule::seconds, .join = Count{4}, .patches = Count{50}, .least = Count{30}}, {}};
  CHECK(media_load(whisper, {.audio_seconds = 45}).tokens == Count{750}); // Voxtral: two pieces of 375 tokens
  CHECK(media_load(whisper, {.audio_seconds = 45}).patches_of_each == Count{1500});
}

TEST_CASE("a tower as a model of its own has as many parameters as its tensors") {
  int towers = 0;
  for (const io::ModelRow& row : test::catalog().models()) {
    const io::ImportedModel imported = io::import_model(row);
    REQUIRE(imported.model);
    for (const Tower& tower : imported.model->towers) {
      INFO(row.id);
      CHECK(count_parameters(tower.model) == count_parameters(*imported.model, tower.kind));
      ++towers;
    }
  }
  CHECK(towers > 20);
}

TEST_CASE("serving: images are read before the prompt, in time and in memory") {
  const std::string text = "model=qwen2.5-vl-7b&device=h100-80-sxm&profile=transformers&context_tokens=8192", seen = text + "&images=2&image_width=1920&image_height=1080";
  const io::Answer without = test::answer_to(text), with = test::answer_to(seen);
  CHECK(speed(with.scenario).first_token.expected > speed(without.scenario).first_token.expected);
  CHECK(speed(with.scenario).step.expected == speed(without.scenario).step.expected);
  CHECK(with.estimate.at_peak().total >= without.estimate.at_peak().total);
}

TEST_CASE("fine-tuning: a frozen tower takes its weights, one that trains its states besides") {
  const std::string query = "model=qwen2.5-vl-7b&device=h200&task=finetune&profile=hf_trainer&precision=bf16&context_tokens=4096&images=1";
  CHECK(memory_of(query, "memory.models.tower") >= std::int64_t{2} * 676'550'144);
  CHECK(memory_of("model=qwen2.5-vl-7b&device=h200&task=finetune&profile=hf_trainer&precision=bf16&context_tokens=4096", "memory.models.tower") == 0);
  CHECK(memory_of(query + "&train_towers=true", "memory.models.tower") > 4 * memory_of(query, "memory.models.tower")); // gradients, two moments, activations
}

TEST_CASE("images that do not fit, or that nobody sees, are refused") {
  const auto refused = [](const std::string& query, std::string_view field) {
    Issues unused;
    const io::Request request = io::request_from_query(query, unused);
    const io::Answer answer = io::answer(test::catalog(), request, unused);
    return std::ranges::any_of(answer.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
  };
  CHECK(refused("model=qwen2.5-vl-7b&device=h100-80-sxm&context_tokens=1024&images=1", "context_tokens"));
  CHECK(refused("model=qwen2.5-vl-7b&device=h100-80-sxm&audio_seconds=5", "audio_seconds"));
  CHECK(refused("model=qwen2.5-vl-7b&device=h100-80-sxm&task=finetune&method=lora&images=1&train_towers=true", "train_towers"));
}
