#include "catalog/names/nearest.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::io::names {

namespace {

// Weights of a choice between suggestions, by judgement: a word of the name says more than its numbers, the first word says most.
constexpr double kWord = 4, kShortWord = 1.5, kFirstWord = 3, kNearWord = 2.5, kSameNumber = 4.5, kNumber = 3, kExtra = 0.25;

bool is_word(const std::string& word) { return word.size() > 1 && !(word.front() >= '0' && word.front() <= '9'); }

/// "h" and "100" are one word.
Words joined(const Words& words) {
  Words together;
  for (const std::string& word : words) {
    const bool belongs = !together.empty() && together.back().size() == 1 && !is_number(together.back()) && word.size() > 1 && is_number(word) && word.find('.') == std::string::npos;
    if (belongs) together.back() += word;
    else together.push_back(word);
  }
  return together;
}

/// A year and a month, as 2409: no version.
bool is_date(const std::string& word) { return word.size() == 4 && is_number(word) && word.find('.') == std::string::npos; }

/// Less the further apart, 0 where the kinds differ.
double closeness(const std::string& a, const std::string& b) {
  if (a == b) return kSameNumber / kNumber;
  const bool sizes = is_size(a) && is_size(b), memories = is_memory(a) && is_memory(b), numbers = is_number(a) && is_number(b) && is_date(a) == is_date(b);
  const double x = value_of(a), y = value_of(b);
  if (x <= 0 || y <= 0) return 0;
  if (sizes || memories) return 0.8 / (1 + std::abs(std::log2(x / y)));
  return numbers ? 0.8 / (1 + std::abs(x - y)) : 0;
}

/// 0 where no word is shared.
double likeness(const Words& wanted, const Words& name) {
  double sum = 0;
  bool shares = false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double best = 0;
    for (std::size_t j = 0; j < name.size(); ++j) {
      double here = 0;
      if (is_word(wanted[i]) || is_word(name[j])) {
        if (wanted[i] == name[j]) here = (wanted[i].size() > 2 ? kWord : kShortWord) + (i == 0 && j == 0 ? kFirstWord : 0);
        else if (is_word(wanted[i]) && is_word(name[j]) && !is_number(wanted[i].substr(wanted[i].size() - 1)) && are_near(wanted[i], name[j])) here = kNearWord + (i == 0 && j == 0 ? kFirstWord : 0);
        shares = shares || here > 0;
      } else {
        here = kNumber * closeness(wanted[i], name[j]);
      }
      best = std::max(best, here);
    }
    sum += best;
  }
  const std::size_t extra = name.size() > wanted.size() ? name.size() - wanted.size() : 0;
  return shares ? std::max(sum - kExtra * static_cast<double>(extra), 0.01) : 0;
}

} // namespace

std::vector<std::size_t> nearest(const Words& wanted, const std::vector<std::vector<Words>>& rows, std::size_t most) {
  std::vector<std::pair<double, std::size_t>> scored;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double best = 0;
    for (const Words& name : rows[i]) best = std::max(best, likeness(joined(wanted), joined(name)));
    if (best > 0) scored.emplace_back(best, i);
  }
  sort_stably(scored, std::ranges::greater{}, &std::pair<double, std::size_t>::first);
  std::vector<std::size_t> found;
  for (const auto& [score, i] : scored)
    if (found.size() < most) found.push_back(i);
  return found;
}

} // namespace plimsoll::io::names
