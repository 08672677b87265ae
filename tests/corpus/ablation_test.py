"""Each key is taken in turn out of one file of each format: what the import then says is other, or the reason stands in ablated/expected.json."""

import json
import os
import pathlib
import unittest

import ablate

FOLDER = pathlib.Path(__file__).parent
PROGRAM = os.environ["PLIMSOLL_CLI"]
EXPECTED = json.loads((FOLDER / "ablated" / "expected.json").read_text())


class Ablation(unittest.TestCase):
    def test_a_key_without_effect_has_a_reason(self):
        for name, reasons in EXPECTED.items():
            with self.subTest(name):
                found, (keys, read, _) = ablate.without_effect(PROGRAM, FOLDER / name)
                self.assertGreater(min(keys, read), 0)
                self.assertEqual({key for key, why in found if why != "harmless"}, set(reasons))

    def test_each_format_has_a_file(self):
        listed = {name.split("/")[1] for name in EXPECTED if name.startswith("configs/")}
        self.assertEqual(listed, {folder.name for folder in (FOLDER / "configs").iterdir()})
        self.assertEqual({name for name in EXPECTED if name.startswith("ablated/")},
                         {f"ablated/{file.name}" for file in (FOLDER / "ablated").iterdir() if file.name != "expected.json"})


if __name__ == "__main__":
    unittest.main()
