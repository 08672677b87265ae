torchrun --nproc_per_node=8 --nnodes=1 pretrain_gpt.py \
  --use-mcore-models --transformer-impl transformer_engine --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --group-query-attention --num-query-groups 8 \
  --seq-length 8192 --max-position-embeddings 8192 --position-embedding-type rope --rotary-base 500000 --normalization RMSNorm --norm-epsilon 1e-5 --swiglu --disable-bias-linear \
  --untie-embeddings-and-output-weights --attention-dropout 0.0 --hidden-dropout 0.0 --vocab-size 128256 --make-vocab-size-divisible-by 128 --bf16 \
  --tensor-model-parallel-size 2 --context-parallel-size 2 --cp-comm-type p2p --sequence-parallel --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather \
  --micro-batch-size 1 --global-batch-size 128 --tokenizer-type NullTokenizer --mock-data --no-create-attention-mask-in-dataloader
