// Rows of evidence that are read back: what is chosen, how it is sorted, and what is said of it.
#include "plimsoll/evidence/accuracy_summary.hpp"
#include "plimsoll/results/evidence.hpp"

#include "plimsoll/evidence/accuracy.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace plimsoll;

namespace {

const char* const kFile = R"({"corpora": [
  {"name": "runs", "rows": [
    {"id": "a", "group": "dense", "status": "modelled", "metric": "peak", "memory": "allocated", "unit": "bytes", "predicted": 1100, "low": 1000, "high": 1200, "measured": 1000, "unexplained_error": 0.1, "scenario": "model=llama-3-8b", "assumed": ["No fusion."]},
    {"id": "b", "group": "moe", "status": "modelled", "metric": "peak", "unit": "bytes", "predicted": 500, "measured": 1000, "unexplained_error": -0.5, "scenario": "operator=rope"},
    {"id": "c", "group": "moe", "status": "not_covered", "reason": "No experts.", "metric": "peak", "unit": "bytes", "measured": 7}]},
  {"name": "models", "rows": [
    {"id": "d", "group": "dense", "status": "modelled", "metric": "params", "unit": "parameters", "predicted": 8, "measured": 8, "unexplained_error": 0},
    {"id": "e", "group": "dense", "status": "modelled", "metric": "params", "unit": "parameters", "predicted": 9, "measured": 8, "unexplained_error": 0.125, "measured_is_rounded": true}]}]})";

std::string ids(const io::Evidence& evidence, const io::EvidenceChoice& choice) {
  std::string text;
  for (const std::size_t row : io::chosen_rows(evidence, choice)) text += evidence.rows[row].id;
  return text;
}

} // namespace

TEST_CASE("rows come with their file, and a scenario only where it is one of a model") {
  const io::Evidence evidence = io::read_evidence(kFile);
  REQUIRE(evidence.issues.empty());
  REQUIRE(evidence.rows.size() == 5);
  CHECK(evidence.rows[0].corpus == "runs");
  CHECK(evidence.rows[0].scenario == "model=llama-3-8b");
  CHECK(evidence.rows[0].note == "Assumed: No fusion.");
  CHECK(evidence.rows[1].scenario.empty());
  CHECK(!evidence.rows[2].predicted);
  CHECK(!evidence.rows[2].error);
  CHECK(!evidence.rows[4].summed);
}

TEST_CASE("rows are chosen by unit, file, group and words, and sorted by what is asked; without a number they stand last") {
  const io::Evidence evidence = io::read_evidence(kFile);
  CHECK(ids(evidence, {}) == "badce"); // e is rounded: its error says nothing
  CHECK(ids(evidence, {.turned = true}) == "dabce");
  CHECK(ids(evidence, {.order = io::EvidenceOrder::id}) == "abcde");
  CHECK(ids(evidence, {.order = io::EvidenceOrder::measured}) == "abdec");
  CHECK(ids(evidence, {.order = io::EvidenceOrder::predicted}) == "abedc");
  CHECK(ids(evidence, {.unit = "bytes"}) == "bac");
  CHECK(ids(evidence, {.corpus = "models"}) == "de");
  CHECK(ids(evidence, {.group = "moe"}) == "bc");
  CHECK(ids(evidence, {.missing = true}) == "c");
  CHECK(ids(evidence, {.text = "PEAK moe"}) == "bc");
  CHECK(ids(evidence, {.text = "no experts"}) == "c");
  CHECK(ids(evidence, {.text = "nobody"}).empty());
}

TEST_CASE("what can be chosen") {
  const io::Evidence evidence = io::read_evidence(kFile);
  CHECK(io::units_of(evidence) == std::vector<std::string>{"bytes", "parameters"});
  CHECK(io::corpora_of(evidence) == std::vector<std::string>{"runs", "models"});
  CHECK(io::groups_of(evidence, "") == std::vector<std::string>{"dense", "moe"});
  CHECK(io::groups_of(evidence, "models") == std::vector<std::string>{"dense"});
}

TEST_CASE("the summary is of rows that count") {
  const io::Evidence evidence = io::read_evidence(kFile);
  const io::EvidenceSummary summary = io::summary_of(evidence, io::chosen_rows(evidence, {}));
  CHECK(summary.compared == 3);
  CHECK(summary.exact == 1);
  CHECK(summary.within_tenth == 2);
  CHECK(summary.median == 0.1);
  CHECK(summary.p90 == 0.5);
  CHECK(io::sentence_of(summary) == "3 compared, 1 exact, 2 within 10 %: median error 10.00 %, nine of ten within 50.00 %, worst 50.00 % (b).");
  CHECK(io::sentence_of(io::summary_of(evidence, {})) == "Nothing of these is compared.");
}

TEST_CASE("numbers and errors as people read them") {
  CHECK(io::amount_text(16'060'522'496.0, "bytes") == "15.0 GiB");
  CHECK(io::amount_text(8030261248.0, "parameters") == "8,030,261,248");
  CHECK(io::amount_text(129.25, "tokens/s") == "129 tokens/s");
  CHECK(io::amount_text(30840000.0, "GPU-hours") == "30,840,000 GPU-hours");
  CHECK(io::amount_text(2.5, "") == "2.50");
  CHECK(io::amount_text({}, "bytes").empty());
  CHECK(!io::amount_text(std::numeric_limits<double>::infinity(), "bytes").empty());
  CHECK(io::error_text(0.0) == "exact");
  CHECK(io::error_text(0.0125) == "+1.25 %");
  CHECK(io::error_text(-0.5) == "-50.00 %");
  CHECK(io::error_text(std::numeric_limits<double>::infinity()) == "+infinite");
}

TEST_CASE("what the accuracy command prints is read back, with and without the file it comes from") {
  io::Comparison row;
  row.id = "x", row.group = "g", row.metric = "m", row.unit = "bytes";
  row.modelled = true;
  row.predicted = 3, row.measured = 0;
  const io::Accuracy accuracy{.rows = {row}, .issues = {}};
  const std::string corpora = io::corpora_json({{"one \"file\"", accuracy}});
  for (const std::string& text : {io::accuracy_json(accuracy), corpora}) {
    const io::Evidence evidence = io::read_evidence(text);
    REQUIRE(evidence.rows.size() == 1);
    CHECK(evidence.rows[0].predicted == 3.0);
    CHECK(std::isinf(evidence.rows[0].error.value_or(0)));
  }
  CHECK(io::read_evidence(corpora).rows[0].corpus == "one \"file\"");
}

TEST_CASE("any JSON is survived") {
  for (const char* const text : {"", "{", "null", "[]", "{}", "[1, null, \"x\"]", R"({"corpora": 3})", R"({"corpora": [null, {"rows": {}}, {"name": 2, "rows": [[]]}]})"}) {
    CAPTURE(text);
    CHECK(has_errors(io::read_evidence(text).issues));
  }
  const io::Evidence odd = io::read_evidence(R"([{"id": 3, "predicted": "x", "measured": 1e300, "assumed": {"a": 1}, "unit": null, "status": []}, {}])");
  CHECK(odd.rows.size() == 2);
  CHECK(!io::amount_text(odd.rows[0].measured, odd.rows[0].unit).empty());
}
