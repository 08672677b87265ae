"""Tables with columns for the layout: what rows of MLPerf Training and of Megatron-Bridge become."""

import unittest
from urllib.parse import parse_qs

from tests import corpora  # noqa: F401  puts the converters on the path

import bridge_training
import mlperf_training

MLPERF = {"id": "row", "benchmark": "llama2_70b_lora", "method": "lora", "model": "Llama-2-70B", "gpu": "mi300x", "n_gpus": 8, "params_total": 68976648192,
          "params_active": 68976648192, "seq_len": 8192, "micro_batch": 1, "grad_accum": 1, "tp": 1, "pp": 1, "vp": None, "cp": 2, "dp": 4,
          "layout_basis": "config file", "precision": "fp8", "recompute": "full block 21", "step_time_s": 3.946}
BRIDGE = {"id": "row", "kind": "benchmark", "model": "LLAMA3_70B", "params_total": 70000000000, "params_active": 70000000000, "seq_len": 8192,
          "gpu": "gb200", "n_gpus": 64, "precision": "FP8", "micro_batch": 2, "batch_tokens": 1048576, "fsdp": 1, "tp": 1, "pp": 1, "cp": 1, "vp": 1,
          "ep": 1, "dp": 64, "tokens_per_s_per_gpu": 4000.0, "config_group": "abc", "source": "github.com/NVIDIA-NeMo/Megatron-Bridge docs"}


def asked(made):
    return {name: values[0] for name, values in parse_qs(made["query"]).items()}


class TrainingTables(unittest.TestCase):
    def test_adapters_and_recomputed_blocks(self):
        question = asked(mlperf_training.convert(MLPERF))
        self.assertEqual((question["model"], question["method"], question["rank"], question["targets"]), ("llama-2-70b", "lora", "16", "q,k,v,o"))
        self.assertEqual((question["recompute"], question["recompute_layers"]), ("block", "21"))
        self.assertEqual((question["context_parallel"], question["data_parallel"], question["fp8"]), ("2", "4", "parameters"))
        self.assertEqual(mlperf_training.convert(MLPERF)["measured"][0]["value"], 3.946)

    def test_a_whole_run_is_its_steps_and_the_evaluations_that_the_rules_have(self):
        run = MLPERF | {"run_time_s": 1696.1, "samples_to_target": 3072, "cp": 1, "dp": 8}
        made = mlperf_training.convert(run)
        self.assertEqual([(figure["counter"], figure["value"]) for figure in made["measured"]], [("step_time_s", 3.946), ("job_time_s", 1696.1)])
        question = asked(made)
        self.assertEqual(question["dataset_tokens"], str(3072 * 8192))
        self.assertEqual(question["evaluation_tokens"], str(5 * 176 * 8192))  # eight times 384, the first three left out; 173 sequences fill 22 rounds of eight
        self.assertEqual((question["restart_minutes"], question["failures_per_million_gpu_hours"], question["job_losses"]), ("0", "0", "true"))
        question = asked(mlperf_training.convert(run | {"benchmark": "llama31_405b", "method": "pretrain", "samples_to_target": 276480, "grad_accum": 144}))
        self.assertEqual((question["train_tokens"], question["evaluation_tokens"]), (str(276480 * 8192), str(6 * 5760 * 8192)))
        self.assertNotIn("job_losses", asked(mlperf_training.convert(MLPERF)))

    def test_a_row_that_contradicts_itself_or_tells_too_little_is_not_asked(self):
        for changed in ({"dp": 8}, {"tp": None}, {"precision": "fp4"}, {"recompute": "some layers"}, {"method": "dora"}, {"gpu": "none"}):
            self.assertIn("not_covered", mlperf_training.convert(MLPERF | changed), changed)

    def test_an_inferred_layout_is_said(self):
        self.assertIn("Whoever wrote the row inferred its layout.", mlperf_training.convert(MLPERF | {"layout_basis": "inferred: from the batch"})["assumed"])

    def test_fsdp_of_all_replicas(self):
        made = bridge_training.convert(BRIDGE)
        question = asked(made)
        self.assertEqual((question["sharding"], question["data_parallel"], question["micro_batches"], made["config"]), ("parameters", "64", "1", "abc"))
        self.assertEqual(asked(bridge_training.convert(BRIDGE | {"fsdp": 0}))["sharding"], "optimizer")

    def test_recipes_of_a_release_say_what_its_tables_do_not(self):
        row = BRIDGE | {"model": "GPT OSS 120B", "gpu": "b200", "precision": "BF16", "ep": 64, "source": "github.com/NVIDIA-NeMo/Megatron-Bridge docs @a (NeMo 26.02)"}
        made = bridge_training.convert(row | {"fsdp": 0})
        self.assertEqual(asked(made)["recompute_modules"], "layernorm,moe_act")
        self.assertNotIn("Nothing is recomputed.", made["assumed"])
        for changed in ({"source": BRIDGE["source"]}, {"source": row["source"].replace("26.02", "24.01")}, {"gpu": "b300"}, {"ep": 8}):
            self.assertNotIn("recompute_modules", asked(bridge_training.convert(row | {"fsdp": 0} | changed)), changed)



if __name__ == "__main__":
    unittest.main()
