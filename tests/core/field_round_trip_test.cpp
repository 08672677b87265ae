// Every field, by URL and by JSON, with a value that is not its default: read, kept in the canonical query, shown in the answer.
#include "plimsoll/request/request.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

using namespace plimsoll;

namespace {

std::int64_t other_value(const Field& field, std::int64_t standard) {
  if (field.kind == FieldKind::flag) return standard == 0 ? 1 : 0;
  if (field.kind == FieldKind::integer) return standard == field.max ? field.min : standard + 1;
  if (field.choices.size() == 1) return field.parts.back().value; // a set of parts
  return field.choices.front().value != standard ? field.choices.front().value : field.choices.back().value;
}

} // namespace

TEST_CASE("a value that is not the default comes back by every road") {
  int tried = 0;
  for (const Field& field : fields()) {
    if (field.get == nullptr || field.topic == Topic::task || field.topic == Topic::model || field.topic == Topic::hardware) continue;
    const Task task = applies(field, Task::finetune) ? Task::finetune : applies(field, Task::pretrain) ? Task::pretrain : Task::inference;
    const std::string base = "task=" + std::string{choice_name(*find_field("task"), static_cast<std::int64_t>(task))};
    const std::int64_t value = other_value(field, field.get(io::answer_query(test::catalog(), base).inputs));
    const std::string name{field.name}, text = text_of(field, value);
    const io::Answer by_url = io::answer_query(test::catalog(), base + "&" + name + "=" + text);
    INFO(name << " = " << text);
    CHECK(field.get(by_url.inputs) == value);
    CHECK((io::canonical_query(by_url) + "&").find("&" + name + "=" + text + "&") != std::string::npos);

    Issues issues;
    const std::string quote = field.kind == FieldKind::choice ? "\"" : "";
    std::string json = "{\"task\":\"" + base.substr(5) + "\",\"" + name;
    json += "\":" + quote + text + quote + "}";
    const io::Answer by_json = io::answer(test::catalog(), io::request_from_json(json, issues));
    CHECK(issues.empty());
    CHECK(field.get(by_json.inputs) == value);
    CHECK(io::canonical_query(by_json) == io::canonical_query(by_url));
    ++tried;
  }
  CHECK(tried > 50);
}

TEST_CASE("a row is found by its name and by its former one, and a fact by its place among the facts") {
  for (const Field& field : fields()) {
    INFO(field.name);
    CHECK(find_field(field.name) == &field);
    if (!field.former.empty()) CHECK(find_field(field.former) == &field);
    const auto fact = std::ranges::find(model_facts(), field.name, &Field::name);
    CHECK(fact_index(field) == (fact == model_facts().end() ? kMostFacts : static_cast<std::size_t>(fact - model_facts().begin())));
  }
  CHECK(find_field("no_such_field") == nullptr);
}
