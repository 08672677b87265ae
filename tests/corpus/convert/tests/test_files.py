"""Files of rows, and the evidence that a converter writes."""

import json
import os
import tempfile
import unittest

import common


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rows, self.evidence = (os.path.join(folder.name, name) for name in ("rows", "evidence.json"))

    def write(self, text):
        with open(self.rows, "w", encoding="utf-8") as file:
            file.write(text)

    def test_an_array_lines_or_an_object_of_rows(self):
        rows = [{"id": "a"}, {"id": "b"}]
        for text in (json.dumps(rows), "\n".join(map(json.dumps, rows)) + "\n\n", json.dumps({"rows": rows})):
            self.write(text)
            self.assertEqual(common.read_rows(self.rows), rows)

    def test_what_is_no_json_is_said_and_nothing_is_written(self):
        for text in ('{"id":', "rows", "[1, 2", "[" * 100_000):
            self.write(text)
            with self.assertRaisesRegex(SystemExit, "cannot be read as JSON"):
                common.run(lambda rows: rows, [self.rows, self.evidence])
        with self.assertRaisesRegex(SystemExit, "cannot be read"):
            common.run(lambda rows: rows, [self.rows + " that is not there", self.evidence])
        self.assertFalse(os.path.exists(self.evidence))

    def test_evidence_is_json_that_every_reader_takes(self):
        common.write_rows(self.evidence, [common.evidence(None, {"a": 1}, float("nan"), [], notes="\ud800", config=[float("inf"), 10**400])])
        self.assertEqual(common.read_rows(self.evidence), [{"id": "", "group": '{"a": 1}', "source": None, "measured": [],
                                                            "notes": "?", "config": [None, None]}])

    def test_no_rows_are_an_empty_array(self):
        common.write_rows(self.evidence, [])
        self.assertEqual(common.read_rows(self.evidence), [])


class Queries(unittest.TestCase):
    def test_values_are_written_as_the_product_writes_them(self):
        inputs = {"model": "custom", "batch": 4.0, "tied_embeddings": False, "targets": "q,v", "config": {"a": [1, 2]}, "loss": None}
        self.assertEqual(common.query_text(inputs), "model=custom&batch=4&tied_embeddings=false&targets=q%2Cv&config=%7B%22a%22:%5B1%2C2%5D%7D")

    def test_numbers_are_those_that_64_bits_hold(self):
        for value in (0, -1, 0.5, 2**64 - 1, 1e18):
            self.assertTrue(common.is_number(value))
        for value in (True, None, "1", 10**400, 1e300, float("nan"), float("inf"), [], {}):
            self.assertFalse(common.is_number(value))


if __name__ == "__main__":
    unittest.main()
