#include "program_seeds.hpp"

namespace plimsoll::fuzz {

std::vector<std::string> script_seeds() {
  return {R"(#!/bin/bash
export MODEL=${MODEL:-Qwen/Qwen3-8B}
TP=$((2 * 2))
ARGS=(--tensor-parallel-size "$TP" --max-model-len 8192)
vllm serve "$MODEL" "${ARGS[@]}" \
  --gpu-memory-utilization 0.9 &
)",
          R"(#SBATCH --nodes=2 --gpus-per-node=8
#SBATCH -p h100
srun torchrun --nnodes $SLURM_NNODES --nproc_per_node 8 pretrain_gpt.py --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 4 --tensor-model-parallel-size 2 --bf16
)",
          R"(for size in 7b 13b; do
  if [[ $size == 7b ]]; then GPUS=1; else GPUS=2; fi
  accelerate launch --num_processes $GPUS --config_file fsdp.yaml run_sft.py --model_name_or_path meta-llama/Llama-2-${size}-hf --bf16
done
cat <<EOF >ds.json
{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}
EOF
deepspeed --num_gpus=8 train.py --deepspeed ds.json --per_device_train_batch_size 2
)",
          "tune run --nproc_per_node 4 full_finetune_distributed --config llama3_1/8B_full batch_size=2 dataset.packed=True\n",
          "docker run --gpus all -e MODEL_ID=$model ghcr.io/huggingface/text-generation-inference --model-id $model --max-total-tokens ${MAX:?say it}\n"};
}

std::vector<std::string> manifest_seeds() {
  return {R"(apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: vllm
        image: vllm/vllm-openai
        command: ["/bin/sh", "-c"]
        args: ["vllm serve Qwen/Qwen3-8B --max-model-len $LEN"]
        env: [{name: LEN, value: "4096"}]
        resources: {limits: {nvidia.com/gpu: 2}}
)",
          R"(services:
  llm:
    image: vllm/vllm-openai:latest
    command: --model Qwen/Qwen3-8B --max-num-seqs 64
    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 1, capabilities: [gpu]}]}}}
)",
          R"(servingEngineSpec:
  modelSpec:
  - name: a
    repository: vllm/vllm-openai
    modelURL: meta-llama/Llama-3.1-8B-Instruct
    requestGPU: 2
    vllmConfig: {tensorParallelSize: 2, maxModelLen: 8192, dtype: bfloat16, extraArgs: ["--gpu-memory-utilization", "0.8"]}
)",
          "FROM llama3.1:8b-instruct-q4_K_M\nPARAMETER num_ctx 8192\nPARAMETER num_gpu 99\nSYSTEM hello\n"};
}

std::vector<std::string> log_seeds() {
  return {R"(INFO 11-01 10:00:00 [api_server.py:1] vLLM API server version 0.11.0
INFO 11-01 10:00:00 [utils.py:1] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192, 'tensor_parallel_size': 2}
INFO 11-01 10:00:20 [gpu_model_runner.py:1] Model loading took 7.64 GiB and 4.1 seconds
INFO 11-01 10:00:40 [kv_cache_utils.py:1] GPU KV cache size: 425,424 tokens
INFO 11-01 10:00:40 [kv_cache_utils.py:2] Maximum concurrency for 8,192 tokens per request: 51.93x
)",
          R"(load_tensors: offloaded 33/33 layers to GPU
load_tensors:        CUDA0 model buffer size =  4403.49 MiB
llama_context: n_ctx         = 8192
llama_kv_cache:      CUDA0 KV buffer size =  1024.00 MiB
print_info: arch             = llama
)",
          R"([rank0]:2025-01-01 00:00:00,000 - root - INFO - Building llama3 8B with TransformerModelArgs(dim=4096, n_layers=32)
[rank0]:2025-01-01 00:00:10,000 - root - INFO - step:  10  loss:  8.1  memory: 33.65GiB(35.42%)  tps: 5,762  mfu: 33.74%
)",
          R"( iteration       10/     100 | consumed samples: 2560 | elapsed time per iteration (ms): 1213.5 | global batch size: 256 |
[Rank 0] (after 10 iterations) memory (MB) | allocated: 14216.1 | max allocated: 31999.5 | reserved: 34000.0 | max reserved: 34000.0
)",
          R"({'loss': 1.2, 'grad_norm': 0.4, 'epoch': 1.0}
{'train_runtime': 812.4, 'train_samples_per_second': 9.8, 'train_tokens_per_second': 4000.0}
)"};
}

std::vector<std::string> litgpt_seeds() {
  return {R"(checkpoint_dir: checkpoints/google/gemma-2b
out_dir: out/finetune/lora-gemma-2b
precision: bf16-true
quantize: bnb.nf4
devices: 1
lora_r: 8
lora_alpha: 16
lora_query: true
train:
  micro_batch_size: 2
  global_batch_size: 8
  max_seq_length: 512
optimizer:
  class_path: torch.optim.AdamW
  init_args: {lr: 0.0002}
)"};
}

std::vector<std::string> maxtext_seeds() {
  return {R"(base_config: "base.yml"
run_name: "gpu_train_test"
hardware: "gpu"
model_name: "llama3.1-405b"
per_device_batch_size: 0.5
max_target_length: 4096
remat_policy: "custom"
decoder_layer_input: "offload"
ici_fsdp_parallelism: -1
ici_tensor_parallelism: 2
ici_context_parallelism: 2
dcn_data_parallelism: 4
gradient_accumulation_steps: 2
)",
          R"(base_config: base.yml
global_parameter_scale: 16
base_emb_dim: 6144
weight_dtype: bfloat16
compile_topology: v5p-256
compile_topology_num_slices: 2
)"};
}

std::vector<std::string> load_seeds() {
  const std::string serve = "model=llama-3-8b&device=h100-80-sxm&task=inference&profile=vllm&context_tokens=8192&";
  return {serve + "prompt_tokens=1024&answer_tokens=64&concurrency=16&requests=64", serve + "prompt_tokens=100&answer_tokens=10&request_rate=2000&requests=50&arrivals=poisson&length_spread=50",
          serve + "prompt_tokens=1&answer_tokens=1&concurrency=1&requests=1"};
}

} // namespace plimsoll::fuzz
