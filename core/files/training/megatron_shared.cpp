// How Megatron Core is told to run (NVIDIA/Megatron-LM, megatron/training/arguments.py; megatron/core/model_parallel_config.py).
#include "files/training/megatron_shared.hpp"

#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

using Pairs = std::pair<std::string_view, std::string_view>;
constexpr std::array<Pairs, 4> kShardings{{{"no_shard", "none"}, {"optim", "optimizer"}, {"optim_grads", "gradients"}, {"optim_grads_params", "parameters"}}};
constexpr std::array<Pairs, 3> kContextMethods{{{"p2p", "ring"}, {"all_gather", "all_gather"}, {"a2a", "ulysses"}}};
constexpr std::array<Pairs, 5> kAttentions{{{"auto", "profile"}, {"flash", "flash"}, {"fused", "cudnn"}, {"unfused", "fused_softmax"}, {"local", "fused_softmax"}}};

template <std::size_t N> std::string_view choice_of(const std::array<Pairs, N>& pairs, std::string_view word) {
  for (const auto& [known, choice] : pairs)
    if (known == word) return choice;
  return "";
}
template <std::size_t N> std::string_view word_of(const std::array<Pairs, N>& pairs, std::string_view choice) {
  for (const auto& [word, known] : pairs)
    if (known == choice) return word;
  return "";
}

class Reader {
public:
  Reader(Document& document, Draft& draft, MegatronDialect dialect) : document_(document), draft_(draft), dialect_(dialect) {}

  void run() {
    read_degrees();
    read_pipeline();
    read_sharding();
    read_precision();
    read_recompute();
    read_kernels();
    read_experts();
    read_batches();
  }

private:
  std::string key(std::string_view argument) const { return megatron_key(document_, dialect_, argument); }
  std::optional<std::int64_t> whole(std::string_view argument) { return document_.whole(key(argument)); }
  bool is_on(std::string_view argument) { return document_.is_on(key(argument)); }
  std::string text(std::string_view argument) { return document_.text(key(argument)); }
  bool arguments() const { return dialect_ == MegatronDialect::arguments; }
  std::int64_t stated(std::string_view field, std::int64_t otherwise = 1) const { return whole_number(draft_.text(field)).value_or(otherwise); }

  void read_degrees() {
    draft_.set_above_one("tensor_parallel", whole("tensor-model-parallel-size"));
    draft_.set_above_one("pipeline_parallel", whole("pipeline-model-parallel-size"));
    draft_.set_above_one("context_parallel", whole("context-parallel-size"));
    draft_.set_above_one("expert_parallel", whole("expert-model-parallel-size"));
    draft_.set_if("expert_tensor_parallel", whole("expert-tensor-parallel-size"));
    const bool sequence = is_on("sequence-parallel");
    if (sequence && draft_.has("tensor_parallel")) draft_.set("sequence_parallel", "true");
    const std::string method = text("cp-comm-type");
    if (method.empty() || !draft_.has("context_parallel")) return;
    if (const std::string_view choice = choice_of(kContextMethods, method); !choice.empty()) draft_.set("context_method", choice);
    else document_.refuse(key("cp-comm-type"), "p2p, all_gather or a2a");
  }

  void read_layers_per_chunk() {
    const auto per_chunk = document_.whole("num-layers-per-virtual-pipeline-stage");
    if (!per_chunk) return;
    const std::int64_t stages = stated("pipeline_parallel"), layers = document_.whole("num-layers").value_or(0);
    if (*per_chunk > 0 && stages > 0 && layers % stages == 0) draft_.set_above_one("virtual_stages", layers / stages / *per_chunk);
    else document_.refuse("num-layers-per-virtual-pipeline-stage", "a part of the layers of a stage");
  }

  void read_pipeline() {
    const auto chunks = whole("num-virtual-stages-per-pipeline-rank");
    draft_.set_above_one("virtual_stages", chunks);
    if (arguments()) read_layers_per_chunk();
    draft_.set_if("microbatch_group", whole("microbatch-group-size-per-virtual-pipeline-stage"));
    draft_.set_if("first_stage_layers", whole("decoder-first-pipeline-num-layers"));
    draft_.set_if("last_stage_layers", whole("decoder-last-pipeline-num-layers"));
    if (is_on("account-for-embedding-in-pipeline-split")) draft_.set("embedding_in_split", "true");
    if (is_on("account-for-loss-in-pipeline-split")) draft_.set("loss_in_split", "true");
    if (is_on("defer-embedding-wgrad-compute")) draft_.set("defer_head_gradient", "true");
    if (draft_.has("defer_head_gradient")) draft_.set_if("deferred_micro_batches", whole("wgrad-deferral-limit"));
  }

  void read_sharding() {
    const bool fsdp = is_on("use-megatron-fsdp");
    const std::string strategy = text("data-parallel-sharding-strategy");
    if (is_on("use-distributed-optimizer")) draft_.set("sharding", "optimizer");
    if (fsdp || !strategy.empty()) {
      const std::string_view choice = choice_of(kShardings, strategy.empty() ? "no_shard" : strategy);
      if (choice.empty()) document_.refuse(key("data-parallel-sharding-strategy"), "no_shard, optim, optim_grads or optim_grads_params");
      else if (fsdp) draft_.set("sharding", choice);
    }
    instances_ = whole("num-distributed-optimizer-instances").value_or(1);
    if (is_on("optimizer-cpu-offload")) draft_.set("offload", "optimizer");
    const std::string optimizer = text("optimizer");
    if (optimizer == "adam" || optimizer.empty() || optimizer == "adamw") draft_.set("optimizer", "adamw_fused");
    else if (optimizer == "sgd") draft_.set("optimizer", "sgd_momentum");
    else if (optimizer == "muon" || optimizer == "dist_muon") draft_.set("optimizer", "muon");
    else document_.refuse(key("optimizer"), "adam, sgd or muon");
    if (optimizer.empty() && arguments()) draft_.assume("optimizer = adamw_fused: --optimizer is adam by itself");
  }

  void read_precision() {
    bool bf16 = is_on("bf16"), fp16 = is_on("fp16");
    std::string named = arguments() ? "" : lower_case(document_.text("mixed_precision"));
    if (named.empty() && !arguments()) named = lower_case(document_.text("trainer.precision"));
    if (named.find("bf16") != std::string::npos) bf16 = true;
    else if (named.find("16") != std::string::npos) fp16 = true;
    else if (!named.empty() && named.find("32") == std::string::npos) document_.refuse(document_.has("mixed_precision") ? "mixed_precision" : "trainer.precision", "bf16_mixed, 16_mixed or 32");
    const bool silent = named.empty() && !bf16 && !fp16 && !document_.has(key("bf16")) && !document_.has(key("fp16"));
    if (silent && !arguments()) draft_.set_assumed("regime", "master_bf16", "recipes of NeMo and Megatron Bridge train in bf16_mixed by themselves");
    else if (silent) draft_.set_assumed("regime", "fp32", "neither --bf16 nor --fp16 is set");
    else draft_.set("regime", bf16 ? "master_bf16" : fp16 ? "master_fp16" : "fp32");
    const bool wide = is_on("accumulate-allreduce-grads-in-fp32");
    const bool narrow = is_on("grad-reduce-in-bf16"); // otherwise validate_args turns the fp32 ones on with --bf16
    if (wide) draft_.set("gradient_dtype", "fp32");
    else if (narrow) draft_.set("gradient_dtype", "half");
    const std::string format = text("fp8-format");
    const bool gathered = is_on("fp8-param-gather");
    if (!format.empty() && format != "null" && format != "false") draft_.set("fp8", gathered ? "parameters" : "compute");
    else if (named.find("fp8") != std::string::npos) draft_.set("fp8", gathered ? "parameters" : "compute");
  }

  void read_recompute() {
    const std::string granularity = text("recompute-granularity"), method = text("recompute-method");
    const auto layers = whole("recompute-num-layers");
    if (is_on("recompute-activations") && granularity.empty()) return draft_.set("recompute", "selective");
    if (granularity.empty()) return;
    if (granularity == "selective") return draft_.set("recompute", "selective");
    if (granularity != "full") return document_.refuse(key("recompute-granularity"), "full or selective");
    draft_.set("recompute", method == "block" ? "block" : "full");
    draft_.set("recompute_layers", std::max<std::int64_t>(layers.value_or(1), 1));
  }

  /// Dropout of one tenth stands where nobody says otherwise.
  bool drops(std::string_view argument) {
    const Json* value = document_.take(key(argument));
    if (value == nullptr) return arguments();
    const std::string text = plain_text(*value);
    return text.find_first_not_of("0.") != std::string::npos;
  }

  void read_kernels() {
    const bool hidden = drops("hidden-dropout"), attention = drops("attention-dropout");
    draft_.set("hidden_dropout", hidden ? "true" : "false");
    draft_.set("attention_dropout", attention ? "true" : "false");
    if (arguments() && (hidden || attention) && !document_.has("hidden-dropout")) draft_.assume("hidden_dropout and attention_dropout: 0.1 by themselves");
    if (text("transformer-impl") == "local") draft_.set("profile", "megatron_local");
    if (const std::string backend = text("attention-backend"); !backend.empty()) {
      if (const std::string_view choice = choice_of(kAttentions, backend); choice.empty()) document_.refuse(key("attention-backend"), "auto, flash, fused, unfused or local");
      else if (choice != "profile") draft_.set("attention", choice);
    } else if (arguments() && document_.is_on("use-flash-attn")) {
      draft_.set("attention", "flash");
    }
    const std::string fused = text("cross-entropy-fusion-impl");
    if (is_on("cross-entropy-loss-fusion")) draft_.set("loss", fused == "te" ? "te_fused" : "megatron_fused");
    if (arguments()) draft_.set("fused_gradient_accumulation", document_.is_on("no-gradient-accumulation-fusion") ? "false" : "true");
    if (is_on("deterministic-mode")) draft_.set("deterministic", "true");
    const bool overlap = is_on("tp-comm-overlap");
    if (overlap && draft_.has("tensor_parallel")) draft_.set("communication_overlap", "true");
  }

  void read_experts() {
    const std::string dispatcher = text("moe-token-dispatcher-type"), dtype = text("moe-router-dtype");
    if (dispatcher == "alltoall" || dispatcher == "alltoall_seq" || dispatcher == "flex") draft_.set("dispatch", "all_to_all");
    else if (dispatcher == "allgather") draft_.set("dispatch", "all_gather");
    if (is_on("moe-grouped-gemm")) draft_.set("grouped_experts", "true");
    if (dtype == "fp32" || dtype == "fp64") draft_.set("router_fp32", "true");
  }

  void read_batches() {
    draft_.set_if("batch", whole("micro-batch-size"));
    const auto length = whole("seq-length");
    if (length) draft_.set("context_tokens", *length);
    const auto global = whole("global-batch-size"), local = whole("nproc-per-node"), nodes = whole("nnodes");
    const Count replica = Count{stated("tensor_parallel")} * (Count{stated("pipeline_parallel")} * Count{stated("context_parallel")});
    if (!local || replica <= Count{0}) return miss_gpus(global);
    const Count world = Count{*local} * Count{nodes.value_or(1)};
    if (world.value % replica.value != 0 || world < replica) {
      document_.refuse(key("nproc-per-node"), "a number of GPUs that tensor, pipeline and context parallelism divide");
      return miss_gpus(global);
    }
    const Count replicas{world.value / replica.value};
    draft_.set("data_parallel", replicas.value);
    if (instances_ > 1) draft_.set("shard_group", max(Count{1}, Count{replicas.value / instances_}).value);
    if (!global) return;
    const std::int64_t count = times(*global, (Count{stated("batch")} * replicas).value);
    if (count == 0) return document_.refuse(key("global-batch-size"), "a multiple of the micro-batch and the replicas");
    draft_.set("micro_batches", count);
  }

  void miss_gpus(const std::optional<std::int64_t>& global) {
    draft_.miss_gpus();
    const std::int64_t count = global ? times(*global, stated("batch")) : 0;
    if (count > 0) draft_.set_assumed("micro_batches", std::to_string(count), "one replica takes the whole global batch, as nobody says how many there are");
    else if (global) document_.refuse(key("global-batch-size"), "a multiple of the micro-batch");
  }

  Document& document_;
  Draft& draft_;
  MegatronDialect dialect_;
  std::int64_t instances_ = 1;
};

} // namespace

void read_megatron(Document& document, Draft& draft, MegatronDialect dialect) { Reader{document, draft, dialect}.run(); }

void write_megatron(const Source& source, Json& tree, MegatronDialect dialect) {
  const Strategy& strategy = source.strategy();
  const Implementation& kernels = source.implementation();
  const bool arguments = dialect == MegatronDialect::arguments;
  const auto set = [&](std::string_view argument, Json value) { arguments ? void(tree[std::string{argument}] = std::move(value)) : put(tree, megatron_written(dialect, argument), std::move(value)); };
  const auto above_one = [&](std::string_view argument, std::int64_t value) {
    if (value > 1) set(argument, value);
  };
  const auto where = [&](std::string_view argument, bool on) {
    if (on) set(argument, true);
  };
  set("micro-batch-size", source.workload().batch);
  set("global-batch-size", (Count{source.workload().batch} * (Count{source.workload().micro_batches} * Count{strategy.data_parallel})).value);
  set("seq-length", source.workload().context_tokens);
  above_one("tensor-model-parallel-size", strategy.tensor_parallel);
  where("sequence-parallel", strategy.sequence_parallel && strategy.tensor_parallel > 1);
  above_one("pipeline-model-parallel-size", strategy.pipeline_parallel);
  if (strategy.pipeline_parallel > 1) {
    above_one("num-virtual-stages-per-pipeline-rank", strategy.virtual_stages);
    if (strategy.microbatch_group > 0) set("microbatch-group-size-per-virtual-pipeline-stage", strategy.microbatch_group);
    if (strategy.first_stage_layers > 0) set("decoder-first-pipeline-num-layers", strategy.first_stage_layers);
    if (strategy.last_stage_layers > 0) set("decoder-last-pipeline-num-layers", strategy.last_stage_layers);
    where("account-for-embedding-in-pipeline-split", strategy.embedding_in_split);
    where("account-for-loss-in-pipeline-split", strategy.loss_in_split);
    where("defer-embedding-wgrad-compute", kernels.defer_head_gradient);
    if (kernels.defer_head_gradient && kernels.deferred_micro_batches > 0) set("wgrad-deferral-limit", kernels.deferred_micro_batches);
  }
  above_one("context-parallel-size", strategy.context_parallel);
  if (strategy.context_parallel > 1) set("cp-comm-type", word_of(kContextMethods, source.text("context_method")));
  above_one("expert-model-parallel-size", strategy.expert_parallel);
  if (strategy.expert_tensor_parallel > 0) set("expert-tensor-parallel-size", strategy.expert_tensor_parallel);
  where("use-distributed-optimizer", strategy.sharding == Sharding::optimizer);
  if (strategy.sharding == Sharding::gradients || strategy.sharding == Sharding::parameters) {
    set("use-megatron-fsdp", true);
    set("data-parallel-sharding-strategy", word_of(kShardings, source.text("sharding")));
  }
  if (strategy.sharding != Sharding::none && strategy.shard_group > 1) above_one("num-distributed-optimizer-instances", times(strategy.data_parallel, strategy.shard_group));
  where("optimizer-cpu-offload", strategy.offload == Offload::optimizer);
  set("optimizer", strategy.optimizer == Optimizer::sgd_momentum ? "sgd" : strategy.optimizer == Optimizer::muon ? "muon" : "adam");
  const std::string regime = source.text("regime");
  where("bf16", regime.find("bf16") != std::string::npos);
  where("fp16", regime.find("fp16") != std::string::npos);
  if (!arguments && regime == "fp32") set("bf16", false);
  where("accumulate-allreduce-grads-in-fp32", strategy.gradient_dtype == GradientDtype::fp32);
  where("grad-reduce-in-bf16", arguments && strategy.gradient_dtype == GradientDtype::half && regime.find("bf16") != std::string::npos);
  if (!arguments && strategy.gradient_dtype == GradientDtype::half) set("accumulate-allreduce-grads-in-fp32", false);
  if (strategy.fp8 != Fp8::none) set("fp8-format", "hybrid");
  where("fp8-param-gather", strategy.fp8 == Fp8::parameters);
  const Recompute recompute = strategy.recompute;
  if (recompute == Recompute::selective) set("recompute-granularity", "selective");
  if (recompute == Recompute::full || recompute == Recompute::block) {
    set("recompute-granularity", "full");
    set("recompute-method", recompute == Recompute::full ? "uniform" : "block");
    set("recompute-num-layers", strategy.recompute_layers);
  }
  set("hidden-dropout", kernels.hidden_dropout ? 0.1 : 0.0);
  set("attention-dropout", kernels.attention_dropout ? 0.1 : 0.0);
  if (arguments && source.answer.profile_id == "megatron_local") set("transformer-impl", "local");
  if (kernels.attention != AttentionKernel::profile)
    if (const std::string_view word = word_of(kAttentions, source.text("attention")); !word.empty()) set("attention-backend", word);
  where("cross-entropy-loss-fusion", kernels.loss == LossKernel::megatron_fused || kernels.loss == LossKernel::te_fused);
  if (kernels.loss == LossKernel::te_fused) set("cross-entropy-fusion-impl", "te");
  if (arguments && !kernels.fused_gradient_accumulation) set("no-gradient-accumulation-fusion", true);
  where("deterministic-mode", kernels.deterministic);
  where("tp-comm-overlap", kernels.communication_overlap && strategy.tensor_parallel > 1);
  if (whole_number(source.text("experts")).value_or(0) == 0) return;
  if (kernels.dispatch != ExpertDispatch::profile) set("moe-token-dispatcher-type", kernels.dispatch == ExpertDispatch::all_to_all ? "alltoall" : "allgather");
  where("moe-grouped-gemm", kernels.grouped_experts);
  if (kernels.router_fp32) set("moe-router-dtype", "fp32");
}

} // namespace plimsoll::io::configs
