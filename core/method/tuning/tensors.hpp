#pragma once
// The parameters that a method makes beside one target, as an optimizer meets them: huggingface/peft, src/peft/tuners (methods.cpp
// names the file). Together they are what the method's row counts.

#include "method/tuning/methods.hpp"
#include "method/tuning/shapes.hpp"

#include <string_view>

namespace plimsoll::tuning {

/// Alike tensors of one site's modules.
struct TrainedTensors {
  std::string_view name;   ///< tells those of one site apart
  Count tensors;
  Count rows;              ///< of each
  Count columns{1};
  bool known = true;       ///< false: the numbers beside one module count as one tensor, whatever they are divided into
};

namespace tensors {

template <class Sink> void low_rank(const Tuning& t, const Site& s, Sink&& sink) {
  if (t.frozen_half != FrozenHalf::down) sink(TrainedTensors{"A", s.modules, shapes::rank(t), s.input});
  if (t.frozen_half != FrozenHalf::up) sink(TrainedTensors{"B", s.modules, s.output, shapes::rank(t)});
  if (t.adapter_bias) sink(TrainedTensors{"bias", s.modules, s.output});
}

template <class Sink> void pairs(Count pairs, const Tuning& t, const Site& s, Sink&& sink) {
  sink(TrainedTensors{"A", pairs * s.modules, shapes::rank(t), s.input});
  sink(TrainedTensors{"B", pairs * s.modules, s.output, shapes::rank(t)});
}

} // namespace tensors

/// sink(const TrainedTensors&) for what trains beside one site; nothing for methods that train nothing there.
template <class Sink> void visit_trained_tensors(const Tuning& t, const Site& s, Sink&& sink) {
  const auto beside = row_of(t.method).beside;
  if (beside == nullptr || s.modules <= Count{0}) return;
  switch (t.method) {
    case TuningMethod::lora: return tensors::low_rank(t, s, sink);
    case TuningMethod::dora:
      tensors::low_rank(t, s, sink);
      return sink(TrainedTensors{"magnitude", s.modules, s.output});
    case TuningMethod::adalora:
      tensors::pairs(Count{1}, t, s, sink);
      return sink(TrainedTensors{"E", s.modules, shapes::rank(t)});
    case TuningMethod::hira: return tensors::pairs(Count{1}, t, s, sink);
    case TuningMethod::loha: return tensors::pairs(Count{2}, t, s, sink);
    case TuningMethod::vera:
      sink(TrainedTensors{"b", s.modules, s.output});
      return sink(TrainedTensors{"d", s.modules, shapes::rank(t)});
    case TuningMethod::ia3:
    case TuningMethod::beft: return sink(TrainedTensors{"", s.modules, shapes::over(beside(t, s), s.modules)});
    case TuningMethod::hra: return sink(TrainedTensors{"", s.modules, s.input, shapes::rank(t)});
    case TuningMethod::miss: return sink(TrainedTensors{"", s.modules, shapes::rank(t), shapes::over(beside(t, s), s.modules * shapes::rank(t))});
    default: return sink(TrainedTensors{"", s.modules, shapes::over_rounded_up(beside(t, s), s.modules), Count{1}, false});
  }
}

} // namespace plimsoll::tuning
