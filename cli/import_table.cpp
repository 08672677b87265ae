#include "import_table.hpp"

#include "plimsoll/method/format.hpp"
#include "text.hpp"

#include <algorithm>

namespace plimsoll::cli {

namespace {

constexpr std::size_t kLeastLabel = 34, kLayers = 8, kParameters = 22, kShare = 9, kBytes = 14;

std::string label_of(const io::ModelFilePart& part) { return "  " + part.label + (part.dtype.empty() ? "" : " " + part.dtype); }

/// Of the first column.
std::size_t label_width(const io::ModelFile& file) {
  std::size_t width = kLeastLabel;
  for (const io::ModelFileGroup& group : file.groups)
    for (const io::ModelFilePart& part : group.parts) width = std::max(width, width_of(label_of(part)));
  return width;
}

/// One line: what it is, and as many of the columns as the file tells.
std::string line(const io::ModelFile& file, std::size_t width, const std::string& label, const std::string& layers, Count parameters, Bytes bytes) {
  std::string text = left(label, width) + right(layers, kLayers) + right(format_count(parameters), kParameters) +
                     right(io::share_text(parameters, file.parameters), kShare);
  if (file.bytes > Bytes{0}) text += right(format_bytes(bytes), kBytes);
  return text + "\n";
}

std::string heading(const io::ModelFile& file, std::size_t width) {
  std::string text = left("", width) + right("layers", kLayers) + right("parameters", kParameters) + right("share", kShare);
  if (file.bytes > Bytes{0}) text += right("in the file", kBytes);
  return text + "\n";
}

std::string groups(const io::ModelFile& file) {
  const std::size_t width = label_width(file);
  std::string table = heading(file, width);
  for (const io::ModelFileGroup& group : file.groups) {
    table += line(file, width, group.label, group.layers > Count{0} ? format_count(group.layers) : "", group.parameters, group.bytes);
    for (const io::ModelFilePart& part : group.parts)
      table += line(file, width, label_of(part), "", part.parameters, part.bytes);
  }
  return table;
}

std::string formats(const io::ModelFile& file) {
  std::string table;
  for (const io::DtypeTotal& total : file.by_dtype)
    table += left(total.dtype.empty() ? "not stated" : total.dtype, 14) + right(format_count(total.tensors), 8) + " tensors" +
             right(format_bytes(total.bytes), kBytes) + right(format_exact(total.bytes.value, "bytes"), 30) + "\n";
  return table;
}

} // namespace

std::string import_table(const io::ModelFile& file) {
  std::string table = file.title + "\n\n";
  const auto fact = [&](const std::string& label, const std::string& text) { table += left(label, 26) + text + "\n"; };
  fact("parameters", format_count(file.parameters));
  if (file.active_parameters && *file.active_parameters != file.parameters)
    fact("active for one token", format_count(*file.active_parameters));
  for (const io::ModelFilePart& part : file.components) fact(part.label, format_count(part.parameters));
  if (file.bytes > Bytes{0}) fact("weights in the file", format_bytes(file.bytes) + ", " + format_exact(file.bytes.value, "bytes"));
  if (!file.groups.empty()) table += "\n" + groups(file);
  if (!file.by_dtype.empty()) table += "\n" + formats(file);
  return table;
}

} // namespace plimsoll::cli
