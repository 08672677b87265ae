// The files in tests/corpus/configs: each is recognised, and none of its keys is lost.
#include "json.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "training_configs.hpp"

using namespace plimsoll;

namespace {

using io::Json;

std::size_t json_leaves(const Json& value) {
  const auto is_section = [](const Json& item) { return item.is_object() && !item.empty(); };
  std::size_t leaves = 0;
  if (is_section(value))
    for (const auto& item : value) leaves += is_section(item) ? json_leaves(item) : 1;
  return leaves;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == ' ' || c == '\n') words.emplace_back();
    else words.back() += c;
  return words;
}

/// Counted without the reader's help: JSON by another walk, everything else by lines and words.
std::size_t leaves_of(const test::ConfigFile& file) {
  std::set<std::string> names;
  std::size_t lines = 0;
  if (file.format == "deepspeed" || file.format == "trainer") return json_leaves(test::parsed(file.text));
  if (file.format == "megatron") {
    for (const std::string& word : words_of(file.text))
      if (word.starts_with("--")) names.insert(word.substr(0, word.find('=')));
    return names.size();
  }
  if (file.format == "nemo") {
    for (const std::string& word : words_of(file.text))
      if (word.find('=') != std::string::npos) names.insert(word.substr(0, word.find('=')));
    return names.size();
  }
  if (file.format == "torchtitan") {
    for (std::size_t at = 0; (at = file.text.find(" = ", at)) != std::string::npos; ++at) ++lines;
    return lines;
  }
  return test::yaml_leaves(file.text);
}

io::TrainingConfig read(std::string_view text) { return io::read_training_config(test::catalog(), text); }

std::size_t told(const io::TrainingConfig& config) { return static_cast<std::size_t>(config.read + config.harmless) + config.unread.size(); }

} // namespace

/// Files that ask for what no input says: they are recognised and refused with the reason.
const std::set<std::string> kRefused{"llama_factory/freeze_badam", "megatron/full_recompute"};

TEST_CASE("ten files of each format, recognised as what they are") {
  std::map<std::string, int> files;
  for (const test::ConfigFile& file : test::config_files()) {
    INFO(file.format + "/" + file.name);
    ++files[file.format];
    const io::TrainingConfig config = read(file.text);
    const bool refused = kRefused.contains(file.format + "/" + file.name);
    CHECK(config.ok == !refused);
    CHECK(config.format == file.format);
    CHECK(has_errors(config.issues) == refused);
    CHECK(!config.source.empty());
    CHECK(config.read > 0);
  }
  const auto formats = io::exportable_configs();
  CHECK(files.size() == formats.size());
  for (const std::string_view format : formats) CHECK(files[std::string{format}] == 10);
}

TEST_CASE("every leaf key of a file is read, counted or named") {
  for (const test::ConfigFile& file : test::config_files()) {
    INFO(file.format + "/" + file.name);
    const io::TrainingConfig config = read(file.text);
    CHECK(told(config) == leaves_of(file));
    for (const std::string& name : config.unread) // by an issue of its own, or in the one note of keys that nobody knows
      CHECK(std::ranges::any_of(config.issues, [&](const Issue& issue) {
        return (issue.field == name || issue.message.find("not known of") != std::string::npos) && !issue.message.empty() && !issue.remedy.empty();
      }));
  }
}

TEST_CASE("a key that nobody knows is named") {
  const std::map<std::string, std::string> lines{{"deepspeed", "{\"zz_unheard_of\": 5, "}, {"trainer", "{\"zz_unheard_of\": 5, "},   {"torchtitan", "zz_unheard_of = 5\n"},
                                                 {"megatron", "--zz-unheard-of 5 \n"},   {"nemo", "zz_unheard_of=5 "}};
  for (const test::ConfigFile& file : test::config_files()) {
    INFO(file.format + "/" + file.name);
    const auto line = lines.find(file.format);
    const std::string start = line != lines.end() ? line->second : "zz_unheard_of: 5\n";
    const std::string text = start + (start[0] == '{' ? file.text.substr(1) : file.text);
    const io::TrainingConfig before = read(file.text), after = read(text);
    CHECK(after.ok == before.ok);
    CHECK(told(after) == told(before) + 1);
    const std::string name = file.format == "megatron" ? "zz-unheard-of" : "zz_unheard_of";
    CHECK(std::ranges::find(after.unread, name) != after.unread.end());
  }
}

TEST_CASE("a file that says its model becomes a scenario; of the others, the model is asked for and nothing is answered") {
  int scenarios = 0, asked = 0;
  for (const test::ConfigFile& file : test::config_files()) {
    INFO(file.format + "/" + file.name);
    const io::TrainingConfig config = read(file.text);
    if (!config.ok) continue; // refused with the reason
    const std::string* model = config.request.find("model");
    const bool is_known = model != nullptr && (*model == "custom" || test::catalog().find_model(*model) != nullptr);
    const io::Answer answer = io::answer(test::catalog(), config.request);
    for (const Issue& issue : answer.issues) {
      INFO(issue.field + ": " + issue.message);
      const bool asks_for_tokenizer = issue.field == "vocab_size" && model != nullptr && *model == "custom"; // Megatron-LM takes it from a file
      CHECK((issue.severity != Severity::error || (issue.field == "model" && !is_known) || asks_for_tokenizer));
    }
    scenarios += answer.ok ? 1 : 0;
    asked += answer.ok ? 0 : 1;
    CHECK(trains(answer.inputs.workload.task));
  }
  CHECK(scenarios + static_cast<int>(kRefused.size()) >= 64);
  CHECK(asked > 0);
}

TEST_CASE("readers of any file know training configurations") {
  for (const test::ConfigFile& file : test::config_files()) {
    if (file.name.size() % 3 != 0) continue; // a third of them: each loads the catalogue
    INFO(file.format + "/" + file.name);
    const Json json = test::parsed(io::import_json(file.text, file.text.size()));
    CHECK(json["kind"] == "training_config");
    CHECK(json["format"] == file.format);
    CHECK(json["fields"].contains("task"));
    const io::ModelFile read = io::read_model_file(file.text, file.text.size());
    CHECK(read.kind == "training_config");
    const bool refused = kRefused.contains(file.format + "/" + file.name);
    CHECK(read.ok == !refused);
    if (refused) continue;
    CHECK(!read.request.entries().empty());
  }
}
