"""Runs of the PEFT library's method comparison (rows/peft.json): what trains, what a config says, and what nobody knows."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_of, inputs_of, reason_of, row_of, rows_of

FIRST = rows_of("peft")[0]


def config_with(**options):
    row = row_of("peft", FIRST["id"])
    row["method"] = {"peft_type": options.pop("peft_type", "LORA"), "config": {"r": 32, "target_modules": ["q_proj", "v_proj"], **options}}
    return convert_one("peft", row)


class Rows(unittest.TestCase):
    def test_every_run_has_two_figures_and_is_covered_but_for_two(self):
        made = evidence_of("peft")
        for one in made:
            self.assertEqual([figure["counter"] for figure in one["measured"]], ["reserved", "trainable_parameters"], one["id"])
        reasons = sorted(filter(None, map(reason_of, made)))
        # BOFT is counted, and what it keeps for the backward pass is not known; the saved config of OSF does not tell its rank.
        self.assertEqual(reasons, ["No input says that the method is boft.",
                                   "The method OSF is not covered: its config does not tell how many singular values train."])

    def test_a_row_without_a_device_says_which_is_taken(self):
        made = evidence_of("peft")[0]
        self.assertEqual(inputs_of(made)["device"], "h100-80-sxm")
        self.assertTrue(any("names no device" in text for text in made["assumed"]))

    def test_a_device_that_nobody_knows_is_none_of_ours(self):
        row = row_of("peft", FIRST["id"])
        row["gpu"] = {"name": "abacus"}
        self.assertIn("abacus", reason_of(convert_one("peft", row)))


class Configs(unittest.TestCase):
    def test_sets_of_targets(self):
        for modules, targets in ((["q_proj", "v_proj"], "qv"), (["up_proj", "down_proj", "gate_proj"], "mlp"), ("all-linear", "all_linear"),
                                 (["v_proj", "q_proj", "down_proj"], "q,v,down"), (None, "qv")):
            with self.subTest(modules):
                self.assertEqual(inputs_of(config_with(target_modules=modules))["targets"], targets)
        self.assertIn("not covered", reason_of(config_with(target_modules=["x_proj"])))

    def test_options_that_no_input_says_are_refused_by_name(self):
        for option, value in (("modules_to_save", ["lm_head"]), ("rank_pattern", {"q": 8}), ("bias", "all"), ("layers_to_transform", [1])):
            with self.subTest(option):
                self.assertTrue(reason_of(config_with(**{option: value})))
        self.assertIn("nobody_knows", reason_of(config_with(nobody_knows=7)))
        self.assertIn("LoRA that begins as", reason_of(config_with(init_lora_weights="nobody_knows")))

    def test_words_that_change_the_method(self):
        self.assertEqual(inputs_of(config_with(use_dora=True))["method"], "dora")
        self.assertEqual(inputs_of(config_with(init_lora_weights="mica"))["frozen_half"], "up")
        self.assertEqual(inputs_of(config_with(peft_type="MISS", init_weights="bat"))["method"], "miss_bat")
        row = row_of("peft", FIRST["id"])
        row["method"] = {"peft_type": "LORA", "config": {"r": 32, "target_modules": ["q_proj", "v_proj"]}}
        row["strategy"]["optimizer"] = "lora-fa"
        self.assertEqual(inputs_of(convert_one("peft", row))["frozen_half"], "down")

    def test_formats_of_weights_and_adapters(self):
        row = row_of("peft", FIRST["id"])
        for told, precision, adapters in (({"params": "bfloat16", "adapter_params": "float32"}, "bf16", "fp32"),
                                            ({"params": "bfloat16"}, "bf16", "half"), ({"params": "float32"}, "fp32", "fp32"),
                                            ({"params": "float32", "autocast": True}, "mixed_bf16", "fp32")):
            row["precision"] = told
            inputs = inputs_of(convert_one("peft", row))
            self.assertEqual((inputs["precision"], inputs["adapter_dtype"]), (precision, adapters))
        row["precision"] = {"params": "float8"}
        self.assertIn("float8", reason_of(convert_one("peft", row)))


class Answers(unittest.TestCase):
    def test_runs_train_as_many_parameters_as_the_library_counted(self):
        counts = [one for one in product.compared(evidence_of("peft")) if one["metric"] == "num_trainable_params" and not one["reason"]]
        self.assertGreaterEqual(len(counts), 5)
        self.assertEqual({one["id"]: one["predicted"] for one in counts}, {one["id"]: one["measured"] for one in counts})

    def test_sets_of_targets_train_what_they_name(self):
        """Llama-3.2-3B: 28 layers; queries 3,072 to 3,072, values to 1,024, down 8,192 to 3,072; norms of 3,072."""
        questions = {"set": config_with(target_modules=["v_proj", "q_proj", "down_proj"]),
                     "norms": config_with(peft_type="LN_TUNING", target_modules=["input_layernorm", "post_attention_layernorm"]),
                     "all norms": config_with(peft_type="LN_TUNING", target_modules=None)}
        found = product.asked({name: (one["query"], product.TRAINABLE) for name, one in questions.items()})
        self.assertEqual(found, {"set": 28 * 32 * (2 * 3072 + 3072 + 1024 + 8192 + 3072), "norms": 28 * 2 * 3072,
                                 "all norms": (28 * 2 + 1) * 3072})


if __name__ == "__main__":
    unittest.main()
