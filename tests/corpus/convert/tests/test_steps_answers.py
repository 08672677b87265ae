"""Steps that tests/measure cut into moments on one H200 against what the product answers to their questions."""

import unittest

from tests import product
from tests.corpora import evidence_of
from tests.errors import errors_of, median, ninetieth, summed

# Per cent of |error| of a group's later peaks, median and nine of ten: a little above what stands there today.
BOUNDS = {
    "steps: bf16": (0.1, 2.0), "steps: bf16, recomputed": (0.2, 0.5), "steps: mixed_bf16": (0.1, 2.0),
    "steps: mixed_bf16, recomputed": (0.5, 1.2), "steps: fp32": (0.05, 3.0), "steps: fp32, recomputed": (1.5, 2.0),
    "steps: trainer": (0.05, 0.1), "steps: loops": (0.05, 0.1), "steps: adapters": (0.3, 2.5), "steps: experts": (2.0, 3.0),
    "steps: compiled": (1.0, 4.5), "steps: fused norms": (0.1, 4.5), "steps: attention code": (0.1, 0.5), "steps: tp": (0.5, 1.0),
    "steps: fsdp2": (0.1, 2.5), "steps: ddp": (0.05, 0.1),
}


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answers = product.compared(evidence_of("steps"))

    def errors(self, metric, group=None):
        return errors_of(summed(self.answers, metric, group))

    def test_every_figure_is_answered_within_its_range_or_says_why(self):
        for one in self.answers:
            self.assertEqual(one["status"] == "modelled", not one["reason"], one)
            if one["status"] == "modelled":
                self.assertTrue(one["low"] <= one["predicted"] <= one["high"], one)

    def test_peaks_reserved_bytes_and_layers(self):
        for metric, least, half, most in (("peak_steady", 290, 0.002, 0.027), ("peak_first", 290, 0.004, 0.025),
                                          ("reserved_max_in_process", 290, 0.055, 0.18), ("layer_bytes", 43, 0.0001, 0.09)):
            with self.subTest(metric):
                errors = self.errors(metric)
                self.assertGreaterEqual(len(errors), least)
                self.assertLessEqual(median(errors), half)
                self.assertLessEqual(ninetieth(errors), most)

    def test_peaks_of_each_group(self):
        for group, (half, most) in BOUNDS.items():
            with self.subTest(group):
                errors = self.errors("peak_steady", group)
                self.assertTrue(errors)  # a group that has vanished would pass
                self.assertLessEqual(100 * median(errors), half)
                self.assertLessEqual(100 * ninetieth(errors), most)

    def test_parameters_are_exact(self):
        for metric in ("parameters", "trainable"):
            counts = [one for one in self.answers if one["metric"] == metric and one["status"] == "modelled"]
            self.assertGreaterEqual(len(counts), 34)
            self.assertEqual([(one["id"], one["predicted"] + one["explained"], one["measured"]) for one in counts
                              if one["predicted"] + one["explained"] != one["measured"]], [])

    def test_a_measured_step_is_a_question_that_people_can_ask_with_the_same_answer(self):
        peaks = [one for one in self.answers if one["metric"] == "peak_steady" and one["status"] == "modelled"]
        asked = peaks[::5]
        self.assertGreaterEqual(len(asked), 58)
        figure = {"counter": "allocated", "unit": "bytes"}
        again = product.asked({one["id"]: (one["scenario"], figure) for one in asked})
        self.assertEqual(again, {one["id"]: one["predicted"] for one in asked})

    def test_runs_of_which_everything_is_told_fit_the_device_that_they_ran_on(self):
        scenarios = {one["scenario"] for one in self.answers if one["status"] == "modelled" and one["metric"] == "peak_steady"}
        self.assertGreater(len(scenarios), 200)
        questions = {(scenario, counter): (scenario, {"counter": counter, "unit": "bytes"})
                     for scenario in scenarios for counter in ("process", "usable")}
        found = product.asked({f"{counter} {scenario}": asked for (scenario, counter), asked in questions.items()})
        self.assertEqual([scenario for scenario in scenarios if found[f"process {scenario}"] > found[f"usable {scenario}"]], [])


if __name__ == "__main__":
    unittest.main()
