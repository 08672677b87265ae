// The optimizer: what it remembers, when it steps, where its states live.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kOptimizers[] = {
    {"adamw_fused", value(Optimizer::adamw_fused), "AdamW, fused", "Two states per parameter; the step makes no copies."},
    {"adamw_foreach", value(Optimizer::adamw_foreach), "AdamW, foreach",
     "Two states per parameter; the step makes one more list of that size."},
    {"adamw_forloop", value(Optimizer::adamw_forloop), "AdamW, one by one", "Two states per parameter; the step's copies are of one tensor at a time."},
    {"adamw_8bit", value(Optimizer::adamw_8bit), "AdamW, 8-bit", "Two states of one byte per parameter, with a scale per block (bitsandbytes)."},
    {"adamw_4bit", value(Optimizer::adamw_4bit), "AdamW, 4-bit", "Two states of half a byte per parameter, with a scale per block (torchao)."},
    {"paged_adamw", value(Optimizer::paged_adamw), "AdamW, paged", "Two states per parameter in memory that the driver moves between device and host."},
    {"paged_adamw_8bit", value(Optimizer::paged_adamw_8bit), "AdamW, 8-bit, paged", "8-bit states in memory that the driver moves between device and host."},
    {"adam_mini", value(Optimizer::adam_mini), "Adam-mini", "One state per parameter, and one number per block for the second."},
    {"adafactor", value(Optimizer::adafactor), "Adafactor", "A row and a column of second moments per matrix."},
    {"lion", value(Optimizer::lion), "Lion", "One state per parameter."},
    {"lion_8bit", value(Optimizer::lion_8bit), "Lion, 8-bit", "One state of one byte per parameter, with a scale per block."},
    {"sgd_momentum", value(Optimizer::sgd_momentum), "SGD with momentum", "One state per parameter; the foreach step copies it."},
    {"sgd", value(Optimizer::sgd), "SGD", "No states."},
    {"muon", value(Optimizer::muon), "Muon", "One state per parameter of hidden matrices; AdamW for the rest."},
    {"shampoo", value(Optimizer::shampoo), "Shampoo", "Square preconditioners for both sides of each matrix."},
    {"soap", value(Optimizer::soap), "SOAP", "Adam in the basis of Shampoo's preconditioners."},
    {"galore", value(Optimizer::galore), "GaLore", "Adam's states of gradients projected to a low rank."},
    {"apollo", value(Optimizer::apollo), "APOLLO", "Low-rank states that only scale the step of each channel."},
    {"onebit_adam", value(Optimizer::onebit_adam), "1-bit Adam", "Two states per parameter, and the errors of momentum that is exchanged as signs (DeepSpeed)."},
    {"zero_one_adam", value(Optimizer::zero_one_adam), "0/1 Adam", "Three states per parameter, and the errors of what is exchanged as signs (DeepSpeed)."},
    {"lomo", value(Optimizer::lomo), "LOMO", "No states; each gradient is used and freed in the backward pass."},
    {"adalomo", value(Optimizer::adalomo), "AdaLomo", "Factored second moments; each gradient is used and freed in the backward pass."},
};
constexpr Choice kOffloads[] = {
    {"none", value(Offload::none), "nothing", "Everything stays on the device."},
    {"optimizer", value(Offload::optimizer), "optimizer states", "States and master weights, and the step itself, are the host's."},
    {"parameters", value(Offload::parameters), "weights too", "Weights come to the device unit by unit."},
};

constexpr Choice kNvmes[] = {
    {"none", value(Nvme::none), "nothing", "What is offloaded stays in the host's memory."},
    {"optimizer", value(Nvme::optimizer), "optimizer states", "States, master weights and the gradients that step them are files (ZeRO-Infinity)."},
    {"parameters", value(Nvme::parameters), "weights too", "So are the weights, but for a billion numbers of each GPU."},
};

bool offloads(const Inputs& inputs) { return inputs.strategy.offload != Offload::none; }

bool projects(const Inputs& inputs) {
  return inputs.strategy.optimizer == Optimizer::galore || inputs.strategy.optimizer == Optimizer::apollo;
}

using Row = Rows<Topic::strategy, kTraining, &Inputs::strategy>;

constexpr std::array kFields = {
    Row::choice<&Strategy::optimizer>("optimizer", "optimizer", kOptimizers, "What it remembers per parameter, and what its step makes on the way."),
    needing({projects, "Choose galore or apollo as optimizer"},
            Row::number<&Strategy::optimizer_rank>("optimizer_rank", "projection rank", "channels", 1, 65'536,
                                                   "Rank to which GaLore and APOLLO project gradients.")),
    advanced(Row::flag<&Strategy::optimizer_in_backward>("optimizer_in_backward", "step in backward",
                                                         "Each gradient is used and freed as soon as it exists, so that they never exist all at once.")),
    advanced(Row::flag<&Strategy::ema>("ema", "weight average", "An fp32 moving average of the weights is kept besides.")),
    advanced(Row::choice<&Strategy::offload>("offload", "in host memory", kOffloads, "What is kept in the host's memory instead of the device's.")),
    needing({offloads, "Choose what leaves the device in offload"},
            advanced(Row::choice<&Strategy::nvme>("nvme", "on NVMe", kNvmes, "What of that lies on the host's NVMe drives instead of in its memory (DeepSpeed)."))),
};

} // namespace

std::span<const Field> optimizer() noexcept { return rows_of<kFields>(); }
std::span<const Texts> optimizer_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
