#include "texts.hpp"

#include "mutate.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace plimsoll::fuzz {

namespace {

constexpr std::array<std::string_view, 14> kIds = {
    "llama-3-8b", "gemma-2-9b", "gpt-2-124m", "qwen3-8b", "phi-4-14b", "meta-llama/Meta-Llama-3-8B", "custom", "CUSTOM",
    "h100-80-sxm", "mi300x", "H100-80-SXM", "pytorch", "paged_serving", "no-such-thing"};

/// Small numbers are likelier, as they are with people; large ones reach the end of the range.
std::int64_t number_within(const Field& field, Random& random) {
  const std::int64_t span = field.max - field.min;
  const std::int64_t limited = random.once_in(3) ? span : std::min<std::int64_t>(span, std::int64_t{1} << random.below(14));
  return field.min + static_cast<std::int64_t>(random.next() % (static_cast<std::uint64_t>(limited) + 1));
}

std::string good_value(const Field& field, Random& random) {
  switch (field.kind) {
    case FieldKind::integer: return std::to_string(number_within(field, random));
    case FieldKind::choice: return std::string{random.one_of(field.choices).name};
    case FieldKind::flag: return random.once_in(2) ? "true" : "false";
    case FieldKind::id:
    case FieldKind::text: break;
  }
  return std::string{random.one_of(std::span<const std::string_view>{kIds})};
}

struct Pair {
  std::string name;
  std::string value;
  const Field* field;
};

std::vector<Pair> random_pairs(Random& random) {
  std::vector<Pair> pairs;
  const std::size_t count = random.below(8);
  for (std::size_t i = 0; i < count; ++i) {
    const Field& field = random.one_of(fields());
    pairs.push_back({std::string{field.name}, random.once_in(4) ? nasty_value(random) : good_value(field, random), &field});
    if (random.once_in(20)) pairs.back().name = nasty_value(random);
  }
  return pairs;
}

/// As a string of JSON.
std::string in_quotes(const std::string& text) { return io::dump(io::Json(text)); }

} // namespace

std::string contents(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

std::vector<std::string> real_configs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_SOURCE_DIR "/core/catalog/data/models")) paths.push_back(entry.path());
  std::ranges::sort(paths);    // a folder has no order of its own, and the seeds are fixed
  std::vector<std::string> configs;
  for (const std::filesystem::path& path : paths)
    for (const io::Json& row : io::parse_json(contents(path)).value) configs.push_back(io::dump(row.at("config")));
  if (configs.empty()) throw std::runtime_error("no models in " PLIMSOLL_SOURCE_DIR "/core/catalog/data");
  configs.push_back(R"({"model_type":"gemma3","vision_config":{},"text_config":)" + configs.back() + "}");
  return configs;
}

std::string random_query(Random& random) {
  std::string query = random.once_in(8) ? "?" : "";
  for (const Pair& pair : random_pairs(random)) query += pair.name + "=" + pair.value + "&";
  return query;
}

std::string random_scenario(Random& random) {
  std::string members;
  for (const Pair& pair : random_pairs(random)) {
    const bool bare = pair.field->kind == FieldKind::integer || pair.field->kind == FieldKind::flag;
    if (!members.empty()) members += ',';
    members += in_quotes(pair.name) + ":" + (bare && !random.once_in(4) ? pair.value : in_quotes(pair.value));
  }
  return "{" + members + "}";
}

std::string nested(const std::string& open, const std::string& inside, const std::string& close, std::size_t depth) {
  std::string text;
  text.reserve(depth * (open.size() + close.size()) + inside.size());
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inside;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

} // namespace plimsoll::fuzz
