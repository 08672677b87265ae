// Sizes of weights that llama.cpp, vLLM, torchao and others print or publish, against ours: rebuilt from shapes and storage schemes.
// weight_bytes.json states each row's model by its dimensions, the scheme, the figure with its digits, and where it was read. Rows
// whose gate is "exact" must be met within half a unit of the last printed digit. A "file" holds a little more than tensors: names
// and a vocabulary. Where a mix is its maker's own, the log's "printed bits" per weight are multiplied with our count of parameters.
// The rest is held within the band that the row states, with the reason.
#include "decoder_facts.hpp"
#include "json.hpp"

#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

using namespace plimsoll;
using Row = io::Json;

namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0, kMib = 1024.0 * 1024.0;
/// A vocabulary of 128,256 entries with its merges, and the names of the tensors, take less than this in a GGUF file.
constexpr double kMostMetadata = 12 * kMib;

Row read_rows() { return test::parsed_file("tests/published/weight_bytes.json"); }

double unit_bytes(const std::string& unit) {
  if (unit == "GiB") return kGib;
  if (unit == "MiB") return kMib;
  if (unit == "GB") return 1e9;
  REQUIRE(unit == "bits/weight");
  return 1;
}

LatentMap latent_map_of(const std::string& name) {
  return name == "both" ? LatentMap::both : name == "split" ? LatentMap::split : LatentMap::joined;
}

double parameters(const Model& model, const StoredWeights& weights) {
  Count count = model.rotary_factors;
  for (const StoredTensor& tensor : weights.tensors) count += tensor.layers * (tensor.copies * (tensor.rows * tensor.columns));
  return static_cast<double>(count.value);
}

/// Our figure in the row's unit.
double ours(const Row& row, const Model& model, const io::WeightCatalog& catalog) {
  std::optional<WeightScheme> scheme = catalog.find(row.value("scheme", std::string{"gguf_f16"}));
  REQUIRE(scheme);
  if (row.contains("latent_map")) scheme->latent_map = latent_map_of(row.at("latent_map").text());
  const StoredWeights weights = store(model, *scheme);
  // The mix is the maker's own: only the count of parameters is ours, the bits are those that the log prints.
  if (row.contains("printed_bits_per_weight"))
    return parameters(model, weights) * row.at("printed_bits_per_weight").get<double>() / 8 / unit_bytes(row.at("unit").text());

  Bytes bytes = stored_bytes(model, weights);
  const std::string what = row.at("what").text();
  if (what == "bits_per_weight") return 8 * static_cast<double>(bytes.value) / parameters(model, weights);
  const bool own_head = !model.tied_embeddings;
  if (what == "without_embedding" || (what == "device" && own_head)) bytes = bytes - stored_bytes(model, weights, TensorKind::embedding);
  if (what == "loaded") bytes += rotary_table_bytes(model, Bytes{2});
  return static_cast<double>(bytes.value) / unit_bytes(row.at("unit").text());
}

bool within_gate(const Row& row, double measured, double mine) {
  const double half_digit = 0.5 * std::pow(10.0, -row.at("digits").get<double>()) * (1 + 1e-12);
  const std::string gate = row.at("gate").text();
  if (gate == "exact") return std::abs(mine - measured) <= half_digit;
  if (gate == "file")
    return measured - mine >= -half_digit && measured - mine <= half_digit + kMostMetadata / unit_bytes(row.at("unit").text());
  if (gate == "printed bits")
    return std::abs(mine - measured) <= half_digit + mine * 0.0005 / row.at("printed_bits_per_weight").get<double>();
  return std::abs(mine / measured - 1) <= row.at("band").get<double>();
}

} // namespace

TEST_CASE("published and logged sizes of weights") {
  const Row file = read_rows();
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  int exact = 0, others = 0, left = 0;
  double worst = 0;
  std::printf("%-62s %12s %12s %9s  %s\n", "row", "measured", "ours", "error %", "gate");
  for (const Row& row : file.at("rows")) {
    const std::string id = row.at("id").text();
    INFO(id);
    const double measured = row.at("value").get<double>();
    if (row.contains("not_compared")) {
      ++left;
      std::printf("%-62s %12.4f %12s %9s  %s\n", id.c_str(), measured, "-", "-", row.at("not_compared").get<std::string>().c_str());
      continue;
    }
    const Model model = make_model(test::architecture_of(file.at("models").at(row.at("model").get<std::string>())));
    const double mine = ours(row, model, catalog), error = mine / measured - 1;
    const std::string gate = row.at("gate").text();
    std::printf("%-62s %12.4f %12.4f %+9.4f  %s\n", id.c_str(), measured, mine, 100 * error, gate.c_str());
    CHECK(within_gate(row, measured, mine));
    ++(gate == "exact" ? exact : others);
    worst = std::max(worst, std::abs(error));
  }
  std::printf("%d exact, %d others (worst %.2f %%), %d not compared\n", exact, others, 100 * worst, left);
  CHECK(exact == 74);
  CHECK(others == 61);
  CHECK(left == 8);
}
