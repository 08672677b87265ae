#include "panels/file_contents.hpp"

#include "plimsoll/method/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kLine = 24, kShare = 64;

/// A label at the left, an amount at the right, and a further one beyond it.
void line(const Ui& ui, std::string_view label, std::string_view amount, std::string_view more, float width, float indent, bool strong) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Type type = strong ? ui.fonts.body_strong : ui.fonts.label;
  const float y = at.y + (kLine - type.size) / 2, end = at.x + width - (more.empty() ? 0 : kShare);
  const float room = end - at.x - indent - measure(type, amount).x - 12;
  draw_text(type, {at.x + indent, y}, strong ? ui.theme.ink : ui.theme.dim, elided(type, label, room));
  draw_text_right(type, {end, y}, ui.theme.ink, amount);
  if (!more.empty()) draw_text_right(ui.fonts.label, {at.x + width, at.y + (kLine - ui.fonts.label.size) / 2}, ui.theme.dim, more);
  ImGui::Dummy({width, kLine});
}

std::string label_of(const io::ModelFileGroup& group) {
  return group.layers > Count{0} ? format_count(group.layers) + " " + group.label : group.label;
}

/// One row of the table of groups: a group, or a part of one. Few rows are seen of many, and only they are drawn.
struct TableRow {
  std::string label;
  Count parameters{0};
  bool is_group = false;
};

std::vector<TableRow> rows_of(const io::ModelFile& file) {
  std::vector<TableRow> rows;
  for (const io::ModelFileGroup& group : file.groups) {
    rows.push_back({label_of(group), group.parameters, true});
    for (const io::ModelFilePart& part : group.parts)
      rows.push_back({part.dtype.empty() ? part.label : part.label + ", " + part.dtype, part.parameters, false});
  }
  return rows;
}

void table(Ui& ui, const io::ModelFile& file, float width, float height) {
  const std::vector<TableRow> rows = rows_of(file);
  const float needed = static_cast<float>(rows.size()) * kLine;
  ImGui::BeginChild("##groups", {width, std::min(needed, height)}, ImGuiChildFlags_NavFlattened);
  const float inner = ImGui::GetContentRegionAvail().x - (needed > height ? 8 : 0);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), kLine);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const TableRow& row = rows[static_cast<std::size_t>(i)];
      const std::string share = io::share_text(row.parameters, file.parameters);
      line(ui, row.label, format_count(row.parameters), share, inner, row.is_group ? 0 : 14, row.is_group);
    }
  ImGui::EndChild();
  note_item(ui, "file.groups");
}

} // namespace

void file_contents(Ui& ui, const io::ModelFile& file, float width, float height) {
  paragraph(ui, ui.fonts.label, ui.theme.dim, file.title, width);
  gap(8);
  if (file.parameters > Count{0}) line(ui, "Parameters", format_count(file.parameters), "", width, 0, true);
  if (file.active_parameters && *file.active_parameters != file.parameters)
    line(ui, "Active for one token", format_count(*file.active_parameters), "", width, 0, false);
  for (const io::ModelFilePart& part : file.components) line(ui, part.label, format_count(part.parameters), "", width, 0, false);
  if (file.bytes > Bytes{0})
    line(ui, "Weights in the file", format_bytes(file.bytes) + " = " + format_exact(file.bytes.value, "bytes"), "", width, 0, false);
  for (const io::DtypeTotal& total : file.by_dtype)
    line(ui, total.dtype.empty() ? "format not stated" : total.dtype, format_count(total.tensors) + " tensors, " + format_bytes(total.bytes), "",
         width, 14, false);
  if (file.groups.empty()) return;
  gap(6);
  rule(ui, width);
  gap(6);
  table(ui, file, width, height);
}

} // namespace plimsoll::app
