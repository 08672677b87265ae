// TrainingArguments' other keys (huggingface/transformers, src/transformers/training_args.py).
#include "files/training/training_arguments.hpp"

#include <array>

namespace plimsoll::io::configs {

std::string_view training_arguments_harmless() noexcept {
  return "gradient_checkpointing_kwargs.use_reentrant output_dir overwrite_output_dir do_train do_eval do_predict eval_strategy evaluation_strategy prediction_loss_only eval_delay "
         "learning_rate weight_decay adam_beta1 adam_beta2 adam_epsilon max_grad_norm num_train_epochs max_steps lr_scheduler_type "
         "lr_scheduler_kwargs lr_scheduler_kwargs.* warmup_ratio warmup_steps log_level log_level_replica log_on_each_node logging_dir "
         "logging_strategy logging_first_step logging_steps logging_nan_inf_filter save_strategy save_steps save_total_limit "
         "save_safetensors save_on_each_node save_only_model restore_callback_states_from_checkpoint no_cuda use_cpu use_mps_device seed "
         "data_seed jit_mode_eval use_ipex tf32 half_precision_backend fp16_opt_level fp16_backend local_rank ddp_backend debug "
         "dataloader_drop_last eval_steps dataloader_num_workers dataloader_prefetch_factor dataloader_persistent_workers "
         "dataloader_pin_memory run_name project trackio_space_id disable_tqdm remove_unused_columns label_names load_best_model_at_end "
         "metric_for_best_model greater_is_better ignore_data_skip report_to ddp_timeout ddp_find_unused_parameters "
         "ddp_broadcast_buffers skip_memory_metrics use_legacy_prediction_loop push_to_hub resume_from_checkpoint hub_model_id "
         "hub_strategy hub_token hub_private_repo hub_always_push hub_revision include_inputs_for_metrics include_for_metrics "
         "group_by_length length_column_name train_sampling_strategy accelerator_config accelerator_config.* torchdynamo "
         "include_tokens_per_second include_num_input_tokens_seen neftune_noise_alpha average_tokens_across_devices full_determinism "
         "optim_args optim_target_modules torch_compile_backend torch_compile_mode liger_kernel_config logging_nan_inf_filter ray_scope "
         "eval_on_start eval_use_gather_object batch_eval_metrics past_index enable_jit_checkpoint mp_parameters push_to_hub_token "
         "push_to_hub_model_id push_to_hub_organization fsdp_transformer_layer_cls_to_wrap dispatch_batches split_batches";
}

std::span<const Effect> training_arguments_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"per_device_eval_batch_size per_gpu_eval_batch_size", "evaluation of so many sequences at once keeps their logits, and none of it is in a training step."},
      Effect{"eval_accumulation_steps", "predictions of so many evaluation steps stay on the GPU."},
      Effect{"auto_find_batch_size", "the batch is halved until it fits."},
      Effect{"per_gpu_train_batch_size", "an old name of per_device_train_batch_size."},
      Effect{"bf16_full_eval fp16_full_eval", "evaluation converts the weights to 16 bits."},
      Effect{"label_smoothing_factor", "the loss keeps log-probabilities of the whole vocabulary besides."},
      Effect{"ddp_bucket_cap_mb", "replicas average gradients in buckets of another size."},
      Effect{"torch_empty_cache_steps", "the allocator's cache is given back every so many steps: reserved memory is less, time more."},
      Effect{"gradient_checkpointing_kwargs*", "how recomputed layers are run again; the profile says how the estimate takes it.", true},
      Effect{"liger_kernel_config.*", "which of Liger's kernels replace the model's own.", true},
      Effect{"fsdp_min_num_params", "modules above that size are sharded as units, instead of layers."},
      Effect{"parallelism_config*", "how GPUs are divided among kinds of parallelism.", true},
      Effect{"optim_target_modules*", "which matrices the optimizer projects."},
  };
  return kEffects;
}

} // namespace plimsoll::io::configs
