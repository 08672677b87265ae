// Training configurations that are broken, and what is said of them: where, what, and what to do.
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;

namespace {

const std::string kGood = "base_model: meta-llama/Meta-Llama-3-8B\nsequence_len: 4096\nmicro_batch_size: 2\nadapter: lora\nlora_r: 16\n";

/// The one error of a text that is no configuration.
Issue error_of(std::string_view text) {
  const io::TrainingConfig config = io::read_training_config(test::catalog(), text);
  REQUIRE(!config.ok);
  REQUIRE(config.issues.size() == 1);
  CHECK(config.issues.front().severity == Severity::error);
  return config.issues.front();
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Something is said of that key, in a sentence with that part.
bool warns(std::string_view text, std::string_view key, std::string_view part) {
  const io::TrainingConfig config = io::read_training_config(test::catalog(), text);
  CHECK(!config.format.empty());
  return std::ranges::any_of(config.issues, [&](const Issue& issue) { return issue.field == key && (says(issue.message, part) || says(issue.remedy, part)); });
}

} // namespace

TEST_CASE("broken YAML says where, why and what to write") {
  struct Broken {
    std::string line; ///< the sixth of the file
    std::string_view place, message, remedy;
  };
  const std::vector<Broken> all{
      {"fsdp_config:\n\tfsdp_version: 2\n", "line 7, column 1", "tab", "spaces"},
      {"lora_target_modules: [q_proj, v_proj\nbf16: true\n", "line 7", "bracket", "Close"},
      {"output_dir: \"out\nbf16: true\n", "line", "quotation mark", "Close"},
      {"wandb_name: run: 3\n", "line 6, column 16", "colon", "quotes"},
      {"  bf16: true\n", "line 6", "colon", "indent"},
      {"output_dir: @here\n", "line 6, column 13", "begins with @", "quotes"},
      {"datasets:\n  - path: x\n type: y\n", "line 8", "fits in no section", "spaces"},
      {"output_dir: \"C:\\models\"\n", "line 6", "backslash", "single quotes"},
      {"output_dir: caf\xE9\n", "line 6", "UTF-8", "UTF-8"},
  };
  for (const Broken& broken : all) {
    const Issue issue = error_of(kGood + broken.line);
    INFO(broken.line + issue.message + " " + issue.remedy);
    CHECK(says(issue.message, broken.place));
    CHECK(says(issue.message, broken.message));
    CHECK(says(issue.remedy, broken.remedy));
  }
}

TEST_CASE("broken TOML and JSON say where") {
  const Issue toml = error_of("[model]\nname = \"llama3\"\nflavor = 8B\n[training]\nseq_len = 8192\n");
  CHECK(says(toml.message, "line 3"));
  CHECK(says(toml.remedy, "quotes"));
  const Issue json = error_of("{\n  \"zero_optimization\": {\"stage\": 3,},\n  \"bf16\": {\"enabled\": true}\n}");
  CHECK(says(json.message, "line 2, column 36"));
  CHECK(says(json.remedy, "comma"));
  const Issue comment = error_of("{\n  // sharding\n  \"zero_optimization\": {\"stage\": 3}\n}");
  CHECK(says(comment.message, "line 2"));
  CHECK(says(comment.remedy, "comments"));
}

TEST_CASE("bombs and second documents say what to do") {
  std::string layers = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 6; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    layers += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) layers += ", " + before;
    layers += "]\n";
  }
  const Issue bomb = error_of(kGood + layers);
  CHECK(says(bomb.message, "The alias *a"));
  CHECK(says(bomb.message, "in line 9"));
  CHECK(says(bomb.remedy, "Write out"));
  CHECK(says(error_of(kGood + "---\nx: 1\n").message, "more than one document"));
}

TEST_CASE("byte order marks and line ends of Windows change nothing") {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : kGood) windows += c == '\n' ? std::string{"\r\n"} : std::string{c};
  const io::TrainingConfig plain = io::read_training_config(test::catalog(), kGood), marked = io::read_training_config(test::catalog(), windows);
  REQUIRE(plain.ok);
  REQUIRE(marked.ok);
  CHECK(to_query(marked.request) == to_query(plain.request));
  CHECK(marked.unread.empty());
  const std::string toml = "\xEF\xBB\xBF[model]\r\nname = \"llama3\"\r\nflavor = \"8B\"\r\n[training]\r\nseq_len = 4096\r\n";
  CHECK(io::read_training_config(test::catalog(), toml).format == "torchtitan");
  CHECK(io::read_training_config(test::catalog(), "\xEF\xBB\xBF{\"zero_optimization\": {\"stage\": 2}}").format == "deepspeed");
}

TEST_CASE("values of the wrong kind name the key and what it takes") {
  CHECK(warns("base_model: x\nmicro_batch_size: many\n", "micro_batch_size", "a whole number"));
  CHECK(warns("base_model: x\nsequence_len: 99999999999999999999\n", "sequence_len", "a whole number"));
  CHECK(warns("base_model: x\nsequence_len: -5\n", "sequence_len", "a whole number"));
  CHECK(warns("base_model: x\nsample_packing: perhaps\n", "sample_packing", "true or false"));
  CHECK(warns("base_model: [a, b]\n", "base_model", "a text"));
  CHECK(warns("base_model: x\nmicro_batch_size: ${BATCH}\n", "micro_batch_size", "Give the text that sets ${BATCH}"));
  CHECK(warns("torchrun pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --micro-batch-size $MBS", "micro-batch-size", "sets $MBS"));
}

TEST_CASE("a broken file says so wherever it is dropped") {
  for (const std::string& text : {kGood + "fsdp_config:\n\tfsdp_version: 2\n", std::string{"[training]\nseq_len = 8k\n"}}) {
    INFO(text);
    CHECK(!io::is_training_config(text));
    CHECK(io::may_be_training_config(text));
    const io::ModelFile file = io::read_model_file(text, text.size());
    CHECK(!file.ok);
    CHECK(file.kind == "training_config");
    CHECK(says(file.issues.front().message, "line"));
    CHECK(says(io::import_json(text, text.size()), "is not valid"));
  }
  for (const std::string& text : {std::string{"a sentence in a file"}, std::string{"<html>: x"}, std::string{"\x01\x02: \t"}, std::string{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"}}) {
    INFO(text);
    CHECK(!io::may_be_training_config(text));
    CHECK(io::read_model_file(text, text.size()).kind != "training_config");
  }
}
