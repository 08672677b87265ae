#pragma once
// What a training step gets of a device and its host.

#include "plimsoll/method/constant.hpp"

namespace plimsoll {

/// What a training step gets of a device's rates: nobody can read it off a data sheet. core/catalog/data/efficiency/training.json says where each
/// was measured. Shares are thousandths.
struct TrainingEfficiency {
  Constant matrices;     ///< of the best measured matrix multiplication
  Constant matrices_fp8; ///< the same in fp8
  Constant grouped;      ///< of the rate of other multiplications, what those grouped by expert reach
  Constant tile_start, tile_start_fp8; ///< numbers of k that a tile's beginning and end cost
  Constant unmeasured, unmeasured_fp8; ///< of the data sheet's rate, where nobody has measured the best; in 8 bits and fewer
  Constant attention;    ///< of the data sheet's rate
  Constant exponential;  ///< FLOP that the matrix units would do while one pair of query and key has its exponential taken
  Constant attention_start; ///< keys that a block of queries costs in one kernel besides those that it looks at
  Constant recurrence;   ///< operations for each thousand bytes of the memory's rate, scans of state spaces and linear attention
  Constant elementwise_bytes; ///< read and written between matrix multiplications per token, layer and channel, forward and backward
  Constant logit_bytes;  ///< per logit
  Constant adapter_bytes; ///< per channel in and out of a map with thin matrices beside it
  Constant routed_bytes; ///< per row that goes to an expert, and channel
  Constant memory;       ///< of memory bandwidth
  Constant link;         ///< of the links within a node
  Constant network;      ///< of the network between nodes
  Constant message_link, message_network; ///< ns before the first byte of a message within a node, between nodes
  Constant overlap;      ///< of the passes, what data-parallel communication can hide behind
  Constant drag;         ///< of communication that hides, what it costs all the same
  Constant gather_drag;  ///< the same where layers wait for their weights to be gathered
  Constant exchange_drag; ///< the same of the exchange with experts
  Constant tensor_exposed;    ///< of tensor-parallel communication, what nothing hides
  Constant tensor_overlapped; ///< the same where it overlaps with multiplication
  Constant pageable;          ///< bytes/s of one GPU's copies between it and pageable memory of the host, while the others of its node copy too
  Constant gathered_tensor;   ///< ns that a tensor takes on its way to an engine, besides its bytes, where ranks of the trainer gather it
  Constant optimizer_bytes;   ///< read and written per parameter by the optimizer
  Constant launch_layer;   ///< ns of the host for a layer's forward and backward pass
  Constant launch_experts; ///< ns that it takes longer where the layer has experts
  Constant launch_overlap; ///< and where its exchange hides behind another micro-batch's passes
  Constant launch_ring;    ///< thousandths of launch_layer that each step of a context ring after the first takes
  Constant launch_step;    ///< ns of the host between the last backward pass and the next step
  bool hides_messages = false; ///< interleaved stages of a pipeline send while they compute
  bool stops_early = false;   ///< a layer that runs again stops before its last multiplication, whose result no backward pass reads
  Constant goodput;         ///< of a whole job's time, what steps take
  Constant typical;         ///< of published jobs' time, what arithmetic and memory traffic take, on many nodes
  Constant typical_node;    ///< the same of jobs within one node
};

} // namespace plimsoll
