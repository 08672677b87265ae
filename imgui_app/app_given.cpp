// Prices and devices of the user's own, in use until they are removed, and results that come back as questions.
#include "app.hpp"

#include "plimsoll/catalog/device_file.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::app {

const UserCatalogue* App::find_given(io::GivenKind kind) const noexcept {
  const auto at = std::ranges::find(given, kind, &UserCatalogue::kind);
  return at == given.end() ? nullptr : &*at;
}

bool App::read_given(std::string_view text, std::string_view name) {
  io::GivenFile file = io::read_given_file(catalog, text);
  if (file.kind == io::GivenKind::other) return false;
  if (!file.ok()) {
    io::ModelFile refused;
    refused.issues = std::move(file.issues);
    view.file_dialog = {.open = true, .text = {}, .name = name.empty() ? "The pasted text" : std::string(name), .file = std::move(refused)};
    wake();
    return true;
  }
  view.file_dialog = {};
  if (file.kind == io::GivenKind::result) {
    undo.note(request, {});
    set_query(file.query);
    effects.query_changed = true;
    view.toast = {"The question of the exported result", ImGui::GetTime()};
    return true;
  }
  std::erase_if(given, [&](const UserCatalogue& one) { return one.kind == file.kind; });
  given.push_back({file.kind, name.empty() ? "a pasted text" : std::string(name), file.summary, std::string(text)});
  effects.given.push_back(given.back());
  view.toast = {"In use: " + file.summary, ImGui::GetTime()};
  use_given();
  return true;
}

void App::remove_given(io::GivenKind kind) {
  if (std::erase_if(given, [&](const UserCatalogue& one) { return one.kind == kind; }) == 0) return;
  effects.given.push_back({.kind = kind, .name = {}, .summary = {}, .text = {}});
  view.toast = {kind == io::GivenKind::prices ? "The prices that are built in" : "The devices that are built in", ImGui::GetTime()};
  use_given();
}

/// Devices before prices: those may be of these.
void App::use_given() {
  plan.reset(); // it looks at the old ones
  serving.reset();
  devices.reset();
  load.reset();
  Issues told; // when the file was read
  catalog = io::Catalog::load();
  if (const UserCatalogue* own = find_given(io::GivenKind::devices)) catalog = io::catalog_with(std::move(catalog), own->text, told);
  prices = io::Prices::load(catalog);
  if (const UserCatalogue* own = find_given(io::GivenKind::prices)) prices = io::read_prices(catalog, own->text).prices();
  view.picker_rows = {};
  answer_pins();
  recompute();
}

} // namespace plimsoll::app
