llama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 48 -c 32768 -np 4 -ctk q8_0 -ctv q8_0 -fa on -b 1024 -ub 256 -ts 3,1 --no-mmap --port 8080
