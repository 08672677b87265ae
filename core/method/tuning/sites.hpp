#pragma once
// Where adapters stand: the linear maps of a model that a tuning names, one after the other. A family whose checkpoints hold query,
// key and value in one matrix has one site for the three (Layer::fused_projections), as the modules of its code have.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/tuning.hpp"

namespace plimsoll::tuning {

/// The modules of one kind in one layer group, as one GPU holds them.
struct Site {
  const ModelTensor* part = nullptr; ///< the first of the tensors that make the map
  std::uint32_t targets = 0;         ///< its TuningTarget bits
  Count layers{1};
  Count modules{1};                  ///< layers × copies
  Count input{1};                    ///< channels that the map reads
  Count output{1};                   ///< channels that it writes
  bool bias = false;
  bool shared_input = false;         ///< another target of the layer, met before, reads the same tensor
};

/// The bits of a tensor of ours; 0 = no target.
std::uint32_t targets_of(const Tensor& tensor) noexcept;

/// What a map reads: maps of one layer with the same reader read the same tensor.
enum class Reader : unsigned char { attention, output, mlp, down, alone };
Reader reader_of(const Tensor& tensor, std::uint32_t targets, const LayerGroup* group) noexcept;

/// Whether the layers of the tensor's group join it with the tensor before it into one matrix.
bool joins(const Tensor& before, const Tensor& tensor, const LayerGroup* group) noexcept;

/// Whether a bias named after the tensor stands in the same group.
bool has_bias(const Model& model, const ModelTensor& part) noexcept;

/// sink(const Site&) for each kind of target, in the order of a forward pass.
template <class Sink> void visit_sites(const Model& model, const Tuning& tuning, const Strategy& strategy, Sink&& sink) {
  const std::size_t count = model.tensors.size();
  std::uint32_t readers = 0;
  for (std::size_t i = 0; i < count;) {
    const ModelTensor& part = model.tensors[i];
    if (i == 0 || part.group != model.tensors[i - 1].group) readers = 0;
    const LayerGroup* const group = model.group_of(part);
    Site site{.part = &part, .targets = targets_of(part.tensor), .layers = part.layers, .modules = part.layers * part.tensor.copies};
    const TensorShare share = tensor_share(part.tensor, strategy);
    site.input = share.columns;
    site.output = share.rows;
    for (++i; i < count && model.tensors[i].group == part.group && joins(model.tensors[i - 1].tensor, model.tensors[i].tensor, group); ++i) {
      site.targets |= targets_of(model.tensors[i].tensor);
      site.output += tensor_share(model.tensors[i].tensor, strategy).rows;
    }
    if ((site.targets & tuning.targets) == 0) continue;
    site.bias = has_bias(model, part);
    if (const Reader reader = reader_of(part.tensor, site.targets, group); reader != Reader::alone) {
      const std::uint32_t bit = 1u << static_cast<unsigned>(reader);
      site.shared_input = (readers & bit) != 0;
      readers |= bit;
    }
    sink(site);
  }
}

/// Those in `layers` layers of one group, or outside layers (null).
template <class Sink>
void visit_sites_of(const Model& model, const LayerGroup* group, Count layers, const Tuning& tuning, const Strategy& strategy, Sink&& sink) {
  visit_sites(model, tuning, strategy, [&](Site site) {
    if (model.group_of(*site.part) != group) return;
    if (group != nullptr) site.layers = layers, site.modules = layers * site.part->tensor.copies;
    sink(site);
  });
}

} // namespace plimsoll::tuning
