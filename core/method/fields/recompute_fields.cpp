// Activation checkpointing.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kRecomputes[] = {
    {"none", value(Recompute::none), "none", "Keep every activation."},
    {"full", value(Recompute::full), "full", "Keep each layer's input and run the layer again in the backward pass."},
    {"selective", value(Recompute::selective), "attention only", "Run only the core of attention again: softmax and its dropout."},
    {"block", value(Recompute::block), "some layers", "Full for the first layers of each stage; the others keep everything."},
    {"every_k", value(Recompute::every_k), "every so many layers", "Full for one layer of every so many."},
    {"sqrt", value(Recompute::sqrt), "square root", "Keep an input for every segment of about the square root of the number of layers."},
    {"per_op", value(Recompute::per_op), "by operation", "Keep the outputs of attention and of every second matrix multiplication (torchtitan)."},
    {"offloaded", value(Recompute::offloaded), "full, offloaded", "Full, with the kept inputs in the host's memory."},
};

bool counts_layers(const Inputs& inputs) {
  const Recompute recompute = inputs.strategy.recompute;
  return recompute == Recompute::full || recompute == Recompute::block || recompute == Recompute::every_k || recompute == Recompute::offloaded;
}

using Row = Rows<Topic::strategy, kTraining, &Inputs::strategy>;

constexpr std::array kFields = {
    Row::choice<&Strategy::recompute>("recompute", "recompute", kRecomputes, "Activation checkpointing: memory against up to a third more compute."),
    needing({counts_layers, "Choose full, block, every_k or offloaded as recompute"},
            Row::number<&Strategy::recompute_layers>("recompute_layers", "recomputed layers", "layers", 1, 10'000,
                                                     "With full: layers of a segment, whose first input is kept. With block: layers of each stage "
                                                     "that run again. With every_k: one of so many.")),
};

} // namespace

std::span<const Field> recompute() noexcept { return kFields; }

} // namespace plimsoll::tables
