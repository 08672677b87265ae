"""What tests of the package share."""

import os
import pathlib
import subprocess

CLI = os.environ["PLIMSOLL_CLI"]
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

LLAMA = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}
LLAMA_PARAMETERS = 8_030_261_248


def printed(*words, **options):
    """What the command line prints, whatever its status."""
    return subprocess.run([CLI, *words], capture_output=True, encoding="utf-8", check=False, **options).stdout


def golden_queries():
    """The scenarios of the golden answers, each with its name."""
    for line in (GOLDEN / "scenarios.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if len(words) == 2 and not line.startswith("#"):
            yield words
