"""plimsoll check, and the action and the hook around it."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

CLI = os.environ["PLIMSOLL_CLI"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}
SCRIPT = "vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192\n"
TRAINING = """base_model: meta-llama/Meta-Llama-3-8B
adapter: lora
lora_r: 16
lora_alpha: 32
lora_target_linear: true
sequence_len: 4096
micro_batch_size: 1
gradient_accumulation_steps: 4
optimizer: adamw_torch
bf16: true
gradient_checkpointing: true
"""


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("config.json", json.dumps(CONFIG)), ("serve.sh", SCRIPT), ("train.yaml", TRAINING), ("notes, old: 1.txt", "nothing\n")):
            (self.folder / name).write_text(text)

    def check(self, *words):
        done = subprocess.run([CLI, "check", *words], capture_output=True, encoding="utf-8", cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def test_what_fits(self):
        for file in ("config.json", "serve.sh"):
            status, said = self.check(file, "--device", "h100-80-sxm")
            self.assertEqual(status, 0, said)
            self.assertTrue(said.startswith(f"{file}: Fits."), said)
        self.assertEqual(self.check("train.yaml", "--device", "h100-80-sxm", "--gpus", "8")[0], 0)
        self.assertEqual(self.check("config.json", "train.yaml", "--device", "h100-80-sxm", "--gpus", "1")[0], 0)

    def test_what_does_not(self):
        status, said = self.check("config.json", "--device", "rtx4090", "--set", "batch=64", "--context-tokens", "8192")
        self.assertEqual(status, 3)
        self.assertTrue(said.startswith("config.json: error: Does not fit."), said)
        self.assertEqual(self.check("config.json", "serve.sh", "--device", "rtx4090", "--set", "weight_dtype=fp32")[0], 3)

    def test_what_has_no_answer(self):
        for words, why in ((["config.json"], "device"), (["config.json", "--device", "nope"], "nope"), (["missing.json", "--device", "rtx4090"], "cannot be read"),
                           (["notes, old: 1.txt", "--device", "rtx4090"], "error"), (["config.json", "--device", "rtx4090", "--set", "batch"], "--set batch"),
                           (["config.json", "--device", "rtx4090", "--max-cost", "much"], "no amount of money")):
            status, said = self.check(*words)
            self.assertEqual(status, 1, said)
            self.assertIn(why, said)
        self.assertEqual(self.check("config.json", "notes, old: 1.txt", "--device", "rtx4090", "--set", "batch=640")[0], 1)    # worse than not to fit

    def test_what_costs_too_much(self):
        hour = ["config.json", "--device", "h100-80-sxm", "--set", "price_per_gpu_hour=2"]
        self.assertEqual(self.check(*hour, "--max-cost", "2")[0], 0)
        status, said = self.check(*hour, "--max-cost", "$1.99")
        self.assertEqual(status, 3)
        self.assertIn("It costs $2.00, more than $1.99.", said)
        status, said = self.check("train.yaml", "--device", "h100-80-sxm", "--gpus", "8", "--max-cost", "5")
        self.assertEqual(status, 3)
        self.assertIn("train_tokens", said)    # nobody said how long it trains

    def test_annotations(self):
        status, said = self.check("config.json", "notes, old: 1.txt", "--device", "rtx4090", "--format", "github", "--set", "batch=64")
        self.assertEqual(status, 1)
        first, *_, last = said.splitlines()
        self.assertTrue(first.startswith("::error file=config.json,title=Plimsoll::Does not fit."), first)
        self.assertTrue(last.startswith("::error file=notes%2C old%3A 1.txt,title=Plimsoll::"), last)

    def run_action(self, **inputs):
        """The action's own script, as GitHub starts it."""
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.assertEqual(action["runs"]["using"], "composite")
        step = action["runs"]["steps"][-1]
        values = {name: str(inputs.get(name, about.get("default", ""))) for name, about in action["inputs"].items()}
        environment = {name: values[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in step["env"].items()}
        path = self.folder / "bin"
        path.mkdir(exist_ok=True)
        (path / "plimsoll").unlink(missing_ok=True)
        (path / "plimsoll").symlink_to(CLI)
        done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]], capture_output=True, encoding="utf-8", cwd=self.folder,
                              env={**os.environ, **environment, "PATH": f"{path}:{os.environ['PATH']}"})
        return done.returncode, done.stdout + done.stderr

    def test_action(self):
        status, said = self.run_action(files="*.sh\nconfig.json\n", device="h100-80-sxm")
        self.assertEqual(status, 0, said)
        self.assertEqual([line.split(",")[0] for line in said.splitlines()], ["::notice file=serve.sh", "::notice file=config.json"])
        status, said = self.run_action(files="config.json", device="rtx4090", set="batch=64\ncontext_tokens=8192")
        self.assertEqual((status, said.count("::error")), (3, 1))
        self.assertEqual(self.run_action(files="config.json", device="h100-80-sxm", **{"max-cost": "0.01"})[0], 3)
        status, said = self.run_action(files="none/*.yaml", device="h100-80-sxm")
        self.assertEqual(status, 1)
        self.assertIn("Nothing is called none/*.yaml", said)
        status, said = self.run_action(files="notes, old: 1.txt", device="h100-80-sxm")
        self.assertIn("file=notes%2C old%3A 1.txt", said)

    def test_hook(self):
        """pre-commit starts the entry with its arguments and the files that match."""
        (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        self.assertEqual((hook["id"], hook["language"]), ("plimsoll", "python"))
        words = hook["entry"].split()
        self.assertEqual(words[0], "plimsoll")
        done = subprocess.run([CLI, *words[1:], "--device", "rtx4090", "config.json"], capture_output=True, encoding="utf-8", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((ROOT / "pyproject.toml").exists())    # which pre-commit installs


if __name__ == "__main__":
    unittest.main()
