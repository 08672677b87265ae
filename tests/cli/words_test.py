"""Questions as people type them: without quotes, and in other tools' words."""

import json
import os
import subprocess
import unittest

CLI = os.environ["PLIMSOLL_CLI"]


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, encoding="utf-8")


class Words(unittest.TestCase):
    def same(self, typed, meant, command="estimate"):
        self.assertTrue(json.loads(run(command, *meant, "--json").stdout)["ok"])
        answers = [json.loads(run(command, *words, "--json").stdout) for words in (typed, meant)]
        for answer in answers:
            answer["issues"] = []  # what was understood how
        self.assertEqual(*answers)

    def test_without_quotes(self):
        self.same(["llama-3.1-8b", "h100"], ["--model", "llama-3.1-8b", "--device", "h100-80-sxm"])
        self.same(["llama-3.1-8b", "RTX 4090", "batch=4", "--context", "16k"], ["model=llama-3.1-8b&device=rtx4090&batch=4&context_tokens=16384"])
        self.same(["vllm", "serve", "Qwen/Qwen3-8B", "--max-model-len", "32768", "--device", "l4"], ["vllm serve Qwen/Qwen3-8B --max-model-len 32768", "--device", "l4"])

    def test_what_a_flag_states_is_not_told_as_assumed(self):
        self.assertEqual(run("estimate", "vllm serve Qwen/Qwen3-8B", "--context", "8k", "--device", "h100-80-sxm").stderr, "")

    def test_what_is_not_understood_is_told(self):
        self.assertIn("Not understood: \u201cnonsense\u201d", run("estimate", "llama-3.1-8b", "nonsense").stderr)

    def test_every_command_takes_other_names(self):
        self.same(["llama-3.1-8b", "--gpu", "h100-80-sxm", "--engine", "vllm", "--tp", "2", "--prompt", "2000", "--answer", "300", "--rps", "2"],
                  ["model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&tensor_parallel=2&prompt_tokens=2000&answer_tokens=300&request_rate=2"], "load")

    def test_the_price_of_a_scenario_is_another_command(self):
        done = run("cost", "--model", "llama-3.1-8b", "--task", "pretrain", "--device", "h100-80-sxm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("plimsoll estimate --cost", done.stderr)


if __name__ == "__main__":
    unittest.main()
