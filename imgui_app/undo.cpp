#include "undo.hpp"

#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::size_t kMost = 100;

std::optional<io::Request> go(std::vector<io::Request>& from, std::vector<io::Request>& to, io::Request now) {
  if (from.empty()) return std::nullopt;
  to.push_back(std::move(now));
  io::Request next = std::move(from.back());
  from.pop_back();
  return next;
}

} // namespace

void Undo::note(io::Request before, std::string_view editing) {
  after_.clear();
  const bool goes_on = !editing.empty() && editing == editing_ && !before_.empty();
  editing_ = editing;
  if (goes_on) return;
  before_.push_back(std::move(before));
  if (before_.size() > kMost) before_.erase(before_.begin());
}

std::optional<io::Request> Undo::undo(io::Request now) {
  editing_.clear();
  return go(before_, after_, std::move(now));
}

std::optional<io::Request> Undo::redo(io::Request now) {
  editing_.clear();
  return go(after_, before_, std::move(now));
}

} // namespace plimsoll::app
