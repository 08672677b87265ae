// DeepSpeed's other keys (deepspeedai/DeepSpeed, docs/_pages/config-json.md).
#include "files/training/deepspeed.hpp"

#include <array>

namespace plimsoll::io::configs {

std::string_view deepspeed_harmless() noexcept {
  return "steps_per_print wall_clock_breakdown dump_state memory_breakdown disable_allgather prescale_gradients gradient_predivide_factor "
         "gradient_clipping zero_allow_untested_optimizer zero_force_ds_cpu_optimizer sparse_gradients scheduler* optimizer.params* "
         "optimizer.legacy_fusion amp.opt_level fp16.loss_scale fp16.initial_scale_power fp16.loss_scale_window fp16.hysteresis "
         "fp16.consecutive_hysteresis fp16.min_loss_scale fp16.opt_level bf16.immediate_grad_update bf16.check_grad_overflow "
         "comms_config* flops_profiler* tensorboard* wandb* csv_monitor* comet* monitor_config* comms_logger* autotuning* elasticity* checkpoint* "
         "data_efficiency* curriculum_learning* eigenvalue* dataloader_drop_last communication_data_type_logging seed "
         "aio.* activation_checkpointing.synchronize_checkpoint_boundary activation_checkpointing.profile zero_optimization.stage3_gather_16bit_weights_on_model_save zero_optimization.stage3_gather_fp16_weights_on_model_save "
         "zero_optimization.gather_16bit_weights_on_model_save zero_optimization.ignore_unused_parameters zero_optimization.load_from_fp32_weights "
         "zero_optimization.elastic_checkpoint zero_optimization.allgather_partitions zero_optimization.reduce_scatter "
         "zero_optimization.use_multi_rank_bucket_allreduce zero_optimization.legacy_stage1 zero_optimization.log_trace_cache_warnings "
         "zero_optimization.enable_sanity_checks zero_optimization.override_module_apply zero_optimization.pipeline_loading_checkpoint "
         "zero_optimization.zeropp_loco_param* zero_optimization.leaf_module* zero_optimization.stage3_module_granularity_threshold "
         "zero_optimization.stage3_use_all_reduce_for_fetch_params zero_optimization.offload_optimizer.nvme_path "
         "zero_optimization.offload_param.nvme_path zero_optimization.offload_optimizer.fast_init zero_optimization.offload_optimizer.cpuadam_cores_perc "
         "zero_optimization.offload_optimizer.pipeline* "
         "zero_optimization.offload_optimizer.pin_memory zero_optimization.offload_param.pin_memory zero_optimization.cpu_offload_use_pin_memory "
         "tensor_parallel.tp_grain_size";
}

std::span<const Effect> deepspeed_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"data_efficiency.data_routing.random_ltd.enabled", "layers in the middle see a part of the tokens, fewer at first."},
      Effect{"zero_optimization.round_robin_gradients", "gradients of accumulation steps go to the host in another order."},
      Effect{"zero_optimization.zero_quantized_weights", "weights are gathered in 8 bits (ZeRO++)."},
      Effect{"zero_optimization.zero_quantized_nontrainable_weights", "frozen weights are kept in 8 bits (ZeRO++)."},
      Effect{"zero_optimization.zero_quantized_gradients", "gradients are reduced in 4 bits (ZeRO++)."},
      Effect{"zero_optimization.mics_hierarchical_params_gather", "weights are gathered in two steps, with a buffer between them (MiCS)."},
      Effect{"zero_optimization.stage3_model_persistence_threshold zero_optimization.model_persistence_threshold", "so many numbers of weights at most stay whole on each GPU."},
      Effect{"zero_optimization.stage3_allgather_sequential", "weights are gathered one by one, without a flat buffer."},
      Effect{"zero_optimization.stage3_partition_stream_chunk_size", "large tensors are divided in pieces while the model is made."},
      Effect{"zero_optimization.offload_optimizer.buffer_size zero_optimization.offload_optimizer.buffer_count zero_optimization.offload_param.buffer_size "
             "zero_optimization.offload_param.buffer_count zero_optimization.offload_param.max_in_cpu",
             "what the host's memory keeps beside files on NVMe: taken to be four buffers of states, five of 100 million weights, and a billion weights."},
      Effect{"zero_optimization.offload_optimizer.super_offload zero_optimization.offload_optimizer.convert_grad_on_cpu", "gradients and steps are divided between host and device in another way."},
      Effect{"zero_optimization.zenflow*", "important gradients are stepped on the GPU (ZenFlow)."},
      Effect{"zero_optimization.save_muon_momentum_buffer_in_memory", "Muon's momentum stays out of NVMe."},
      Effect{"activation_checkpointing.partition_activations", "kept inputs are divided among tensor-parallel GPUs, where the model's code calls DeepSpeed's checkpoints."},
      Effect{"activation_checkpointing.cpu_checkpointing", "kept inputs go to the host's memory, where the model's code calls DeepSpeed's checkpoints: recompute=offloaded."},
      Effect{"activation_checkpointing.contiguous_memory_optimization", "kept inputs lie in one buffer made beforehand."},
      Effect{"activation_checkpointing.number_checkpoints", "so many inputs of layers are kept, where the model's code calls DeepSpeed's checkpoints."},
      Effect{"fp16.fp16_master_weights_and_grads bf16.bf16_master_weights_and_grads bf16.bf16_optimizer_states", "master weights, gradients or states are kept in 16 bits."},
      Effect{"fp16.auto_cast torch_autocast.*", "autocast computes in other formats than the weights have."},
      Effect{"amp.enabled", "NVIDIA's Apex runs the mixed precision instead of DeepSpeed."},
      Effect{"communication_data_type", "gradients are reduced in that format, which buckets then have."},
      Effect{"fp32_allreduce", "gradients are reduced in fp32."},
      Effect{"compression_training.* quantize_training.* weight_quantization.*", "weights or activations are compressed while training."},
      Effect{"sparse_attention.*", "attention runs on blocks of the scores."},
      Effect{"pipeline.* pipeline_parallel.*", "stages of a pipeline: set pipeline_parallel."},
      Effect{"compile.* torch_compile.*", "layers are compiled, with passes that gather and offload differently (DeepCompile)."},
      Effect{"hybrid_engine.* inference.*", "the same weights serve rollouts, with caches of their own."},
      Effect{"progressive_layer_drop.*", "layers are skipped at random."},
      Effect{"data_types.*", "formats of gradients while they accumulate."},
  };
  return kEffects;
}

} // namespace plimsoll::io::configs
