"""Rows of tokens per second: which question they are, and why others are none."""

import unittest

from tests.corpora import convert_one, evidence_named, merged, reason_of, rows_of


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


class Questions(unittest.TestCase):
    def test_no_row_of_a_queue_is_asked_as_one_sequence(self):
        for id in ("TR-135", "TR-147"):
            made = evidence_named("measured-speed", id)
            self.assertIn("requests as fit are worked off together", reason_of(made))
            self.assertTrue({"single GPU, queue", "several GPUs, queue"} & set(made["features"]))

    def test_kernels_of_engines_have_a_profile(self):
        for id, profile in (("AW-015", "autoawq"), ("TA-001", "gpt_fast")):
            self.assertIn(f"profile={profile}", evidence_named("measured-speed", id)["query"])


if __name__ == "__main__":
    unittest.main()
