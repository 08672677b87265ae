// A badge says model, device, what a process needs and the verdict, in text that any typeface holds.
#include "plimsoll/results/api.hpp"
#include "plimsoll/results/result_file.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

std::string badge(const std::string& query) {
  io::Answer answer = io::answer_query(test::catalog(), query);
  io::add_footprint(answer);
  return io::badge_svg(answer);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a badge of what fits and of what does not") {
  const std::string fits = badge("model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=4");
  CHECK(fits.starts_with("<svg xmlns="));
  CHECK(has(fits, "<title>Llama 3 8B on GeForce RTX 4090 24GB: 20.4 GiB, Fits</title>"));
  CHECK(has(fits, "#1B7A43"));
  const std::string large = badge("model=llama-3-70b&device=rtx4090");
  CHECK(has(large, "Does not fit"));
  CHECK(has(large, "#B83A20"));
  CHECK(has(badge("model=llama-3-70b&device=h100-80-sxm&tensor_parallel=4"), "on 4 × H100"));
}

TEST_CASE("halves are as wide as their letters") {
  const std::string svg = badge("model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=4");
  // "Llama 3 8B on GeForce RTX 4090 24GB" has 35 letters, "20.4 GiB, Fits" 14: of 7 pixels each, with 8 on both sides
  CHECK(has(svg, "textLength=\"245\""));
  CHECK(has(svg, "<rect x=\"261\" width=\"114\""));
  CHECK(has(svg, "width=\"375\" height=\"20\" role=\"img\""));
}

TEST_CASE("no badge of a question with errors") { CHECK(badge("model=lama").empty()); }
