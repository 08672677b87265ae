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

    def test_a_device_that_nobody_knows_is_asked_back(self):
        for typed in (["llama-3.1-8b", "GTX 1080 Ti"], ["can I run llama 3.1 8b on my P40?"], ["llama-3.1-8b", "M2 Pro 16GB"], ["llama-3.1-8b", "RTX PRO 5000"]):
            done = run("estimate", *typed)
            self.assertEqual(done.returncode, 1, typed)
            self.assertIn("error in device: Which ", done.stderr)
        self.same(["llama-3.1-8b", "RTX PRO 5000", "--device", "l4"], ["--model", "llama-3.1-8b", "--device", "l4"])

    def test_every_command_takes_other_names(self):
        self.same(["llama-3.1-8b", "--gpu", "h100-80-sxm", "--engine", "vllm", "--tp", "2", "--prompt", "2000", "--answer", "300", "--rps", "2"],
                  ["model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&tensor_parallel=2&prompt_tokens=2000&answer_tokens=300&request_rate=2"], "load")

    def test_memory_in_gb_where_it_is_asked(self):
        binary, decimal = (run("estimate", "llama-3-8b", "rtx4090", "--json", *units).stdout for units in ([], ["--units", "GB"]))
        self.assertIn(" GiB to spare", json.loads(binary)["headline"]["rest"])
        self.assertIn(" GB to spare", json.loads(decimal)["headline"]["rest"])
        self.assertNotIn("GiB", decimal)
        bytes_of = [json.loads(text)["estimate"]["peak"]["bytes"] for text in (binary, decimal)]
        self.assertEqual(*bytes_of)
        self.assertEqual(run("estimate", "llama-3-8b", "rtx4090", "--units", "tb").returncode, 1)

    def test_the_price_of_a_scenario_is_another_command(self):
        done = run("cost", "--model", "llama-3.1-8b", "--task", "pretrain", "--device", "h100-80-sxm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("plimsoll estimate --cost", done.stderr)


if __name__ == "__main__":
    unittest.main()
