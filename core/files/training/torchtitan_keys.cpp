// torchtitan's other keys (pytorch/torchtitan, torchtitan/config/job_config.py).
#include "files/training/torchtitan_keys.hpp"

#include <array>

namespace plimsoll::io::configs {

std::string_view torchtitan_harmless() noexcept {
  return "job* profiling* metrics* model.tokenizer_path model.hf_assets_path model.norm_type model.print_after_conversion optimizer.lr optimizer.beta1 "
         "optimizer.beta2 optimizer.eps optimizer.weight_decay lr_scheduler* training.dataset training.dataset_path training.steps "
         "training.max_norm training.warmup_steps training.gc_freq training.gc_debug training.seed training.mixed_precision_reduce "
         "training.data_parallel_type debug.seed debug.print_config checkpoint* comm* fault_tolerance* experimental.custom_import "
         "experimental.custom_args_module training.disable_cuda_graphs experimental.pipeline_parallel_schedule experimental.context_parallel_rotate_method training.precompute_float8_dynamic_scale_for_fsdp float8.precompute_float8_dynamic_scale_for_fsdp float8.filter_fqns float8.force_recompute_fp8_weight_in_bwd "
         "quantize.linear.float8.precompute_float8_dynamic_scale_for_fsdp quantize.linear.float8.filter_fqns parallelism.context_parallel_rotate_method "
         "parallelism.enable_async_tensor_parallel_logging data* compile.backend "
         "stderr_sink_level file_sink_level training.mock_data debug.moe_force_load_balance primus_turbo.enable_primus_turbo"; // the last are those of AMD-AGI/Primus, configs/modules/torchtitan
}

std::span<const Effect> torchtitan_effects() noexcept {
  static constexpr std::array kEffects{
      Effect{"parallelism.disable_loss_parallel", "tensor-parallel GPUs each hold all logits."},
      Effect{"parallelism.enable_async_tensor_parallel experimental.enable_async_tensor_parallel", "tensor-parallel communication overlaps with multiplication, in symmetric memory."},
      Effect{"parallelism.enable_compiled_autograd", "the backward pass is compiled too."},
      Effect{"experimental.pipeline_parallel_split_points* parallelism.pipeline_parallel_split_points* parallelism.module_fqns_per_model_part*", "which layers a stage has: first_stage_layers and last_stage_layers."},
      Effect{"parallelism.pipeline_parallel_layers_per_stage", "layers of a virtual stage: virtual_stages."},
      Effect{"parallelism.pipeline_parallel_first_stage_less_layers parallelism.pipeline_parallel_last_stage_less_layers", "the first and last stage have fewer layers.", true},
      Effect{"parallelism.pipeline_parallel_schedule_csv", "a schedule from a file."},
      Effect{"activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns*", "these multiplications run again: recompute=per_op is near."},
      Effect{"activation_checkpoint.early_stop activation_checkpoint.preserve_rng_state activation_checkpoint.memory_budget activation_checkpoint.visualize_memory_budget_pareto", "how recomputed layers are run again."},
      Effect{"experimental.*", "an option that may go away."},
      Effect{"validation.*", "validation passes between steps."},
      Effect{"float8.recipe_name quantize.linear.float8.recipe_name quantize.linear.float8.emulate float8.emulate float8.moe_fqns_prototype* quantize.linear.mx.* mx.* quantize.grouped_mm.* quantize.dense.* quantize.moe.*", "operands are scaled in another way."},
      Effect{"primus_turbo.*", "kernels of Primus-Turbo."},
      Effect{"memory_estimation.*", "memory is only estimated."},
      Effect{"model.num_mtp_layers", "the model has prediction layers besides.", false, Weight::decides},
      Effect{"ema.* optimizer.ema*", "an average of the weights is kept besides: ema."},
      Effect{"training.enable_fsdp_symm_mem parallelism.fsdp_* parallelism.spmd_backend", "another way of sharding."},
  };
  return kEffects;
}

} // namespace plimsoll::io::configs
