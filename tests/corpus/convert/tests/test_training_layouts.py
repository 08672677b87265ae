"""Parallel degrees of measured training runs, and the profile of the library that divides training states."""

import unittest

from tests.corpora import evidence_named, inputs_of
from tests.training_row import inputs_with, reason_with

FOUR = {"dp": 4, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "sp": False}


class Sharding(unittest.TestCase):
    def test_fsdp_with_the_host(self):
        inputs = inputs_with(parallelism={**FOUR, "zero": "fsdp1 full shard + cpu offload"})
        self.assertEqual({name: inputs.get(name) for name in ("profile", "data_parallel", "sharding", "offload")},
                         {"profile": "fsdp1", "data_parallel": "4", "sharding": "parameters", "offload": "parameters"})

    def test_a_stage_of_zero_is_deepspeeds(self):
        inputs = inputs_with(parallelism={**FOUR, "zero": 2})
        self.assertEqual((inputs["profile"], inputs["sharding"]), ("deepspeed", "gradients"))

    def test_a_degree_that_is_missing_is_named(self):
        self.assertIn('"dp"', reason_with(parallelism={**FOUR, "zero": 2, "dp": None}))
        self.assertIn("parallel degrees", reason_with(parallelism=None))
        self.assertIn("0 to 3", reason_with(parallelism={**FOUR, "zero": 4}))
        self.assertIn("not understood", reason_with(parallelism={**FOUR, "zero": "fsdp5"}))


class RowsOfTheCorpus(unittest.TestCase):
    def converted(self, id):
        return inputs_of(evidence_named("measured-training", id))

    def test_tensor_parallel_shards_of_torchtitan(self):
        inputs = self.converted("titan-qwen3-32b-fsdp4tp8-lbs16")
        self.assertEqual({name: inputs.get(name) for name in ("profile", "tensor_parallel", "data_parallel", "sequence_parallel")},
                         {"profile": "torchtitan", "tensor_parallel": "8", "data_parallel": "4", "sequence_parallel": "true"})

    def test_torchao_computes_in_fp8(self):
        self.assertEqual(self.converted("ao-pretrain-8b-fp8-rowwise")["fp8"], "compute")


if __name__ == "__main__":
    unittest.main()
