"""Rows of tokens per second: which question they are, and why others are none."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_of, merged, reason_of, rows_of


def reason_with(change):
    return reason_of(convert_one("measured-speed", merged(rows_of("measured-speed")[0], change)))


class Reasons(unittest.TestCase):
    def test_rows_that_cannot_be_compared_say_why(self):
        self.assertEqual(reason_with({}), "")
        self.assertIn("unnamed single GPU", reason_with({"gpu": "unnamed single GPU"}))
        self.assertIn("RTX 4000 Ada", reason_with({"gpu": "RTX 4000 Ada 20GB"}))
        self.assertIn("queue", reason_with({"batch": "saturated"}))  # without the lengths of its requests
        self.assertIn("somebody's own", reason_with({"engine": "somebody's own"}))
        self.assertTrue(reason_with({"weights_format": 7}))
        self.assertTrue(reason_with({"gpu": None}))

    def test_speed_on_an_unknown_device_is_not_covered(self):
        row = {**rows_of("measured-inference")[0], "component": "throughput", "gpu": "a card of no name"}
        self.assertIn("no device", reason_of(convert_one("measured-inference", row)))


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.evidence = {one["id"]: one for one in evidence_of("measured-speed")}
        cls.answers = [one for one in product.compared(list(cls.evidence.values())) if one["status"] == "modelled"]

    def whole(self):
        """Answers to questions that lack no input."""
        return [one for one in self.answers if "needs" not in self.evidence[one["id"]]]

    def test_most_rows_are_asked(self):
        self.assertGreaterEqual(len(self.answers), 50)
        for one in self.evidence.values():
            self.assertTrue("query" in one or reason_of(one), one["id"])

    def test_no_row_of_a_queue_is_asked_as_one_sequence(self):
        queues = [one for one in self.evidence.values() if {"single GPU, queue", "several GPUs, queue"} & set(one["features"])]
        self.assertEqual(len(queues), 20)
        for one in queues:
            self.assertIn("wait in a queue", reason_of(one))

    def test_kernels_of_engines_without_a_profile_are_named(self):
        lacking = [one["needs"]["kernels"] for one in self.evidence.values() if "kernels" in one.get("needs", {})]
        self.assertEqual({name: lacking.count(name) for name in lacking}, {"autoawq": 4, "gpt_fast": 7, "mlx_lm": 4})

    def test_decode_speed_of_one_gpu(self):
        """Half of the rows within 12 %, nine of ten within 30 %, nine of ten in the range."""
        rows = [one for one in self.whole() if one["metric"] == "tokens_per_s"]
        errors = sorted(abs(one["error"]) for one in rows)
        self.assertGreaterEqual(len(errors), 35)
        self.assertLessEqual(errors[len(errors) // 2], 0.12)
        self.assertLessEqual(errors[len(errors) * 9 // 10], 0.30)
        self.assertGreaterEqual(10 * sum(one["low"] <= one["measured"] <= one["high"] for one in rows), 9 * len(rows))


if __name__ == "__main__":
    unittest.main()
