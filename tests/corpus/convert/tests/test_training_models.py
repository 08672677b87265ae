"""Models of measured training runs: found by name, cut to fewer layers, or described in words; never taken for another of their size."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_named, inputs_of, reason_of
from tests.training_row import converted, inputs_with, reason_with

GPT = {"id": "x", "category": "megatron-dp-only", "framework": "Megatron-LM", "model": "GPT (24 layers, hidden 2048, 16 heads, ffn 8192)",
       "gpu": "H100-80GB", "n_gpus": 1, "hf_id_guess": None, "params_b": None, "dtype_amp": "bf16",
       "optimizer": "Adam, distributed optimizer", "micro_batch": 4,
       "parallelism": {"dp": 2, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": 1, "sp": False}, "seq_len": 2048, "grad_accum": 4,
       "checkpointing": "none", "attention": "flash", "lora": None, "quant": None, "other_knobs": {"vocab": 50257}, "unit": "B",
       "metric": "allocated_bytes.all.peak", "value_bytes": 30_000_000_000}
SHORT = {**GPT, "model": "GPT h2048 L24 a16 ffn8192 vocab50257", "other_knobs": {}}


def gpt(row):
    return convert_one("measured-training", row)


class Names(unittest.TestCase):
    def test_a_model_is_found_by_its_name(self):
        self.assertEqual(inputs_with(hf_id_guess=None)["model"], "llama-3-8b")

    def test_a_model_of_another_size_is_another(self):
        self.assertIn("billion", reason_with(params_b=7.2))

    def test_layers_that_are_cut(self):
        inputs = inputs_with(model="Llama-3-8B shapes cut to 9 layers")
        self.assertEqual((inputs["model"], inputs["layers"]), ("llama-3-8b", "9"))

    def test_a_model_that_nobody_knows(self):
        self.assertIn("shape is not given", reason_with(model="Nobody-7B", hf_id_guess=None))


class Words(unittest.TestCase):
    def test_dimensions_in_words(self):
        made = gpt(GPT)
        self.assertEqual(reason_of(made), "")
        self.assertEqual(made["measured"][0]["rank"], "last")  # Megatron-LM logs its last rank
        inputs = inputs_of(made)
        self.assertEqual([inputs[name] for name in ("layers", "hidden_size", "query_heads", "intermediate_size", "vocab_size")],
                         ["24", "2048", "16", "8192", "50304"])  # the vocabulary padded to 128
        self.assertEqual(made["measured"][0]["counter"], "allocated")

    def test_letters_for_dimensions_mean_the_same(self):
        self.assertEqual(gpt(SHORT)["query"], gpt(GPT)["query"])

    def test_the_vocabulary_is_padded_for_each_tensor_parallel_gpu(self):
        two = {**SHORT, "parallelism": {**SHORT["parallelism"], "tp": 2}}
        self.assertEqual(inputs_of(gpt(two))["vocab_size"], "50432")

    def test_another_kind_of_model_is_not_described_by_the_same_words(self):
        self.assertIn("shape is not given", reason_of(gpt({**SHORT, "model": "GPT MoE h2048 L24 a16 8 experts"})))


class Parameters(unittest.TestCase):
    def test_counts(self):
        described = evidence_named("measured-training", "nb0-full-512-model")
        self.assertEqual(described["measured"][0]["counter"], "weights")
        found = product.asked({
            "notebook": (described["query"], product.PARAMETERS),
            "words": (gpt(GPT)["query"], product.PARAMETERS),
            "cut": (converted(model="Llama-3-8B shapes cut to 9 layers")["query"], product.PARAMETERS),
        })
        self.assertEqual(found["notebook"], 1_137_805_312)  # the notebook prints 1.138 billion
        # 24 (12 h² + 13 h) + (50304 + 2048) h + 2 h
        self.assertEqual(found["words"], 1_315_819_520)
        # 9 layers of 218,112,000 numbers, embedding and head, the last norm
        self.assertEqual(found["cut"], 9 * 218_112_000 + 2 * 128_256 * 4096 + 4096)


if __name__ == "__main__":
    unittest.main()
