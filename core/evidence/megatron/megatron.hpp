#pragma once
// Rows measured by the functional tests of Megatron-LM (NVIDIA/Megatron-LM, tests/functional_tests): each configuration's bytes on
// the last rank, {"kind": "training", "framework": {"name": "megatron"}, "model", "workload", "strategy", "precision",
// "implementation", "features", "raw_args", "raw_env", "measured"}. null means "not stated". A row becomes Inputs and the facts that
// Inputs has no field for.

#include "evidence/rows.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::accuracy {

/// How tokens reach the experts' GPUs.
enum class Dispatcher : unsigned char {
  none,      ///< the model has no experts
  allgather, ///< every GPU of the group gets all tokens
  alltoall,  ///< each gets the tokens of its experts
  flex,      ///< the same through DeepEP or HybridEP
};

/// One model chunk of a pipeline layout that is written out. WrittenChunk i runs on rank i mod pipeline_parallel.
struct WrittenChunk {
  std::int64_t first_layer = 0; ///< index of its first layer
  std::int64_t layers = 0;
  std::int64_t prediction_depths = 0; ///< multi-token-prediction depths that run here
  bool embedding = false;
  bool loss = false;            ///< final norm, head and loss
  friend bool operator==(const WrittenChunk&, const WrittenChunk&) = default;
};

/// What a row says beyond Inputs.
struct MegatronFacts {
  std::optional<std::int64_t> world; ///< GPUs of the run; releases do not record them

  bool rotary = false;               ///< rotary positions turn queries and keys
  std::string activation;            ///< "gelu", "silu", "squared_relu"
  std::vector<Layer> prediction;     ///< layers of one multi-token-prediction depth
  std::int64_t prediction_depths = 0;
  bool prediction_repeated = false;  ///< one set of weights for all depths

  Dispatcher dispatcher = Dispatcher::none;
  std::string dispatcher_backend;    ///< of Dispatcher::flex, e.g. "hybridep"
  bool grouped_gemm = false;         ///< one grouped multiplication for all experts
  bool permute_fusion = false;
  bool router_fp32 = false;          ///< the router computes in fp32, else in the format of the activations
  std::string load_balancing;
  bool expert_bias = false;          ///< a buffer of one number per expert, no parameter
  std::optional<double> capacity_factor; ///< nothing: no token is dropped
  bool expert_overlap = false;       ///< communication of experts overlaps with another micro-batch (one more in flight)
  bool delayed_weight_gradients = false;

  std::vector<WrittenChunk> chunks;         ///< a layout that is written out; empty: Strategy's fields say how layers are divided
  std::int64_t optimizer_instances = 1; ///< whole sets of optimizer shards among all replicas
  bool sharded_data_parallel = false;   ///< Megatron FSDP
  bool model_parallel_last = false;     ///< --use-tp-pp-dp-mapping
  std::string fp8_recipe;
  bool fp8_first_last_16bit = false;    ///< the first and last layers stay in bf16
  std::int64_t fp8_layers_16bit = 0;    ///< layers at start and end that stay in bf16
  std::vector<std::string> recompute_modules; ///< with selective recomputation, as named there; empty: attention's core

  bool transformer_engine = false;   ///< false: Megatron's own layers
  bool engine_installed = false;     ///< Transformer Engine's fused softmax exists
  std::string attention_backend;     ///< as asked: "auto", "flash", "fused", "unfused"
  bool fused_activation = false;     ///< bias and activation in one kernel, as Megatron's arguments decide
  bool fused_squared_relu = false;   ///< squared ReLU and the experts' weights in one kernel
  bool operation_fuser = false;      ///< Transformer Engine's fuser of operations
  std::string cuda_graph;            ///< who captures, "" = nobody
  std::string cublas_workspace;      ///< CUBLAS_WORKSPACE_CONFIG, "" = unset
  std::int64_t deferral_limit = 0;   ///< micro-batches whose head gradient may wait; 0 = all, with defer_head_gradient
  bool expandable_segments = false;
  std::string container;             ///< "dev" or "lts": stands for versions, which rows do not record
  std::string recorded;              ///< when the measurement was committed, ISO 8601
};

/// Bytes that the row measured.
struct MegatronMeasured {
  std::optional<std::int64_t> allocated_first, allocated_steady; ///< at the end of a step
  std::optional<std::int64_t> peak_first, peak_steady;           ///< since the start
  std::int64_t first_iteration = 0;
};

struct MegatronRow {
  std::string id;
  std::string config; ///< rows with the same one are one configuration
  std::string twin;   ///< the row whose arguments it repeats; "" = none
  std::string group;  ///< what errors are summed up by
  bool resumed = false; ///< a second run, which starts from a checkpoint and may keep what the loader read
  Inputs inputs;
  MegatronFacts facts;
  MegatronMeasured measured;
  std::vector<std::string> assumed;
  std::string reason; ///< why it is not covered; "" = inputs and facts are complete
};

/// Total: any JSON gives a row, one that cannot be read with a reason.
MegatronRow read_megatron(const Json& row);

/// The chunks of a layout such as "Et*3|(tt|)*6mL": E embedding, t a layer, m a prediction depth, L the loss, | a cut, x*n a
/// repetition. Empty when it is none, or stands for more than 10000 parts.
std::vector<WrittenChunk> chunks_of_layout(std::string_view text);

Schema megatron();

} // namespace plimsoll::io::accuracy
