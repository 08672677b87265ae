// Rows of one log stand beside each other. What the same log prints of passes, of memory outside the allocator, of the cache's bytes
// or tokens, is an input of the engine's arithmetic, not ours to predict.
#include "evidence/inference/parts.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::inference {

namespace {

constexpr std::size_t kNear = 24; // rows to both sides

bool same(const Json& a, const Json& b, const char* key) { return a.contains(key) && b.contains(key) && a.at(key) == b.at(key); }

/// One text begins with the other: "H100 80GB" and "H100 80GB (79.18 GiB visible)".
bool alike(const Json& a, const Json& b, const char* key) {
  const std::string one = text_of(a, key), other = text_of(b, key);
  return one.empty() || other.empty() || one.starts_with(other) || other.starts_with(one);
}

/// Equal, or one of them does not say.
bool agree(const Json& a, const Json& b, const char* key) {
  const auto one = a.find(key), other = b.find(key);
  return one == a.end() || other == b.end() || one->is_null() || other->is_null() || *one == *other;
}

bool of_one_log(const Json& a, const Json& b) {
  return b.is_object() && same(a, b, "source_ref") && same(a, b, "engine") && same(a, b, "model") && same(a, b, "tp") &&
         alike(a, b, "engine_version") && alike(a, b, "gpu") && agree(a, b, "n_ctx") && agree(a, b, "kv_format");
}

/// Which of a log's figures the row is; null when it is none that another row asks for.
const Json* Log::* figure_of(const Json& row) {
  const std::string component = text_of(row, "component"), notes = lower(text_of(row, "notes"));
  if (component == "kv_tokens") return &Log::tokens;
  if (component == "kv") return &Log::cache;
  if (component == "compute") return &Log::passes;
  if (component == "weights") return &Log::weights;
  if (component == "overhead" && (has(notes, "non-torch") || has(notes, "nccl"))) return &Log::outside;
  return nullptr;
}

} // namespace

Log log_of(const Json& rows, std::size_t index) {
  Log log;
  const Json& row = rows.at(index);
  for (std::size_t distance = 1; distance <= kNear; ++distance)
    for (const bool before : {true, false}) {
      const std::size_t at = before ? index - distance : index + distance;
      if ((before && distance > index) || at >= rows.size() || !of_one_log(row, rows.at(at))) continue;
      const auto figure = figure_of(rows.at(at));
      if (figure != nullptr && log.*figure == nullptr) log.*figure = &rows.at(at);
    }
  return log;
}

} // namespace plimsoll::io::accuracy::inference
