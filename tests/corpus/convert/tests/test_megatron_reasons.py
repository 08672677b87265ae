"""Rows of Megatron-LM's tests: which are covered, why others are not, and what a row does not tell."""

import unittest

from tests.corpora import convert_one, evidence_of, inputs_of, reason_of, row_of, rows_of

SEVEN = "megatron/gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200"
WORLD = "The row does not say the number of GPUs, which divide the optimizer states among them."


def converted_with(section, key, value):
    row = row_of("megatron", SEVEN)
    row[section][key] = value
    return convert_one("megatron", row)


class Rows(unittest.TestCase):
    def test_every_row_is_read_under_its_own_id(self):
        for row, one in zip(rows_of("megatron"), evidence_of("megatron"), strict=True):
            with self.subTest(row["id"]):
                self.assertEqual((one["id"], one.get("config")), (row["id"], row.get("config_id")))
                self.assertNotIn("twin", one)
                self.assertNotIn("set", one)
                self.assertIn("peak_steady", [figure["metric"] for figure in one["measured"]])
                self.assertNotEqual("query" in one, "not_covered" in one)

    def test_rows_that_are_not_covered_say_why(self):
        reasons = set(filter(None, map(reason_of, evidence_of("megatron"))))
        self.assertEqual(reasons, {WORLD, "Distillation runs a second model, which is not covered.",
                                   "The row does not say the vocabulary.",
                                   "No input says that prediction depths share one layer."})

    def test_groups_are_of_rows_that_are_alike(self):
        for features, group in (([], "dense"), (["vpp"], "dense vpp"), (["uneven_pp", "vpp"], "dense uneven pp"), (["cp"], "dense cp"),
                                (["local_impl"], "dense local"), (["local_impl", "fp16"], "dense local fp16"), (["moe"], "moe te"),
                                (["moe", "local_impl"], "moe local"), (["moe", "muon"], "moe muon"), (["mla", "moe"], "mla+moe"),
                                (["hybrid"], "hybrid"), (["fp8", "moe"], "fp8"), (["fsdp"], "fsdp")):
            row = row_of("megatron", SEVEN)
            row["features"] = features
            self.assertEqual(convert_one("megatron", row)["group"], group)
        row["strategy"]["world"] = None
        self.assertEqual(convert_one("megatron", row)["group"], "release (world not recorded)")

    def test_modules_whose_inputs_wait_on_the_host(self):
        made = convert_one("megatron", row_of("megatron", "megatron/moe/gpt3_moe_mcore_te_tp2_pp2_ep4_etp1_fine_grained_offloading/dev_dgx_gb200"))
        self.assertEqual(inputs_of(made)["offload_modules"], "expert_fc1,moe_act,attn_norm,mlp_norm,qkv_linear,core_attn,attn_proj")


class Refusals(unittest.TestCase):
    def test_what_no_question_says_is_refused_with_its_reason(self):
        cases = (("strategy", "world", 16, "The number of GPUs does not match the parallel sizes."),
                 ("strategy", "fsdp", "torch_fsdp2", "PyTorch's FSDP inside Megatron-LM is not covered."),
                 ("model", "padded_vocab", None, "The row does not say the vocabulary."),
                 ("model", "hidden", "512", "model.hidden is '512', where a whole number from 1 to 100000000 is needed."),
                 ("strategy", "optimizer", "lamb", "strategy.optimizer is 'lamb', which is not known here."),
                 ("raw_args", "--cpu-offloading", True, "Offloading of whole layers is not covered."),
                 ("raw_args", "--fine-grained-activation-offloading", True, "The row does not say which modules are offloaded."))
        for section, key, value, reason in cases:
            with self.subTest(key=key, value=value):
                made = converted_with(section, key, value)
                self.assertEqual(reason_of(made), reason)
                self.assertNotIn("query", made)

    def test_a_device_that_is_not_known_is_none_of_ours(self):
        self.assertTrue(reason_of(converted_with("gpu", "name", "TPU")).startswith("gpu.name"))


class WhatRowsDoNotTell(unittest.TestCase):
    def test_a_row_without_a_device_says_which_is_taken(self):
        made = converted_with("gpu", "name", None)
        self.assertEqual((made["assumed"], inputs_of(made)["device"]), (["GPU: A100 with 80 GB"], "a100-80-sxm"))

    def test_no_number_of_gpus_is_made_up_where_they_divide_the_states(self):
        made = convert_one("megatron", row_of("megatron", "megatron/gpt/gpt3_15b_8t_release/dev_dgx_h100"))
        self.assertEqual(reason_of(made), WORLD)

    def test_where_replicas_divide_nothing_the_fewest_are_taken_and_said(self):
        row = row_of("megatron", "megatron/gpt/gpt3_15b_8t_release/dev_dgx_h100")
        row["strategy"]["distributed_optimizer"] = False
        made = convert_one("megatron", row)
        self.assertEqual(inputs_of(made)["data_parallel"], "1")
        self.assertEqual(len(made["assumed"]), 2)
        self.assertTrue(any(text.startswith("data-parallel replicas") for text in made["assumed"]))
        self.assertTrue(any(text.startswith("micro-batches of a step") for text in made["assumed"]))


if __name__ == "__main__":
    unittest.main()
