// AI-Hypercomputer/maxtext at e591f30c, src/maxtext/configs/base.yml: checkpoints, data, metrics, profiles, rates and decoding, which are no part of
// a step. Blocks of kernels change its time by what the estimate leaves to its range.
#include "files/training/maxtext_keys.hpp"

#include <array>

namespace plimsoll::io::configs {

std::string_view maxtext_harmless() noexcept {
  return "run_name base_output_directory normalization_layer_epsilon load_parameters_path load_full_state_path enable_checkpointing save_checkpoint_on_start save_checkpoint_on_completion "
         "async_checkpointing checkpoint_period max_num_checkpoints_to_keep enable_continuous_checkpointing enable_single_replica_ckpt_restoring checkpoint_storage_target_data_file_size_bytes "
         "checkpoint_storage_use_ocdbt checkpoint_storage_use_zarr3 checkpoint_storage_concurrent_gb source_checkpoint_layout force_unroll enable_autocheckpoint "
         "enable_multi_tier_checkpointing multi_tier_checkpointing_backup_interval_minutes enable_emergency_checkpoint local_checkpoint_directory local_checkpoint_period "
         "reuse_example_batch metrics_file gcs_metrics enable_wandb wandb_project_name wandb_run_name save_config_to_gcs dense_init_scale "
         "jax_cache_dir compile_xla_flags compiled_trainstep_file sharding_tolerance use_iota_embed param_scan_axis "
         "tokenizer_path tokenizer_type use_chat_template chat_template_path tokenize_train_data tokenize_eval_data add_bos add_eos use_truncation expansion_factor_real_data "
         "packing eval_per_device_batch_size max_corpus_chars train_data_columns eval_data_columns num_epoch max_segments_per_seq sft_train_on_completion_only dataset_type dataset_path dataset_name "
         "eval_dataset_name train_split eval_split hf_path hf_name hf_data_dir hf_train_files hf_eval_split hf_eval_files hf_access_token grain_train_files grain_eval_files grain_file_type "
         "grain_packing_type grain_worker_count grain_worker_count_eval grain_num_threads grain_prefetch_buffer_size grain_ram_budget_mb colocated_python_data_input "
         "steps log_period max_inflight_computations jax_distributed_initialization_timeout skip_jax_distributed_system learning_rate lr_schedule_type cosine_learning_rate_final_fraction "
         "learning_rate_final_fraction warmup_steps_fraction learning_rate_schedule_steps prompt "
         "profiler upload_all_profiler_results skip_first_n_steps_for_profiler profiler_steps profile_cleanly profile_periodically_period managed_mldiagnostics "
         "dump_hlo dump_step dump_hlo_local_dir dump_hlo_gcs_dir dump_hlo_xla_flags dump_jaxpr enable_data_shuffling data_shuffle_seed init_weights_seed enable_dropout gradient_clipping_threshold "
         "adam_b1 adam_b2 adam_eps adam_eps_root adam_weight_decay rope_type rope_min_timescale rope_max_timescale "
         "eval_start_step eval_interval eval_steps target_eval_loss abort_on_nan_loss abort_on_inf_loss enable_goodput_recording monitor_goodput goodput_upload_interval_seconds "
         "enable_gcp_goodput_metrics enable_gcp_step_deviation_metrics monitor_step_time_deviation report_heartbeat_metric_for_gcp_monitoring report_performance_metric_for_gcp_monitoring "
         "enable_tensorboard use_vertex_tensorboard vertex_tensorboard_project vertex_tensorboard_region log_config enable_checkpoint_cloud_logger "
         "sa_block_q sa_block_kv sa_block_kv_compute sa_block_q_dkv sa_block_kv_dkv sa_block_kv_dkv_compute sa_block_q_dq sa_block_kv_dq sa_use_fused_bwd_kernel "
         "shardy context_parallel_load_balance allow_split_physical_axes";
}

std::span<const Effect> maxtext_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"use_dpo", "a second copy of the model is kept as its reference.", false, Weight::decides},
      Effect{"dropout_rate", "masks of dropout are kept.", false, Weight::decides},
      Effect{"mtp_num_layers", "layers predict further tokens.", false, Weight::decides},
      Effect{"optimizer_memory_host_offload parameter_memory_host_offload", "states or weights are the host's, and come to the device for every step.", false, Weight::decides},
      Effect{"logits_dot_in_fp32 activations_in_float32 float32_qk_product float32_logits float32_gate_logits", "these products are computed in fp32.", false, Weight::decides},
      Effect{"use_multimodal use_audio", "towers beside the language model.", false, Weight::decides},
      Effect{"*", "what it does to memory or time is not known here.", true, Weight::decides}};
  return kEffects;
}

} // namespace plimsoll::io::configs
