#include "results/html.hpp"

#include "plimsoll/results/api.hpp"

namespace plimsoll::io {

namespace {

constexpr const char* kStyle =
    "@page{size:A4;margin:14mm}*{box-sizing:border-box}body{margin:0;font:9.5px/1.35 system-ui,\"DejaVu Sans\",sans-serif;color:#15212b;max-width:182mm}"
    "h1{font-size:17px;margin:0 0 2px}h2{font-size:12px;margin:8px 0 2px}p{margin:0 0 4px}svg{display:block;width:100%;height:auto;max-height:64mm}code{font-size:8.5px;overflow-wrap:anywhere}"
    "table{width:100%;border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:1px 8px 1px 0;border-bottom:1px solid #dbe3e9}.amount{text-align:right;white-space:nowrap}"
    "ol{margin:0;padding-left:16px;font-size:8px}.chosen{font-weight:600}";

} // namespace

std::string html(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string{c};
  return safe;
}

std::string html_page(std::string_view title, std::string_view body) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html(title) + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + html(title) + "</h1>\n" + std::string{body} +
         "<p>Plimsoll " + std::string{version()} + "</p>\n</body></html>\n";
}

} // namespace plimsoll::io
