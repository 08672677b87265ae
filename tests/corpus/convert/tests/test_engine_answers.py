"""What engines print of their memory against what the product answers, to half a unit of the last printed digit."""

import json
import unittest

from tests import product
from tests.corpora import evidence_of, rows_of

# Rows whose number follows from shapes and rules alone.
EXACT = ("LC-012", "LC-013", "LC-014", "LC-015", "LC-017", "LC-034", "LC-045", "LC-346", "LC-347", "MI-002", "MI-003", "MI-007", "MI-010",
         "IK-002", "IK-005", "IK-018", "IK-020", "IK-028", "IK-041", "IK-049", "IK-090", "IK-094", "VL-016", "VL-026", "VL-042", "VL-044",
         "VL-035", "VL-056", "VL-058", "VL-064", "VL-068", "VL-079", "SG-005", "TR-077", "TR-100", "TA-002", "TA-008")
# Those of them that the product is not asked, or does not meet, and why: none may join them, and none that is met may stay.
NOT_MET = {
    "LC-346": "bits per weight are cut off after four decimals, not rounded",
    "MI-002": "the catalogue has no M3 with 16 GB",
    "MI-003": "the catalogue has no M3 Max with 48 GB",
    "VL-042": "the row does not tell its weights' format, and its log's tokens are not taken from it",
    "VL-068": "predicted, where the reader before took the tokens from the same log",
}


def half_digit(row):
    """In the figure's units."""
    printed = json.dumps(row["value"])
    digits = len(printed.split(".")[1]) if "." in printed else 0
    unit = 1 if row["value_bytes"] is None else row["value_bytes"] / row["value"]
    rounded = 0 if row["value_bytes"] is None else 0.5  # value_bytes is rounded to a byte
    return 0.5 * unit * 10 ** -digits * (1 + 1e-9) + rounded


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = {row["id"]: row for row in rows_of("measured-inference")}
        cls.answers = {one["id"]: one for one in product.compared(evidence_of("measured-inference"))}

    def off(self, answer):
        return abs(answer["predicted"] / answer["measured"] - 1)

    def test_every_row_is_answered_or_says_why(self):
        self.assertEqual(set(self.answers), set(self.rows))
        for id, answer in self.answers.items():
            self.assertTrue(answer["status"] == "modelled" or answer["reason"], id)

    def test_rows_that_shapes_and_rules_decide_are_met_within_half_a_printed_digit(self):
        self.assertEqual(len(set(EXACT)), 37)
        unmet = set()
        for id in EXACT:
            answer = self.answers[id]
            met = answer["status"] == "modelled" and \
                abs(answer["predicted"] + answer["explained"] - answer["measured"]) <= half_digit(self.rows[id])
            unmet |= set() if met else {id}
        self.assertEqual(unmet, set(NOT_MET))

    def test_concurrency_that_is_predicted_is_near(self):
        self.assertLess(self.off(self.answers["VL-068"]), 0.02)

    def test_tokens_of_cache_are_within_two_percent(self):
        tokens = [one for one in self.answers.values() if one["metric"] == "kv_tokens" and one["status"] == "modelled"]
        self.assertGreaterEqual(len(tokens), 7)
        for one in tokens:
            with self.subTest(one["id"]):
                self.assertLessEqual(self.off(one), 0.02)

    @unittest.expectedFailure
    def test_tokens_of_a_cache_whose_bytes_nobody_gave_have_a_range(self):
        """The product answers tokens without the range that their bytes have."""
        one = self.answers["VL-067"]
        self.assertTrue(one["low"] <= one["measured"] <= one["high"], one)

    def test_what_a_log_gives_leaves_vllms_cache_within_two_percent(self):
        given = [one for one in self.answers.values() if one["group"] in ("vLLM kv", "vLLM kv_tokens") and one["status"] == "modelled"
                 and any(text.startswith("Given by the same log") for text in one["assumed"])]
        self.assertGreaterEqual(len(given), 7)
        for one in given:
            with self.subTest(one["id"]):
                self.assertLess(self.off(one), 0.02)


if __name__ == "__main__":
    unittest.main()
