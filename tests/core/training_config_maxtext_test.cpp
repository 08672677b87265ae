// MaxText's commands: AI-Hypercomputer/maxtext at e591f30c, src/maxtext/configs/tpu/**/*.sh and docs/run_maxtext.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

const std::string kTrain = "python3 -m maxtext.trainers.pre_train.train src/maxtext/configs/base.yml ";

io::ImportedText on(std::int64_t gpus, const std::string& text) { return import(text, {.gpus = gpus}); }

bool has_error(const io::ImportedText& made, std::string_view part) {
  return !made.ok && std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.message.find(part) != std::string::npos; });
}

bool asks(const io::ImportedText& made, std::string_view what) {
  return std::ranges::any_of(made.questions, [&](const io::OpenQuestion& each) { return each.field == what; });
}

} // namespace

TEST_CASE("MaxText's published script for Llama 3.1 405B trains on 128 hosts of 8 GPUs") {
  const io::ImportedText made = import("export EXECUTABLE=\"train\" # or train_compile\n"
                                       "python3 -m maxtext.trainers.pre_train.$EXECUTABLE ${MAXTEXT_CONFIGS_DIR:-${MAXTEXT_REPO_ROOT:-$PWD}/src/maxtext/configs}/base.yml run_name=$RUN_NAME \\\n"
                                       "    hardware=gpu steps=10 model_name=llama3.1-405b enable_checkpointing=False attention=cudnn_flash_te remat_policy=full use_iota_embed=True scan_layers=True \\\n"
                                       "    dataset_type=synthetic async_checkpointing=False logits_dot_in_fp32=False per_device_batch_size=1.0 max_target_length=8192 dcn_fsdp_parallelism=128 \\\n"
                                       "    dcn_data_parallelism=1 ici_fsdp_parallelism=8 base_output_directory=$OUTPUT_PATH max_segments_per_seq=32 profiler=xplane\n");
  CHECK(made.ok);
  for (const auto& [name, text] : {std::pair{"task", "pretrain"}, std::pair{"profile", "maxtext"}, std::pair{"model", "llama-3.1-405b"}, std::pair{"batch", "1"}, std::pair{"context_tokens", "8192"},
                                   std::pair{"data_parallel", "1024"}, std::pair{"sharding", "parameters"}, std::pair{"precision", "sharded_bf16"}, std::pair{"recompute", "full"},
                                   std::pair{"optimizer", "adamw_fused"}, std::pair{"attention", "flash"}}) {
    INFO(name);
    CHECK(field(made, name) == text);
  }
  CHECK(field(made, "shard_group").empty());
  CHECK(made.unread.empty());
  CHECK_FALSE(asks(made, "gpus"));
}

TEST_CASE("MaxText divides among all devices of a slice by itself, and a replica has the sequences of all its devices") {
  const std::string line = kTrain + "model_name=llama3.1-8b per_device_batch_size=2 max_target_length=4096 steps=10 dataset_type=synthetic";
  CHECK(asks(import(line), "gpus"));
  CHECK(field(on(16, line), "data_parallel") == "16");
  CHECK(field(on(16, line), "shard_group").empty());
  const io::ImportedText tensor = on(16, line + " ici_tensor_parallelism=4");
  CHECK(field(tensor, "tensor_parallel") == "4");
  CHECK(field(tensor, "sequence_parallel") == "true");
  CHECK(field(tensor, "data_parallel") == "4");
  CHECK(field(tensor, "batch") == "8");
  const io::ImportedText context = on(16, line + " ici_context_parallelism=2 context_parallel_strategy=ring");
  CHECK(field(context, "context_parallel") == "2");
  CHECK(field(context, "context_method") == "ring");
  CHECK(field(context, "batch") == "4");
  CHECK(field(context, "data_parallel") == "8");
  const io::ImportedText slices = on(64, line + " dcn_data_parallelism=4"); // each slice of 16 has a whole set of shards
  CHECK(field(slices, "data_parallel") == "64");
  CHECK(field(slices, "shard_group") == "16");
  CHECK(field(on(64, line + " num_slices=4"), "shard_group") == "16");
  CHECK(field(on(64, line + " ici_fsdp_parallelism=16"), "shard_group") == "16"); // the slices are what is left
  const io::ImportedText transposed = on(256, line + " ici_fsdp_transpose_parallelism=256 ici_fsdp_parallelism=-1");
  CHECK(field(transposed, "data_parallel") == "256");
  CHECK(field(transposed, "shard_group").empty());
  CHECK(field(on(8, line + " ici_data_parallelism=8 ici_fsdp_parallelism=1 dcn_data_parallelism=1"), "sharding") == "none");
  CHECK(field(on(8, line + " ici_data_parallelism=8 ici_fsdp_parallelism=1 dcn_data_parallelism=1 shard_optimizer_over_data=true"), "sharding") == "optimizer");
  const io::ImportedText compiled = import(line + " compile_topology=v5e-256 compile_topology_num_slices=2"); // whatever it runs on
  CHECK(field(compiled, "device") == "tpu-v5e");
  CHECK(field(compiled, "data_parallel") == "512");
  CHECK(field(compiled, "shard_group") == "256");
  CHECK(compiled.questions.empty());
  CHECK(field(import(line + " compile_topology=v5p-256 compile_topology_num_slices=1"), "data_parallel") == "128"); // cores by name
  CHECK_FALSE(import(line + " compile_topology=tpu7x-256 compile_topology_num_slices=1").ok);
  const io::ImportedText experts = on(16, kTrain + "model_name=mixtral-8x7b per_device_batch_size=1 ici_expert_parallelism=8");
  CHECK(field(experts, "expert_parallel") == "8");
  CHECK(field(experts, "data_parallel") == "16");
  CHECK(has_error(on(15, line + " ici_tensor_parallelism=4"), "do not come apart"));
  CHECK(has_error(on(16, line + " ici_pipeline_parallelism=4"), "ici_pipeline_parallelism"));
  CHECK(has_error(on(16, line + " ici_tensor_parallelism=-1"), "ici_fsdp_parallelism"));
}

TEST_CASE("MaxText: number formats, what runs again, batches by themselves") {
  const std::string line = kTrain + "model_name=llama3.1-8b ";
  CHECK(field(on(8, line), "batch") == "12");
  CHECK(field(on(8, line), "context_tokens") == "2048");
  CHECK(field(on(8, line + "weight_dtype=bfloat16"), "precision") == "bf16");
  CHECK(field(on(8, line + "weight_dtype=bfloat16"), "gradient_dtype") == "fp32");
  CHECK(field(on(8, line + "dtype=float32"), "precision") == "fp32");
  CHECK(field(on(8, line + "remat_policy=none"), "recompute") == "none");
  CHECK(field(on(8, line + "remat_policy=custom decoder_layer_input=offload"), "recompute") == "offloaded");
  CHECK(field(on(8, line + "gradient_accumulation_steps=4"), "micro_batches") == "4");
  CHECK(field(on(8, line + "per_device_batch_size=0.5 ici_tensor_parallelism=2"), "batch") == "1");
  for (const char* refused : {"remat_policy=minimal", "remat_policy=custom mlpwo=device", "quantization=int8", "quantization=fp8", "opt_type=muon", "mu_dtype=bfloat16", "per_device_batch_size=0.5",
                              "use_dpo=true", "dropout_rate=0.1", "attention=mosaic", "scan_layers=false", "optimizer_memory_host_offload=true", "num_vocab_tiling=4", "some_new_key=3", "some_new_switch=false",
                              "override_model_config=true"}) {
    INFO(refused);
    const io::ImportedText made = on(8, line + refused);
    CHECK_FALSE(made.ok);
    CHECK(std::ranges::all_of(made.issues, [](const Issue& issue) { return !issue.remedy.empty(); }));
  }
}

TEST_CASE("MaxText: a model without a name is a Llama of the shape that base.yml has, doubled by a scale") {
  // src/maxtext/configs/tpu/v5e/16b.sh: scale 16 = 2^4: one round of three, and heads and MLP once more
  const io::ImportedText made = on(256, kTrain + "steps=15 per_device_batch_size=6 enable_checkpointing=false remat_policy=full global_parameter_scale=16 max_target_length=2048");
  for (const auto& [name, text] : {std::pair{"model", "custom"}, std::pair{"hidden_size", "4096"}, std::pair{"layers", "32"}, std::pair{"query_heads", "64"}, std::pair{"kv_heads", "64"},
                                   std::pair{"intermediate_size", "28672"}, std::pair{"head_dim", "128"}, std::pair{"vocab_size", "32000"}, std::pair{"tied_embeddings", "false"}}) {
    INFO(name);
    CHECK(field(made, name) == text);
  }
  CHECK(field(on(8, kTrain + "base_emb_dim=6144 base_num_query_heads=24 base_num_kv_heads=24 base_mlp_dim=24576 base_num_decoder_layers=48"), "hidden_size") == "6144");
  CHECK_FALSE(on(8, kTrain + "global_parameter_scale=3").ok);
  CHECK_FALSE(on(8, kTrain + "decoder_block=gemma").ok);
}

TEST_CASE("MaxText: a file that changes base.yml is asked for, and read with the command") {
  const std::string line = "python3 -m MaxText.train MaxText/configs/models/gpu/llama2_7b.yml run_name=test ici_fsdp_parallelism=8 dcn_data_parallelism=1";
  CHECK(std::ranges::any_of(import(line).questions, [](const io::OpenQuestion& each) { return each.answer == "file"; }));
  const std::vector<io::ImportText> texts{{line, "run.sh"}, {"base_config: \"base.yml\"\nrun_name: \"gpu_train_test\"\nmodel_name: \"llama2-7b\"\nper_device_batch_size: 4\nmax_target_length: 4096\nremat_policy: \"full\"\n", "llama2_7b.yml"}};
  const io::ImportedText made = io::import_texts(test::catalog(), texts);
  CHECK(made.ok);
  CHECK(field(made, "model") == "llama-2-7b");
  CHECK(field(made, "batch") == "4");
  CHECK(field(made, "data_parallel") == "8");
}
