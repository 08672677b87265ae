"""LitGPT's published tables (tutorials/resource-tables.md and config_hub/finetune/README.md): what its scripts and recipes do where a row
does not say it, and the runs against the product's answers."""

import unittest

from tests import product
from tests.corpora import convert, convert_one, inputs_of, reason_of
from tests.litgpt_row import litgpt_row

RUNS = (("llama-2-7b", 1, 1304, True, None, 21.30), ("llama-2-7b", 2, 1304, True, None, 29.07),
        ("llama-2-7b", 1, 1304, True, "bnb.nf4", 14.14), ("llama-2-7b", 1, 1304, True, "bnb.nf4-dq", 13.84),
        ("llama-2-13b", 1, 1304, True, "bnb.nf4", 23.14), ("phi-1.5", 1, 1044, True, None, 4.82),
        ("falcon-7b", 1, 512, False, None, 16.69), ("falcon-7b", 1, 512, False, "bnb.nf4", 9.44),
        ("llama-2-7b", 2, 512, False, None, 19.77), ("llama-2-7b", 2, 512, False, "bnb.nf4", 13.68),
        ("llama-3-8b", 2, 512, False, "bnb.nf4", 17.41), ("mistral-7b", 2, 512, False, "bnb.nf4", 14.29),
        ("llama-3.2-1b", 1, 512, False, None, 4.49), ("gemma-2b", 2, 512, False, "bnb.nf4", 11.58),
        ("phi-2", 4, 512, False, "bnb.nf4", 14.27))


def converted(*run):
    return convert_one("tables", litgpt_row(*run))


class Recipes(unittest.TestCase):
    def test_the_first_micro_batch_has_the_longest_example(self):
        made = converted("llama-2-7b", 1, 1304, True, None, 21.30)
        self.assertEqual((made["measured"][0]["step"], inputs_of(made)["micro_batches"]), ("first", "1"))
        other = converted("llama-2-7b", 2, 512, False, None, 19.77)
        self.assertEqual((other["measured"][0].get("step"), inputs_of(other)["micro_batches"]), (None, "4"))

    def test_four_bits_replace_the_head_too_and_their_multiplications_keep_inputs_before_0_43_2(self):
        row = litgpt_row("llama-2-7b", 1, 1304, True, "bnb.nf4", 14.14)
        inputs = inputs_of(convert_one("tables", row))
        expected = {"weight_dtype": "nf4", "quantised_head": "true", "keeps_quantised_inputs": "true", "optimizer": "paged_adamw",
                    "method": "lora", "rank": "8", "targets": "qv", "adapter_dropout": "true", "profile": "litgpt"}
        self.assertEqual({name: inputs.get(name) for name in expected}, expected)
        row["measured"]["notes"] = "torch 2.4, bitsandbytes 0.43.2"
        self.assertEqual(inputs_of(convert_one("tables", row))["keeps_quantised_inputs"], "false")

    def test_recipes_of_the_config_hub(self):
        for model, quantization, rank, targets in (("falcon-7b", None, "32", "qv"), ("gemma-2b", "bnb.nf4", "16", "q,k,v,o,gate,up,down,head"),
                                                   ("phi-2", "bnb.nf4", "8", "q,k,v,o,gate,up,down,head")):
            with self.subTest(model):
                inputs = inputs_of(converted(model, 2, 512, False, quantization, 10))
                self.assertEqual((inputs["rank"], inputs["targets"]), (rank, targets))
        self.assertIn("no recipe is known", reason_of(converted("pythia-1b", 2, 512, False, None, 10)))


class Answers(unittest.TestCase):
    def test_runs_on_one_gpu_are_within_two_percent(self):
        made = convert("tables", *(litgpt_row(*run) for run in RUNS))
        for run, answer in zip(RUNS, product.compared(made), strict=True):
            with self.subTest(run):
                self.assertEqual(answer["status"], "modelled", answer["reason"])
                self.assertLess(abs(answer["predicted"] - answer["measured"]) * 100, 2 * answer["measured"])


class WholeModels(unittest.TestCase):
    def row(self, gb):
        row = litgpt_row("llama-3.2-1b", 4, 512, False, None, gb)
        row["implementation"]["method"] = "full"
        return row

    def test_the_loss_is_in_chunks(self):
        inputs = inputs_of(convert_one("tables", self.row(16)))
        self.assertEqual((inputs["loss"], inputs["micro_batches"]), ("chunked", "16"))

    def test_a_figure_below_weights_gradients_and_adamw_states_is_no_run_of_that_configuration(self):
        self.assertIn("AdamW states", reason_of(convert_one("tables", self.row(8.7))))


if __name__ == "__main__":
    unittest.main()
