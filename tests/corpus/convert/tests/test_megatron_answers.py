"""Peaks of Megatron-LM's functional tests against what the product answers, by row and by configuration."""

import unittest

from tests import product
from tests.corpora import REPOSITORY, evidence_of
from tests.errors import by_configuration, errors_of, median, ninetieth, summed

# Per cent of |error| of a group's later peaks: median of its rows, and of its configurations.
GOALS = {"dense": (0.2, 0.2), "dense vpp": (0.2, 0.2), "dense uneven pp": (0.2, 0.2), "dense local": (0.2, 0.2),
         "dense local fp16": (0.2, 0.2), "dense cp": (0.9, 1.5), "moe te": (1.0, 1.0), "moe local": (1.0, 1.0), "hybrid": (0.5, 0.5),
         "fp8": (2.5, 2.5), "fsdp": (2.5, 5.0)}


def asked_for(rows):
    """The same questions of what tensors ask for, rather than of the blocks that hold them."""
    return [{**row, "measured": [{**figure, "counter": "requested"} for figure in row["measured"]]} for row in rows]


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answers = product.compared(evidence_of("megatron"))
        cls.requested = product.compared(asked_for(evidence_of("megatron")))

    def missed(self, answers):
        """Groups whose medians, of rows or of configurations, are not at their goals; all rows under None."""
        made = {}
        for group, goals in {None: (0.3, 1.0), **GOALS}.items():
            rows = summed(answers, "peak_steady", group)
            found = 100 * median(errors_of(rows)), 100 * median(by_configuration(rows))  # fails where a group has vanished
            if found[0] > goals[0] or found[1] > goals[1]:
                made[group] = found
        return made

    def test_no_row_is_left_out_without_a_reason(self):
        for one in self.answers:
            self.assertEqual(one["status"] == "modelled", not one["reason"], one["id"])

    def test_every_question_is_answered(self):
        """What the converter asks, the product has inputs for."""
        covered = {one["id"] for one in evidence_of("megatron") if "query" in one}
        refused = {one["id"]: one["reason"] for one in self.answers if one["id"] in covered and one["status"] != "modelled"}
        self.assertEqual(refused, {})

    def test_later_peaks(self):
        for answers in (self.answers, self.requested):
            errors = errors_of(summed(answers, "peak_steady"))
            self.assertGreaterEqual(len(errors), 200)
            self.assertLessEqual(ninetieth(errors), 0.03)

    def test_what_tensors_ask_for_is_at_its_goals(self):
        self.assertEqual(self.missed(self.requested), {})

    @unittest.expectedFailure
    def test_blocks_that_hold_them_are_at_the_same_goals(self):
        """The sources count blocks, and print what tensors ask for to within a thousandth where Megatron's own layers run: the product
        counts 2 % more there."""
        self.assertEqual(self.missed(self.answers), {})

    def test_every_peak_that_is_more_than_five_percent_off_has_its_cause_written_down(self):
        causes = (REPOSITORY / "tests/corpus/megatron.md").read_text(encoding="utf-8")
        far = [one["id"] for one in summed(self.answers, "peak_steady") if abs(one["unexplained_error"]) > 0.05]
        self.assertEqual([id for id in far if f"`{id}`" not in causes], [])


if __name__ == "__main__":
    unittest.main()
