// Axolotl's other keys (axolotl-ai-cloud/axolotl, src/axolotl/utils/schemas).
#include "files/training/axolotl_keys.hpp"

#include <array>

namespace plimsoll::io::configs {

std::string_view axolotl_harmless() noexcept {
  return "base_model_config base_model_ignore_patterns tokenizer_config tokenizer_type tokenizer_use_fast tokenizer_legacy "
         "tokenizer_use_mistral_common tokenizer_save_jinja_files model_type cls_model_config use_cce trust_remote_code "
         "revision_of_model is_falcon_derived_model is_llama_derived_model is_mistral_derived_model is_qwen_derived_model is_multimodal strict "
         "datasets datasets[]* test_datasets test_datasets[]* pretraining_dataset pretraining_dataset[]* dataset_prepared_path "
         "dataset_shard_num dataset_shard_idx dataset_processes dataset_num_proc dataset_keep_in_memory dataset_exact_deduplication "
         "shuffle_merged_datasets shuffle_before_merging_datasets skip_prepare_dataset val_set_size chat_template chat_template_* "
         "default_system_message eot_tokens train_on_inputs roles_to_train min_sample_len max_prompt_len excess_length_strategy "
         "eval_sample_packing sample_packing_group_size sample_packing_bin_size sample_packing_sequentially sample_packing_mp_start_method "
         "multipack_real_batches curriculum_sampling pretraining_sample_concatenation pretrain_multipack_* group_by_length lora_alpha "
         "lora_model_dir_name lora_fan_in_fan_out loraplus_lr_ratio loraplus_lr_embedding peft_use_rslora peft_init_lora_weights lora_on_cpu "
         "wandb_* mlflow_* comet_* use_wandb use_mlflow use_comet use_tensorboard use_ray ray_* gradio_* output_dir num_epochs lr_scheduler "
         "lr_scheduler_kwargs* lr_quadratic_warmup cosine_min_lr_ratio cosine_constant_lr_ratio lr_div_factor learning_rate embedding_lr "
         "embedding_lr_scale lr_groups* adam_beta1 adam_beta2 adam_beta3 adam_epsilon adam_epsilon2 weight_decay optim_args* max_grad_norm "
         "evals_per_epoch saves_per_epoch save_first_step save_* eval_steps eval_strategy eval_table_size eval_max_new_tokens eval_max_tokens do_causal_lm_eval "
         "eval_causal_lm_metrics early_stopping_patience auto_resume_from_checkpoints resume_from_checkpoint load_best_model_at_end logging_steps "
         "loss_watchdog_threshold loss_watchdog_patience debug seed special_tokens* xformers_flash heads_k_stride ring_attn_func "
         "hub_model_id hub_strategy push_dataset_to_hub hf_use_auth_token device local_rank world_size ddp ddp_timeout ddp_find_unused_parameters "
         "ddp_broadcast_buffers gradient_checkpointing_kwargs.use_reentrant spectrum_* profiler_steps profiler_steps_start noisy_embedding_alpha neftune_noise_alpha rl_beta dpo_beta orpo_alpha "
         "rpo_alpha simpo_gamma cpo_alpha kto_desirable_weight kto_undesirable_weight dpo_label_smoothing dpo_use_weighting fsdp_final_state_dict_type tf32 float32 "
         "mean_resizing_embeddings fix_untrained_tokens include_tokens_per_second include_tkps warmup_ratio warmup_steps max_steps "
         "torch_compile_backend torch_compile_mode dataloader_* remove_unused_columns streaming streaming_multipack_buffer_size merge_method "
         "low_cpu_mem_usage fsdp_config.fsdp_cpu_offload_pin_memory fsdp_config.cpu_offload_pin_memory type_of_model qlora_sharded_model_loading torchdistx_path merge_lora peft_layers_pattern peft_ensure_weight_tying "
         "is_preprocess preprocess_iterable freeze_mm_modules total_num_tokens total_supervised_tokens sample_packing_eff_est axolotl_config_path ";
}

std::span<const Effect> axolotl_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"eval_batch_size", "evaluation of so many sequences at once keeps their logits."},
      Effect{"lora_model_dir peft_layers_to_transform lora_target_parameters peft_layer_replication", "adapters in some layers, or adapters that are loaded."},
      Effect{"peft.group_size peft.loftq_config.*", "how the base weights are quantised."},
      Effect{"peft_trainable_token_indices*", "rows of the embedding train besides."},
      Effect{"processor_type", "the parts of the model that see or hear are loaded, which the estimate has only where the catalogue's entry has them."},
      Effect{"lora_mlp_kernel lora_qkv_kernel lora_o_kernel lora_embedding_kernel unsloth_lora_mlp unsloth_lora_qkv unsloth_lora_o", "fused kernels of adapters keep fewer activations."},
      Effect{"unfrozen_parameters", "only these parameters train.", false, Weight::decides},
      Effect{"relora* jagged_restart_*", "adapters are merged and made anew, and states reset."},
      Effect{"diffusion.*", "tokens are masked and filled in, with attention both ways.", true, Weight::decides},
      Effect{"lisa_*", "only a few layers train at a time (LISA).", false, Weight::decides},
      Effect{"gptq gptq_* bnb_config_kwargs.*", "how the base weights are quantised: weight_dtype.", true},
      Effect{"qat.* quantization.*", "weights are rounded while training (QAT)."},
      Effect{"layer_offloading", "layers of frozen weights go to the host's memory."},
      Effect{"tiled_mlp tiled_mlp_num_shards tiled_mlp_use_original_mlp", "the MLP runs in pieces of the sequence."},
      Effect{"s2_attention flex_attn_compile_kwargs* flash_optimum sage_attention", "another kernel of attention."},
      Effect{"flash_attn_cross_entropy unsloth_cross_entropy_loss", "another kernel of the loss: loss."},
      Effect{"flash_attn_fuse_qkv flash_attn_fuse_mlp liger_rope unsloth_rope liger_layer_norm liger_use_token_scaling liger_rms_norm_gated", "another kernel of a layer's operation."},
      Effect{"max_memory gpu_memory_limit device_map", "where layers are put: part of the model may be on the host."},
      Effect{"ddp_bucket_cap_mb", "replicas average gradients in buckets of another size."},
      Effect{"resize_token_embeddings_to_32x shrink_embeddings tokens[]* tokens added_tokens_overrides* embeddings_skip_upcast", "the embedding has another size or format."},
      Effect{"optim_target_modules*", "which matrices the optimizer projects."},
      Effect{"use_pose pose_*", "positions are spread over a longer context."},
      Effect{"trl.* vllm.*", "how answers are generated: rollout_engine, rollout_prompts.", true},
      Effect{"dpo_use_logits_to_keep", "logits of the answer alone are made."},
      Effect{"overrides_of_model_config.* overrides_of_model_kwargs.* model_quantization_config* experimental_skip_move_to_device", "the model is changed.", true},
      Effect{"expert_parallel_size n_experts_parallel", "experts are divided: expert_parallel."},
      Effect{"fsdp_config.*", "an option of FSDP."},
      Effect{"kd_* ", "a teacher's distribution: preference=distillation."},
      Effect{"process_reward_model num_labels", "a head of scores in place of logits."},
      Effect{"llama4_linearized_experts use_kernels use_scattermoe sonicmoe experts_implementation", "another kernel of experts."},
      Effect{"rope_scaling", "positions beyond those the model was made for."},
  };
  return kEffects;
}

} // namespace plimsoll::io::configs
