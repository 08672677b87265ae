"""Benchmarks of Liger-Kernel: which of them ask a formula that the estimate uses, and what the benchmark holds beside it."""

import unittest

from tests import product
from tests.corpora import convert, evidence_of

ROW = {"id": "x", "kind": "kernel", "kernel": "cross_entropy", "provider": "torch", "mode": "full", "gpu": {"name": "NVIDIA A100"},
       "framework": {"version": "0.4.0"}, "config": {"BT": 16384, "V": 4096}, "measured": {"bytes_median": 1342309376}}


class Questions(unittest.TestCase):
    def test_a_row_asks_for_one_component_at_one_moment(self):
        made, = convert("liger", ROW)
        figure, = made["measured"]
        self.assertEqual((figure["counter"], figure["part"], figure["moment"]), ("component", "memory.loss", "loss_backward"))
        # Logits in fp32 unless told otherwise, and their gradient of the repetition before.
        self.assertEqual(figure["explained"], 2 * 16384 * 4096 * 4)
        self.assertIn("precision=fp32", made["query"])

    def test_a_row_that_tells_too_little_is_none(self):
        for change in ({"mode": None, "config": None}, {"provider": 5, "config": [], "x": None, "framework": [1], "measured": 3},
                       {"config": None, "x": {"name": "V", "value": 4096}}, {"x": {"name": "BT", "value": -4}, "config": {"vocab_size": 9}},
                       {"x": {"name": "model_config", "value": "unheard_of"}, "config": {"BT": 9, "V": 9}},
                       {"config": {"BT": 9, "V": 9, "dtype": "torch.float3"}}, {"measured": {"bytes_median": 0}}):
            with self.subTest(change):
                self.assertEqual(convert("liger", {**ROW, **change}), [])

    def test_where_weights_stand_beside_a_kernel_two_points_of_its_sweep_are_subtracted(self):
        sweep = {**ROW, "kernel": "fused_linear_cross_entropy", "provider": "huggingface", "config": {"H": 4096, "V": 128256}}
        points = [{**sweep, "id": str(tokens), "x": {"name": "BT", "value": tokens}, "measured": {"bytes_median": tokens * 900_000}}
                  for tokens in (4096, 8192)]
        self.assertEqual(convert("liger", points[0]), [])
        made, = convert("liger", *reversed(points))
        figure, = made["measured"]
        self.assertEqual((made["id"], figure["value"]), ("8192", 4096 * 900_000))
        self.assertIn("context_tokens=4096", figure["minus"])
        self.assertIn("context_tokens=8192", made["query"])


class Answers(unittest.TestCase):
    def test_a_kernel_is_met_within_a_thousandth(self):
        answers = product.compared(evidence_of("liger"))
        self.assertGreaterEqual(len(answers), 2)
        for one in answers:
            with self.subTest(one["id"]):
                self.assertEqual(one["reason"], "")
                self.assertLess(abs(one["unexplained_error"]), 0.001)


if __name__ == "__main__":
    unittest.main()
