torchrun --nproc_per_node 1 pretrain_gpt.py \
  --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --max-position-embeddings 1024 \
  --micro-batch-size 4 --global-batch-size 8 --vocab-size 50257 --fp16 \
  --data-path my_text_document \
  --split 949,50,1 --vocab-file gpt2-vocab.json --merge-file gpt2-merges.txt \
  --save ckpt --load ckpt --save-interval 1000 --eval-iters 10 --eval-interval 1000 --log-interval 10 \
  --lr 1.5e-4 --min-lr 1.0e-5 --lr-decay-style cosine --train-iters 500000 --weight-decay 0.1 --clip-grad 1.0 \
  --adam-beta1 0.9 --adam-beta2 0.95 --init-method-std 0.006
