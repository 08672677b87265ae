"""Scripts of ms-swift: what is started without what decides nothing, and which figures are evidence."""

import tempfile
import unittest
from pathlib import Path

import ms_swift

SCRIPT = ("# 4 * 42GiB\n# a note\nNPROC_PER_NODE=4 \\\nswift sft \\\n    --model Qwen/Qwen2.5-7B \\\n    --dataset 'a#1' \\\n              'b' \\\n    --packing true \\\n    --eval_steps 100 \\\n    --max_length 8192\n")


def rows(**scripts):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "examples").mkdir()
        for name, text in scripts.items():
            Path(folder, "examples", name + ".sh").write_text(text, encoding="utf-8")
        return list(ms_swift.rows_of(folder))


class Rows(unittest.TestCase):
    def test_a_script_becomes_a_launch_without_what_decides_nothing(self):
        row, = rows(a=SCRIPT)
        self.assertEqual(row["launch"].splitlines(), ["NPROC_PER_NODE=4 \\", "swift sft \\", "    --model Qwen/Qwen2.5-7B \\", "    --packing true \\", "    --max_length 8192"])
        self.assertEqual(row["measured"][0]["value"], 42 << 30)

    def test_lengths_that_nobody_says_and_sizes_of_gpus_are_no_evidence(self):
        row, = rows(a=SCRIPT.replace("    --packing true \\\n", ""))
        self.assertIn("not packed", row["not_covered"])
        self.assertNotIn("launch", row)
        self.assertEqual(rows(a=SCRIPT.replace("42GiB", "80GiB"), b=SCRIPT.replace("# a note", "# lora: 2 * 14GiB"), c=SCRIPT + SCRIPT), [])


if __name__ == "__main__":
    unittest.main()
