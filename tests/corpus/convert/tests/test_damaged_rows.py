"""Whatever a row says, converting it ends, gives one piece of evidence with a question or a reason, and never stops the rows beside it."""

import os
import random
import tempfile
import unittest

import common
from tests import product
from tests.corpora import CONVERTERS, convert, rows_of
from tests.damage import damage, damaged

EVERY = 23  # of the changes of a row
SEVERAL = ("liger", "steps")  # rows of other kernels are dropped; a process is a question for each of its stages


class Damaged(unittest.TestCase):
    def check(self, one):
        self.assertTrue(isinstance(one["id"], str) and isinstance(one["group"], str), one)
        self.assertNotEqual("query" in one, "not_covered" in one, one["id"])
        self.assertIsInstance(one["measured"], list)
        if "query" in one:
            self.assertLess(len(one["query"]), 200_000)
        for figure in one["measured"]:
            self.assertTrue(common.is_number(figure["value"]), figure)

    def test_one_change_at_any_depth(self):
        for corpus in CONVERTERS:
            rows = rows_of(corpus)
            changed = [made for row in rows[::max(1, len(rows) // 5)] for made in damaged(row, EVERY)]
            with self.subTest(corpus):
                made = convert(corpus, *changed)
                if corpus not in SEVERAL:
                    self.assertEqual(len(made), len(changed))
                for one in made:
                    self.check(one)

    def test_several_changes_and_long_texts(self):
        chance = random.Random(20)
        rows, refused = rows_of("megatron"), 0
        for _ in range(1000):
            made = convert("megatron", damage(chance.choice(rows), chance))
            self.check(made[0])
            refused += "not_covered" in made[0]
        self.assertGreater(refused, 250)  # most damage is noticed

    def test_what_is_no_row_has_a_reason_too(self):
        odd = [None, 3, "row", [], {}, {"kind": "training", "framework": {"name": "megatron"}}]
        for corpus in CONVERTERS:
            with self.subTest(corpus):
                made = convert(corpus, *odd)
                for one in made:
                    self.assertTrue(one["not_covered"], one)
                self.assertEqual(len(made), 0 if corpus == "liger" else len(odd))

    def test_a_damaged_row_leaves_the_others_as_they_are(self):
        for corpus in ("megatron", "tables", "training-runs", "peft", "measured-training"):
            with self.subTest(corpus):
                rows = rows_of(corpus)[:3]
                alone = convert(corpus, *rows)
                among = convert(corpus, rows[0], None, {"id": {}}, rows[1], "x", rows[2])
                self.assertEqual([one for one in among if "query" in one], [one for one in alone if "query" in one])

    def test_evidence_of_damaged_rows_can_be_written_and_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for corpus in CONVERTERS:
                row, path = rows_of(corpus)[0], os.path.join(folder, "evidence.json")
                made = convert(corpus, *damaged(row, 7))
                common.write_rows(path, made)
                self.assertEqual(len(common.read_rows(path)), len(made))

    def test_the_product_answers_whatever_damaged_rows_ask(self):
        for corpus in CONVERTERS:
            rows = rows_of(corpus)
            chance = random.Random(21)
            made = convert(corpus, *(damage(chance.choice(rows), chance) for _ in range(60)))
            with self.subTest(corpus):
                answers = product.compared(made)
                self.assertEqual(len(answers), sum(max(len(one["measured"]), 1) for one in made))  # a row without figures is listed
                for answer in answers:
                    self.assertTrue(answer["status"] == "modelled" or answer["reason"], answer)


class PartsOfARow(unittest.TestCase):
    def test_each_part_may_be_missing_or_null(self):
        row = rows_of("megatron")[0]
        for key, value in row.items():
            changed = [{name: member for name, member in row.items() if name != key}, {**row, key: None}]
            changed += [{**row, key: {**value, inner: None}} for inner in (value if isinstance(value, dict) else ())]
            for one in convert("megatron", *changed):
                self.assertNotEqual("query" in one, "not_covered" in one)


if __name__ == "__main__":
    unittest.main()
