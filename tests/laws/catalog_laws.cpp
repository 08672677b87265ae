// What is compiled in: complete, sourced, and reachable under every name it has.
#include "scenarios.hpp"

#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/validate.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

using namespace plimsoll;

TEST_CASE("every model has a valid shape, a source, a date, and the published number of parameters") {
  CHECK(test::catalog().models().size() >= 10);
  for (const io::ModelRow& row : test::catalog().models()) {
    INFO(row.id);
    CHECK(test::catalog().find_model(row.id) == &row);
    for (const std::string& alias : row.aliases()) CHECK(test::catalog().find_model(alias) == &row);
    const io::ModelRecord& record = io::record_of(row);
    CHECK(!record.parameters_source.empty());
    CHECK(!record.config_source.empty());
    CHECK(!record.date.empty());
    Inputs inputs;
    inputs.model = *io::import_model(row).model;
    inputs.workload.context_tokens = 1;
    inputs.hardware.usable_bytes = 1 << 30;
    CHECK(validate(inputs).empty());
    if (record.is_exact && record.differences.empty())
      CHECK(count_parameters(*io::import_model(row).model) == Count{record.parameters});
  }
}

TEST_CASE("every device has usable memory below its label, sources and a date") {
  CHECK(test::catalog().devices().size() == 110);
  std::set<std::string> ids;
  for (const io::DeviceRow& row : test::catalog().devices()) {
    INFO(row.hardware.id);
    CHECK(ids.insert(row.hardware.id).second);
    CHECK(test::catalog().find_device(row.hardware.id) == &row);
    CHECK(row.hardware.usable_bytes > 0);
    CHECK(!row.hardware.usable_basis.empty());
    if (row.hardware.nominal_bytes > 0) CHECK(row.hardware.usable_bytes <= row.hardware.nominal_bytes);
    CHECK(!io::record_of(row).sources.empty());
    CHECK(!row.date.empty());
    const Rates& rates = row.hardware.rates;
    CHECK(rates.memory > 0);
    CHECK(std::ranges::any_of(rates.flop, [](std::int64_t rate) { return rate > 0; }));
    for (std::size_t i = 0; i < kArithmetics; ++i) CHECK(rates.measured[i] <= rates.flop[i]); // nobody beats the data sheet
  }
}

TEST_CASE("links are told in one direction") {
  const Rates h100 = test::catalog().find_device("h100-80-sxm")->hardware.rates;
  CHECK(h100.link == 450'000'000'000);
  CHECK(h100.host == 63'015'384'608); // PCIe 5.0 x16
  CHECK(test::catalog().find_device("rtx4060")->hardware.rates.host == 15'753'846'152); // 4.0 x8
  CHECK(test::catalog().find_device("m4-max-128")->hardware.rates.host == 0);
}

TEST_CASE("every profile can be read for every architecture of the catalogue") {
  for (const io::Catalog::ProfileRow& row : test::catalog().profiles())
    for (const io::DeviceRow& device : test::catalog().devices()) {
      const auto profile = test::catalog().profile(row.id, device.hardware.arch);
      REQUIRE(profile);
      CHECK(profile->runtime.context_bytes.low <= profile->runtime.context_bytes.value);
      CHECK(profile->runtime.context_bytes.value <= profile->runtime.context_bytes.high);
      CHECK(profile->runtime.workspace_bytes.value > 0);
    }
  CHECK(!test::catalog().profile("no-such-profile", "Ada"));
}

TEST_CASE("field names are unique, defaults are in range, choices have distinct names and values") {
  std::set<std::string_view> names;
  for (const Field& field : fields()) {
    INFO(field.name);
    CHECK(names.insert(field.name).second);
    CHECK(std::ranges::all_of(field.name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }));
    CHECK(!label_of(field).empty());
    CHECK(!help_of(field).empty());
    CHECK(field.help.empty()); // it stands apart
    CHECK((field.get == nullptr) == (field.kind == FieldKind::id || field.kind == FieldKind::text));
    CHECK((field.kind == FieldKind::choice) == !field.choices.empty());
    if (field.kind == FieldKind::integer) CHECK(field.min < field.max);
    if (field.topic != Topic::task && field.topic != Topic::model && field.topic != Topic::hardware)
      for (std::int64_t standard : field.defaults) {
        if (field.kind == FieldKind::integer) CHECK((standard >= field.min && standard <= field.max));
        else if (field.kind == FieldKind::choice) CHECK(!choice_name(field, standard).empty());
        else if (field.kind == FieldKind::flag) CHECK((standard == 0 || standard == 1));
      }
    std::set<std::int64_t> values;
    for (const Choice& choice : field.choices) CHECK(values.insert(choice.value).second);
  }
}

TEST_CASE("every field can be set to any of its values and read back") {
  for (const Field& field : fields()) {
    if (field.get == nullptr) continue;
    INFO(field.name);
    Inputs inputs;
    const auto check = [&](std::int64_t value) {
      field.set(inputs, value);
      CHECK(field.get(inputs) == value);
    };
    if (field.kind == FieldKind::integer) check(field.min), check(field.max);
    if (field.kind == FieldKind::flag) check(0), check(1);
    for (const Choice& choice : field.choices) check(choice.value);
  }
}

TEST_CASE("every choice of every input is answered or refused for every kind of model") {
  const auto& models = test::catalog().models();
  constexpr int kTried = 8; // models for each choice
  std::size_t at = 0;
  for (const Field& field : fields())
    for (const Choice& choice : field.choices)
      for (int tried = 0; tried < kTried; ++tried) {
        const std::string& model = models[at++ % models.size()].id;
        for (const char* task : {"inference", "finetune", "pretrain"}) {
          const std::string query = "model=" + model + "&device=h100-80-sxm&task=" + task + "&" + std::string{field.name} + "=" + std::string{choice.name};
          const io::Answer answer = io::answer_query(test::catalog(), query);
          INFO(query);
          CHECK((answer.ok || has_errors(answer.issues)));
        }
      }
}

TEST_CASE("an encoder without a head is trained with any loss") {
  for (const char* loss : {"profile", "liger", "liger_fused_linear", "chunked"}) {
    INFO(loss);
    CHECK(test::answer_to("model=wav2vec2-large-960h-lv60-self&task=pretrain&loss=" + std::string{loss}).ok);
  }
}
