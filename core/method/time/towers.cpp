// Towers read images and sound before the language model reads what came of them. Dosovitskiy et al., 2021 (arXiv 2010.11929).
#include "method/time/towers.hpp"

#include "method/compute/visit.hpp"
#include "method/time/terms.hpp"
#include "method/time/work.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kTower{[] { return FormulaText{.id = "time.prefill.tower", .label = "A tower reads images or sound", .unit = "ns",
                         .text = "floor_div(2000000000000 * (2 * (patches * parameters + tokens * outside) + 4 * patches * layers * channels * seen) + rate * share, 2 * rate * share)",
                         .citation = "vision_transformer", .basis = Basis::assumed,
                         .symbols = {{{"patches", "patches", "of one prompt's images or sound", "images"},
                                      {"parameters", "parameters", "of matrices in the tower's layers", "model"},
                                      {"tokens", "tokens", "that come of them", "images"},
                                      {"outside", "parameters", "of matrices outside its layers, most of them behind them", "model"},
                                      {"layers", "layers", "of the tower", "model"},
                                      {"channels", "channels", "of its attention", "model"},
                                      {"seen", "patches", "of one image, all of which attend to each other", "image_width"},
                                      kFlops, kShare}}}; }};

// Every GPU of a tensor-parallel group reads all images.
Term read_by_tower(const Scenario& scenario, const Efficiency& efficiency, const Tower& tower) noexcept {
  const compute::TowerWork of = compute::tower_work(tower, scenario.workload.media);
  const Count work = of.operations();
  const std::int64_t rate = scenario.hardware.rates.of(arithmetic_of(scenario, efficiency));
  if (rate <= 0 || work == Count{0}) return {};
  const Constant& share = efficiency.compute_share;
  return timed(kTower, work.value, rate, share,
               {of.patches.value, of.inside.value, of.tokens.value, of.outside.value, of.layers.value, of.channels.value, of.seen.value, rate, share.value});
}

} // namespace

void visit_towers(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into) noexcept {
  if (!scenario.workload.media.any()) return;
  for (const Tower& tower : scenario.model.towers)
    if (const Term term = read_by_tower(scenario, efficiency, tower); term.amount != 0) sink(into, term);
}

} // namespace plimsoll::timing
