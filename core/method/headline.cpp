// The answer in words: what is in the way, and what is to spare.
#include "plimsoll/method/format.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

/// Which GPUs a verdict is about, where there are several.
std::string place_of(const Estimate& estimate) {
  if (estimate.gpus == Count{1}) return "";
  return (estimate.ranks.size() > 1 ? " on the fullest of " : " on each of ") + format_count(estimate.gpus) + " GPUs";
}

std::string peak_of(const Estimate& estimate) {
  const MomentUse& peak = estimate.at_peak();
  const std::string whose = estimate.ranks.size() > 1         ? "Pipeline " + format_rank(estimate, estimate.rank) + " is fullest: "
                            : estimate.gpus == Count{1} ? "It peaks at "
                                                            : "Each peaks at ";
  return whose + format_bytes(peak.total) + " " + std::string{text_of(peak.moment).phrase} + "; ";
}

/// `headroom` is negative where it does not fit, or fits only once `movable` bytes have moved to the host.
std::string distance(const Estimate& estimate, bool fits, Bytes headroom) {
  const Bytes over = Bytes{0} - headroom;
  if (headroom >= Bytes{0}) return format_bytes(headroom) + " to spare" + place_of(estimate);
  if (fits) return "The driver moves " + format_bytes(over) + " of optimizer states to the host" + place_of(estimate);
  return "Over by " + format_bytes(over) + place_of(estimate);
}

std::string counted(Count n, std::string_view one, std::string_view more) { return format_count(n) + " " + std::string{n == Count{1} ? one : more}; }

std::string sequences(Count n) { return counted(n, "sequence", "sequences"); }

std::string of_tokens(const Scenario& scenario) { return " of " + counted(Count{scenario.workload.context_tokens}, "token", "tokens"); }

/// One of several replicas, each of which holds as many.
std::string replica(const Scenario& scenario) { return scenario.strategy.data_parallel > 1 ? " in each of " + format_count(Count{scenario.strategy.data_parallel}) + " replicas" : ""; }

/// Why an engine does not start.
std::string no_start(const Scenario& scenario, const CachePool& pool, const Estimate& estimate) {
  const std::string& engine = scenario.profile.name;
  if (pool.bytes.expected <= Bytes{0})
    return engine + " has no memory left for its cache: weights and passes take more than its share of the device" + place_of(estimate) + ".";
  return engine + " has " + format_bytes(pool.bytes.expected) + " for its cache" + place_of(estimate) + ", too little for one sequence" + of_tokens(scenario) + ".";
}

/// What an engine with a budget of its own holds.
std::string held_by(const Scenario& scenario, const Judgement& judgement) {
  const std::string& engine = scenario.profile.name;
  const Count waiting = judgement.asked - judgement.held;
  if (judgement.verdict == Verdict::sequences)
    return engine + " takes " + sequences(judgement.held) + " in a pass" + replica(scenario) + ": " + format_count(waiting) + " of " + format_count(judgement.asked) + " wait.";
  if (judgement.holds())
    return engine + " holds " + sequences(judgement.held) + of_tokens(scenario) + " at once" + replica(scenario) + "; " + format_count(judgement.asked) +
           (judgement.asked == Count{1} ? " is asked." : " are asked.");
  if (judgement.held == Count{0}) return engine + " starts, and no sequence" + of_tokens(scenario) + " has room in its cache: it takes only shorter ones.";
  return engine + " starts and holds " + sequences(judgement.held) + of_tokens(scenario) + replica(scenario) + ": " + format_count(waiting) + " of " +
         format_count(judgement.asked) + (waiting == Count{1} ? " waits." : " wait.");
}

} // namespace

Headline headline(const Estimate& estimate) {
  const MomentUse& peak = estimate.at_peak();
  return {.verdict = estimate.fits ? "Fits." : "Does not fit.",
          .rest = distance(estimate, estimate.fits, estimate.headroom) + ".",
          .detail = peak_of(estimate) + "likely " + format_range(peak.low, peak.high) + "."};
}

Headline headline(const Estimate& estimate, const Footprint& footprint) {
  const MemoryRange& process = footprint.process;
  Headline words;
  words.verdict = footprint.tight ? footprint.fits ? "Probably fits." : "Probably does not fit." : footprint.fits ? "Fits." : "Does not fit.";
  words.rest = distance(estimate, footprint.fits, footprint.headroom);
  // What is to spare then is what the cache happens to leave, and says nothing.
  if (footprint.fits && footprint.returns_cache && footprint.headroom >= Bytes{0}) words.rest = "The allocator has to give its cache back" + place_of(estimate);
  if (footprint.tight && footprint.fits) words.rest += ", and it may be " + format_bytes(process.high - footprint.usable - footprint.movable) + " too much";
  if (footprint.tight && !footprint.fits) words.rest += ", and it may be " + format_bytes(footprint.usable - process.low) + " less than there is";
  words.rest += ".";
  words.detail = peak_of(estimate) + "the process takes " + format_bytes(process.expected) + ", likely " + format_range(process.low, process.high) + ".";
  return words;
}

Headline headline(const Scenario& scenario, const Judgement& judgement, const Estimate& estimate, const Footprint* whole) {
  Headline words = whole != nullptr ? headline(estimate, *whole) : headline(estimate);
  if (judgement.verdict == Verdict::host) {
    words.verdict = "Does not fit.";
    words.rest = "The GPUs of a node leave " + format_bytes(judgement.host) + " to their host, which has " + format_bytes(Bytes{scenario.hardware.host_bytes}) + ".";
  }
  if (judgement.asked == Count{0}) return words;
  switch (judgement.verdict) {
    case Verdict::start:
      words.verdict = "Does not start.";
      words.rest = no_start(scenario, judgement.pool, estimate);
      return words;
    case Verdict::pool:
    case Verdict::sequences:
      words.verdict = "Holds " + (judgement.held == Count{0} ? std::string{"none"} : format_count(judgement.held) + " of " + format_count(judgement.asked)) + ".";
      words.rest = held_by(scenario, judgement);
      break;
    case Verdict::holds:
      if (!judgement.pool.exists) return words;
      words.verdict = "Fits.";
      words.rest = held_by(scenario, judgement);
      break;
    case Verdict::device:
    case Verdict::host:
    case Verdict::invalid: return words;
  }
  if (judgement.fills > Bytes{0})
    words.detail += " " + scenario.profile.name + " fills " + format_bytes(min(judgement.fills, estimate.usable)) + (estimate.gpus == Count{1} ? "" : " of each GPU") + " at its start, whatever is asked.";
  return words;
}

} // namespace plimsoll
