// The order of a training step in PyTorch: forward layer by layer, each leaving what its backward will read; loss; backward
// in the opposite order, where a layer's gradients come while what it saved goes; optimizer. Within a layer's backward the
// temporaries come first, then gradients, then saved tensors are dropped: a node of the graph releases what it saved after
// it has run (torch/csrc/autograd/engine.cpp), and gradients are stored, not copied, the first time
// (torch/csrc/autograd/functions/accumulate_grad.h).
#include "plimsoll/evidence/allocation_trace.hpp"

#include <algorithm>
#include <string_view>

namespace plimsoll {

namespace {

using Tensors = std::vector<TensorId>;
using Kind = TraceEvent::Kind;

class Writer {
public:
  explicit Writer(const StepDescription& description) : step_(description) {}

  Trace write() && {
    make(step_.persistent);
    const std::int64_t steps = std::clamp<std::int64_t>(step_.steps, 1, kMaxSteps);
    for (std::int64_t number = 1; number <= steps && !trace_.truncated; ++number) write_step(number);
    return std::move(trace_);
  }

private:
  void write_step(std::int64_t number) {
    const std::string name = "step " + std::to_string(number);
    const std::int64_t batches = std::clamp<std::int64_t>(step_.micro_batches, 1, kMaxTraceEvents);
    const std::int64_t ahead = std::clamp<std::int64_t>(step_.in_flight, 1, batches);
    for (std::int64_t batch = 0; batch < batches + ahead - 1 && !trace_.truncated; ++batch) {
      if (batch < batches) run_forward(batch + 1 == batches ? name : "");
      if (batch + 1 >= ahead) run_backward(batch + 1 == batches + ahead - 1 ? name : "");
    }
    mark(name + " backward");
    run_optimizer(number == 1, name);
    drop(gradients_);
    push({.kind = Kind::end_of_step, .name = name});
  }

  void run_forward(const std::string& step) {
    Tensors saved;
    saved_in_layer_.emplace_back();
    for (const LayerTensors& layer : step_.layers) each(layer, [&] {
        Tensors temporaries = make(layer.forward);
        saved_in_layer_.back().push_back(make(layer.saved));
        drop(temporaries);
      });
    if (!step.empty()) mark(step + " forward");
  }

  void run_backward(const std::string& step) {
    // The loss is computed right before its backward: in a pipeline, micro-batches that run ahead have none here yet.
    Tensors loss = make(step_.loss), loss_backward = make(step_.loss_backward);
    if (!step.empty()) mark(step + " loss");
    drop(loss);
    std::vector<Tensors> saved = std::move(saved_in_layer_.front());
    saved_in_layer_.erase(saved_in_layer_.begin());
    const bool first = gradients_.empty();
    for (auto layer = step_.layers.rbegin(); layer != step_.layers.rend(); ++layer) each(*layer, [&] {
        Tensors temporaries = make(layer->backward), made = make(layer->gradients);
        if (layer == step_.layers.rbegin()) drop(loss_backward);
        if (!saved.empty()) {
          drop(saved.back());
          saved.pop_back();
        }
        drop(temporaries);
        if (first && step_.gradients == GradientLife::kept)
          gradients_.insert(gradients_.end(), made.begin(), made.end());
        else
          drop(made);
      });
    drop(loss_backward);
  }

  void run_optimizer(bool creates_states, const std::string& step) {
    if (creates_states) make(step_.optimizer_states);
    Tensors temporaries = make(step_.optimizer_step);
    mark(step + " optimizer");
    drop(temporaries);
  }

  /// As often as the layer stands in a row, or until the trace is full. Layers without tensors count too: their number is
  /// not bounded by the events they make.
  template <class Run> void each(const LayerTensors& layer, Run run) {
    for (Count i{0}; i < layer.layers && !trace_.truncated; i += Count{1}) {
      if (++layers_run_ > kMaxTraceEvents) trace_.truncated = true;
      run();
    }
  }

  Tensors make(const std::vector<TensorList>& lists) {
    Tensors tensors;
    for (const TensorList& list : lists) {
      if (list.bytes < Bytes{1}) continue;
      for (Count i{0}; i < list.count && !trace_.truncated; i += Count{1}) {
        tensors.push_back(++last_tensor_);
        push({.kind = Kind::allocate, .tensor = last_tensor_, .bytes = list.bytes});
      }
    }
    return tensors;
  }

  void drop(Tensors& tensors) {
    for (const TensorId tensor : tensors) push({.kind = Kind::free, .tensor = tensor});
    tensors.clear();
  }

  void mark(std::string name) { push({.kind = Kind::mark, .name = std::move(name)}); }

  void push(TraceEvent event) {
    if (trace_.events.size() < kMaxTraceEvents)
      trace_.events.push_back(std::move(event));
    else
      trace_.truncated = true;
  }

  const StepDescription& step_;
  Trace trace_;
  TensorId last_tensor_ = 0;
  std::size_t layers_run_ = 0;
  Tensors gradients_;                                ///< kept, of earlier micro-batches of this step
  std::vector<std::vector<Tensors>> saved_in_layer_; ///< of micro-batches in flight, oldest first
};

} // namespace

Trace trace_of(const StepDescription& description) { return Writer{description}.write(); }

} // namespace plimsoll
