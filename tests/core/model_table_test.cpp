// Models that were imported when the program was built are those that their configs give now.
#include "architectures/tables/table.hpp"
#include "architectures/import.hpp"
#include "architectures/tables/write.hpp"
#include "catalog/model_tables.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace plimsoll {
namespace {

bool same_tensors(const Model& a, const Model& b) {
  return std::ranges::equal(a.tensors, b.tensors, [](const ModelTensor& x, const ModelTensor& y) { return x.tensor == y.tensor && x.group == y.group && x.layers == y.layers; });
}

bool same_groups(const std::vector<LayerGroup>& a, const std::vector<LayerGroup>& b) {
  return std::ranges::equal(a, b, [](const LayerGroup& x, const LayerGroup& y) {
    return static_cast<const Layer&>(x) == static_cast<const Layer&>(y) && x.id == y.id && x.label == y.label && x.layers == y.layers;
  });
}

bool same(const Model& a, const Model& b);

bool same_towers(const Model& a, const Model& b) {
  return std::ranges::equal(a.towers, b.towers, [](const Tower& x, const Tower& y) {
    return x.kind == y.kind && x.rule == y.rule && x.join == y.join && x.side == y.side && x.patches == y.patches && x.least == y.least && x.most == y.most &&
           x.frames == y.frames && x.frame_most == y.frame_most && same(x.model, y.model);
  });
}

bool same(const Model& a, const Model& b) {
  return a.name == b.name && a.hidden_size == b.hidden_size && a.vocab_size == b.vocab_size && a.learned_positions == b.learned_positions && a.max_context == b.max_context &&
         a.encoder_tokens == b.encoder_tokens && a.rotary_factors == b.rotary_factors && a.norm == b.norm && a.tied_embeddings == b.tied_embeddings &&
         a.head_bias == b.head_bias && a.has_head == b.has_head && a.caps_logits == b.caps_logits && a.scalar_head == b.scalar_head && a.pattern == b.pattern &&
         a.prediction_depths == b.prediction_depths && same_groups(a.groups, b.groups) && same_groups(a.prediction, b.prediction) && same_towers(a, b) && same_tensors(a, b);
}

} // namespace

TEST_CASE("the table of every model of the catalogue says what its config says") {
  const auto tables = data::model_tables();
  REQUIRE(tables.size() == test::catalog().models().size());
  for (const io::ModelRow& row : test::catalog().models()) {
    INFO(row.id);
    const io::ImportedModel table = io::read_table(tables[row.place]()), config = io::import_huggingface_config(io::config_of(row));
    REQUIRE(table.model);
    REQUIRE(config.model);
    CHECK(same(*table.model, *config.model));
    CHECK(table.architecture == config.architecture);
    CHECK(table.family == config.family);
    CHECK(table.dtype == config.dtype);
    CHECK(table.quantization_config == config.quantization_config);
    CHECK(table.facts.known == config.facts.known);
    CHECK(table.facts.values == config.facts.values);
    CHECK(std::ranges::equal(table.issues, config.issues, [](const Issue& a, const Issue& b) {
      return a.severity == b.severity && a.field == b.field && a.message == b.message && a.remedy == b.remedy;
    }));
  }
}

TEST_CASE("a table holds numbers of either sign, and layers in runs") {
  io::ImportedModel imported;
  imported.facts.known.set(3).set(95);
  imported.facts.values[3] = -7;
  imported.facts.values[95] = Count::kMax;
  imported.issues.push_back({Severity::warning, "a", "", "b\0c"});
  Architecture architecture;
  Layer dense, state;
  dense.mlp.intermediate_size = Count{300};
  state.recurrence = KimiDelta{.heads = Count{5}, .head_dim = Count{64}, .kernel = Count{2}, .full_rank_gate = true};
  for (const int which : {0, 0, 1, 0, 1}) architecture.layers.push_back(which == 0 ? dense : state);
  architecture.hidden_size = Count{64};
  const std::string bytes = io::write_table(imported, architecture);
  const io::ImportedModel read = io::read_table(bytes);
  CHECK(read.facts.known == imported.facts.known);
  CHECK(read.facts.values == imported.facts.values);
  CHECK(read.issues.front().remedy == imported.issues.front().remedy);
  REQUIRE(read.model);
  CHECK(read.model->pattern == std::vector<std::uint16_t>{0, 0, 1, 0, 1});
  CHECK(read.model->groups.at(1).recurrence == state.recurrence);
  CHECK(read.model->groups.at(0).mlp.intermediate_size == Count{300});
}

} // namespace plimsoll
