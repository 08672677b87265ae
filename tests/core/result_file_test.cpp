// Answers as files: each kind says what the answer says.
#include "plimsoll/results/result_file.hpp"

#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace plimsoll;

namespace {

const std::string kPipeline = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4";

io::Answer answer_to(std::string_view query) { return io::answer_query(test::catalog(), query); }

std::string file_of(std::string_view query, io::ResultFormat format) { return io::result_file(test::catalog(), answer_to(query), format); }

std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

} // namespace

TEST_CASE("CSV has a row for each component, with exact amounts") {
  const std::string csv = file_of("model=llama-3-8b&device=rtx4090", io::ResultFormat::csv);
  CHECK(csv.starts_with("table,id,label,amount,low,high,unit,basis,formula,source\r\n"));
  CHECK(csv.find("parameters,parameters,\"Parameters\",8030261248,") != std::string::npos);
  // every line has ten cells: commas inside quotation marks are text
  bool quoted = false;
  std::size_t commas = 0;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++commas;
    if (c != '\n') continue;
    CHECK(commas == 9);
    commas = 0;
  }
}

TEST_CASE("Markdown says the headline, every category and the process") {
  io::Answer answer = answer_to(kPipeline);
  io::add_footprint(answer);
  const std::string text = io::result_file(test::catalog(), answer, io::ResultFormat::markdown);
  CHECK(text.find(answer.headline.rest) != std::string::npos);
  CHECK(text.find("| **Process** | **" + format_bytes(answer.footprint->process.expected) + "**") != std::string::npos);
  for (std::size_t i = 0; i < kParts; ++i) {
    const Part part = static_cast<Part>(i);
    const Bytes amount = answer.estimate.at_peak().parts[i];
    if (amount > Bytes{0}) CHECK(text.find("| " + std::string{text_of(part).label} + " | " + format_bytes(amount)) != std::string::npos);
  }
}

TEST_CASE("the picture has a bar for each rank and names its texts safely") {
  const std::string svg = file_of(kPipeline, io::ResultFormat::svg);
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count_of(svg, "<clipPath") == 4);
  CHECK(svg.find("task=pretrain&amp;") != std::string::npos);
  CHECK(svg.find("&pipeline") == std::string::npos);
}

TEST_CASE("colours of categories are all different") {
  std::set<std::uint32_t> colours;
  for (std::size_t i = 0; i < kParts; ++i) colours.insert(io::colour_of(static_cast<Part>(i)));
  CHECK(colours.size() == kParts);
}

TEST_CASE("an answer with errors makes no file") {
  for (std::size_t i = 0; i < io::kResultFormats; ++i) CHECK(file_of("model=no-such-model", static_cast<io::ResultFormat>(i)).empty());
}

TEST_CASE("files are named after what they are about") {
  CHECK(io::result_file_name(answer_to("model=llama-3-8b&device=rtx4090"), "csv") == "plimsoll-llama-3-8b-rtx4090-inference.csv");
  CHECK(io::result_format("markdown") == io::ResultFormat::markdown);
  CHECK(!io::result_format("pdf"));
}
