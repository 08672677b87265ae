// Settings of Megatron Core, written: the other direction of megatron_shared.cpp.
#include "files/training/megatron_shared.hpp"

#include "files/training/megatron_words.hpp"
#include "files/training/print.hpp"

#include <string>

namespace plimsoll::io::configs {

namespace {

/// A set of modules, as a list of their names.
Json modules_in(std::string_view joined) {
  Json list = Json::array();
  for (const std::string& module : split_list(joined)) list.push_back(module);
  return list;
}

/// "Et|(tt|)*30L": of each chunk a t for each layer, E before the first of them, L behind the last.
std::string layout_of(const std::vector<std::int64_t>& chunks) {
  std::string layout = "E";
  for (std::size_t i = 0; i < chunks.size();) {
    std::size_t alike = 1;
    while (i > 0 && i + alike + 1 < chunks.size() && chunks[i + alike] == chunks[i]) ++alike;
    const std::string chunk = std::string(static_cast<std::size_t>(chunks[i]), 't') + (i + 1 < chunks.size() ? "|" : "L");
    layout += alike == 1 ? chunk : "(" + chunk + ")*" + std::to_string(alike);
    i += alike;
  }
  return layout;
}

} // namespace

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
  const bool written = arguments && !strategy.chunk_layers.empty();
  if (written && strategy.pipeline_parallel > 1) set("pipeline-model-parallel-layout", layout_of(strategy.chunk_layers));
  if (strategy.pipeline_parallel > 1) {
    if (!written) above_one("num-virtual-stages-per-pipeline-rank", strategy.virtual_stages);
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
  const std::string precision = source.text("precision");
  where("bf16", precision.find("bf16") != std::string::npos);
  where("fp16", precision.find("fp16") != std::string::npos);
  if (!arguments && precision == "fp32") set("bf16", false);
  const bool follows = arguments && strategy.precision == Precision::master_fp16;
  where("accumulate-allreduce-grads-in-fp32", follows ? strategy.gradient_dtype != GradientDtype::half : strategy.gradient_dtype == GradientDtype::fp32);
  where("grad-reduce-in-bf16", arguments && strategy.gradient_dtype == GradientDtype::half && precision.find("bf16") != std::string::npos);
  if (!arguments && strategy.gradient_dtype == GradientDtype::half) set("accumulate-allreduce-grads-in-fp32", false);
  const bool half_moments = strategy.moment_dtype == MomentDtype::half;
  where("use-precision-aware-optimizer", half_moments || strategy.master_remainders);
  if (half_moments) set("exp-avg-dtype", "bf16"), set("exp-avg-sq-dtype", "bf16");
  const bool four = strategy.fp8_recipe == Fp8Recipe::nvfp4;
  if (strategy.fp8 != Fp8::none) set(four ? "fp4-format" : "fp8-format", four ? "e2m1" : "hybrid");
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::tensor) set("fp8-recipe", "tensorwise");
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::delayed) set("fp8-recipe", "delayed");
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::block) set("fp8-recipe", "blockwise");
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::mxfp8) set("fp8-recipe", "mxfp8");
  where("fp8-param-gather", strategy.fp8 == Fp8::parameters);
  const Recompute recompute = strategy.recompute;
  if (recompute == Recompute::selective) set("recompute-granularity", "selective");
  if (recompute == Recompute::selective && strategy.recompute_modules != kRecomputeCoreAttention) set("recompute-modules", modules_in(source.text("recompute_modules")));
  if (strategy.offload_modules != 0 && (recompute == Recompute::selective || recompute == Recompute::none)) {
    set("fine-grained-activation-offloading", true);
    set("offload-modules", modules_in(source.text("offload_modules")));
  }
  if (moves_kept(strategy)) {
    set("cpu-offloading", true);
    set("cpu-offloading-num-layers", strategy.offload_layers > 0 ? strategy.offload_layers : static_cast<std::int64_t>(source.answer.scenario.model.pattern.size()) - 1);
  }
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
  where("no-create-attention-mask-in-dataloader", arguments && !kernels.attention_mask);
  if (arguments && kernels.mlp == Fusion::eager) set(source.text("mlp_kind") == "gated" ? "no-bias-swiglu-fusion" : "no-bias-gelu-fusion", true);
  if (arguments && !kernels.fused_gradient_accumulation) set("no-gradient-accumulation-fusion", true);
  where("deterministic-mode", kernels.deterministic);
  where("tp-comm-overlap", kernels.communication_overlap && strategy.tensor_parallel > 1);
  if (whole_number(source.text("experts")).value_or(0) == 0) return;
  where("overlap-moe-expert-parallel-comm", kernels.expert_overlap);
  if (kernels.dispatch != ExpertDispatch::profile)
    set("moe-token-dispatcher-type", kernels.dispatch == ExpertDispatch::all_to_all ? "alltoall" : kernels.dispatch == ExpertDispatch::once ? "flex" : "allgather");
  where("moe-grouped-gemm", kernels.grouped_experts);
  if (kernels.router_fp32) set("moe-router-dtype", "fp32");
}

} // namespace plimsoll::io::configs
