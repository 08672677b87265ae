#include "plimsoll/results/result_file.hpp"

#include "plimsoll/results/api.hpp"
#include "results/result_svg.hpp"
#include "text/csv.hpp"

#include <array>
#include <cctype>

namespace plimsoll::io {

namespace {

constexpr std::array<ResultFormatText, kResultFormats> kFormats{{{"json", "JSON", "json", "application/json"},
                                                                 {"csv", "CSV", "csv", "text/csv"},
                                                                 {"markdown", "Markdown table", "md", "text/markdown"},
                                                                 {"svg", "SVG picture", "svg", "image/svg+xml"},
                                                                 {"html", "Report on one sheet", "html", "text/html"}}};

// By Part.
constexpr std::array<std::uint32_t, kParts> kColours{
    0x4C78A8, // weights
    0x72B7B2, // gradients
    0xB279A2, // optimizer
    0xF2B701, // activations
    0xE07B39, // loss
    0x8FA3AD, // buffers
    0x8CCBEF, // kv_cache
    0xD3C79C, // workspace
    0x5B6770, // runtime
    0x9C6B4F, // other_models
};

void add_csv(const Catalog& catalog, std::string_view table, const Component& component, std::string& text) {
  const CitationRow* const source = catalog.find_citation(component.citation);
  text += std::string{table} + "," + component.id + "," + quoted_cell(component.label) + "," + std::to_string(component.amount) + "," + std::to_string(component.low) + "," +
          std::to_string(component.high) + "," + quoted_cell(component.unit) + "," + std::string{name_of(component.basis)} + "," + quoted_cell(component.formula) + "," +
          quoted_cell(source != nullptr ? source->text : "") + "\r\n";
  for (const Component& part : component.parts) add_csv(catalog, table, part, text);
}

std::string csv_of(const Catalog& catalog, const Answer& answer) {
  const Explanation words = explain(answer.scenario, answer.estimate);
  std::string text = "table,id,label,amount,low,high,unit,basis,formula,source\r\n";
  add_csv(catalog, "memory", words.memory, text);
  for (const MemoryNumber& number : memory_numbers()) {
    const MemoryRange& range = *answer.footprint.*number.range;
    text += "process," + std::string{number.id} + "," + quoted_cell(number.label) + "," + std::to_string(range.expected.value) + "," + std::to_string(range.low.value) + "," +
            std::to_string(range.high.value) + ",\"bytes\",,,\r\n";
  }
  add_csv(catalog, "parameters", words.parameters, text);
  for (const Component& fact : words.facts) add_csv(catalog, "facts", fact, text);
  return text;
}

/// A bar or a line break would end the cell.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string{"\\|"} : c == '\n' ? std::string{" "} : std::string{c};
  return cell;
}

std::string markdown_row(const Component& component) {
  const std::string range = component.low == component.high ? "" : format_amounts(component.low, component.high, component.unit);
  const std::string amount = format_amount(component.amount, component.unit);
  const bool bare = amount == format_count(Count{component.amount});
  return "| " + markdown_cell(component.label) + " | " + (bare ? format_exact(component.amount, component.unit) : amount) + " | " + range + " | " +
         std::string{name_of(component.basis)} + " |\n";
}

std::string markdown_of(const Answer& answer) {
  const Explanation words = explain(answer.scenario, answer.estimate);
  const std::string head = " | amount | likely | basis |\n|---|---:|---:|---|\n";
  std::string text = "**" + answer.headline.verdict + "** " + answer.headline.rest + " " + answer.headline.detail + "\n\n`" + canonical_query(answer) + "`\n\n";
  text += "| " + std::string{text_of(answer.estimate.at_peak().moment).label} + head;
  for (const Component& part : words.memory.parts)
    if (part.amount != 0 || part.high != 0) text += markdown_row(part);
  text += "| **In use at the peak** | **" + format_bytes(Bytes{words.memory.amount}) + "** | " + format_range(Bytes{words.memory.low}, Bytes{words.memory.high}) + " | |\n";
  const MemoryRange& process = answer.footprint->process;
  text += "| **Process** | **" + format_bytes(process.expected) + "** | " + format_range(process.low, process.high) + " | |\n";
  text += "| Usable on the device | " + format_bytes(answer.footprint->usable) + " | | |\n";
  if (!words.facts.empty()) text += "\n| also" + head;
  for (const Component& fact : words.facts) text += markdown_row(fact);
  return text;
}

} // namespace

const ResultFormatText& text_of(ResultFormat format) noexcept { return kFormats[static_cast<std::size_t>(format)]; }

std::optional<ResultFormat> result_format(std::string_view id) noexcept {
  for (std::size_t i = 0; i < kFormats.size(); ++i)
    if (kFormats[i].id == id) return static_cast<ResultFormat>(i);
  return std::nullopt;
}

std::uint32_t colour_of(Part part) noexcept { return kColours[static_cast<std::size_t>(part)]; }

std::string result_file(const Catalog& catalog, const Answer& given, ResultFormat format) {
  if (!given.ok) return {};
  Answer answer = given;
  add_footprint(answer);
  switch (format) {
    case ResultFormat::json: return explain_json(catalog, answer) + "\n";
    case ResultFormat::csv: return csv_of(catalog, answer);
    case ResultFormat::markdown: return markdown_of(answer);
    case ResultFormat::svg: return svg_of(answer);
    case ResultFormat::html: return report_html(catalog, answer);
  }
  return {};
}

std::string result_file_name(const Answer& answer, std::string_view ending) {
  std::string name = "plimsoll-" + answer.inputs.model.id + "-" + answer.inputs.hardware.id + "-" + std::string{choice_name(*find_field("task"), static_cast<std::int64_t>(answer.inputs.workload.task))};
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '-';
  return name + "." + std::string{ending};
}

} // namespace plimsoll::io
