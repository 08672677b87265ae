"""Adapters of measured training runs: method, rank, targets, and how the frozen weights beside them are stored."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_named, inputs_of, reason_of, row_of
from tests.training_row import converted, inputs_with, reason_with


class Adapters(unittest.TestCase):
    def test_method_rank_dropout_and_targets(self):
        inputs = inputs_with(lora={"rank": 64, "alpha": 16, "dropout": 0.05, "targets": "c_attn, attn c_proj, w1, w2"})
        self.assertEqual((inputs["method"], inputs["rank"], inputs["adapter_dropout"], inputs["weight_dtype"]),
                         ("lora", "64", "true", "bf16"))
        self.assertEqual(inputs["targets"], "q,k,v,o,gate,up")

    def test_a_set_of_targets_is_one_that_the_product_reads(self):
        made = converted(lora={"rank": 64, "targets": "c_attn, attn c_proj, w1, w2"})
        trained = product.asked({"x": (made["query"], product.TRAINABLE)})["x"]
        # Llama 3 8B: queries and output, keys and values, gate and up.
        self.assertEqual(trained, 32 * 64 * (2 * (4096 + 4096) + 2 * (4096 + 1024) + 2 * (4096 + 14336)))

    def test_what_has_no_input_or_is_not_told_is_refused(self):
        self.assertIn("no field", reason_with(lora={"rank": 8, "targets": "wte and lm_head fully trained"}))
        self.assertIn("does not tell", reason_with(lora={"rank": 8, "targets": "default"}))
        self.assertIn("does not tell", reason_with(lora={"targets": "q"}))
        self.assertIn("VERA", reason_with(lora={"method": "VERA", "rank": 8, "targets": "q"}))
        self.assertTrue(reason_with(quant="bnb nf4"))  # nothing beside it trains


class RowsOfTheCorpus(unittest.TestCase):
    def test_frozen_weights_in_four_bits(self):
        row = row_of("measured-training", "torchtune-llama2-7b-qlora-4090")
        self.assertIn("not packed", reason_of(convert_one("measured-training", row)))
        row["other_knobs"]["packed"] = True
        inputs = inputs_of(convert_one("measured-training", row))
        self.assertEqual((inputs["profile"], inputs["weight_dtype"]), ("torchtune", "nf4_double_quant"))

    def test_weight_decomposition(self):
        made = evidence_named("measured-training", "peft-metamath-lora-r32-dora")
        inputs = inputs_of(made)
        self.assertEqual((inputs["profile"], inputs["method"], inputs["rank"], inputs["adapter_dtype"]), ("peft", "dora", "32", "fp32"))
        self.assertEqual(made["measured"][0]["counter"], "reserved")

    def test_virtual_tokens_follow_from_the_parameters_that_train(self):
        # 28 layers x 2 x 8 heads x 128 channels x 200 tokens = 11,468,800 trainable parameters.
        made = evidence_named("measured-training", "peft-metamath-prefixtuning")
        self.assertEqual(inputs_of(made)["virtual_tokens"], "200")
        self.assertEqual(product.asked({"x": (made["query"], product.TRAINABLE)})["x"], 11_468_800)


if __name__ == "__main__":
    unittest.main()
