python3 -m sglang.launch_server --model-path Qwen/Qwen3-235B-A22B --tp 8 --dp 2 --enable-dp-attention --context-length 32768 --mem-fraction-static 0.8 \
  --max-running-requests 64 --chunked-prefill-size 8192 --kv-cache-dtype fp8_e4m3 --host 0.0.0.0
