// How answers are written down: a change that a person cannot see in these lines would pass a review.
#include "compare.hpp"
#include "digest.hpp"
#include "figures.hpp"
#include "walk.hpp"
#include "whole.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cctype>
#include <exception>

using namespace plimsoll;
using test::Lines;

namespace {

const std::string kAnswer = R"({"ok":true,"issues":[{"severity":"note","field":"batch","message":"m","remedy":"r"},)"
                            R"({"severity":"note","field":"batch","message":"n","remedy":"s"}],"query":"model=m","idle":["rank","beams"],)"
                            R"("estimate":{"peak":{"bytes":4096,"low_bytes":2048,"high_bytes":8192,"text":"4.00 KiB"},"pool":null,)"
                            R"("moments":[{"moment":"decode","bytes":7,"parts":[{"id":"memory.kv_cache","bytes":7}]}]},)"
                            R"("explanation":{"memory":{"id":"memory","label":"Memory","unit":"bytes","amount":4096,"low":2048,"high":8192,)"
                            R"("text":"4.00 KiB","exact":"4,096 bytes","formula":"","symbols":[],"citation":null,"basis":"assumed","parts":[)"
                            R"({"id":"memory.weights","label":"Weights","unit":"bytes","amount":4096,"low":4096,"high":4096,"text":"4.00 KiB",)"
                            R"("exact":"4,096 bytes","formula":"2 * n","symbols":[{"name":"n","value":2048,"text":"2,048","unit":"parameters",)"
                            R"("meaning":"of the model","field":"hidden_size"}],"citation":{"id":"paper","text":"Somebody","url":"https://x.org"},)"
                            R"("basis":"counted","parts":[]}]}}})";

/// All that a person gets to see of an answer; of one that is refused, why.
Lines shown(const std::string& json) {
  try {
    test::Citations citations;
    Lines lines = test::whole_lines(io::parse_json(json).value, citations);
    for (const std::string& line : test::citation_lines(citations)) lines.push_back(line);
    return lines;
  } catch (const std::exception& refused) {
    return {refused.what()};
  }
}

} // namespace

TEST_CASE("a whole answer has a line for each component, symbol and value") {
  CHECK(shown(kAnswer) == Lines{
                              "ok  true",
                              "query  \"model=m\"",
                              "issues/batch  severity=\"note\"  message=\"m\"  remedy=\"r\"",
                              "issues/batch#2  severity=\"note\"  message=\"n\"  remedy=\"s\"",
                              "idle  \"rank\"",
                              "idle  \"beams\"",
                              "estimate.pool  null",
                              "estimate.peak.bytes  4096",
                              "estimate.peak.low_bytes  2048",
                              "estimate.peak.high_bytes  8192",
                              "estimate.peak.text  \"4.00 KiB\"",
                              "estimate.moments/decode  bytes=7",
                              "estimate.moments/decode/memory.kv_cache  bytes=7",
                              "memory  4,096 bytes  2,048..8,192  \"4.00 KiB\"  assumed  Memory",
                              "memory.weights  4,096 bytes  \"4.00 KiB\"  counted  Weights",
                              "  = 2 * n  [paper]",
                              "    n  2,048 parameters  of the model  [hidden_size]",
                              "paper",
                              "  Somebody",
                              "  https://x.org",
                          });
}

TEST_CASE("no letter of an answer can change without a change of its lines") {
  const Lines before = shown(kAnswer);
  const std::string place = R"("explanation":{"memory")"; // components go by their ids: that of the place is left to the digest
  int changed = 0;
  for (std::size_t at = 0; at < kAnswer.size(); ++at) {
    if (at == kAnswer.find(place)) at += place.size();
    if (std::isalnum(static_cast<unsigned char>(kAnswer[at])) == 0) continue;
    std::string json = kAnswer;
    json[at] = json[at] == '7' ? '8' : std::isdigit(static_cast<unsigned char>(json[at])) != 0 ? '7' : json[at] == 'q' ? 'Q' : 'q';
    if (!io::parse_json(json).ok) continue;
    INFO(json);
    CHECK(shown(json) != before);
    ++changed;
  }
  CHECK(changed > 500);
}

TEST_CASE("figures leave out formulas, formatted numbers and what stands elsewhere") {
  Lines lines;
  for (const test::Figure& figure : test::figures(io::parse_json(kAnswer).value, false))
    lines.push_back(figure.table + ": " + figure.name + "  " + figure.value);
  CHECK(lines == Lines{
                     "estimate: ok  true",
                     "issues: issues/batch.severity  note",
                     "issues: issues/batch.message  m",
                     "issues: issues/batch.remedy  r",
                     "issues: issues/batch#2.severity  note",
                     "issues: issues/batch#2.message  n",
                     "issues: issues/batch#2.remedy  s",
                     "estimate: estimate.peak.bytes  4,096  2,048..8,192",
                     "moments: estimate.moments/decode.bytes  7",
                     "memory: memory  4,096  2,048..8,192  assumed",
                     "memory: memory.weights  4,096  counted",
                 });
}

TEST_CASE("a component that says more than goldens show is refused") {
  std::string json = kAnswer;
  json.insert(json.find("\"basis\":\"counted\""), "\"since\":1,");
  CHECK(shown(json) == Lines{"Goldens do not show the member “since”."});
}

TEST_CASE("a difference names the line, what was expected and what came") {
  const Lines expected{"a 1", "b 2", "c 3", "d 4"};
  CHECK(test::differences("f.txt", expected, expected).empty());
  CHECK(test::differences("f.txt", expected, {"a 1", "b 9", "c 3", "d 4"}) == "f.txt:2\n  expected  b 2\n  actual    b 9\n");
  CHECK(test::differences("f.txt", expected, {"a 1", "c 3", "d 4"}) == "f.txt:2\n  expected  b 2\n");
  CHECK(test::differences("f.txt", expected, {"a 1", "b 2", "x 0", "c 3", "d 4", "e 5"}) ==
        "f.txt:3\n  actual    x 0\nf.txt:5\n  actual    e 5\n");
  CHECK(test::differences("f.txt", {}, {"1", "2", "3", "4"}) == "f.txt:1\n  actual    1\n  actual    2\n  actual    3\n  actual    and 1 more\n");
}

TEST_CASE("digests are FNV-1a of sixty-four bits") { // test vectors: draft-eastlake-fnv, appendix
  CHECK(test::digest("") == "cbf29ce484222325");
  CHECK(test::digest("a") == "af63dc4c8601ec8c");
  CHECK(test::digest("foobar") == "85944171f73967e8");
}

TEST_CASE("digits are grouped") {
  CHECK(test::grouped("0") == "0");
  CHECK(test::grouped("999") == "999");
  CHECK(test::grouped("-1000") == "-1,000");
  CHECK(test::grouped("1234567") == "1,234,567");
  CHECK(test::grouped("0.25") == "0.25");
}
