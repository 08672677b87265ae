"""Tables of training runs: GPU-hours of whole jobs of which only model, tokens and device are known, and tokens per second of
benchmarks."""

import unittest

from tests import product
from tests.corpora import convert, convert_one, inputs_of, reason_of

JOB = {"id": "x", "kind": "pretrain", "gpu": "h100-80-sxm", "gpu_hours": 1, "tokens": 1e12}
BENCHMARK = {"id": "x", "kind": "benchmark", "params_active": 7_000_000_000, "gpu_hours": None, "tokens_per_s_per_gpu": 100, "n_gpus": 8}


class Senseless(unittest.TestCase):
    def test_jobs_without_a_model_are_not_covered(self):
        for parameters in (None, -1, "many", 1e300, [], 0.5, 9223372036854775807):
            with self.subTest(parameters):
                made = convert_one("training-runs", {**JOB, "params_active": parameters})
                self.assertNotIn("query", made)
                self.assertTrue(reason_of(made))

    def test_benchmarks_that_make_no_sense_stop_nothing(self):
        changes = ({"gpu": "h100-80-sxm", "hidden": 1}, {"gpu": "h100-80-sxm", "layers": 1000, "n_gpus": 1e7},
                   {"gpu": "h100-80-sxm", "seq_len": 100_000_000}, {"gpu": 3},
                   {"gpu": "h100-80-sxm", "precision": {}, "recompute": 7, "parallelism": ["TP"]},
                   {"gpu": "h100-80-sxm", "parallelism": "TP0 PP999999 FSDP"})
        made = convert("training-runs", *({**BENCHMARK, **change} for change in changes))
        self.assertEqual(len(made), len(changes))
        for one, answer in zip(made, product.compared(made), strict=True):
            self.assertNotEqual("query" in one, "not_covered" in one)
            self.assertTrue(answer["status"] == "modelled" or answer["reason"])


class Jobs(unittest.TestCase):
    def test_what_the_files_of_a_job_say_is_asked_unless_the_row_says_otherwise(self):
        row = {**JOB, "params_active": 1_400_000_000, "gpu": "a100-40-sxm", "n_gpus": 64, "source": "Pythia paper arXiv 2304.01373"}
        made = convert_one("training-runs", row)
        self.assertEqual(inputs_of(made)["recompute"], "full")
        self.assertNotIn("Nothing is recomputed.", made["assumed"])
        self.assertEqual(inputs_of(convert_one("training-runs", {**row, "recompute": "none"}))["recompute"], "none")
        self.assertEqual(inputs_of(convert_one("training-runs", {**row, "source": "a paper"}))["recompute"], "none")


class Layouts(unittest.TestCase):
    def test_degrees_become_inputs(self):
        row = {**BENCHMARK, "gpu": "h100-80-sxm", "n_gpus": 64, "parallelism": "TP4 PP8 CP1 VP4", "layers": 32, "hidden": 4096}
        inputs = inputs_of(convert_one("training-runs", row))
        expected = {"tensor_parallel": "4", "pipeline_parallel": "8", "context_parallel": "1", "virtual_stages": "4",
                    "data_parallel": "2", "sequence_parallel": "true", "layers": "32", "hidden_size": "4096", "sharding": "optimizer"}
        self.assertEqual({name: inputs.get(name) for name in expected}, expected)

    def test_a_pipeline_of_torchtitan_has_as_many_micro_batches_as_gpus(self):
        row = {**BENCHMARK, "gpu": "h100-80-sxm", "n_gpus": 64, "parallelism": "FSDP2 TP4 PP8", "batch_tokens": None}
        self.assertEqual(inputs_of(convert_one("training-runs", {**row, "source": "github.com/pytorch/torchtitan @1"}))["micro_batches"], "8")
        self.assertEqual(inputs_of(convert_one("training-runs", {**row, "source": "github.com/NVIDIA/Megatron-LM @1", "parallelism": "TP4 PP8"}))["micro_batches"], "16")

    def test_what_is_not_understood_or_does_not_go_together_is_refused(self):
        for change, reason in (({"parallelism": "TP4 magic"}, "magic"), ({"parallelism": "TP3"}, "not a multiple of the 3"),
                               ({"parallelism": "DP2"}, "2 replicas"), ({"precision": "nvfp4"}, "4-bit"), ({"precision": "posit"}, "posit"),
                               ({"recompute": "some"}, "some"), ({"gpu": "abacus"}, "abacus"), ({"n_gpus": None}, "how many GPUs"),
                               ({"method": "LoRA"}, "adapters"), ({"flag": "encoder-decoder"}, "encoder-decoder"),
                               ({"use_in_test": False}, "comparison")):
            with self.subTest(change):
                made = convert_one("training-runs", {**BENCHMARK, "gpu": "h100-80-sxm", **change})
                self.assertIn(reason, reason_of(made))
                self.assertNotIn("query", made)


if __name__ == "__main__":
    unittest.main()
