// Which device a name means: every word of the name must be one of the device, and what the device has besides must not make it another.
#include "catalog/names/words.hpp"
#include "plimsoll/catalog/names.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io {

namespace {

using names::Words;

/// Words that tell the maker or the kind, not the device.
constexpr std::array<std::string_view, 18> kNoise{"nvidia", "geforce", "amd",   "radeon", "instinct", "intel",       "apple",   "tesla",  "gpu",
                                                  "gpus",   "tensor",  "core",  "card",   "graphics", "accelerator", "unified", "memory", "generation"};
/// Words that a name may leave out and still be of the device: the series of a card, the architecture, the form where only one is built.
constexpr std::array<std::string_view, 16> kLeftOut{"rtx", "gtx",  "rx",   "arc",       "sxm",    "pcie",  "nvl",      "oam",
                                                    "ada", "ampere", "hopper", "blackwell", "turing", "volta", "workstation", "edition"};

bool is_one_of(std::string_view word, const auto& list) { return std::ranges::find(list, word) != std::end(list); }

/// "80 GB", "80G" and "80GiB" become one word, as "80gb" is; "SXM5" is SXM.
Words significant(std::string_view text) {
  Words words;
  for (std::string& word : names::words_of(text)) {
    const bool follows_number = !words.empty() && names::is_number(words.back());
    if (follows_number && (word == "g" || word == "gb" || word == "gib")) words.back() += "gb";
    else if (!words.empty() && words.back() == "sxm" && word.size() == 1) continue;
    else if (!is_one_of(word, kNoise)) words.push_back(std::move(word));
  }
  return words;
}

/// The number in front of or behind a name: "16xH100", "8 × A100 80GB", "H100 x8". Leaves the name in `text`.
std::int64_t take_count(std::string& text) {
  for (std::size_t at = text.find("×"); at != std::string::npos; at = text.find("×")) text.replace(at, std::string_view{"×"}.size(), "x");
  std::ranges::replace(text, '*', 'x');
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::size_t cross = text.find_first_not_of(' ', digits);
  if (digits > 0 && digits < 8 && cross != std::string::npos && (text[cross] == 'x' || text[cross] == 'X')) {
    const std::int64_t count = whole_number(std::string_view{text}.substr(0, digits)).value_or(0);
    text.erase(0, cross + 1);
    return count;
  }
  const std::size_t last = text.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == text.size() || text.size() - last > 8 || (text[last] != 'x' && text[last] != 'X')) return 0;
  const bool stands_alone = last > 0 && (text[last - 1] == ' ' || (text[last - 1] >= '0' && text[last - 1] <= '9') || text[last - 1] == 'B' || text[last - 1] == 'b');
  if (!stands_alone) return 0;
  const std::int64_t count = whole_number(std::string_view{text}.substr(last + 1)).value_or(0);
  text.erase(last);
  return count;
}

/// Whether the name is the row's: it has every word of `wanted`, and what it has besides may be left out.
bool is_of(const std::string& name, const DeviceRow& row, const Words& wanted) {
  const std::string memory = std::to_string(row.hardware.label_gb) + "gb";
  Words rest = significant(name);
  for (const std::string& word : wanted) {
    const auto at = std::ranges::find(rest, word);
    if (at != rest.end()) rest.erase(at);
    else if (word != memory && word + "gb" != memory) return false;
  }
  return std::ranges::all_of(rest, [&](const std::string& word) { return is_one_of(word, kLeftOut) || names::is_memory(word) || word + "gb" == memory; });
}

bool is_of(const DeviceRow& row, const Words& wanted) {
  return is_of(row.hardware.id, row, wanted) || is_of(row.hardware.name, row, wanted) ||
         std::ranges::any_of(row.aliases, [&](const std::string& alias) { return is_of(alias, row, wanted); });
}

} // namespace

NamedDevice device_named(const Catalog& catalog, std::string_view text) {
  NamedDevice device;
  device.row = catalog.find_device(text);
  if (device.row != nullptr || names::has_control(text)) return device;
  std::string name{trimmed(text.substr(0, 256))};
  device.count = take_count(name);
  name = std::string{trimmed(name)};
  device.row = catalog.find_device(name);
  const Words wanted = significant(name);
  const auto is_memory = [](const std::string& word) { return names::is_memory(word); };
  if (std::ranges::all_of(wanted, [&](const std::string& word) { return is_memory(word) || is_one_of(word, kLeftOut); })) return device;
  const bool has_memory = std::ranges::any_of(wanted, is_memory);
  for (const DeviceRow& row : catalog.devices())
    if (&row != device.row && is_of(row, wanted)) device.candidates.push_back(&row);
  // A Mac's name tells nothing of its memory, which is all that matters: it is asked for, even where the catalogue has one size only.
  if (device.row != nullptr || device.candidates.size() != 1 || (device.candidates.front()->kind == "apple" && !has_memory)) return device;
  device.row = device.candidates.front();
  device.candidates.clear();
  return device;
}

} // namespace plimsoll::io
