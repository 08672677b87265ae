#include "files/programs/sentence_machines.hpp"

#include "text/plain_values.hpp"

#include <algorithm>

namespace plimsoll::io::programs {

namespace {

bool is_node(std::string_view word) { return is_one_of(word, {"node", "nodes", "servers", "machines", "hosts", "boxes"}); }

std::string_view lower(const std::vector<Word>& words, std::size_t at) { return at < words.size() ? std::string_view{words[at].lower} : std::string_view{}; }

} // namespace

Nodes take_nodes(std::vector<Word>& words) {
  Nodes nodes;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!is_node(lower(words, i + 1))) continue;
    if (lower(words, i) == "per") take(words, i, i + 2), nodes.each = true;
    const std::int64_t count = words[i].used || nodes.count > 0 ? 0 : counted(words[i].lower);
    if (count == 0) continue;
    const std::string_view before = i > 0 ? lower(words, i - 1) : std::string_view{};
    nodes.count = count;
    nodes.each = nodes.each || before == "x" || is_one_of(lower(words, i + 2), {"of", "with", "x"});
    nodes.together = is_one_of(before, {"on", "across", "over", "in", "into"});
    take(words, nodes.together ? i - 1 : i, i + 2);
  }
  return nodes;
}

std::string take_host_memory(std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].used || scale_of(words[i].lower.substr(0, 1)) == 0) continue;
    const std::size_t unit = words[i].lower.find_first_not_of("0123456789.");
    const bool apart = unit == std::string::npos;
    const std::string_view typed = apart ? lower(words, i + 1) : std::string_view{words[i].lower}.substr(unit);
    if (!is_one_of(typed, {"gb", "gib", "g", "tb", "tib"})) continue;
    std::size_t end = i + (apart ? 2 : 1);
    while (is_one_of(lower(words, end), {"of", "system", "cpu", "host"})) ++end;
    const bool by_kind = is_one_of(lower(words, end), {"ddr4", "ddr5"});
    if (by_kind) ++end;
    const bool is_ram = lower(words, end) == "ram";
    if (!by_kind && !is_ram) continue;
    take(words, i, end + (is_ram ? 1 : 0));
    return words[i].lower.substr(0, unit) + (typed.front() == 't' ? "TB" : "GB");
  }
  return {};
}

std::int64_t counted(std::string_view digits) {
  constexpr std::size_t kMostDigits = 7;
  return is_digits(digits) && digits.size() <= kMostDigits ? whole_number(digits).value_or(0) : 0;
}

} // namespace plimsoll::io::programs
