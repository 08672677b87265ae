#include "method/footprint/tensor_sizes.hpp"

#include "method/moments/heaviest_group.hpp"
#include "method/moments/visit_each.hpp"
#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <limits>

namespace plimsoll::footprint_detail {

namespace {

constexpr std::int64_t kMostLayers = 256;     // of one group that count apart
constexpr std::int64_t kMostCopies = 2;       // experts of one layer that count apart
constexpr std::int64_t kMostPieces = 16;      // of one term in one layer
constexpr std::int64_t kStatesOfMlp = 4;      // hidden states that its widest tensor is as large as, most often
constexpr std::size_t kMostInAll = 10'000;

/// What there is of one layer at a time.
constexpr moments::LifetimeSet kOneLayerAtOnce =
    moments::set_of({moments::Lifetime::last_operations, moments::Lifetime::recomputed_layer, moments::Lifetime::remaining_layer, moments::Lifetime::temporaries,
                     moments::Lifetime::exchange, moments::Lifetime::working_gradient, moments::Lifetime::copies_recomputed, moments::Lifetime::copies_remaining});

/// amount × part / whole, rounded down; 0 <= part <= whole, whole >= 1.
std::int64_t fraction(std::int64_t amount, std::int64_t part, std::int64_t whole) {
  constexpr std::int64_t kExact = std::numeric_limits<std::int32_t>::max(); // products of two such numbers stay within 64 bits
  while (whole > kExact) whole /= 2, part /= 2;
  part = std::min(part, whole);
  return amount / whole * part + amount % whole * part / whole;
}

class Cutter {
public:
  Cutter(const Scenario& scenario, const Stage& stage, bool named) : scenario_(scenario), stage_(stage), named_(named) {
    const LayerGroup* const heaviest = moments::heaviest_group(scenario, stage);
    for (const LayerGroup& group : scenario.model.groups) {
      first_place_.push_back(sizes_.places);
      if (&group == heaviest) sizes_.remaining = sizes_.places;
      sizes_.places += static_cast<std::size_t>(places_of(group));
    }
    const TokenShare tokens = token_share(scenario.workload, scenario.strategy);
    hidden_states_ = tokens.between * (scenario.model.hidden_size * Bytes{2});
    logits_ = tokens.inside * (vocab_share(scenario.model, scenario.strategy) * Bytes{4});
  }

  TensorSizes cut() && {
    moments::visit_each(scenario_, stage_, [&](moments::Lifetime block, Part part, const Term& term) { add(block, part, term); });
    for (std::size_t i = 0; i < moments::kLifetimes; ++i) put_in_order(cut_[i], sizes_.blocks[i]);
    return std::move(sizes_);
  }

private:
  struct Piece {
    std::size_t place;
    Bytes bytes;
    std::uint16_t name;
  };
  /// What is cut of one block, in the order of its terms.
  struct Cut {
    LifetimeTensors& block;
    std::vector<Piece>& pieces;
  };

  void put_in_order(const std::vector<Piece>& cut, LifetimeTensors& block) const {
    if (cut.empty()) return;
    block.first.resize(sizes_.places + 1);
    for (const Piece& one : cut) ++block.first[one.place + 1];
    for (std::size_t place = 0; place < sizes_.places; ++place) block.first[place + 1] += block.first[place];
    std::vector<std::size_t> next = block.first;
    block.bytes.resize(cut.size());
    if (named_) block.names.resize(cut.size());
    for (const Piece& one : cut) {
      const std::size_t at = next[one.place]++;
      block.bytes[at] = one.bytes;
      if (named_) block.names[at] = one.name;
    }
  }

  /// Those of its layers, or of the one that there is.
  std::int64_t places_of(const LayerGroup& group) const { return of_one_layer_ ? 1 : std::min(stage_.held(group).value, kMostLayers); }
  std::size_t first_place_of(const LayerGroup& group) const { return of_one_layer_ ? 0 : first_place_[index_of(group)]; }

  std::size_t index_of(const LayerGroup& group) const { return static_cast<std::size_t>(&group - scenario_.model.groups.data()); }

  void add(moments::Lifetime block, Part part, const Term& term) {
    if (block == moments::Lifetime::process || block == moments::Lifetime::managed) {
      sizes_.process += term.bytes();
      return;
    }
    if (term.amount <= 0) return;
    if (named_) name_ = name_of(std::string{text_of(part).label} + ": " + label_of(term));
    const Cut into{sizes_.blocks[static_cast<std::size_t>(block)], cut_[static_cast<std::size_t>(block)]};
    into.block.by_tokens = part == Part::activations || part == Part::loss;
    of_one_layer_ = moments::contains(kOneLayerAtOnce, block);
    const bool of_parameters = part == Part::weights || part == Part::gradients || part == Part::optimizer;
    const LayerGroup* group = in_model(term.group) ? term.group : nullptr;
    if (block == moments::Lifetime::working_gradient) return cut_evenly(into, 0, term.amount, term.bytes()); // one matrix after the other
    if (of_parameters && term.tensor == nullptr && (term.of != nullptr || group == nullptr)) return cut_by_tensors(into, term, group, block == moments::Lifetime::gradients_layers);
    const Bytes unit = part == Part::loss ? logits_ : hidden_states_;
    if (group == nullptr || places_of(*group) == 0) return cut_evenly(into, 0, term.amount, unit);
    const std::size_t first = first_place_of(*group);
    each_place(places_of(*group), term.amount, [&](std::size_t i, std::int64_t bytes) {
      cut_evenly(into, first + i, bytes, into.block.by_tokens ? unit : Bytes{bytes});
    });
  }

  std::uint16_t name_of(const std::string& label) {
    const auto at = std::ranges::find(sizes_.names, label);
    const auto index = static_cast<std::uint16_t>(at - sizes_.names.begin());
    if (at == sizes_.names.end()) sizes_.names.push_back(label);
    return index;
  }

  bool in_model(const LayerGroup* group) const {
    return std::ranges::any_of(scenario_.model.groups, [&](const LayerGroup& one) { return &one == group; });
  }

  template <class Sink> static void each_place(std::int64_t places, std::int64_t amount, Sink&& sink) {
    for (std::int64_t i = 0; i < places; ++i)
      sink(static_cast<std::size_t>(i), amount / places + (i + 1 == places ? amount % places : 0));
  }

  void put(const Cut& into, std::size_t place, std::int64_t bytes) {
    if (bytes <= 0) return;
    into.pieces.push_back({place, Bytes{bytes}, name_});
    ++made_;
  }

  void cut_evenly(const Cut& into, std::size_t place, std::int64_t bytes, Bytes unit) {
    // Whole hidden states, or as many as an MLP is wide or a power of two more: sizes that no tensor has leave rests in an allocator's
    // blocks that no run has.
    const std::int64_t least = std::max<std::int64_t>(unit.value, 1);
    std::int64_t units = 1;
    while (units * least * kMostPieces < bytes) units = units == 1 ? kStatesOfMlp : 2 * units;
    const std::int64_t one = made_ > kMostInAll ? bytes : units * least;
    for (; bytes > one; bytes -= one) put(into, place, one); // at most some kMostPieces times
    put(into, place, bytes);
  }

  /// What one tensor is of all that a term is about.
  struct Shape {
    std::size_t first, places;
    std::int64_t copies;
    std::int64_t elements; ///< in all places
  };

  /// The tensors of a term's kind in its group; all of the stage's where the term names none, without embedding and head where it is about layers.
  std::vector<Shape> shapes_of(const Term& term, const LayerGroup* group, bool only_layers) const {
    std::vector<Shape> shapes;
    const Model& model = scenario_.model;
    for (const ModelTensor& one : model.tensors) {
      const LayerGroup* const its_group = model.group_of(one);
      const TensorKind kind = one.tensor.kind;
      if (term.of != nullptr && (its_group != group || &parameters::formula_of(kind) != term.of)) continue;
      if (term.of == nullptr && (!in_language_model(kind) || (its_group == nullptr && (only_layers || !holds(stage_, kind, model.tied_embeddings))))) continue;
      const Count layers = its_group == nullptr ? one.layers : stage_.held(*its_group);
      const Count elements = layers * elements_per_gpu(one.tensor, scenario_.strategy);
      if (elements <= Count{0}) continue;
      const bool in_layers = its_group != nullptr;
      shapes.push_back({in_layers ? first_place_of(*its_group) : 0, in_layers ? static_cast<std::size_t>(places_of(*its_group)) : 1,
                        std::clamp<std::int64_t>(one.tensor.copies.value, 1, kMostCopies), elements.value});
    }
    return shapes;
  }

  void cut_by_tensors(const Cut& into, const Term& term, const LayerGroup* group, bool only_layers) {
    const std::vector<Shape> shapes = shapes_of(term, group, only_layers);
    Count all;
    for (const Shape& shape : shapes) all += Count{shape.elements};
    std::int64_t left = term.amount;
    for (const Shape& shape : shapes) {
      const bool last = &shape == &shapes.back();
      const std::int64_t amount = last ? left : fraction(term.amount, shape.elements, all.value);
      left -= amount;
      each_place(static_cast<std::int64_t>(shape.places), amount, [&](std::size_t i, std::int64_t bytes) {
        cut_evenly(into, shape.first + i, bytes, Bytes{bytes / shape.copies + (bytes % shape.copies != 0 ? 1 : 0)});
      });
    }
    put(into, 0, shapes.empty() ? left : 0);
  }

  const Scenario& scenario_;
  const Stage& stage_;
  TensorSizes sizes_;
  std::array<std::vector<Piece>, moments::kLifetimes> cut_;
  std::vector<std::size_t> first_place_; ///< of each group
  Bytes hidden_states_, logits_;
  std::size_t made_ = 0;
  bool named_;
  bool of_one_layer_ = false; ///< what is being cut
  std::uint16_t name_ = 0; ///< of the term that is being cut
};

} // namespace

TensorSizes tensor_sizes_of(const Scenario& scenario, const Stage& stage, bool named) { return Cutter{scenario, stage, named}.cut(); }

} // namespace plimsoll::footprint_detail
