// Settings of Megatron Core: arguments (NVIDIA/Megatron-LM, megatron/training/arguments.py), and the fields of configurations that they
// become (NVIDIA-NeMo/Megatron-Bridge, docs/megatron-lm-to-megatron-bridge.md; NVIDIA/NeMo,
// examples/nlp/language_modeling/conf/megatron_gpt_config.yaml).
#include "files/training/megatron_keys.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::configs {

namespace {

/// Where an argument is not "model." and its name with '_'.
struct Name {
  std::string_view argument, paths; ///< spaces between paths; the first is written
};
constexpr std::array kNames{
    Name{"micro-batch-size", "train.micro_batch_size model.micro_batch_size data.micro_batch_size"},
    Name{"global-batch-size", "train.global_batch_size model.global_batch_size data.global_batch_size"},
    Name{"seq-length", "dataset.sequence_length dataset.seq_length model.seq_length model.encoder_seq_length model.data.seq_length data.seq_length"},
    Name{"use-distributed-optimizer", "ddp.use_distributed_optimizer optimizer.use_distributed_optimizer"},
    Name{"optimizer", "optimizer.optimizer optim.config.optimizer"},
    Name{"nproc-per-node", "trainer.devices num_gpus ng gpus_per_node gn"},
    Name{"nnodes", "trainer.num_nodes nodes"},
    Name{"recompute-granularity", "model.recompute_granularity model.activations_checkpoint_granularity"},
    Name{"recompute-method", "model.recompute_method model.activations_checkpoint_method"},
    Name{"recompute-num-layers", "model.recompute_num_layers model.activations_checkpoint_num_layers"},
    Name{"bf16", "model.bf16"},
    Name{"fp16", "model.fp16"},
    Name{"fp8-format", "model.fp8 mixed_precision.fp8"},
    Name{"fp8-recipe", "model.fp8_recipe mixed_precision.fp8_recipe"},
    Name{"fp4-format", "model.fp4 mixed_precision.fp4"},
    Name{"fp4-recipe", "model.fp4_recipe mixed_precision.fp4_recipe"},
    Name{"fp8-param-gather", "mixed_precision.fp8_param_gather mixed_precision.fp8_param model.fp8_params"},
    Name{"tp-comm-overlap", "comm_overlap.tp_comm_overlap model.tp_comm_overlap model.ub_tp_comm_overlap"},
    Name{"overlap-moe-expert-parallel-comm", "comm_overlap.overlap_moe_expert_parallel_comm model.overlap_moe_expert_parallel_comm model.moe_a2a_overlap moe_a2a_overlap"},
    Name{"cuda-graph-impl", "model.cuda_graph_impl cuda_graph_impl"},
    Name{"moe-flex-dispatcher-backend", "model.moe_flex_dispatcher_backend moe_flex_dispatcher_backend"},
    Name{"cp-comm-type", "model.cp_comm_type"},
    Name{"cpu-offloading-num-layers", "model.cpu_offloading_num_layers activation_offload_layers ol"}, // the others are the scripts' of Megatron Bridge
    Name{"optimizer-cpu-offload", "optimizer.optimizer_cpu_offload"},
    Name{"data-parallel-sharding-strategy", "ddp.data_parallel_sharding_strategy"},
    Name{"use-megatron-fsdp", "ddp.use_megatron_fsdp ddp.use_custom_fsdp dist.use_megatron_fsdp"},
    Name{"num-distributed-optimizer-instances", "ddp.num_distributed_optimizer_instances"},
    Name{"decoder-first-pipeline-num-layers", "model.num_layers_in_first_pipeline_stage"},
    Name{"decoder-last-pipeline-num-layers", "model.num_layers_in_last_pipeline_stage"},
    Name{"num-layers-per-virtual-pipeline-stage", ""},
    Name{"num-virtual-stages-per-pipeline-rank", "model.virtual_pipeline_model_parallel_size virtual_pipeline_model_parallel_size"},
    Name{"num-experts", "model.num_moe_experts"},
    Name{"untie-embeddings-and-output-weights", ""},
    Name{"swiglu", "model.gated_linear_unit"},
    Name{"group-query-attention", ""},
    Name{"disable-bias-linear", ""},
    Name{"position-embedding-type", "model.position_embedding_type"},
    Name{"defer-embedding-wgrad-compute", "model.defer_embedding_wgrad_compute"},
    Name{"accumulate-allreduce-grads-in-fp32", "ddp.grad_reduce_in_fp32 mixed_precision.grad_reduce_in_fp32"},
    Name{"no-gradient-accumulation-fusion", ""},
    Name{"vocab-size", "model.vocab_size tokenizer.vocab_size"},
    Name{"padded-vocab-size", "model.padded_vocab_size model.override_vocab_size"},
    Name{"tokenizer-type", "model.tokenizer_type model.tokenizer.type tokenizer.tokenizer_type"},
    Name{"add-qkv-bias", "model.add_qkv_bias model.qkv_bias"},
    Name{"mamba-num-groups", "model.mamba_num_groups model.mamba_ssm_ngroups"},
    Name{"microbatch-group-size-per-virtual-pipeline-stage", "model.microbatch_group_size_per_vp_stage"},
};

/// NVIDIA-NeMo/Megatron-Bridge, scripts/performance/argument_parser.py.
constexpr std::array kBrief{Name{"tensor-model-parallel-size", "tp"}, Name{"pipeline-model-parallel-size", "pp"}, Name{"context-parallel-size", "cp"},
                            Name{"expert-model-parallel-size", "ep"}, Name{"expert-tensor-parallel-size", "et"},  Name{"num-virtual-stages-per-pipeline-rank", "vp"},
                            Name{"micro-batch-size", "mb"},           Name{"global-batch-size", "gb"},            Name{"seq-length", "sl"}};

std::string of_model(std::string_view argument) {
  std::string path = "model." + std::string{argument};
  std::ranges::replace(path, '-', '_');
  return path;
}

} // namespace

std::string megatron_written(MegatronDialect dialect, std::string_view argument) {
  if (dialect == MegatronDialect::arguments) return std::string{argument};
  const auto row = std::ranges::find(kNames, argument, &Name::argument);
  return row == kNames.end() ? of_model(argument) : std::string{row->paths.substr(0, row->paths.find(' '))};
}

namespace {

std::vector<std::string> paths_of(std::string_view argument) {
  const auto row = std::ranges::find(kNames, argument, &Name::argument);
  std::vector<std::string> paths = row == kNames.end() ? std::vector<std::string>{of_model(argument)} : split_list(row->paths);
  const std::string plain = of_model(argument).substr(6);
  paths.push_back("trainer.strategy." + plain); // NeMo 2 has degrees under the trainer's strategy
  paths.push_back(plain);                       // options of Megatron Bridge's scripts, and what is short for them
  if (const auto brief = std::ranges::find(kBrief, argument, &Name::argument); brief != kBrief.end()) paths.emplace_back(brief->paths);
  return paths;
}

} // namespace

std::string megatron_key(const Document& document, MegatronDialect dialect, std::string_view argument) {
  if (dialect == MegatronDialect::arguments) return std::string{argument};
  const std::vector<std::string> paths = paths_of(argument);
  for (const std::string& path : paths)
    if (document.has(path)) return path;
  return paths.front();
}

void take_same(Document& document, MegatronDialect dialect, std::string_view argument) {
  if (dialect == MegatronDialect::arguments) return;
  const Json* const counted = document.peek(megatron_key(document, dialect, argument));
  for (const std::string& path : paths_of(argument))
    if (const Json* other = document.peek(path); counted != nullptr && other != nullptr && *other == *counted) document.take(path);
}

std::string_view megatron_harmless() noexcept {
  return "rdzv-id rdzv-backend rdzv-endpoint master-addr master-port node-rank log-dir tee redirects standalone max-restarts local-ranks-filter "
         "lr min-lr lr-decay-style lr-decay-iters lr-decay-samples lr-warmup-iters lr-warmup-samples lr-warmup-fraction lr-warmup-init lr-wsd-decay-style "
         "lr-wsd-decay-iters override-opt-param-scheduler override-opt-param-scheduler use-checkpoint-opt-param-scheduler weight-decay start-weight-decay "
         "end-weight-decay weight-decay-incr-style clip-grad adam-beta1 adam-beta2 adam-eps sgd-momentum init-method-std init-method-xavier-uniform seed "
         "train-iters train-samples exit-interval exit-duration-in-mins exit-signal-handler data-path train-data-path valid-data-path test-data-path "
         "data-args-path per-split-data-args-path data-cache-path split mock-data vocab-file merge-file tokenizer-type tokenizer-model tiktoken-pattern "
         "tiktoken-num-special-tokens num-workers dataloader-type reset-position-ids reset-attention-mask eod-mask-loss create-attention-mask-in-dataloader-off "
         "no-create-attention-mask-in-dataloader save load save-interval save-retain-interval no-save-optim no-save-rng no-load-optim no-load-rng finetune ckpt-format "
         "dist-ckpt-format dist-ckpt-strictness async-save use-dist-ckpt auto-detect-ckpt-format ckpt-step no-initialization "
         "ckpt-fully-parallel-load no-ckpt-fully-parallel-save ckpt-convert-format log-interval log-throughput log-params-norm log-num-zeros-in-grad "
         "log-progress log-timers-to-tensorboard log-validation-ppl-to-tensorboard log-memory-to-tensorboard log-world-size-to-tensorboard timing-log-level timing-log-option tensorboard-dir "
         "tensorboard-queue-size tensorboard-log-interval wandb-project wandb-exp-name wandb-save-dir wandb-entity eval-iters eval-interval skip-train "
         "test-mode manual-gc manual-gc-interval manual-gc-eval distributed-backend distributed-timeout-minutes lazy-mpu-init "
         "no-masked-softmax-fusion-off rotary-base rotary-percent use-rotary-position-embeddings no-rope-fusion rotary-seq-len-interpolation-factor use-rope-scaling rope-scaling-factor "
         "no-position-embedding norm-epsilon apply-layernorm-1p attention-softmax-in-fp32 no-query-key-layer-scaling loss-scale initial-loss-scale min-loss-scale "
         "loss-scale-window hysteresis use-mcore-models use-legacy-models-off no-check-for-nan-in-loss-and-grad check-for-nan-in-loss-and-grad no-load-balance moe-router-load-balancing-type moe-aux-loss-coeff "
         "moe-z-loss-coeff moe-router-pre-softmax moe-router-score-function moe-router-topk-scaling-factor moe-router-num-groups moe-router-group-topk moe-router-bias-update-rate "
         "moe-per-layer-logging moe-router-force-load-balancing moe-token-drop-policy rampup-batch-size overlap-param-gather-off profile profile-step-start profile-step-end profile-ranks "
         "use-pytorch-profiler retro-off disable-vision-class-token no-async-tensor-model-parallel-allreduce enable-one-logger adlr-autoresume one-logger-project non-persistent-save-interval "
         "overlap-grad-reduce overlap-param-gather ddp-average-in-collective overlap-p2p-communication overlap-p2p-communication-warmup-flush moe-permute-fusion moe-enable-deepep moe-flex-dispatcher-* "
         "moe-hybridep-* moe-router-enable-expert-bias moe-router-padding-for-quantization moe-router-dtype moe-deepep-* high-priority-stream-groups calculate-per-token-loss mtp-loss-scaling-factor mscale "
         "mscale-all-dim rotary-scaling-factor rotary-interleaved beta-fast beta-slow apply-query-key-layer-scaling overlap-cpu-optimizer-d2h-h2d use-torch-optimizer-for-cpu-offload "
         "async-strategy async-ckpt-* ckpt-assume-constant-structure check-for-large-grads check-for-spiky-loss check-weight-hash-across-dp-replicas-interval cuda-graph-warmup-steps cuda-graph-num-warmup-steps disable-gloo-process-groups "
         "dist-ckpt-* enable-experimental log-energy log-memory-interval logging-level lr-wsd-decay-samples muon-* megatron-fsdp-grad-comm-dtype no-use-layer-wise-param-layout te-precision-config-file tp-comm-overlap-cfg use-persistent-ckpt-worker "
         "use-checkpoint-opt-param-scheduler verify-integrity perform-initialization exit-on-missing-checkpoint trust-remote-code legacy-tokenizer tokenizer-* padded-samples-per-sequence log-max-attention-logit distrib-optim-fully-reshardable-* "
         "num-dataset-builder-threads mid-level-dataset-surplus object-storage-cache-path straggler-* log-straggler disable-straggler-on-startup rerun-* error-injection-* result-rejected-tracker-filename ft-* calc-ft-timeouts "
         "inprocess-* monitor-* env.* nproc-per-node* max-retries rdzv-conf role start-method no-python numa-binding master-host wandb-* tensorboard-* log-* "
         "use-fused-weighted-squared-relu non-persistent-* export-te-mcore-model moe-apply-probs-on-input no-add-position-embedding use-fast-* skip-samples-* quick-geglu-* glu-linear-offset activation-func-clamp-value softmax-type no-rope-freq rope-type original-max-position-embeddings "
         "high-freq-factor low-freq-factor yarn-* eod-mask-* te-rng-tracker mmap-bin-files no-mmap-bin-files hf-tokenizer make-vocab-size-divisible-by-off decoupled-lr decoupled-min-lr use-tp-pp-dp-mapping";
}

std::span<const Effect> megatron_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"use-checkpoint-args use-mp-args-from-checkpoint-args", "the shape of the model stands in the checkpoint."},
      Effect{"overlap-param-gather-with-optimizer-step align-grad-reduce align-param-gather", "buckets are reduced and gathered while layers run."},
      Effect{"ddp-bucket-size ddp-num-buckets ddp-pad-buckets-for-high-nccl-busbw", "sizes of buckets of gradients."},
      Effect{"distribute-saved-activations", "kept inputs are divided among tensor-parallel GPUs."},
      Effect{"fp8-margin fp8-interval fp8-amax-history-len fp8-amax-compute-algo no-fp8-wgrad first-last-layers-bf16 num-layers-at-start-in-bf16 num-layers-at-end-in-bf16 reuse-grad-buf-for-mxfp8-param-ag", "how operands are scaled in 8 bits, and where."},
      Effect{"fp4-param*", "weights that are kept in 4 bits.", false, Weight::decides},
      Effect{"pipeline-model-parallel-split-rank decoder-pipeline-manual", "which layers a stage has.", false, Weight::decides},
      Effect{"no-overlap-p2p-communication delay-wgrad-compute combined-1f1b", "what overlaps in a pipeline."},
      Effect{"hierarchical-context-parallel-sizes", "context-parallel GPUs work in two levels."},
      Effect{"moe-use-legacy-grouped-gemm moe-shared-expert-overlap", "how tokens reach experts, and what is kept of it."},
      Effect{"moe-extended-tp", "how experts are divided.", false, Weight::decides},
      Effect{"window-size window-attn-skip-freq", "layers look back over a window only, which saves time."},
      Effect{"hetereogenous-* heterogeneous-*", "layers differ by a file of their own.", false, Weight::decides},
      Effect{"empty-unused-memory-level", "the allocator's cache is given back every step."},
      Effect{"nccl-ub use-nccl-ub use-sharp nccl-communicator-config-path fsdp-double-buffer", "communicators with buffers of their own."},
      Effect{"cuda-graph-impl cuda-graph-scope cuda-graph-modules enable-cuda-graph external-cuda-graph", "CUDA graphs hold memory of their own."},
      Effect{"torch-fsdp2-no-reshard-after-forward outer-dp-sharding-strategy", "how weights are gathered."},
      Effect{"init-model-with-meta-device use-cpu-initialization", "where the model is made."},
      Effect{"no-masked-softmax-fusion no-bias-dropout-fusion no-persist-layer-norm", "operations run one by one."},
      Effect{"lora-* peft-*", "adapters.", true, Weight::decides},
      Effect{"expert-model-parallel-group*", "groups of experts."},
      Effect{"packing-* sft variable-seq-lengths", "how sequences make up a batch: batching."},
      Effect{"encoder-tensor-model-parallel-size encoder-pipeline-model-parallel-size", "an encoder besides.", false, Weight::decides},
      Effect{"use-transformer-engine-op-fuser", "another way of running layers."},
      Effect{"use-ring-exchange-p2p", "another way of sending between stages."},
      Effect{"env.NVTE_CPU_OFFLOAD_V1 env.NVTE_CUTEDSL_FUSED_GROUPED_MLP", "another way of running layers."},
  };
  return kEffects;
}

std::string_view nemo_harmless() noexcept {
  return "name job_name run.* exp_manager.* logger.* checkpoint.* checkpointing.* tokenizer.* rng.* scheduler.* profiling.* profiler.* rerun_state_machine.* "
         "inprocess_restart.* ft.* straggler.* nvrx_straggler.* tensor_inspect.* dataset.* model.data.* data.* resume.* log.* trainer.max_steps trainer.max_epochs "
         "trainer.max_time trainer.log_every_n_steps trainer.val_check_interval trainer.limit_* trainer.accelerator trainer.logger trainer.enable_checkpointing "
         "trainer.use_distributed_sampler trainer.benchmark trainer.enable_model_summary trainer.gradient_clip_val trainer.num_sanity_val_steps trainer.strategy.ddp train.train_iters train.train_samples "
         "train.eval_iters train.eval_interval validation.* train.exit_* train.skip_train train.manual_gc* train.check_weight_hash* optimizer.lr optimizer.min_lr optimizer.weight_decay "
         "optimizer.adam_* optimizer.clip_grad optimizer.sgd_momentum optim.config.* optim.lr_scheduler.* optim.* model.optim.* model.tokenizer.* model.init_method_std model.seed model.rotary_base model.rotary_percentage "
         "model.rotary_percent model.layernorm_epsilon model.nsys_profile.* model.gradient_as_bucket_view model.apply_query_key_layer_scaling "
         "model.share_embeddings_weights model.make_vocab_size_divisible_by_off model.mcore_gpt model.use_flash_attention model.restore_from_path_off "
         "model.moe_router_load_balancing_type model.moe_aux_loss_coeff model.exit_duration_in_mins model.native_amp_* model.peft.restore_from_path dist.distributed_* dist.lazy_mpu_init "
         "model.answer_only_loss model.peft.lora_tuning.alpha model.peft.lora_tuning.column_init_method model.peft.lora_tuning.row_init_method peft.alpha model.async_grad_allreduce "
         "model.fp32_grad_accum model.contiguous_grad_bucket model.context_parallel_logging trainer.replace_sampler_ddp model.pre_process model.post_process "
         "model.hysteresis model.onnx_safe model.apex_transformer_log_level model.use_cpu_initialization model.resume_from_checkpoint model.activation_func "
         "model.normalize_attention_scores model.bert_binary_head model.rotary_interleaved model.calculate_per_token_loss mode task model_family_name m "
         "config_variant cv gpu g gpus_per_node gn num_gpus ng domain max_steps ms lr min_lr warmup_iters pretrained_checkpoint save_dir load_dir save_interval most_recent_k data "
         "dataset dataset_* index_mapping_dir head_only tokenizer_type tokenizer_model hf_token hf offline account a partition p time_limit t container_image i custom_* detach max_retries "
         "s3_checkpointing.* hydra.* defaults* model.use_scaled_init_method model.do_layer_norm_weight_decay model.overlap_p2p_comm model.batch_p2p_comm model.sync_batch_comm "
         "model.get_attention_mask_from_fusion model.layernorm_zero_centered_gamma model.apply_embedding_scaling model.dist_ckpt_* model.gc_interval model.attention_type model.megatron_legacy max_step "
         "log_dir l nemo_home nh deterministic step_func wandb_* experiment_name dryrun d to-yaml to_yaml y yes use_recipes train.max_steps";
}

std::span<const Effect> nemo_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"ddp.overlap_grad_reduce ddp.overlap_param_gather ddp.align_param_gather ddp.bucket_size ddp.average_in_collective comm_overlap.*", "what overlaps with communication, in buffers of its own."},
      Effect{"first_k_dense_replace model.moe_layer_freq", "which layers have experts.", false, Weight::decides},
      Effect{"ddp.*", "an option of the distributed gradients."},
      Effect{"optimizer.*", "an option of the optimizer."},
      Effect{"mixed_precision.*", "number formats of parts.", true},
      Effect{"model.activations_checkpoint_layers_per_pipeline model.num_micro_batches_with_partial_activation_checkpoints", "which operations run again.", true},
      Effect{"model.cpu_offloading* model.activation_offload_fraction", "activations or weights go to the host's memory."},
      Effect{"cuda_graph_impl cuda_graph_scope model.cuda_graph* model.enable_cuda_graph model.use_cuda_graph model.external_cuda_graph", "CUDA graphs hold memory of their own."},
      Effect{"model.pipeline_model_parallel_layout* model.pipeline_model_parallel_split_rank", "which layers a stage has, written out."},
      Effect{"model.moe_*", "how tokens reach experts, and what is kept of it."},
      Effect{"model.mtp_*", "layers for multi-token prediction: prediction_layers."},
      Effect{"model.q_lora_rank model.kv_lora_rank model.multi_latent_attention model.qk_head_dim model.qk_pos_emb_head_dim model.v_head_dim", "latent attention: choose the model by its name."},
      Effect{"model.fp8_* model.fp4*", "how operands are scaled in 8 bits, and where."},
      Effect{"model.bias_* model.masked_softmax_fusion model.persist_layer_norm model.apply_rope_fusion model.gradient_accumulation_fusion model.cross_entropy_loss_fusion model.grad_div_ar_fusion", "operations run together or one by one.", true},
      Effect{"model.peft.* peft.*", "how adapters are made."},
      Effect{"train.empty_unused_memory_level", "the allocator's cache is given back every step."},
      Effect{"trainer.accumulate_grad_batches", "micro-batches of a step, which global_batch_size says."},
      Effect{"trainer.plugins* trainer.strategy.*", "an option of the trainer's strategy.", true},
      Effect{"model.fp32_residual_connection", "the residual stream is kept in fp32."},
      Effect{"model.fp16_lm_cross_entropy", "the loss is in 16 bits."},
      Effect{"model.grad_allreduce_chunk_size_mb", "gradients are reduced in pieces of that size."},
      Effect{"model.window_size model.window_attn_skip_freq", "layers look back over a window only."},
      Effect{"model.ub_tp_comm_overlap_cfg* model.tp_comm_overlap_*", "which communication overlaps."},
      Effect{"model.mcore_customization_config.* model.headscale model.use_emha", "layers that differ from GPT's: choose the model by its name.", false, Weight::decides}, // Falcon's, Gemma 2's
      Effect{"model.freeze_language_model", "only what stands beside the language model trains.", false, Weight::decides},
      Effect{"model.freeze_*", "parts of the model that do not train."},
      Effect{"overlap_param_gather overlap_grad_reduce", "what overlaps with communication, in buffers of its own."},
      Effect{"model.fsdp", "PyTorch's FSDP around NeMo's model.", false, Weight::decides},
      Effect{"quantization.algorithm", "weights are rounded while the model trains.", false, Weight::decides},
      Effect{"model.ffn_dropout", "dropout within the MLP keeps a mask."},
      Effect{"model.distribute_saved_activations", "kept inputs are divided among tensor-parallel GPUs."},
  };
  return kEffects;
}

} // namespace plimsoll::io::configs
