"""Measured training runs against what the product answers to their questions."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_of, inputs_of, row_of

# Megatron-LM, four layers with the shapes of Llama 3.1 405B, tensor parallel 2 with sequence parallel, four replicas, 4 x 4096 tokens:
# 81.59 GiB measured by SimuMax (github.com/MooreThreads/SimuMax, B200 table).
SIMUMAX = {"id": "x", "category": "megatron-tp-pp-cp", "framework": "Megatron-LM (SimuMax)", "model": "Llama-3.1-405B cut to 4 layers",
           "gpu": "B200", "n_gpus": 8, "hf_id_guess": "meta-llama/Llama-3.1-405B", "params_b": None, "dtype_amp": "bf16, fp32 main grads",
           "optimizer": "Adam, distributed optimizer", "micro_batch": 1,
           "parallelism": {"dp": 4, "tp": 2, "pp": 1, "cp": 1, "ep": 1, "zero": 1, "sp": True}, "seq_len": 4096, "grad_accum": 4,
           "checkpointing": "none", "attention": "te fused", "lora": None, "quant": None, "other_knobs": {}, "unit": "GiB",
           "metric": "max allocated", "value_bytes": 87_606_594_437}


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answers = product.compared(evidence_of("measured-training"))

    def answer(self, id):
        return next(one for one in self.answers if one["id"] == id)

    def test_every_row_is_answered_or_says_why(self):
        for one in self.answers:
            with self.subTest(one["id"]):
                self.assertTrue(one["status"] == "modelled" or one["reason"])

    def test_weights_after_loading(self):
        row = self.answer("nb0-full-512-model")  # 2 bytes x 1,137,805,312; the rest are rotary tables and buffers
        self.assertEqual(row["predicted"], 2_275_610_624)
        self.assertLess(abs(row["error"]), 0.02)

    def test_what_a_process_holds_before_it_computes(self):
        row = self.answer("stas-ctx-eager-pt2.1")  # a range: the figure differs by driver and by how modules are loaded
        self.assertTrue(row["low"] <= row["measured"] <= row["high"], row)
        self.assertNotEqual(self.answer("stas-dist-after")["status"], "modelled")

    def test_what_stands_in_for_the_rest_is_listed(self):
        row = self.answer("peft-metamath-full-finetuning")  # batches are padded to 768 at most; evaluation is included
        self.assertEqual((row["status"], row["memory"]), ("modelled", "reserved"))
        self.assertTrue(row["assumed"])

    def test_torchtunes_ladder_of_techniques_is_met_step_by_step(self):
        """Packed sequences of 2 x 4096 tokens: 6 bytes a parameter at the backward pass of the loss, what 28 layers keep, and 12 bytes a
        logit; then 4 where it runs in chunks. With recomputation the shared table's gradients decide."""
        steps = [one for one in self.answers if one["id"].startswith("torchtune-llama32-3b-ladder")]
        self.assertEqual(len(steps), 6)
        for one in steps:
            with self.subTest(one["id"]):
                self.assertEqual(one["status"], "modelled", one["reason"])
                self.assertLess(abs(one["error"]), 0.025 if one["id"].endswith("-ac") else 0.013)

    def test_benchmarks_of_one_operator_are_asked_of_the_formula_that_the_estimate_uses(self):
        kernels = [one for one in self.answers if one["id"].startswith("liger-")]
        asked = [one for one in kernels if one["status"] == "modelled"]
        self.assertEqual((len(kernels), len(asked)), (4, 2))
        for one in asked:
            with self.subTest(one["id"]):
                self.assertLess(abs(one["unexplained_error"]), 0.003)


class Placeholders(unittest.TestCase):
    def test_accumulated_gradients_have_one_of_each_shape(self):
        made = convert_one("measured-training", SIMUMAX)
        self.assertIn("fused_gradient_accumulation=true", made["query"])
        row = product.compared([made])[0]
        self.assertEqual(row["status"], "modelled", row["reason"])
        self.assertLess(abs(row["error"]), 0.01)
        buffers = product.asked({"x": (made["query"], product.part("memory.buffers", "loss_backward"))})["x"]
        # h = 16,384, f = 53,248, 1,024 channels of keys and of values, 128,256 logits, each matrix halved: fc1, fc2, qkv, proj, head.
        self.assertEqual(buffers, 2 * 16384 * (53248 + 53248 // 2 + (16384 + 2048) // 2 + 16384 // 2 + 128256 // 2))


class Torchtitan(unittest.TestCase):
    def test_its_first_versions_kept_the_logits_and_logged_shares_of_the_device(self):
        row = row_of("measured-training", "titan-qwen3-32b-fsdp4tp8-lbs16")
        self.assertNotIn("loss", inputs_of(convert_one("measured-training", row)))
        row["metric"] = "torch peak active memory (percent of device)"
        self.assertEqual(inputs_of(convert_one("measured-training", row))["loss"], "torch_float_kept")


if __name__ == "__main__":
    unittest.main()
